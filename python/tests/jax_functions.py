# SPDX-License-Identifier: Apache-2.0
"""Functions as users of JAX write them: (name, function, arguments).  Floats come first in the arguments."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

_KEY = random.PRNGKey(7)


def normal(seed, *shape):
    return jnp.asarray(np.random.default_rng(seed).normal(size=shape), jnp.float32)


def selu(x, alpha=1.67, lmbda=1.05):
    return lmbda * jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)


def sum_logistic(x):
    return jnp.sum(1.0 / (1.0 + jnp.exp(-x)))


def predict(w, b, inputs):
    return jax.nn.sigmoid(jnp.dot(inputs, w) + b)


def mlp(params, x):
    *hidden, (w, b) = params
    for weights, bias in hidden:
        x = jnp.tanh(jnp.dot(x, weights) + bias)
    logits = jnp.dot(x, w) + b
    return logits - jax.scipy.special.logsumexp(logits, axis=-1, keepdims=True)


def layer_norm(x, scale, bias):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias


def batch_norm(x, scale, bias):
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    return scale * (x - mean) / jnp.sqrt(variance + 1e-5) + bias


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones((q.shape[1], k.shape[1]), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v)


def conv(x, kernel):
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def cumulative(x):
    return lax.scan(lambda carry, v: (carry + v, carry * v), jnp.zeros(x.shape[1:]), x)


def rnn(w, u, xs):
    def step(h, x):
        h = jnp.tanh(h @ w + x @ u)
        return h, h
    return lax.scan(step, jnp.zeros((xs.shape[1], w.shape[0])), xs)


def lstm(params, xs):
    w, u, b = params

    def step(state, x):
        h, c = state
        i, f, g, o = jnp.split(x @ w + h @ u + b, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    size = u.shape[0]
    return lax.scan(step, (jnp.zeros((xs.shape[1], size)), jnp.zeros((xs.shape[1], size))), xs)[1]


def newton_sqrt(x):
    return lax.fori_loop(0, 8, lambda _, y: 0.5 * (y + x / y), x)


def power(x):
    return lax.while_loop(lambda s: s[0] < 6, lambda s: (s[0] + 1, s[1] * x), (0, jnp.ones_like(x)))[1]


def branch(x):
    return lax.cond(x.sum() > 0, lambda v: jnp.flip(jnp.flip(v)) * 2, lambda v: -v, x)


def switch(x):
    return lax.switch(1, [lambda v: v, lambda v: v.T.T + 1, lambda v: v * 2], x)


def spectrum(x):
    return jnp.abs(jnp.fft.fft(jnp.flip(jnp.flip(x, -1), -1))) ** 2


def sort_rows(x):
    return jnp.sort(x, axis=-1), jnp.argsort(x.T.T, axis=-1)


def top(x):
    return lax.top_k(x, 3)


def dropout(x, key):
    keep = random.bernoulli(key, 0.8, x.shape)
    return jnp.where(keep, x / 0.8, 0)


def noise(x, key):
    first, second = random.split(key)
    return x + random.normal(first, x.shape) + random.uniform(second, x.shape)


def kalman(mean, cov, z):
    gain = cov @ jnp.linalg.inv(cov + jnp.eye(cov.shape[0]))
    return mean + gain @ (z - mean), cov - gain @ cov


def cholesky_solve(a, b):
    return jax.scipy.linalg.solve_triangular(jnp.linalg.cholesky(a @ a.T + 5 * jnp.eye(a.shape[0])), b, lower=True)


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.sum(jax.nn.one_hot(labels, logits.shape[-1]) * jax.nn.log_softmax(logits), axis=-1))


def embedding(table, ids):
    return table[ids].sum(axis=1)


def pairwise(x):
    return jnp.sqrt(jnp.sum((x[:, None] - x[None, :]) ** 2, -1) + 1e-6)


def image(x):
    y = jnp.flip(jnp.pad(jnp.flip(x, 1), ((2, 2), (2, 2)))[2:-2, 2:-2], 1)
    return y[8:24:2, ::2]


def moves(x):
    y = jnp.transpose(jnp.transpose(x, (1, 0)), (1, 0)).reshape(-1).reshape(x.shape)
    return jnp.concatenate([y[:2], y[2:]], axis=0) + 0.0 * y


def update(state, x):
    return {"count": state["count"] + 1, "mean": state["mean"] + (x - state["mean"]) / (state["count"] + 1)}


def pendulum(y, steps=20, h=0.05):
    def f(v):
        return jnp.stack([v[1], -jnp.sin(v[0])])

    def rk4(v, _):
        a = f(v)
        b = f(v + h / 2 * a)
        c = f(v + h / 2 * b)
        d = f(v + h * c)
        v = v + h / 6 * (a + 2 * b + 2 * c + d)
        return v, v
    return lax.scan(rk4, y, None, length=steps)[1]


def histogram(x):
    return jnp.zeros(8).at[jnp.clip((x * 4).astype(int), 0, 7)].add(1.0)


def half(x):
    return (x.astype(jnp.bfloat16) * 2 + 1).astype(jnp.float32)


def rotary(x, position):
    angle = position[:, None] / 10000 ** (jnp.arange(x.shape[-1] // 2) / (x.shape[-1] // 2))
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), b * jnp.cos(angle) + a * jnp.sin(angle)], -1)


FUNCTIONS = [
    ("selu", selu, (normal(1, 64),)),
    ("sum_logistic", sum_logistic, (normal(2, 64),)),
    ("predict", predict, (normal(3, 8), normal(4), normal(5, 16, 8))),
    ("mlp", mlp, ([(normal(6, 12, 16), normal(7, 16)), (normal(8, 16, 4), normal(9, 4))], normal(10, 5, 12))),
    ("layer_norm", layer_norm, (normal(11, 6, 32), normal(12, 32), normal(13, 32))),
    ("batch_norm", batch_norm, (normal(14, 2, 4, 4, 3), normal(15, 3), normal(16, 3))),
    ("attention", attention, (normal(17, 2, 8, 2, 4), normal(18, 2, 8, 2, 4), normal(19, 2, 8, 2, 4))),
    ("conv", conv, (normal(20, 1, 8, 8, 3), normal(21, 3, 3, 3, 4))),
    ("pool", pool, (normal(22, 1, 8, 8, 2),)),
    ("cumulative", cumulative, (normal(23, 6, 4),)),
    ("rnn", rnn, (normal(24, 8, 8), normal(25, 4, 8), normal(26, 5, 2, 4))),
    ("lstm", lstm, ((normal(27, 4, 16), normal(28, 4, 16), normal(29, 16)), normal(30, 5, 2, 4))),
    ("newton_sqrt", newton_sqrt, (jnp.abs(normal(31, 10)) + 0.5,)),
    ("power", power, (normal(32, 10),)),
    ("branch", branch, (normal(33, 10),)),
    ("switch", switch, (normal(34, 3, 4),)),
    ("spectrum", spectrum, (normal(35, 4, 16),)),
    ("sort_rows", sort_rows, (normal(36, 4, 16),)),
    ("top", top, (normal(37, 4, 16),)),
    ("dropout", dropout, (normal(38, 4, 16), _KEY)),
    ("noise", noise, (normal(39, 4, 16), random.key(3))),
    ("kalman", kalman, (normal(40, 4), jnp.eye(4) * 2, normal(41, 4))),
    ("cholesky_solve", cholesky_solve, (normal(42, 4, 4), normal(43, 4, 2))),
    ("cross_entropy", cross_entropy, (normal(44, 6, 10), jnp.arange(6))),
    ("embedding", embedding, (normal(45, 20, 8), jnp.arange(12).reshape(3, 4))),
    ("pairwise", pairwise, (normal(46, 10, 3),)),
    ("image", image, (normal(47, 32, 48),)),
    ("moves", moves, (normal(48, 6, 4),)),
    ("update", update, ({"count": jnp.float32(3), "mean": normal(49, 5)}, normal(50, 5))),
    ("pendulum", pendulum, (normal(51, 2),)),
    ("histogram", histogram, (jnp.abs(normal(52, 100)),)),
    ("half", half, (normal(53, 33),)),
    ("rotary", rotary, (normal(54, 6, 8), jnp.arange(6.0))),
    ("static_functools", functools.partial(selu, alpha=2.0), (normal(55, 9),)),
]
