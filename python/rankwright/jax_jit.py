# SPDX-License-Identifier: Apache-2.0
"""`jit`: functions of JAX that run as simplified programs."""

from __future__ import annotations

import functools
import os
import sys
import types
import warnings
from typing import Any, Callable, Dict, List, Optional

import numpy

from . import errors
from ._dispatch import Dispatcher
from .databases import Database
from .programs import NO_JAX, Simplified, check_options, simplify_arguments
from .rules import rules_of

__all__ = ["jit", "SimplifiedFunction"]


def jit(function: Optional[Callable[..., Any]] = None, *, domain: str = "float", cost: str = "time", rules: Any = None,
        database: Optional[Database] = None, **options: Any) -> Any:
    """`jax.jit` whose programs are simplified by proved rules.

    Args:
        function: as of `jax.jit`; without it, a decorator.
        domain, cost, rules, database: as of `rankwright.simplify`.  In the domain ``"float"`` the simplified
            program computes the same as the original bit for bit, as StableHLO defines both (docs/python.md).
        options: those of `jax.jit`: static arguments, donation and so on.

    The result is a `SimplifiedFunction`.

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
    check_options(domain, cost)
    rules = rules_of(rules) if rules is not None else None
    return SimplifiedFunction(function, {"domain": domain, "cost": cost, "rules": rules, "database": database}, options)


class SimplifiedFunction(Dispatcher):
    """What `jit` gives; it is called like the function.

    Attributes:
        original: `jax.jit` of the function with the same options.

    >>> import rankwright
    >>> double = rankwright.jit(lambda x: x + x)
    >>> double.original(2.0) == double(2.0)
    Array(True, dtype=bool, weak_type=True)
    """

    original: Any

    def __init__(self, function: Callable[..., Any], how: Dict[str, Any], options: Dict[str, Any]) -> None:
        try:
            import jax
        except ModuleNotFoundError:
            raise ModuleNotFoundError(NO_JAX, name="jax") from None
        functools.update_wrapper(self, function)
        self.original = jax.jit(function, **options)
        self._how = how
        self._options = options
        self._fast = jax.jit(_simplified(function, how), **options)
        super().__init__(self._fast, self.original, _tracers(jax), _PLAIN)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __reduce__(self) -> Any:
        return _again, (self.__wrapped__, self._how, self._options)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, known: Any) -> Any:  # as of any function
        return self

    def __repr__(self) -> str:
        return "<rankwright.jit of %r>" % self.__wrapped__

    def simplified(self, *arguments: Any, **keywords: Any) -> Simplified:
        """What `rankwright.simplify` makes of the function for these arguments, with the record.

        >>> import jax.numpy as jnp, rankwright
        >>> twice = rankwright.jit(lambda x: jnp.flip(jnp.flip(x)) + 1)
        >>> twice.simplified(jnp.ones(3)).check().valid
        True
        """
        return simplify_arguments(self.original, arguments, keywords, **self._how)

    def lower(self, *arguments: Any, **keywords: Any) -> Any:
        """As `jax.jit` has it, of the simplified program.

        >>> import jax.numpy as jnp, rankwright
        >>> twice = rankwright.jit(lambda x: jnp.flip(jnp.flip(x)) + 1)
        >>> "reverse" in twice.lower(jnp.ones(3)).as_text()
        False
        """
        return self._fast.lower(*arguments, **keywords)

    def trace(self, *arguments: Any, **keywords: Any) -> Any:
        """As `jax.jit` has it, of the original function (of JAX 0.4.31 and later).

        >>> import jax, jax.numpy as jnp, rankwright
        >>> same = rankwright.jit(lambda x: x)
        >>> not hasattr(jax.stages, "Traced") or same.trace(jnp.ones(3)).out_info.shape == (3,)
        True
        """
        return self.original.trace(*arguments, **keywords)

    def eval_shape(self, *arguments: Any, **keywords: Any) -> Any:
        """As `jax.jit` has it: shapes and types of the results.

        >>> import jax, rankwright
        >>> rankwright.jit(lambda x: x[:2]).eval_shape(jax.ShapeDtypeStruct((5,), "float32")).shape
        (2,)
        """
        return self.original.eval_shape(*arguments, **keywords)

    def clear_cache(self) -> None:
        """Forgets all compiled programs.

        >>> import rankwright
        >>> double = rankwright.jit(lambda x: x + x)
        >>> double(2), double.clear_cache(), double(2)
        (Array(4, dtype=int32, weak_type=True), None, Array(4, dtype=int32, weak_type=True))
        """
        self._fast.clear_cache()
        self.original.clear_cache()


def _again(function: Callable[..., Any], how: Dict[str, Any], options: Dict[str, Any]) -> SimplifiedFunction:
    """A copy, in this process or in another: it compiles for itself."""
    return SimplifiedFunction(function, how, options)


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


def _level_of_the_caller() -> int:
    """The `stacklevel` of the line that called the function, through JAX and this package."""
    import jax

    ours = tuple(os.path.dirname(module) + os.sep for module in (__file__, jax.__file__))
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(ours):
        frame, level = frame.f_back, level + 1
    return level


def _simplified(function: Callable[..., Any], how: Dict[str, Any]) -> Callable[..., Any]:
    """What JAX traces once for each specialisation: the simplified program in place of the function."""
    warned: List[bool] = []

    def warn(why: str) -> None:
        if not warned:
            warned.append(True)
            warnings.warn("%s runs as JAX compiles it: %s" % (getattr(function, "__name__", "the function"), why),
                          errors.FallbackWarning, stacklevel=_level_of_the_caller())

    @functools.wraps(function)
    def traced(*arguments: Any, **keywords: Any) -> Any:
        try:
            from . import jax_trace
        except ImportError as error:  # a JAX without jax.export, or without what jax.export needs
            warn(str(error))
            return function(*arguments, **keywords)
        return jax_trace.simplified_call(function, arguments, keywords, how, warn)

    return traced
