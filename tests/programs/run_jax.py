"""Run StableHLO programs with JAX's CPU compiler and compare their results.

    python run_jax.py A.mlir B.mlir [--seed N] [--tol R]
    python run_jax.py --parse FILE...

The first form runs `main` of both files on the same random inputs and compares
all outputs: integers and booleans exactly, floats up to R relative to the value
itself and to the largest magnitude of that output (R at least two units in the
last place of the type).  It prints one line `same A B`, or what differs.  The
second form only checks that JAX's own parser and verifier take every file.
Exit status: 0 when all is well, 1 when not.

Needs the packages of requirements.txt; see export.py for the environment.
"""

import argparse
import os
import pathlib
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
# Keep rounding through bf16 and f16 as written.
os.environ["XLA_FLAGS"] = (
    os.environ.get("XLA_FLAGS", "") + " --xla_allow_excess_precision=false"
).strip()

import jax
import ml_dtypes
import numpy as np
from jax._src.interpreters.mlir import make_ir_context
from jax._src.lib import xla_client
from jax.extend.backend import get_backend
from jaxlib.mlir import ir

jax.config.update("jax_enable_x64", True)

DTYPES = {
    "i1": np.bool_,
    **{"i%d" % n: np.dtype("int%d" % n) for n in (8, 16, 32, 64)},
    **{"ui%d" % n: np.dtype("uint%d" % n) for n in (8, 16, 32, 64)},
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}


class Failure(Exception):
    pass


def first_line(error):
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__


def parse(path):
    """Parse and verify a file; call inside an MLIR context."""
    try:
        text = pathlib.Path(path).read_text()
        module = ir.Module.parse(text)
        module.operation.verify()
        return module
    except (ir.MLIRError, OSError, UnicodeDecodeError) as error:
        raise Failure("%s: does not parse: %s" % (path, " ".join(str(error).split())))


def tensor(path, kind):
    kind = ir.RankedTensorType(kind)
    element = str(kind.element_type)
    if element not in DTYPES or not kind.has_static_shape:
        raise Failure("%s: cannot run with type %s" % (path, kind))
    return tuple(kind.shape), np.dtype(DTYPES[element])


def signature(path, module):
    """Shapes and types of the arguments and results of main."""
    symbols = ir.SymbolTable(module.operation)
    if "main" not in symbols:
        raise Failure("%s: has no function main" % path)
    kind = ir.FunctionType(ir.TypeAttr(symbols["main"].attributes["function_type"]).value)
    return tuple(
        [tensor(path, t) for t in types] for types in (kind.inputs, kind.results)
    )


def draw(rng, shape, dtype):
    """Random values: floats of deviation 1/2, small integers, fair booleans."""
    if dtype == np.bool_:
        return np.asarray(rng.integers(0, 2, shape), dtype)
    if dtype.kind == "u":
        high = 256 if dtype.itemsize == 1 else 10
        return np.asarray(rng.integers(0, high, shape), dtype)
    if dtype.kind == "i":
        size = {1: 128, 2: 2000}.get(dtype.itemsize, 10)
        return np.asarray(rng.integers(1 - size, size, shape), dtype)
    values = rng.normal(0.0, 0.5, shape)
    if dtype.kind == "c":
        values = values + 1j * rng.normal(0.0, 0.5, shape)
    return np.asarray(values, dtype)


def load(path, module):
    """The compiled program: a function from arguments of place() to its results."""
    backend = get_backend("cpu")
    device = backend.devices()[0]
    try:
        program = backend.compile_and_load(
            module,
            executable_devices=xla_client.DeviceList((device,)),
            compile_options=xla_client.CompileOptions(),
        )
    except Exception as error:  # the compiler raises more than one kind
        raise Failure("%s: does not compile: %s" % (path, first_line(error)))
    return program.execute_sharded


def place(inputs):
    device = get_backend("cpu").devices()[0]
    return [jax.device_put(value, device) for value in inputs]


def run(path, module, inputs):
    program = load(path, module)
    try:
        results = program(place(inputs))
    except Exception as error:
        raise Failure("%s: does not run: %s" % (path, first_line(error)))
    return [np.asarray(r[0]) for r in results.disassemble_into_single_device_arrays()]


def compare(a, b, tol):
    """None when the arrays agree, else what differs."""
    if a.dtype.kind in "biu":
        wrong = a != b
    else:
        tol = max(tol, 2 * float(ml_dtypes.finfo(a.dtype).eps))
        wide = np.complex128 if a.dtype.kind == "c" else np.float64
        a, b = a.astype(wide), b.astype(wide)
        size = np.abs(a)
        scale = np.max(size, where=np.isfinite(size), initial=0.0)
        with np.errstate(invalid="ignore"):
            near = np.abs(a - b) <= tol * (size + scale)
        wrong = ~(near | (a == b) | (np.isnan(a) & np.isnan(b)))
        wrong |= np.isinf(a) & (a != b)
    if not wrong.any():
        return None
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return "%d of %d elements, first at %s: %s and %s" % (
        wrong.sum(), wrong.size, list(place), a[place], b[place])


def same(paths, seed, tol):
    """Run both files; return the lines that say what differs."""
    modules = [parse(path) for path in paths]
    (ins, outs), other = (signature(p, m) for p, m in zip(paths, modules))
    if (ins, outs) != other:
        return ["the types of main differ"]
    results = []
    for path, module in zip(paths, modules):
        rng = np.random.default_rng(seed)
        inputs = [draw(rng, shape, dtype) for shape, dtype in ins]
        results.append(run(path, module, inputs))
    found = [compare(a, b, tol) for a, b in zip(*results, strict=True)]
    return ["output %d: %s" % (i, text) for i, text in enumerate(found) if text]


def main():
    parser = argparse.ArgumentParser(description="Run or parse StableHLO programs.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--parse", action="store_true", help="only parse and verify")
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs")
    parser.add_argument("--tol", type=float, default=1e-5, help="float tolerance")
    options = parser.parse_args()
    if not options.parse and len(options.files) != 2:
        parser.error("give two files, or --parse and files")

    failed = False
    with make_ir_context(), ir.Location.unknown():
        if options.parse:
            for path in options.files:
                try:
                    parse(path)
                except Failure as error:
                    print(error)
                    failed = True
        else:
            try:
                lines = same(options.files, options.seed, options.tol)
            except Failure as error:
                lines = [str(error)]
            if lines:
                print("differ %s %s: %s" % (*options.files, "; ".join(lines)))
                failed = True
            else:
                print("same %s %s" % tuple(options.files))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
