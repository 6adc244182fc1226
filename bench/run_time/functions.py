# SPDX-License-Identifier: Apache-2.0
"""Functions as people write them, at sizes that take a millisecond or more: name -> (function, shapes).

A shape is a tuple of sizes (f32), or a pair of such a tuple and an element type.
"""

import jax
import jax.numpy as jnp
from jax import lax


def layer_norm(x, gain, bias):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * gain + bias


def layer_norm_sums(x, gain, bias):
    mean = jnp.sum(x, axis=1) / x.shape[1]
    centred = x - mean[:, None]
    variance = jnp.sum(centred * centred, axis=1) / x.shape[1]
    return centred * lax.rsqrt(variance + 1e-5)[:, None] * gain + bias


def rms_norm(x, gain):
    return x / jnp.sqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * gain


def softmax(x):
    e = jnp.exp(x - jnp.max(x, axis=-1, keepdims=True))
    return e / jnp.sum(e, axis=-1, keepdims=True)


def log_softmax(x):
    shifted = x - jnp.max(x, axis=-1, keepdims=True)
    return shifted - jnp.log(jnp.sum(jnp.exp(shifted), axis=-1, keepdims=True))


def gelu_tanh(x):
    return 0.5 * x * (1.0 + jnp.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def gelu_erf(x):
    return 0.5 * x * (1.0 + lax.erf(x / 1.41421356))


def attention(x, wq, wk, wv, wo):
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = (q @ k.T) / jnp.sqrt(jnp.float32(q.shape[-1]))
    mask = jnp.tril(jnp.ones(scores.shape, bool))
    scores = jnp.where(mask, scores, -1e9)
    return softmax(scores) @ v @ wo


def heads(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * (q.shape[-1] ** -0.5)
    return jnp.einsum("bhqk,bkhd->bqhd", softmax(scores), v)


def mlp(x, w1, b1, w2, b2):
    return jnp.maximum(x @ w1 + b1, 0.0) @ w2 + b2


def batch_norm(x, mean, variance, gain, bias):
    return (x - mean) / jnp.sqrt(variance + 1e-3) * gain + bias


def conv_block(x, kernel, gain, bias):
    y = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    y = jnp.maximum(y * gain + bias, 0.0)
    return lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def mse(a, b):
    return jnp.mean((a - b) ** 2)


def cross_entropy(logits, labels):
    picked = log_softmax(logits) * labels
    return -jnp.mean(jnp.sum(picked, axis=-1))


def variance_two_passes(x):
    mean = jnp.mean(x, axis=0)
    return jnp.mean((x - mean) * (x - mean), axis=0)


def variance_moments(x):
    return jnp.mean(x * x, axis=1) - jnp.mean(x, axis=1) ** 2


def cosine_similarity(a, b):
    dot = jnp.sum(a * b, axis=1)
    return dot / (jnp.sqrt(jnp.sum(a * a, axis=1)) * jnp.sqrt(jnp.sum(b * b, axis=1)))


def pairwise_distances(a, b):
    squares = jnp.sum(a * a, 1)[:, None] + jnp.sum(b * b, 1)[None, :]
    return jnp.sqrt(jnp.maximum(squares - 2.0 * a @ b.T, 0.0))


def pairwise_by_difference(a, b):
    d = a[:, None, :] - b[None, :, :]
    return jnp.sum(d * d, axis=-1)


def swiglu(x, w1, w2, w3):
    gate = x @ w1
    return (gate * (1.0 / (1.0 + jnp.exp(-gate))) * (x @ w2)) @ w3


def silu(x):
    return x / (1.0 + jnp.exp(-x))


def moving_average(x):
    return (x[:, :-4] + x[:, 1:-3] + x[:, 2:-2] + x[:, 3:-1] + x[:, 4:]) / 5.0


def polynomial(x):
    return 2.0 * x * x * x - 3.0 * x * x + 4.0 * x - 1.0


def cube(x):
    return x * x * x


def layouts(x):
    y = x.reshape(64, 32, 1024).transpose(1, 0, 2)
    y = (y * 2.0).transpose(1, 0, 2).reshape(2048, 1024)
    return (y + 1.0).T.reshape(1024, 2048).T


def pad_and_slice(x):
    padded = jnp.pad(x, ((2, 2), (2, 2)))
    left, right = padded[2:-2, 1:-3], padded[2:-2, 3:-1]
    up, down = padded[1:-3, 2:-2], padded[3:-1, 2:-2]
    return 4.0 * x - left - right - up - down


def cumulative_sum(x):
    return jnp.cumsum(x, axis=1)


def cumulative_window(x):
    return lax.reduce_window(x, 0.0, lax.add, (1, 1024), (1, 1), ((0, 0), (1023, 0)))


def bilinear(a, b, c):
    return jnp.einsum("ij,jk,ik->i", a, b, c)


def weighted_sum(w, x):
    return jnp.einsum("bi,bij->bj", w, x)


def outer_mean(a, b):
    return jnp.mean(a[:, :, None] * b[:, None, :], axis=0)


def rotary(x, angles):
    a, b = x[..., :32], x[..., 32:]
    c, s = jnp.cos(angles), jnp.sin(angles)
    return jnp.concatenate([a * c - b * s, a * s + b * c], axis=-1)


def embedding(table, ids, scale):
    return table[ids] * scale + 1.0


def standardise(x):
    return (x - x.mean(0)) / (x.std(0) + 1e-6)


def mixed(x, w):
    return (x.astype(jnp.float32) @ w.astype(jnp.float32)).astype(jnp.bfloat16)


def logistic_loss(x, w, y):
    z = x @ w
    return jnp.mean(jnp.log1p(jnp.exp(-jnp.abs(z))) + jnp.maximum(z, 0.0) - z * y)


def attention_gradient(x, wq, wk):
    return jax.grad(lambda x: jnp.sum(softmax((x @ wq) @ (x @ wk).T) ** 2))(x)


def mlp_gradient(w, x, y):
    return jax.grad(lambda w: jnp.mean((jnp.tanh(x @ w) - y) ** 2))(w)


def layer_norm_gradient(x, gain, bias):
    return jax.grad(lambda x: jnp.sum(layer_norm(x, gain, bias) ** 2))(x)


BIG = (2048, 1024)
ROW = (1024,)
FUNCTIONS = {
    "layer_norm": (layer_norm, [BIG, ROW, ROW]),
    "layer_norm_sums": (layer_norm_sums, [BIG, ROW, ROW]),
    "rms_norm": (rms_norm, [BIG, ROW]),
    "softmax": (softmax, [BIG]),
    "log_softmax": (log_softmax, [BIG]),
    "gelu_tanh": (gelu_tanh, [BIG]),
    "gelu_erf": (gelu_erf, [BIG]),
    "attention": (attention, [(512, 256)] + [(256, 256)] * 4),
    "heads": (heads, [(2, 256, 8, 64)] * 3),
    "mlp": (mlp, [(512, 512), (512, 1024), ROW, (1024, 512), (512,)]),
    "batch_norm": (batch_norm, [(16, 64, 64, 64)] + [(64,)] * 4),
    "conv_block": (conv_block, [(4, 56, 56, 32), (3, 3, 32, 64), (64,), (64,)]),
    "mse": (mse, [BIG, BIG]),
    "cross_entropy": (cross_entropy, [BIG, BIG]),
    "variance_two_passes": (variance_two_passes, [BIG]),
    "variance_moments": (variance_moments, [BIG]),
    "cosine_similarity": (cosine_similarity, [BIG, BIG]),
    "pairwise_distances": (pairwise_distances, [(1024, 128), (1024, 128)]),
    "pairwise_by_difference": (pairwise_by_difference, [(512, 64), (512, 64)]),
    "swiglu": (swiglu, [(512, 512), (512, 1024), (512, 1024), (1024, 512)]),
    "silu": (silu, [BIG]),
    "moving_average": (moving_average, [BIG]),
    "polynomial": (polynomial, [BIG]),
    "cube": (cube, [BIG]),
    "layouts": (layouts, [BIG]),
    "pad_and_slice": (pad_and_slice, [BIG]),
    "cumulative_sum": (cumulative_sum, [BIG]),
    "cumulative_window": (cumulative_window, [BIG]),
    "bilinear": (bilinear, [(2048, 256), (256, 256), (2048, 256)]),
    "weighted_sum": (weighted_sum, [(64, 256), (64, 256, 256)]),
    "outer_mean": (outer_mean, [(512, 128), (512, 128)]),
    "rotary": (rotary, [(8, 512, 8, 64), (512, 1, 32)]),
    "embedding": (embedding, [(4096, 512), ((4096,), "int32"), (512,)]),
    "standardise": (standardise, [BIG]),
    "mixed": (mixed, [((512, 512), "bfloat16"), ((512, 512), "bfloat16")]),
    "logistic_loss": (logistic_loss, [BIG, ROW, (2048,)]),
    "attention_gradient": (attention_gradient, [(512, 256), (256, 64), (256, 64)]),
    "mlp_gradient": (mlp_gradient, [(512, 512), (1024, 512), (1024, 512)]),
    "layer_norm_gradient": (layer_norm_gradient, [BIG, ROW, ROW]),
}


def specification(shape):
    dims, kind = shape if shape and isinstance(shape[0], tuple) else (shape, "float32")
    return jax.ShapeDtypeStruct(dims, jnp.dtype(kind))


def text(name, table=FUNCTIONS):
    function, shapes = table[name]
    return jax.jit(function).lower(*map(specification, shapes)).as_text()
