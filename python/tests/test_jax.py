# SPDX-License-Identifier: Apache-2.0
import functools
import warnings

import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("jax.export")
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

import rankwright  # noqa: E402
from jax_functions import FUNCTIONS, normal  # noqa: E402


def leaves(tree):
    return [np.asarray(jax.random.key_data(leaf)) if jnp.issubdtype(getattr(leaf, "dtype", np.dtype("f4")),
                                                                    jax.dtypes.prng_key) else np.asarray(leaf)
            for leaf in jax.tree_util.tree_leaves(tree)]


def assert_same_bits(a, b):
    assert jax.tree_util.tree_structure(a) == jax.tree_util.tree_structure(b)
    for x, y in zip(leaves(a), leaves(b)):
        assert x.dtype == y.dtype and x.shape == y.shape
        assert x.tobytes() == y.tobytes(), (x, y)


def total(function):
    """A scalar of all floats of the results."""
    def scalar(*arguments):
        return sum(jnp.sum(jnp.sin(x)) for x in jax.tree_util.tree_leaves(function(*arguments))
                   if jnp.issubdtype(x.dtype, jnp.floating))
    return scalar


@pytest.mark.parametrize("name,function,arguments", FUNCTIONS, ids=[f[0] for f in FUNCTIONS])
def test_same_results(name, function, arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error", rankwright.FallbackWarning)
        fast = rankwright.jit(function)
        assert_same_bits(jax.jit(function)(*arguments), fast(*arguments))
        assert_same_bits(jax.jit(function)(*arguments), fast(*arguments))


@pytest.mark.parametrize("name,function,arguments", FUNCTIONS, ids=[f[0] for f in FUNCTIONS])
def test_grad_and_vmap(name, function, arguments):
    fast, slow = rankwright.jit(function), jax.jit(function)
    fast(*arguments)  # what is kept of this call must not be in the way
    if name not in ("power", "histogram"):  # a loop without end has no gradient, an index none
        assert_same_bits(jax.grad(total(slow))(*arguments), jax.grad(total(fast))(*arguments))
    batch = jax.tree_util.tree_map(lambda x: jnp.stack([x, x]), arguments[0])
    axes = (0,) + (None,) * (len(arguments) - 1)
    assert_same_bits(jax.vmap(slow, axes)(batch, *arguments[1:]), jax.vmap(fast, axes)(batch, *arguments[1:]))
    assert_same_bits(jax.jit(slow)(*arguments), jax.jit(fast)(*arguments))


def flips(x):
    return jnp.flip(jnp.flip(x)) + 1


def test_the_simplified_program_runs():
    text = rankwright.jit(flips).lower(normal(1, 8)).as_text()
    assert "reverse" in jax.jit(flips).lower(normal(1, 8)).as_text()
    assert "reverse" not in text


def test_each_specialisation_once():
    traced = []

    def function(x):
        traced.append((x.shape, x.dtype))
        return jnp.flip(jnp.flip(x)) * 2

    fast = rankwright.jit(function)
    for x in (jnp.ones(3), jnp.ones(4), jnp.ones(3, int), np.ones(3, np.float32), jnp.ones((3, 1))):
        assert_same_bits(fast(x), jnp.asarray(x) * 2)
    count = len(traced)
    for x in (jnp.ones(3), jnp.ones(4), jnp.ones(3, int), np.ones(3, np.float32), jnp.ones((3, 1))):
        fast(x)
    assert len(traced) == count and len(set(traced)) == 4


def test_weak_types_stay():
    for value in (2, 2.0, 1j):
        a, b = jax.jit(lambda x: -(-(x + x)))(value), rankwright.jit(lambda x: -(-(x + x)))(value)
        assert a.dtype == b.dtype and a.weak_type == b.weak_type


def test_static_and_keyword_arguments():
    def function(x, n, *, axis, scale=2.0):
        for _ in range(n):
            x = jnp.flip(x, axis)
        return x * scale

    fast = rankwright.jit(function, static_argnames=("n", "axis"))
    slow = jax.jit(function, static_argnames=("n", "axis"))
    x = normal(2, 4, 6)
    for n in (0, 1, 2, 3, 4):
        for axis in (0, 1):
            assert_same_bits(slow(x, n, axis=axis), fast(x, n, axis=axis))
            assert_same_bits(slow(x, n=n, axis=axis, scale=3.0), fast(x, n=n, axis=axis, scale=3.0))
    with pytest.raises(Exception) as slow_error:
        slow(x, [1], axis=0)
    with pytest.raises(type(slow_error.value)):
        fast(x, [1], axis=0)


def test_static_values_keep_their_identity():
    class Config:
        pass
    seen, config = [], Config()

    @functools.partial(rankwright.jit, static_argnames=("config", "pair"))
    def function(x, config, pair):
        seen.append((config, pair))
        return jnp.flip(jnp.flip(x))
    function(jnp.ones(3), config=config, pair=(1, (2, "a")))
    assert all(c is config and p == (1, (2, "a")) for c, p in seen)


def test_pytrees_and_none():
    def function(state, extra=None):
        y = jnp.flip(jnp.flip(state["a"])) + (0 if extra is None else extra)
        return {"y": y, "none": None, "list": [state["b"], (state["b"], 3)]}
    state = {"a": normal(3, 5), "b": jnp.int32(4)}
    fast = rankwright.jit(function)
    assert_same_bits(jax.jit(function)(state), fast(state))
    assert_same_bits(jax.jit(function)(state, extra=1.0), fast(state, extra=1.0))


def test_donation():
    def function(x, y):
        return jnp.flip(jnp.flip(x)) + y
    fast = rankwright.jit(function, donate_argnums=0)
    x, y = normal(4, 1000), normal(5, 1000)
    expected = np.asarray(function(x, y))
    x = x + 0
    assert np.asarray(fast(x, y)).tobytes() == expected.tobytes()
    assert x.is_deleted() and not y.is_deleted()
    with pytest.raises((RuntimeError, ValueError), match="deleted"):
        fast(x, y)


def test_transformations_of_transformations():
    fast, x = rankwright.jit(lambda x: jnp.sum(jnp.flip(jnp.flip(x)) ** 3)), normal(6, 5)
    slow = fast.original
    for transform in (jax.grad, jax.hessian, jax.jacfwd, jax.jacrev,
                      lambda f: jax.vmap(jax.grad(lambda v: f(v[None]))),
                      lambda f: jax.jit(jax.grad(f)), lambda f: jax.checkpoint(f),
                      lambda f: lambda v: jax.jvp(f, (v,), (v,)), lambda f: lambda v: jax.linearize(f, v)[0]):
        assert_same_bits(transform(slow)(x), transform(fast)(x))
    outer = rankwright.jit(lambda x: fast(jnp.flip(jnp.flip(x))) + 1)
    assert_same_bits(outer.original(x), outer(x))


def test_closures_over_traced_values():
    def outer(w, f):
        inner = f(lambda x: jnp.flip(jnp.flip(x)) * w)
        return inner(jnp.arange(3.0)).sum()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rankwright.FallbackWarning)
        assert_same_bits(jax.grad(lambda w: outer(w, jax.jit))(2.0),
                         jax.grad(lambda w: outer(w, rankwright.jit))(2.0))


