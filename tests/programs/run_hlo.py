"""Run simplified HLO through XLA: its own parser takes the text, and the values are equal.

    python run_hlo.py RANKWRIGHT DATABASE FILE...

The texts are the files, and what JAX gives for the functions of hlo_functions.py: the
module as it is lowered, which is also run before and after, and the module that XLA has
optimised, with layouts and fusions, which is parsed (XLA does not compile such a module a
second time).  A file is run if XLA can compile it.
Exit status: 0 when all is well, 1 when not.

Needs the packages of requirements.txt.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jaxlib._hlo as hlo
import numpy as np
from jax._src.lib import _jax
from jaxlib import xla_client

import hlo_functions


def computation(text):
    module = hlo.hlo_module_from_text(text)
    return hlo.XlaComputation(module.as_serialized_hlo_module_proto())


def run(text, arguments):
    client = jax.devices()[0].client
    module = _jax.mlir.xla_computation_to_mlir_module(computation(text))
    devices = _jax.DeviceList(tuple(client.local_devices()[:1]))
    program = client.compile_and_load(module, devices, xla_client.CompileOptions())
    results = program.execute_sharded([jax.device_put(a) for a in arguments])
    return [np.asarray(a[0]) for a in results.disassemble_into_single_device_arrays()]


def random_arguments(text):
    random = np.random.default_rng(1)
    arguments = []
    for shape in computation(text).program_shape().parameter_shapes():
        values = random.integers(0, 2, shape.dimensions()) + random.random(shape.dimensions())
        arguments.append(np.asarray(values).astype(shape.numpy_dtype()))
    return arguments


def same(one, other):
    kind = bool if one.dtype == bool else np.complex128
    return one.dtype == other.dtype and np.allclose(
        one.astype(kind), other.astype(kind), rtol=1e-4, atol=1e-5, equal_nan=True)


def simplify(command, text, work):
    source, result = work / "in.hlo", work / "out.hlo"
    source.write_text(text)
    subprocess.run([*command, source, "-o", result, "-q"], check=True)
    return result.read_text()


def check(name, command, work, text, arguments, must_run):
    """None, or what is wrong."""
    result = simplify(command, text, work)
    try:
        computation(result)
    except Exception as error:
        return f"{name}: XLA refuses the result: {error}"
    if arguments is None:
        return None
    try:
        before = run(text, arguments)
    except Exception as error:
        return f"{name}: {error}" if must_run else None
    after = run(result, arguments)
    if len(before) != len(after) or not all(map(same, before, after)):
        return f"{name}: other values: {before} {after}"
    return None


def texts(files):
    """Name, text, arguments (None: only parse), whether XLA must be able to run it."""
    for file in files:
        text = pathlib.Path(file).read_text()
        yield file, text, random_arguments(text), False
    options = hlo.HloPrintOptions()
    options.print_large_constants = True
    for function, arguments in hlo_functions.FUNCTIONS:
        lowered = jax.jit(function).lower(*arguments)
        compiled = lowered.compile().runtime_executable().hlo_modules()[0]
        calls_library = function in hlo_functions.LIBRARY
        yield (function.__name__, lowered.compiler_ir("hlo").as_hlo_text(True), arguments,
               not calls_library)
        yield function.__name__ + ", optimised", compiled.to_string(options), None, False


def main(rankwright, database, files):
    command = [rankwright, "simplify", "--db", database]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text, arguments, must_run in texts(files):
            wrong = check(name, command, pathlib.Path(folder), text, arguments, must_run)
            passed += wrong is None
            failed += wrong is not None
            if wrong is not None:
                print("FAIL", wrong)
    print(f"HLO: {passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
