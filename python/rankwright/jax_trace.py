# SPDX-License-Identifier: Apache-2.0
"""The simplified program in place of a function, while JAX traces it."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence, Tuple

import jax

from . import jax_programs
from .programs import simplify

__all__ = ["simplified_call"]


def simplified_call(function: Callable[..., Any], arguments: Sequence[Any], keywords: Dict[str, Any],
                    how: Dict[str, Any], warn: Callable[[str], None]) -> Any:
    """The results of the function, for arguments that JAX traces."""
    if jax.config.jax_disable_jit:
        return function(*arguments, **keywords)
    flat, call = _of_leaves(function, arguments, keywords)
    try:
        exported = _simplified(call, flat, how)
    except Exception as error:  # whatever cannot be handled runs as it is
        results = function(*arguments, **keywords)  # an error of the function itself is all that its caller sees
        warn("%s: %s" % (type(error).__name__, str(error).strip().splitlines()[0] if str(error).strip() else ""))
        return results
    return function(*arguments, **keywords) if exported is None else exported.call(*flat)


def _of_leaves(function: Callable[..., Any], arguments: Sequence[Any],
               keywords: Dict[str, Any]) -> Tuple[List[Any], Callable[..., Any]]:
    """The traced leaves of the arguments, and the function of these leaves.  What is not traced is static."""
    flat: List[Any] = []
    parts: List[Tuple[Any, Any]] = []  # a tree with the places of its leaves, or None and the static value
    for value in (*arguments, *keywords.values()):
        leaves, tree = jax.tree_util.tree_flatten(value)
        if not any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            parts.append((None, value))
            continue
        places = []
        for leaf in leaves:
            traced = isinstance(leaf, jax.core.Tracer)
            places.append(len(flat) if traced else ("static", leaf))
            if traced:
                flat.append(leaf)
        parts.append((tree, places))

    def call(*given: Any) -> Any:
        values = [static if tree is None else jax.tree_util.tree_unflatten(
            tree, [place[1] if isinstance(place, tuple) else given[place] for place in static])
            for tree, static in parts]
        return function(*values[:len(arguments)], **dict(zip(keywords, values[len(arguments):])))

    call.__name__ = getattr(function, "__name__", "function")
    return flat, call


def _simplified(call: Callable[..., Any], flat: Sequence[Any], how: Dict[str, Any]) -> Any:
    """An `Exported` with the simplified program; None: nothing became simpler."""
    shapes = [_shape(leaf) for leaf in flat]
    exported = jax_programs.export(jax.jit(call), shapes)
    if exported.nr_devices > 1:  # its call needs arguments that are on as many, which is not known here
        raise NotImplementedError("a program for %d devices" % exported.nr_devices)
    text, constants = jax_programs.without_large_constants(exported.mlir_module())
    result = simplify(text, progress=False, **how)
    if result.steps == 0:
        return None
    return jax_programs.with_text(exported, jax_programs.with_large_constants(result.text, constants))


def _shape(leaf: Any) -> Any:
    """What JAX exports the function for: shape and type of a traced value."""
    if not hasattr(jax, "typeof"):  # a JAX whose ShapeDtypeStruct knows no weak types takes the value itself
        return leaf
    kind = jax.typeof(leaf)
    if any(getattr(getattr(kind, "sharding", None), "spec", ())):  # the results' would get lost
        raise NotImplementedError("an argument whose type has a sharding")
    return jax.ShapeDtypeStruct(kind.shape, kind.dtype, weak_type=kind.weak_type)