def test_axis_names():
    def function(x):
        return jnp.flip(jnp.flip(x)) - jax.lax.pmean(x, "i")
    x = normal(7, 3, 4)
    assert_same_bits(jax.vmap(jax.jit(function), axis_name="i")(x),
                     jax.vmap(rankwright.jit(function), axis_name="i")(x))


def test_what_cannot_be_handled_falls_back_with_one_warning():
    def function(x):
        return jax.pure_callback(lambda v: np.asarray(v) * 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
    fast = rankwright.jit(function)
    with pytest.warns(rankwright.FallbackWarning) as caught:
        assert_same_bits(fast(normal(8, 3)), normal(8, 3) * 2)
        assert_same_bits(fast(normal(8, 4)), normal(8, 4) * 2)
    assert len(caught) == 1


def test_a_jax_without_export_falls_back(monkeypatch):
    import sys
    monkeypatch.delitem(sys.modules, "rankwright.jax_trace", raising=False)
    monkeypatch.delattr(rankwright, "jax_trace", raising=False)
    monkeypatch.setitem(sys.modules, "rankwright.jax_programs", None)
    monkeypatch.delattr(rankwright, "jax_programs", raising=False)
    with pytest.warns(rankwright.FallbackWarning):
        assert_same_bits(rankwright.jit(flips)(normal(9, 3)), flips(normal(9, 3)))


def test_errors_of_the_function_are_its_own():
    fast = rankwright.jit(lambda x: {}[x.shape])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rankwright.FallbackWarning)
        with pytest.raises(KeyError):
            fast(jnp.ones(3))
        with pytest.raises(jax.errors.ConcretizationTypeError):
            rankwright.jit(lambda x: 1 if x > 0 else 2)(1.0)
        with pytest.raises(TypeError):
            fast("text")


def test_methods():
    class Model:
        w = 3.0

        @functools.partial(rankwright.jit, static_argnums=0)
        def __call__(self, x):
            return jnp.flip(jnp.flip(x)) * self.w
    assert_same_bits(Model()(jnp.ones(2)), jnp.ones(2) * 3)


def test_contexts():
    fast = rankwright.jit(flips)
    x = normal(9, 4)
    with jax.disable_jit():
        assert_same_bits(flips(x), fast(x))
    with jax.default_matmul_precision("float32"):
        assert_same_bits(flips(x), fast(x))
    with jax.debug_nans(True):
        assert_same_bits(flips(x), fast(x))
        with pytest.raises(FloatingPointError):
            fast(np.full(4, np.nan, np.float32))


def test_delegation():
    fast = rankwright.jit(flips)
    assert fast.__name__ == "flips" and fast.__wrapped__ is flips
    assert fast.eval_shape(jax.ShapeDtypeStruct((3,), jnp.float32)).shape == (3,)
    assert fast.lower(jnp.ones(3)).compile()(jnp.ones(3)).shape == (3,)
    fast.clear_cache()


def test_simplify_what_jax_has():
    x = normal(10, 4, 6)
    exported = jax.export.export(jax.jit(flips))(x)
    for program in (exported, exported.mlir_module(), exported.mlir_module_serialized, jax.jit(flips).lower(x),
                    jax.jit(flips).lower(x).compiler_ir("stablehlo")):
        result = rankwright.simplify(program)
        assert "reverse" in result.before and "reverse" not in result.text and result.check().valid
    for function in (flips, jax.jit(flips), rankwright.jit(flips)):
        assert "reverse" not in rankwright.simplify(function, x).text
        assert "reverse" not in rankwright.simplify(function, jax.ShapeDtypeStruct((2,), jnp.float32)).text
    with pytest.raises(TypeError):
        rankwright.simplify(3)


def test_threads():
    import threading
    fast, found = rankwright.jit(flips), []
    threads = [threading.Thread(target=lambda n=n: found.append(np.array_equal(fast(jnp.ones(n)), np.full(n, 2))))
               for n in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8
