# SPDX-License-Identifier: Apache-2.0
"""What functions of JAX are called with, and called in: the same results, types and errors as with `jax.jit`."""

import collections
import contextlib
import copy
import functools
import pickle
import warnings

import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("jax.export")
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

import rankwright  # noqa: E402
from jax_functions import normal  # noqa: E402
from test_jax import assert_same_bits  # noqa: E402


def flipped(x, *axes):
    return jnp.flip(jnp.flip(x, *axes), *axes)


def both(function, **options):
    return jax.jit(function, **options), rankwright.jit(function, **options)


def assert_same(function, /, *arguments, **keywords):
    """The same bits, the same weak types, and no fallback."""
    slow, fast = both(function)
    with warnings.catch_warnings():
        warnings.simplefilter("error", rankwright.FallbackWarning)
        a, b = slow(*arguments, **keywords), fast(*arguments, **keywords)
    assert_same_bits(a, b)
    for x, y in zip(jax.tree_util.tree_leaves(a), jax.tree_util.tree_leaves(b)):
        assert getattr(x, "weak_type", None) == getattr(y, "weak_type", None)


def enable_x64(on):
    return jax.experimental.enable_x64(on) if hasattr(jax.experimental, "enable_x64") else jax.enable_x64(on)


@jax.tree_util.register_pytree_node_class
class State:
    def __init__(self, weights, count):
        self.weights, self.count = weights, count

    def tree_flatten(self):
        return (self.weights,), self.count

    @classmethod
    def tree_unflatten(cls, count, children):
        return cls(children[0], count)


NARROW = pytest.mark.skipif(tuple(map(int, jax.__version__.split(".")[:2])) < (0, 5), reason="no arithmetic of int4")
Pair = collections.namedtuple("Pair", "w b")


def test_trees_of_the_user():
    def function(state, x):
        return State(Pair(flipped(state.weights.w) + x, state.weights.b), state.count + 1), Pair(x, None)
    assert_same(function, State(Pair(normal(1, 3), normal(2, 3)), 4), normal(3, 3))


def test_64_bits():
    with enable_x64(True):
        for x in (np.random.default_rng(1).normal(size=5), np.arange(5), 2.5, 3):
            assert_same(lambda x: flipped(jnp.atleast_1d(x)) * 3 + 1, x)
    slow, fast = both(lambda x: jnp.asarray(x) * 2 + 1)
    for on in (False, True, False):
        with enable_x64(on):
            assert_same_bits(slow(np.float64(1.5)), fast(np.float64(1.5)))


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "int8", "uint16", "bool",
                                  "complex64", pytest.param("int4", marks=NARROW)])
def test_types(name):
    x = jnp.arange(5).astype(getattr(jnp, name + "_" if name == "bool" else name))
    assert_same(lambda x: flipped(x) if x.dtype == bool else flipped(x) + x, x)


@pytest.mark.parametrize("implementation", ["threefry2x32", "rbg", "unsafe_rbg"])
def test_keys(implementation):
    def function(key, x):
        first, second = jax.random.split(key)
        return first, flipped(x) + jax.random.normal(second, x.shape)
    assert_same(function, jax.random.key(3, impl=implementation), normal(4, 4))
    assert_same(lambda keys: jax.vmap(jax.random.uniform)(flipped(keys)),
                jax.random.split(jax.random.key(0, impl=implementation), 5))


@pytest.mark.parametrize("x,y", [(1, 2.0), (True, 1), (1.0, 1j), (np.float32(1), 2), (jnp.float32(1), 1.0),
                                 (jnp.asarray(1.0), np.int8(3))])
def test_weak_types(x, y):
    assert_same(lambda x, y: (flipped(jnp.ones(3)) * x, x, x + y, jnp.where(True, x, y), 3, None), x, y)


@pytest.mark.parametrize("shape", [(), (0,), (1, 1), (0, 4), (4, 0), (64, 64), (2, 3, 4, 1, 2)])
def test_shapes(shape):
    assert_same(lambda x: (flipped(x) + 1, flipped(x).sum(), x), normal(5, *shape) if shape else jnp.float32(2))


