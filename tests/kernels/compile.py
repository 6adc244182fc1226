# SPDX-License-Identifier: Apache-2.0
"""Compiles kernels.py to TTIR, one file a kernel, beside this script.  Needs no GPU.

    python3 -m venv V && V/bin/pip install triton==3.5.0 setuptools && V/bin/python tests/kernels/compile.py [FOLDER [KERNEL ..]]
"""

import inspect
import pathlib
import sys

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend
from triton._C.libtriton import ir

import kernels


def signature_of(function, constants):
    """Types of the arguments: pointers to fp32 unless the kernel says otherwise."""
    types = {}
    for name, parameter in inspect.signature(function.fn).parameters.items():
        if name in constants:
            types[name] = "constexpr"
        elif isinstance(parameter.annotation, str):
            types[name] = parameter.annotation
        else:
            types[name] = "*fp32"
    return types


def ttir(function, constants, types):
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = ASTSource(function, types, constexprs=constants)
    # What make_ir wants differs between versions of Triton.
    given = {"target": target, "options": options, "codegen_fns": backend.get_codegen_implementation(options),
             "module_map": backend.get_module_map(), "context": context}
    module = source.make_ir(*[given[name] for name in inspect.signature(source.make_ir).parameters])
    return backend.make_ttir(module, {}, options, 90).str_nodebug()


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    for function, launch, constants in kernels.KERNELS:
        if sys.argv[2:] and function.fn.__name__ not in sys.argv[2:]:
            continue
        types = signature_of(function, constants)
        arguments = [name for name in types if name not in constants]
        text = ttir(function, constants, types)
        header = [f"kernel: {function.fn.__name__}", f"compiled with: triton {triton.__version__}, tests/kernels/compile.py",
                  "constexpr: " + ", ".join(f"{name}={value}" for name, value in constants.items()),
                  "arguments: " + ", ".join(f"%arg{i}={name}:{types[name]}" for i, name in enumerate(arguments)),
                  f"launch grid: {launch}"]
        path = folder / f"{function.fn.__name__}.ttir"
        path.write_text("".join(f"// {line}\n" for line in header) + text)
        print(path)


if __name__ == "__main__":
    main()
