#!/usr/bin/env python3
"""Are the differences that `eval --compare --runs` finds real?

    confirm.py --rankwright BIN --pairs FOLDER [--runs N] [NAME...]

Runs every pair of FOLDER/public and FOLDER/own.  Where the programs differ, the module that
`-o` writes is run by JAX (pip install jax) on the processor: its @main gives the results of both
programs on the arguments of the difference, and the element must differ there too, bit for bit.
Prints a line for each pair and exits with 1 if one is not confirmed or not read.  Without JAX or
without FOLDER nothing is measured, which is said.
"""
import argparse, json, os, subprocess, sys, tempfile


def run_module(path):
    import jax
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax.extend.mlir import ir
    jax.config.update("jax_platforms", "cpu")
    backend = jax.devices("cpu")[0].client
    with mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(open(path).read())
        text = mlir.module_to_bytecode(module)
    devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
    loaded = backend.compile_and_load(text, devices)
    results = loaded.execute_sharded([])
    return [arrays[0] for arrays in results.disassemble_into_single_device_arrays()]


def bits(array):
    import numpy
    return numpy.ascontiguousarray(numpy.asarray(array)).reshape(-1)


def same(a, b):
    return a.tobytes() == b.tobytes() or (a != a and b != b)


def confirm(path, difference):
    results = run_module(path)
    half = len(results) // 2
    before, after = (bits(results[difference["result"] + k * half]) for k in range(2))
    place = 0
    import numpy
    shape = numpy.asarray(results[difference["result"]]).shape
    if difference["element"]:
        place = int(numpy.ravel_multi_index(difference["element"], shape))
    x, y = before[place], after[place]
    return not same(x, y), x, y


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rankwright", required=True)
    parser.add_argument("--pairs", required=True)
    parser.add_argument("--runs", type=int, default=120)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if not os.path.isdir(options.pairs):
        print(f"no pairs at {options.pairs}: nothing was measured")
        return 0
    try:
        import jax  # noqa: F401
        jax.config.update("jax_enable_x64", True)
    except ImportError:
        print("jax is not installed: nothing was measured")
        return 0
    wrong = n = differ = 0
    for kind in ("public", "own"):
        for name in sorted(os.listdir(os.path.join(options.pairs, kind))):
            if options.names and name not in options.names:
                continue
            folder = os.path.join(options.pairs, kind, name)
            n += 1
            with tempfile.NamedTemporaryFile(suffix=".mlir") as module:
                done = subprocess.run(
                    [options.rankwright, "eval", os.path.join(folder, "before.mlir"), "--compare",
                     os.path.join(folder, "after.mlir"), "--runs", str(options.runs), "--json",
                     "-o", module.name], capture_output=True, text=True)
                if done.returncode not in (0, 1):
                    print(f"{name}: {done.stdout.strip()} {done.stderr.strip()[:200]}")
                    wrong += 1
                    continue
                found = json.loads(done.stdout)
                if done.returncode == 0:
                    print(f"{name}: {found['answer']}")
                    continue
                differ += 1
                try:
                    yes, x, y = confirm(module.name, found["differences"][0])
                except Exception as error:  # what XLA cannot run is not confirmed
                    yes, x, y = False, str(error)[:200], ""
            wrong += not yes
            print(f"{name}: different ({found['sense']}), {'confirmed' if yes else 'NOT confirmed'}: "
                  f"{x} {y}")
    print(f"{n} pairs, {differ} differ, {wrong} not read, not known or not confirmed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