def test_a_loop_of_steps_with_donated_buffers():
    def step(p, x):
        loss, grads = jax.value_and_grad(lambda p: jnp.mean((x @ p["w"] + p["b"]) ** 2))(p)
        return jax.tree_util.tree_map(lambda p, g: flipped(p) - 0.1 * g, p, grads), loss
    slow, fast = both(step, donate_argnums=0)
    p, q = ({"w": normal(6, 4, 3), "b": normal(7, 3)} for _ in range(2))
    for i in range(4):
        x, old = normal(10 + i, 7, 4), q
        (p, a), (q, b) = slow(p, x), fast(q, x)
        assert_same_bits((p, a), (q, b))
        assert all(leaf.is_deleted() for leaf in jax.tree_util.tree_leaves(old))


def test_rules_of_derivatives():
    @jax.custom_vjp
    def clipped(x):
        return flipped(x)
    clipped.defvjp(lambda x: (clipped(x), x), lambda x, g: (jnp.clip(g, -0.1, 0.1) * x,))

    @jax.custom_jvp
    def softplus(x):
        return jnp.log(1 + jnp.exp(x))
    softplus.defjvp(lambda p, t: (softplus(*p), (1 - 1 / (1 + jnp.exp(p[0]))) * t[0]))
    x, remembered = normal(20, 6), jax.checkpoint(lambda x: jnp.sin(flipped(x)) ** 2)
    for function in (lambda x: (clipped(x) ** 2).sum(), lambda x: softplus(x).sum(), lambda x: remembered(x).sum()):
        slow, fast = both(function)
        assert_same_bits(slow(x), fast(x))
        assert_same_bits(jax.grad(slow)(x), jax.grad(fast)(x))
        assert_same(jax.value_and_grad(function), x)
    inner = jax.custom_vjp(rankwright.jit(lambda x: flipped(x)))
    inner.defvjp(lambda x: (inner(x), None), lambda _, g: (g * 2,))
    assert (jax.grad(lambda x: inner(x).sum())(x) == 2).all()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_meshes():
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
    try:
        from jax import shard_map
    except ImportError:
        from jax.experimental.shard_map import shard_map
    mesh, x, rows = Mesh(np.array(jax.devices()[:1]), ("i",)), normal(21, 4, 6), PartitionSpec("i")
    by_rows = NamedSharding(mesh, rows)
    slow, fast = both(lambda x: flipped(x, 1) * 2)
    assert_same_bits(*(shard_map(f, mesh=mesh, in_specs=rows, out_specs=rows)(x) for f in (slow, fast)))
    assert_same_bits(jax.pmap(slow)(x[None]), jax.pmap(fast)(x[None]))
    summed = shard_map(lambda x: lax.psum(flipped(x, 1), "i"), mesh=mesh, in_specs=rows, out_specs=PartitionSpec())
    for f in (summed, lambda x: lax.with_sharding_constraint(flipped(x, 1), by_rows) + 1):
        assert_same_bits(jax.jit(f)(x), rankwright.jit(f)(x))
        assert_same_bits(jax.jit(f)(x), rankwright.jit(f)(jax.device_put(x, by_rows)))
    slow, fast = both(lambda x: flipped(x, 1) + 1, in_shardings=by_rows, out_shardings=by_rows)
    assert_same_bits(slow(x), fast(x))
    assert slow(x).sharding == fast(x).sharding


def test_names_of_arguments():
    def function(x, /, y=2.0, *rest, z=1.0, **more):
        return flipped(x) * y + sum(rest) + z + sum(more.values())
    x = normal(22, 3)
    assert_same(function, x)
    assert_same(function, x, 3.0, 4.0, z=2.0, domain=1.0, function=3.0, rules=2, database=5, progress=1)
    assert rankwright.jit(function).simplified(x, domain=1.0, progress=2.0).steps > 0


def test_large_constants():
    """They are not read by the rules, and come back where they were."""
    weights, special = normal(23, 300, 300), np.resize(np.array([np.nan, -0.0, np.inf, 3.0], np.float32), 5000)
    mask = np.tril(np.ones((100, 100), bool))
    assert_same(lambda x: (flipped(x) @ weights, jnp.resize(x, 5000) * 1 + special, weights[:2].T.T), normal(24, 300))
    assert_same(lambda x: jnp.where(mask, flipped(x), weights[:100, :100] - weights[:100, :100]), normal(25, 100, 100))
    lowered = rankwright.jit(lambda x: flipped(x) @ weights).lower(normal(24, 300)).as_text()
    assert "reverse" not in lowered and "rankwright" not in lowered and "dense<\"0x" in lowered


