# SPDX-License-Identifier: Apache-2.0
"""`jit`: functions of JAX that run as simplified programs."""

from __future__ import annotations

import functools
import warnings
from typing import Any, Callable, Dict, List, Optional

import numpy

from . import errors
from .databases import Database
from .programs import Simplified, simplify_arguments

__all__ = ["jit"]


def jit(function: Optional[Callable[..., Any]] = None, *, domain: str = "float", cost: str = "time", rules: Any = None,
        database: Optional[Database] = None, **options: Any) -> Any:
    """`jax.jit` whose programs are simplified by proved rules.

    Args:
        function: as of `jax.jit`; without it, a decorator.
        domain, cost, rules, database: as of `rankwright.simplify`.  In the domain ``"float"`` the simplified
            program computes the same as the original bit for bit.
        options: those of `jax.jit`: static arguments, donation and so on.

    The result has `original`, which is `jax.jit` of the function; `simplified(*arguments)`, which is what `simplify`
    makes of it, with the record; and `lower`, `trace`, `eval_shape`, `clear_cache` as those of `jax.jit`.

    A call from outside runs the simplified program.  Under a transformation of JAX (`grad`, `vmap`, `jit`, ..) the
    original function is traced.  If a function cannot be handled, there is one `FallbackWarning`, which says why,
    and the original runs.

    >>> import jax, jax.numpy as jnp, rankwright
    >>> @rankwright.jit
    ... def twice_flipped(x):
    ...     return jnp.flip(jnp.flip(x)) + 1
    >>> x = jnp.arange(3.0)
    >>> twice_flipped(x)
    Array([1., 2., 3.], dtype=float32)
    >>> jax.grad(lambda x: twice_flipped(x).sum())(x)
    Array([1., 1., 1.], dtype=float32)
    >>> "reverse" in twice_flipped.simplified(x).text
    False
    """
    if function is None:
        return functools.partial(jit, domain=domain, cost=cost, rules=rules, database=database, **options)
    import jax

    how = {"domain": domain, "cost": cost, "rules": rules, "database": database}
    original = jax.jit(function, **options)
    fast = jax.jit(_simplified(function, how), **options)
    is_traced = _tracers(jax)
    plain = _PLAIN

    # A plain function: methods work, and a call costs little.
    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        for argument in arguments:
            if type(argument) not in plain:
                if is_traced(argument):
                    return original(*arguments, **keywords)
        if keywords:
            for argument in keywords.values():
                if is_traced(argument):
                    return original(*arguments, **keywords)
            return fast(*arguments, **keywords)
        return fast(*arguments)

    def simplified(*arguments: Any, **keywords: Any) -> Simplified:
        """What `rankwright.simplify` makes of the function for these arguments, with the record."""
        return simplify_arguments(original, arguments, keywords, **how)

    def clear_cache() -> None:
        """Forgets all compiled programs."""
        fast.clear_cache()
        original.clear_cache()

    result: Any = call
    result.original, result.simplified, result.clear_cache = original, simplified, clear_cache
    result.lower, result.trace, result.eval_shape = fast.lower, original.trace, original.eval_shape
    return result


# Types whose values are never traced; JAX's own arrays join them when they are seen.
_PLAIN = {bool, int, float, complex, str, type(None), numpy.ndarray}


def _tracers(jax: Any) -> Callable[[Any], bool]:
    """The function that says whether JAX transforms the caller: an argument has a tracer in it."""
    tracer, array, leaves = jax.core.Tracer, jax.Array, jax.tree_util.tree_leaves

    def is_traced(argument: Any) -> bool:
        for leaf in leaves(argument):
            if type(leaf) not in _PLAIN:
                if isinstance(leaf, tracer):
                    return True
                if isinstance(leaf, array):
                    _PLAIN.add(type(leaf))
        return False

    return is_traced


def _simplified(function: Callable[..., Any], how: Dict[str, Any]) -> Callable[..., Any]:
    """What JAX traces once for each specialisation: the simplified program in place of the function."""
    from . import jax_trace

    warned: List[bool] = []

    def warn(why: str) -> None:
        if not warned:
            warned.append(True)
            warnings.warn("%s runs as JAX compiles it: %s" % (getattr(function, "__name__", "the function"), why),
                          errors.FallbackWarning, stacklevel=2)

    @functools.wraps(function)
    def traced(*arguments: Any, **keywords: Any) -> Any:
        return jax_trace.simplified_call(function, arguments, keywords, how, warn)

    return traced
