"""Export functions twice, written with jnp and with lax, to StableHLO text.

    python written.py            write tests/programs/written/NAME.jnp.mlir and NAME.lax.mlir

jnp's functions are calls of private functions with steps of their own (index arithmetic,
neutral operations); what `simplify` makes of them is to be no more than of the same function
written with lax (tests/cli/program/written.sh).  requirements.txt has the packages.
"""

import os
import pathlib

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
from jax import lax

HERE = pathlib.Path(__file__).resolve().parent / "written"


def spec(dtype, *shape):
    return jax.ShapeDtypeStruct(shape, dtype)


F = spec(jnp.float32, 4, 6)
PAIRS = {}


def pair(name, *arguments):
    """Says that f.jnp and f.lax of the class are one function of these arguments."""
    def note(functions):
        PAIRS[name] = (functions.jnp, functions.lax, arguments)
        return functions
    return note


def across(x, shape):
    """x along all but the last axis of the shape."""
    return lax.broadcast_in_dim(x, shape, tuple(range(len(shape) - 1)))


@pair("flip", F)
class Flip:
    def jnp(x):
        return jnp.flip(x, 1)

    def lax(x):
        return lax.rev(x, (1,))


@pair("pad", F)
class Pad:
    def jnp(x):
        return jnp.pad(x, ((1, 2), (0, 3)), constant_values=1.0)

    def lax(x):
        return lax.pad(x, jnp.float32(1), ((1, 2, 0), (0, 3, 0)))


@pair("relu", F)
class Relu:
    def jnp(x):
        return jax.nn.relu(x)

    def lax(x):
        return lax.max(x, lax.full_like(x, 0))


@pair("softmax", F)
class Softmax:
    def jnp(x):
        return jax.nn.softmax(x, axis=-1)

    def lax(x):
        e = lax.exp(lax.sub(x, across(lax.reduce_max(x, (1,)), x.shape)))
        return lax.div(e, across(lax.reduce_sum(e, (1,)), x.shape))


@pair("where", spec(jnp.bool_, 4, 6), F)
class Where:
    def jnp(c, x):
        return jnp.where(c, x, 0.0)

    def lax(c, x):
        return lax.select(c, x, lax.full_like(x, 0))


@pair("roll", F)
class Roll:
    def jnp(x):
        return jnp.roll(x, 2, axis=1)

    def lax(x):
        return lax.concatenate((lax.slice(x, (0, 4), (4, 6)), lax.slice(x, (0, 0), (4, 4))), 1)


@pair("one_hot", spec(jnp.int32, 4))
class OneHot:
    def jnp(i):
        return jax.nn.one_hot(i, 5)

    def lax(i):
        wide = lax.broadcast_in_dim(i, (4, 5), (0,))
        return lax.convert_element_type(lax.eq(wide, lax.broadcasted_iota(jnp.int32, (4, 5), 1)),
                                        jnp.float32)


@pair("linspace", spec(jnp.float32), spec(jnp.float32))
class Linspace:
    def jnp(a, b):
        return jnp.linspace(a, b, 7)

    def lax(a, b):
        step = lax.div(lax.iota(jnp.float32, 6), lax.full((6,), 6.0))
        first, last = lax.broadcast(a, (6,)), lax.broadcast(b, (6,))
        inner = lax.add(lax.mul(first, lax.sub(lax.full((6,), 1.0), step)), lax.mul(last, step))
        return lax.concatenate((inner, lax.broadcast(b, (1,))), 0)


@pair("scan", F, spec(jnp.float32, 6))
class Scan:
    def jnp(x, start):
        def step(carry, row):
            carry = jnp.where(row > 0, carry + row, carry * 0.5)
            return carry, jnp.maximum(carry, 0.0)
        return lax.scan(step, start, x)

    def lax(x, start):
        def step(carry, row):
            up = lax.gt(row, lax.full_like(row, 0))
            carry = lax.select(up, lax.add(carry, row), lax.mul(carry, lax.full_like(carry, 0.5)))
            return carry, lax.max(carry, lax.full_like(carry, 0))
        return lax.scan(step, start, x)


@pair("cond", spec(jnp.bool_), F)
class Cond:
    def jnp(go, x):
        return lax.cond(go, lambda y: jnp.flip(jnp.clip(y, 0.0, 1.0), 1),
                        lambda y: jnp.square(y), x)

    def lax(go, x):
        return lax.cond(
            go, lambda y: lax.rev(lax.min(lax.full_like(y, 1), lax.max(lax.full_like(y, 0), y)),
                                  (1,)),
            lambda y: lax.mul(y, y), x)


@pair("silu", F)
class Silu:
    def jnp(x):
        return jax.nn.silu(x)

    def lax(x):
        return lax.mul(x, lax.logistic(x))


@pair("layer_norm", F)
class LayerNorm:
    def jnp(x):
        mean = jnp.mean(x, -1, keepdims=True)
        var = jnp.mean(jnp.square(x - mean), -1, keepdims=True)
        return (x - mean) * lax.rsqrt(var + 1e-5)

    def lax(x):
        def average(y):
            return lax.div(lax.reduce_sum(y, (1,)), lax.full((4,), 6.0))
        middle = lax.sub(x, across(average(x), x.shape))
        var = average(lax.mul(middle, middle))
        return lax.mul(middle, across(lax.rsqrt(lax.add(var, lax.full((4,), 1e-5))), x.shape))


def main():
    HERE.mkdir(exist_ok=True)
    for name, (*functions, arguments) in PAIRS.items():
        for library, function in zip(("jnp", "lax"), functions, strict=True):
            text = jax.jit(function).lower(*arguments).as_text()
            (HERE / ("%s.%s.mlir" % (name, library))).write_text(text)


if __name__ == "__main__":
    main()