@pytest.mark.parametrize("function", [
    lambda x: -(-x), lambda x: x + 0.0, lambda x: x * 1.0, lambda x: x - x, lambda x: x * 0.0, lambda x: (x + 1) - 1,
    lambda x: jnp.maximum(x, x), lambda x: jnp.where(x > 0, x, x), lambda x: jnp.abs(jnp.abs(x)),
    lambda x: jnp.exp(jnp.log(x)), lambda x: jnp.sqrt(x) ** 2, lambda x: jax.nn.relu(jax.nn.relu(x)),
    lambda x: jnp.sign(x) * jnp.abs(x), lambda x: x * 2 / 2, lambda x: jnp.minimum(jnp.maximum(x, 0), 6)])
def test_special_values(function):
    assert_same(function, np.array([np.nan, -0.0, 0.0, np.inf, -np.inf, 1.5, -2.5, 3e38], np.float32))


def test_copies():
    fast, x = rankwright.jit(flipped), normal(26, 3)
    for again in (copy.copy(fast), copy.deepcopy({"f": fast})["f"], pickle.loads(pickle.dumps(fast))):
        assert_same_bits(again(x), fast(x))


def test_an_error_of_the_function_comes_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for function, error in ((lambda x: 1 if x > 0 else 2, jax.errors.ConcretizationTypeError),
                                (lambda x: 1 / 0, ZeroDivisionError),
                                (lambda x: np.sin(x), jax.errors.TracerArrayConversionError),
                                (lambda x: jnp.ones((2, 3)) @ jnp.ones((2, 3)) * x, TypeError)):
            with pytest.raises(error):
                rankwright.jit(function)(1.0)


def test_wrong_options_are_errors_at_once():
    for options in ({"domain": "floats"}, {"cost": "beauty"}, {"rules": "no such file.rw"}, {"rules": "rule r {"}):
        with pytest.raises(rankwright.Error):
            rankwright.jit(flipped, **options)
    with pytest.raises(TypeError):
        rankwright.jit(flipped, static_argnum=0)
    with pytest.raises(TypeError):
        rankwright.jit(3)
    fast = rankwright.jit(flipped, rules=rankwright.query_rule("reverse_of_reverse"))
    assert fast.simplified(normal(29, 3)).steps == 1 and pickle.loads(pickle.dumps(fast))(normal(29, 3)).shape == (3,)


def test_effects_happen_as_often_as_in_jax():
    seen = []

    def function(x):
        jax.debug.callback(lambda v: seen.append(float(v)), x.sum())
        return flipped(x)
    fast = rankwright.jit(function)
    with pytest.warns(rankwright.FallbackWarning) as caught:
        fast(jnp.ones(3))
    assert caught[0].filename == __file__  # the line that called it
    fast(jnp.ones(3))
    jax.effects_barrier()
    assert seen == [3.0, 3.0]


@pytest.mark.parametrize("context", [
    lambda: jax.default_matmul_precision("float32"), lambda: jax.default_device(jax.devices()[0]),
    lambda: jax.numpy_dtype_promotion("strict"), lambda: jax.numpy_rank_promotion("raise"),
    lambda: jax.checking_leaks(), lambda: jax.debug_infs(True), lambda: jax.ensure_compile_time_eval(), lambda: jax.named_scope("layer"),
    lambda: jax.transfer_guard("disallow"), contextlib.nullcontext])
def test_contexts_of_jax(context):
    x = normal(27, 4, 4)
    slow, fast = both(lambda x: flipped(x) @ x)
    with context():
        assert_same_bits(slow(x), fast(x))


def test_functions_of_all_kinds():
    class Model:
        factor = 3.0

        def __call__(self, x):
            return flipped(x) * self.factor
    x = normal(28, 3)
    for function in (functools.partial(jnp.roll, shift=2), jnp.sin, jax.jit(flipped), rankwright.jit(flipped), Model()):
        assert_same(function, x)
    fast = rankwright.jit(Model())
    assert_same_bits(lax.map(fast, x[:, None]), lax.map(fast.original, x[:, None]))
    assert jax.eval_shape(fast, x).shape == (3,) and jax.make_jaxpr(fast)(x)
