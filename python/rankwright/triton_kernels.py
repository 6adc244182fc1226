# SPDX-License-Identifier: Apache-2.0
"""Kernels of Triton, compiled to Triton's tile IR without a GPU."""

from __future__ import annotations

import inspect
from typing import Any, Dict, Optional, Sequence, Union

from . import errors

__all__ = ["ttir"]

Signature = Union[None, str, Sequence[str], Dict[str, str]]


def ttir(kernel: Any, signature: Signature = None, grid: Any = None, constants: Optional[Dict[str, Any]] = None, *,
         capability: int = 90) -> str:
    """The text of a ``@triton.jit`` function in Triton's tile IR, before anything that depends on a GPU.

    Args:
        kernel: the function; decorators such as ``autotune`` are looked through.
        signature: types of the arguments that are no constants: by name, or in order, ``"*fp32, *fp32, i32"``.  None:
            the annotations of the function.
        grid: as for `lift`; kept in a comment.
        constants: values of the ``constexpr`` arguments, by name.
        capability: of the GPU that the kernel would be compiled for.

    >>> import rankwright
    >>> rankwright.ttir(print)
    Traceback (most recent call last):
    ...
    rankwright.errors.UsageError: kernel: expected a function with @triton.jit, found builtin_function_or_method
    decorate the function with @triton.jit; TTIR is accepted as text
    """
    function = _jit_function(kernel)
    constants = dict(constants or {})
    types = _types(function, signature, constants)
    text = _compile(function, types, constants, capability)
    arguments = [name for name in types if name not in constants]
    head = ["kernel: %s" % function.fn.__name__,
            "constexpr: %s" % ", ".join("%s=%s" % pair for pair in constants.items()),
            "arguments: %s" % ", ".join("%%arg%d=%s:%s" % (i, name, types[name]) for i, name in enumerate(arguments))]
    if grid is not None:
        head.append("launch grid: %s" % grid_text(grid))
    return "".join("// %s\n" % line.replace("\n", " ") for line in head) + text


def grid_text(grid: Any) -> str:
    """A grid as text, ``"(cdiv(n, 64),)"``; numbers and texts in a tuple are accepted too."""
    if isinstance(grid, str):
        return grid
    if isinstance(grid, int):
        return "(%d,)" % grid
    if isinstance(grid, (tuple, list)) and all(isinstance(size, (int, str)) for size in grid):
        return "(%s,)" % ", ".join(str(size) for size in grid)
    raise errors.UsageError("expected sizes as text", file="grid",
                            hint='write what the launch computes, over the arguments: grid="(cdiv(n, 64),)"')


def _jit_function(kernel: Any) -> Any:
    seen = kernel
    for _ in range(8):
        if hasattr(seen, "fn") and hasattr(seen, "arg_names") and hasattr(seen, "src"):
            if type(seen).__name__ == "InterpretedFunction":
                break
            return seen
        if not hasattr(seen, "fn"):
            break
        seen = seen.fn  # of autotune, heuristics
    if type(seen).__name__ == "InterpretedFunction":
        raise errors.UsageError("the function was made for Triton's interpreter", file="kernel",
                                hint="unset TRITON_INTERPRET before the function is defined")
    raise errors.UsageError("expected a function with @triton.jit, found %s" % type(kernel).__name__, file="kernel",
                            hint="decorate the function with @triton.jit; TTIR is accepted as text")


def _is_constant(parameter: inspect.Parameter) -> bool:
    return "constexpr" in str(parameter.annotation)


def _types(function: Any, signature: Signature, constants: Dict[str, Any]) -> Dict[str, str]:
    """The type of every argument, in order; of constants "constexpr"."""
    parameters = inspect.signature(function.fn).parameters
    for name in constants:
        if name not in parameters:
            raise errors.UsageError("the kernel has no argument %s" % name, file="constants",
                                    hint="its arguments are %s" % ", ".join(parameters))
    for name, parameter in parameters.items():
        if _is_constant(parameter) and name not in constants:
            if parameter.default is inspect.Parameter.empty:
                raise errors.UsageError("no value for %s, which is a constexpr" % name, file="constants",
                                        hint="constants={%r: ..}" % name)
            constants[name] = parameter.default
    left = [name for name in parameters if name not in constants]
    given = _given(signature, left)
    types: Dict[str, str] = {}
    for name, parameter in parameters.items():
        written = parameter.annotation if isinstance(parameter.annotation, str) else None
        kind = "constexpr" if name in constants else given.get(name) or written
        if not kind:
            raise errors.UsageError("no type for %s" % name, file="signature",
                                    hint='signature={%r: "*fp32"} for an array, "i32" or "fp32" for a number' % name)
        types[name] = kind
    return types


def _given(signature: Signature, left: Sequence[str]) -> Dict[str, str]:
    if isinstance(signature, str):
        signature = [kind.strip() for kind in signature.split(",") if kind.strip()]
    if signature is None:
        return {}
    if isinstance(signature, dict):
        for name in signature:
            if name not in left:
                raise errors.UsageError("no argument %s without a constant" % name, file="signature",
                                        hint="the arguments are %s" % ", ".join(left))
        return dict(signature)
    if len(signature) != len(left):
        raise errors.UsageError("expected %d types, found %d" % (len(left), len(signature)), file="signature",
                                hint="one for each of %s" % ", ".join(left))
    return dict(zip(left, signature))


def _call(function: Any, **values: Any) -> Any:
    """Calls a function of Triton with those arguments that its release has."""
    names = inspect.signature(function).parameters
    return function(**{name: value for name, value in values.items() if name in names})


def _compile(function: Any, types: Dict[str, str], constants: Dict[str, Any], capability: int) -> str:
    import triton
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource, make_backend

    target = GPUTarget("cuda", capability, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    names = inspect.signature(ASTSource.__init__).parameters
    if "constexprs" in names:
        source = ASTSource(function, types, constexprs=constants)
    else:  # before Triton 3.3
        own = {name: kind for name, kind in types.items() if name not in constants}
        source = ASTSource(function, own, constants=constants)
    try:
        codegen = _call(backend.get_codegen_implementation, options=options)
        modules = backend.get_module_map() if hasattr(backend, "get_module_map") else {}
        module = _call(source.make_ir, target=target, options=options, codegen_fns=codegen, module_map=modules,
                       context=context)
        module = _call(backend.make_ttir, mod=module, metadata={}, opt=options, capability=capability, options=options)
    except Exception as error:
        if isinstance(error, (AttributeError, ImportError)):
            raise errors.UsageError("Triton %s is not supported: %s" % (triton.__version__, error), file="kernel",
                                    hint="compile the kernel yourself and give its TTIR as text") from error
        raise errors.InputError("Triton does not compile the kernel: %s" % error, file=function.fn.__name__) from error
    return module.str_nodebug() if hasattr(module, "str_nodebug") else str(module)
