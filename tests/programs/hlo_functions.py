"""Functions whose HLO run_hlo.py looks at: layers, loops, branches, indexing, libraries."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

_random = np.random.default_rng(0)


def _floats(*shape):
    return jnp.asarray(_random.standard_normal(shape), jnp.float32)


FUNCTIONS = []


def _case(*arguments):
    def add(function):
        FUNCTIONS.append((function, arguments))
        return function
    return add


@_case(_floats(4, 8), _floats(8, 3), _floats(3))
def dense(x, w, b):
    return jax.nn.relu(x @ w + b) + 0 * 1.0


@_case(_floats(2, 4, 5, 8), _floats(2, 4, 5, 8), _floats(2, 4, 5, 8))
def attention(q, k, v):
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(8.0)
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores), v)


@_case(_floats(4, 5))
def layer_norm(x):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5)


@_case(_floats(1, 8, 8, 3), _floats(3, 3, 3, 4))
def convolution(x, w):
    return lax.conv_general_dilated(x, w, (2, 1), "SAME",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


@_case(_floats(1, 4, 8, 8), _floats(8, 2, 3, 3))
def grouped_convolution(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), [(1, 2), (0, 1)], lhs_dilation=(2, 1),
                                    rhs_dilation=(1, 2), feature_group_count=2)


@_case(_floats(1, 8, 8, 3))
def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")


@_case(_floats(4, 3), _floats(3))
def scan(xs, carry):
    return lax.scan(lambda c, x: (c * 0.5 + x, c.sum()), carry, xs)


@_case(_floats(5))
def while_loop(x):
    return lax.while_loop(lambda c: c[1] < 5, lambda c: (c[0] * 2 + 0, c[1] + 1), (x, 0))


@_case(_floats(3), jnp.int32(1))
def branch(x, i):
    return lax.cond(i > 0, lambda x: x + 1 - 1, lambda x: x * 2, x)


@_case(_floats(5, 6), jnp.array([1, 3, 0]))
def gather(x, i):
    return x[i]


@_case(_floats(5, 6), jnp.array([1, 3, 0]), _floats(3, 6))
def scatter(x, i, u):
    return x.at[i].add(u), x.at[i].set(u), x.at[i].max(u)


@_case(_floats(6, 4), jnp.int32(2), jnp.int32(1))
def dynamic(x, i, j):
    return (lax.dynamic_slice(x, (i, j), (2, 2)),
            lax.dynamic_update_slice(x, jnp.ones((2, 2)), (i, j)))


@_case(_floats(10))
def sort(x):
    return jnp.sort(x), jnp.argsort(x)


@_case(_floats(6, 4))
def top_k(x):
    return lax.top_k(x, 2)


@_case(_floats(4, 5))
def arg_max(x):
    return jnp.argmax(x, 1), x.max(0)


@_case(_floats(7))
def cumulative(x):
    return jnp.cumsum(x), jnp.cumprod(x), lax.cummax(x)


@_case(_floats(8))
def fourier(x):
    return jnp.fft.fft(x)


@_case(_floats(3) + 1j * _floats(3))
def complex_numbers(x):
    return jnp.abs(x * x.conj()), x + 1


@_case(jax.random.PRNGKey(0))
def random_numbers(key):
    return jax.random.normal(key, (4,))


@_case(_floats(3, 4))
def movement(x):
    return (x.T.T + x, jnp.flip(x, 1), jnp.concatenate([x, x], 0)[::2],
            jnp.pad(x, ((1, 0), (0, 2))))


@_case(jnp.arange(6, dtype=jnp.int32))
def integers(x):
    return (x // 3, x % 4, x << 2, lax.population_count(x), (x ^ 3) & 5, lax.clz(x),
            x.astype(jnp.int8), x.astype(jnp.bool_))


@_case(_floats(4, 8).astype(jnp.bfloat16), _floats(8, 4).astype(jnp.bfloat16))
def narrow_floats(x, y):
    return x @ y, jax.nn.gelu(x), lax.erf(x)


@_case(_floats(3, 3))
def choice(x):
    return jnp.where(x > 0, x, -x), jnp.clip(x, 0.0, 1.0), lax.bitcast_convert_type(x, jnp.int32)


@_case(_floats(3, 4))
def constants(x):
    return (x + np.arange(12, dtype=np.float32).reshape(3, 4),
            x * np.array([1.0, np.inf, -np.inf, np.nan], np.float32),
            x > np.array([True, False, True, True]))


@_case(_floats(3, 4))
def gradient(x):
    return jax.grad(lambda x: jnp.sum(jnp.tanh(x) ** 3))(x)


@_case(_floats(4, 4))
def loss_gradient(w):
    def loss(w):
        return jnp.mean((jax.nn.gelu(jnp.ones((2, 4)) @ w) - 1) ** 2)
    return jax.value_and_grad(loss)(w)


@_case(_floats(2, 3, 4))
def batched(x):
    return jax.vmap(lambda a: a @ a.T)(x)


@_case(_floats(4))
def precision(x):
    return x.astype(jnp.float16).astype(jnp.float32) + lax.reduce_precision(x, 5, 10)


@_case(_floats(4, 8), _floats(8, 3))
def highest(x, y):
    return lax.dot(x, y, precision="highest"), lax.dot(x, y)


@_case(_floats(4), _floats(2))
def large_constant(x, y):
    return x.sum() + (np.arange(2000, dtype=np.float32) * y[0])[:5]


@_case(_floats(4, 4))
def cholesky(x):
    return jnp.linalg.cholesky(x @ x.T + 4 * jnp.eye(4))


@_case(_floats(4, 4))
def triangular(x):
    return jax.scipy.linalg.solve_triangular(x, jnp.ones((4, 2)))


# They call LAPACK, which a module that is compiled by itself does not find.
LIBRARY = [cholesky, triangular]
