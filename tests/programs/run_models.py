"""Simplify StableHLO programs, and run them before and after in JAX on the CPU.

    python run_models.py RANKWRIGHT DATABASE FILE... [--domain float,real] [--seed N]
                         [--tol R] [--bytes N] [--keep FOLDER]

Each file is taken as a user has it.  Weights that were left out (`__elided__`) become
arguments of the function that is run: `main`, or the only public one.  The program is
simplified in each domain, its record is checked, and both are run on the same random
arguments:

  float  every result must have the same bits (a NaN is any NaN)
  real   up to R of the value and of the largest magnitude of that result

XLA's own passes (fusion, reordered sums) may round the two programs differently.  Where bits
differ, both are run again without these passes, and where they still differ, one operation at
a time (run_single.py): then they must be equal.  A line is printed for each file and domain:
`same`, `same-plain` (without XLA's passes), `same-apart` (one at a time), `differ`, or `skip`
with the reason: the arguments have more than --bytes bytes, it has custom calls, and so on.
Programs with a mesh run on as many simulated devices; sizes `?` of arguments are 3; attributes
of dialects that JAX does not have, and what stands behind the module, are left out.  What is
not finite in the results is counted, because NaNs hide differences.
Exit status: 0 when nothing differs and something ran, 1 when not.

Needs the packages of requirements.txt.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# The parent says how many devices the program has.
os.environ["XLA_FLAGS"] = "%s --xla_force_host_platform_device_count=%s" % (
    os.environ.get("XLA_FLAGS", ""), os.environ.get("RUN_MODELS_DEVICES", "1"))

import run_jax
import run_single
from run_jax import Failure, first_line, jax, ml_dtypes, np
from run_single import operations

from jax._src.interpreters.mlir import make_ir_context, refine_polymorphic_shapes
from jax._src.lib import xla_client
from jax._src.sharding_impls import GSPMDSharding
from jax.extend.backend import get_backend
from jaxlib.mlir import ir

PLAIN = {"xla_backend_optimization_level": 0, "xla_cpu_enable_fast_math": False,
         "xla_disable_hlo_passes": "fusion,algsimp,reassociation,cse"}


def functions(module):
    return [op for op in module.body.operations if op.operation.name == "func.func"]


def name_of(function):
    return ir.StringAttr(function.attributes["sym_name"]).value


def is_public(function):
    attributes = function.attributes
    return "sym_visibility" not in attributes or \
        ir.StringAttr(attributes["sym_visibility"]).value == "public"


def entry(module):
    """The function that is run: main, or the only public one, which is renamed."""
    found = functions(module)
    main = [f for f in found if name_of(f) == "main"]
    main = main or [f for f in found if is_public(f)]
    if len(main) != 1:
        raise Failure("has no function main, and %d public ones" % len(main))
    main[0].attributes["sym_name"] = ir.StringAttr.get("main")
    return main[0]


def is_elided(op):
    return op.name == "stablehlo.constant" and "__elided__" in str(op.attributes["value"])[:80]


def elided_to_arguments(module, main):
    """Constants without elements become arguments of main."""
    for function in functions(module):
        if function != main and any(map(is_elided, operations(function.operation))):
            raise Failure("weights are left out in @%s" % name_of(function))
    kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    block = main.regions[0].blocks[0]
    inputs = list(kind.inputs)
    elided = [op for op in operations(main.operation) if is_elided(op)]
    for op in elided:
        inputs.append(op.results[0].type)
        argument = block.add_argument(inputs[-1], ir.Location.unknown())
        op.results[0].replace_all_uses_with(argument)
        op.erase()
    main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, kind.results))
    if elided and "arg_attrs" in main.attributes:
        more = [ir.DictAttr.get({})] * len(elided)
        main.attributes["arg_attrs"] = ir.ArrayAttr.get(
            list(ir.ArrayAttr(main.attributes["arg_attrs"])) + more)
    return len(elided)


def static(kind):
    """The type with 3 in place of `?`."""
    return re.sub(r"(?<=[<x])\?(?=x)", "3", str(kind))


def sized(path):
    """The program with known sizes: the same file, or another one for sizes `?`."""
    module = run_jax.parse(path)
    main = [f for f in functions(module) if name_of(f) == "main"][0]
    kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    if not any("?" in str(t) for t in kind.inputs):
        return path
    main.attributes["sym_name"] = ir.StringAttr.get("of_any_sizes")
    main.attributes["sym_visibility"] = ir.StringAttr.get("private")
    takes, n = [str(t) for t in kind.inputs], range(len(kind.inputs))
    gives = ", ".join(map(str, kind.results))
    wrapper = "func.func public @main(%s) -> (%s) {\n" % (
        ", ".join("%%a%d: %s" % (k, static(takes[k])) for k in n), gives)
    for k in n:
        wrapper += "%%d%d = stablehlo.convert %%a%d : (%s) -> %s\n" % (
            k, k, static(takes[k]), takes[k])
    wrapper += "%%r:%d = call @of_any_sizes(%s) : (%s) -> (%s)\n" % (
        len(kind.results), ", ".join("%%d%d" % k for k in n), ", ".join(takes), gives)
    wrapper += "return %s : %s\n}" % (
        ", ".join("%%r#%d" % k for k in range(len(kind.results))), gives)
    text = str(module.operation.get_asm()).rstrip()
    whole = ir.Module.parse(text[: text.rindex("}")] + wrapper + "\n}\n")
    out = path.with_name("sized_" + path.name)
    out.write_text(str(refine_polymorphic_shapes(whole).operation.get_asm()))
    return out


KNOWN = ("sdy", "mhlo", "jax", "stablehlo", "func", "tf")


def without_foreign(attributes):
    return ir.DictAttr.get({a.name: a.attr for a in ir.DictAttr(attributes)
                            if "." not in a.name or a.name.split(".")[0] in KNOWN})


def drop_foreign(op):
    """Leaves out attributes of dialects that are not known."""
    for name in [op.attributes[k].name for k in range(len(op.attributes))]:
        if "." in name and name.split(".")[0] not in KNOWN:
            del op.attributes[name]
        elif name in ("arg_attrs", "res_attrs"):
            op.attributes[name] = ir.ArrayAttr.get(
                [without_foreign(a) for a in ir.ArrayAttr(op.attributes[name])])


def parse_first(path, scratch):
    """The module, without what stands behind its last brace but aliases."""
    lines = pathlib.Path(path).read_text().splitlines()
    end = max([k + 1 for k, line in enumerate(lines) if line.startswith("}")], default=len(lines))
    aliases = [line for line in lines[end:] if re.match(r"#\w+ = ", line)]
    scratch.write_text("\n".join(lines[:end] + aliases) + "\n")
    return run_jax.parse(scratch)


def runnable(path, out):
    """The program that is run, in `out`; how many weights became arguments."""
    with make_ir_context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        module = parse_first(path, out)
        main = entry(module)
        elided = elided_to_arguments(module, main)
        drop_foreign(module.operation)
        for op in operations(module.operation):
            drop_foreign(op)
        return write(module, out, elided)


def write(module, out, elided):
    module.operation.verify()
    out.write_text(str(module.operation.get_asm()))
    return elided


def draw(rng, shape, dtype, positive):
    """As run_jax.draw; matrices and larger ones so small that sums of products stay near 1."""
    values = run_jax.draw(rng, shape, dtype)
    if dtype.kind in "biuc" or values.size == 0:
        return values
    terms = float(np.prod(shape[:-1], dtype=np.float64))  # of a sum along all axes but the last
    if len(shape) > 1:
        small = 1 / terms if positive else 1 / terms**0.5
        values = (values.astype(np.float32) * np.float32(2 * small)).astype(dtype)
    return np.abs(values) if positive else values


def devices():
    return get_backend("cpu").devices()


def compile_options(plain):
    options = xla_client.CompileOptions()
    build = options.executable_build_options
    if plain:
        for key, value in PLAIN.items():
            setattr(build.debug_options, key, value)
    options.num_partitions = build.num_partitions = len(devices())
    if len(devices()) > 1:
        build.use_spmd_partitioning = build.use_shardy_partitioner = True
        build.device_assignment = xla_client.DeviceAssignment.create(
            np.arange(len(devices())).reshape(1, -1))
    return options


def place(program, inputs):
    """The arguments as the program takes them."""
    if len(devices()) == 1:
        return [jax.device_put(value, devices()[0]) for value in inputs]
    shardings = [GSPMDSharding(devices(), s) for s in program.get_parameter_shardings()]
    return [jax.device_put(value, s) for value, s in zip(inputs, shardings, strict=True)]


def run(path, inputs, plain):
    try:
        program = get_backend("cpu").compile_and_load(
            run_jax.parse(path), executable_devices=xla_client.DeviceList(tuple(devices())),
            compile_options=compile_options(plain))
        results = program.execute_sharded(place(program, inputs))
        return [np.asarray(one) for r in results.disassemble_into_single_device_arrays() for one in r]
    except Exception as error:  # the compiler raises more than one kind
        raise Failure("does not run: %s" % first_line(error)[:200])


def bits_differ(a, b):
    """None, or where the bits differ."""
    if a.dtype.kind in "biu":
        wrong = a != b
    else:
        whole = np.ascontiguousarray(a), np.ascontiguousarray(b)
        one, other = (x.reshape(-1).view(np.uint8).reshape(*x.shape, -1) for x in whole)
        wrong = (one != other).any(axis=-1) & ~(np.isnan(a) & np.isnan(b))
    return None if not wrong.any() else "%d of %d elements" % (wrong.sum(), wrong.size)


def differences(domain, before, after, tol):
    found = []
    for k, (a, b) in enumerate(zip(before, after, strict=True)):
        text = bits_differ(a, b) if domain == "float" else run_jax.compare(a, b, tol)
        if text:
            text += "" if run_jax.compare(a, b, 0) is None else ", not by a unit only"
            found.append("output %d: %s" % (k, text))
    return found


def tolerance(results, tol):
    """Types of few bits have few: a thousand times their unit, but at most an eighth."""
    units = [float(ml_dtypes.finfo(r.dtype).eps) for r in results if r.dtype.kind not in "biu"]
    return max([tol] + [min(1 / 8, 16 * unit) for unit in units])


def finite(results):
    """The part of the floating elements that is finite."""
    floats = [np.isfinite(r.astype(np.complex128)) for r in results if r.dtype.kind not in "biu"]
    total = sum(f.size for f in floats)
    return sum(f.sum() for f in floats) / total if total else 1.0


def arguments(path, seed, most, positive):
    ins, _ = run_jax.signature(path, run_jax.parse(path))
    size = sum(int(np.prod(shape, dtype=np.float64)) * dtype.itemsize for shape, dtype in ins)
    if size > most:
        raise Failure("arguments of %d MB" % (size >> 20))
    rng = np.random.default_rng(seed)
    return [draw(rng, shape, dtype, positive) for shape, dtype in ins]


def simplify(options, source, domain, out):
    proof = out.with_suffix(".json")
    command = [options.rankwright, "simplify", source, "--db", options.database, "--domain", domain,
               "-o", out, "--proof", proof, "-q"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 2):
        raise AssertionError("simplify ended with %d: %s" % (done.returncode, done.stderr[:300]))
    command = [options.rankwright, "check", proof, "--db", options.database, "--input", source,
               "--program", out, "-q"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError("check ended with %d: %s" % (done.returncode, done.stderr[:300]))


def count(path):
    """How many operations the program has, without constants."""
    module = run_jax.parse(path)
    found = [op.name for f in functions(module) for op in operations(f.operation)]
    return sum(name.startswith("stablehlo.") and
               name not in ("stablehlo.constant", "stablehlo.return") for name in found)


def judge(options, domain, source, out, inputs, before):
    """The word of the line, and its rest."""
    signatures = [run_jax.signature(p, run_jax.parse(p)) for p in (source, out)]
    if signatures[0] != signatures[1]:
        return "differ", "the types of main differ"
    tol = tolerance(before, options.tol)
    found = differences(domain, before, run(out, inputs, False), tol)
    if not found:
        return "same", ""
    plainly = differences(domain, run(source, inputs, True), run(out, inputs, True), tol)
    rest = "; ".join((plainly or found)[:3])
    if not plainly:
        return "same-plain", rest
    if domain != "float" or len(devices()) > 1:
        return "differ", rest
    apart = differences(domain, run_single.run(source, inputs), run_single.run(out, inputs), tol)
    return ("differ" if apart else "same-apart"), "; ".join((apart or plainly)[:3])


def check(options, path, work):
    """Whether it differs; None if it did not run."""
    label = pathlib.Path(path).name
    try:
        source = work / ("before_" + label)
        elided = runnable(path, source)
        for positive in (False, True):  # variances are not negative
            known = sized(source)
            inputs = arguments(known, options.seed, options.bytes, positive)
            before = run(known, inputs, False)
            if finite(before) > 1 / 2:
                break
    except Failure as failure:
        print("skip", label, " ".join(str(failure).split())[:200])
        return None
    print(RAN, flush=True)
    wrong = False
    for domain in options.domain.split(","):
        out = work / ("%s_%s" % (domain, label))
        simplify(options, source, domain, out)
        word, rest = judge(options, domain, known, sized(out), inputs, before)
        wrong |= word == "differ"
        print(word, label, domain, "%d to %d operations" % (count(source), count(out)),
              "%.0f%% finite" % (100 * finite(before)),
              "%d weights as arguments" % elided if elided else "", rest, flush=True)
    return wrong


# What a process says once the program has run as it is: what goes wrong after that is ours.
RAN = "ran"


def device_count(path):
    """The devices of the mesh."""
    mesh = re.search(r"sdy\.mesh @\w+ = <\[([^\]]*)\]", pathlib.Path(path).read_text())
    sizes = re.findall(r"=(\d+)", mesh[1]) if mesh else []
    return int(np.prod([int(n) for n in sizes])) if sizes else 1


def check_apart(options, path):
    """check() in a process of its own."""
    environment = dict(os.environ, RUN_MODELS_DEVICES=str(device_count(path)))
    command = [sys.executable, __file__, "--one", *[a for a in sys.argv[1:] if a not in options.files],
               path]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    lines = done.stdout.splitlines()
    ran = RAN in lines
    for line in lines:
        if line != RAN:
            print(line, flush=True)
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        print("differ" if ran else "skip", pathlib.Path(path).name, "ended with %d:" % done.returncode,
              *done.stderr.strip().splitlines()[-1:], flush=True)
    return (done.returncode != 0) if ran else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rankwright")
    parser.add_argument("database")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--domain", default="float,real", help="domains, comma separated")
    parser.add_argument("--seed", type=int, default=0, help="seed of the arguments")
    parser.add_argument("--tol", type=float, default=1e-3, help="of results in domain real")
    parser.add_argument("--bytes", type=int, default=3 << 30, help="most bytes of arguments")
    parser.add_argument("--keep", help="leave the programs in this folder")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        with tempfile.TemporaryDirectory() as folder, make_ir_context(), ir.Location.unknown():
            work = pathlib.Path(options.keep or folder)
            work.mkdir(exist_ok=True)
            return int(check(options, options.files[0], work) is True)
    found = [check_apart(options, path) for path in options.files]
    ran = [wrong for wrong in found if wrong is not None]
    print("%d of %d programs ran, %d differ" % (len(ran), len(found), sum(ran)))
    return int(not ran or any(ran))


if __name__ == "__main__":
    sys.exit(main())
