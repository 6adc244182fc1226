"""Export the test programs from JAX to StableHLO text.

The exported *.mlir files are committed next to this script; nothing but this
script and run_jax.py needs JAX.  To write them again:

    python3.12 -m venv build/jaxvenv
    build/jaxvenv/bin/pip install -r tests/programs/requirements.txt
    build/jaxvenv/bin/python tests/programs/export.py           # write all
    build/jaxvenv/bin/python tests/programs/export.py --check   # compare only

The output is deterministic: with the pinned version the same bytes come out
every time (the columns in mlp_locations.mlir also depend on Python's minor
version, 3.12 here), and --check exits 1 when a committed file differs.  Both
ways print the number of StableHLO operations of each file.

The programs are written the way such code is usually written: small generic
helpers with neutral defaults (scale=1.0, bias=0.0, pad widths 0), undone
augmentations, layouts changed there and back.  None of the redundancy is put
in after tracing.
"""

import argparse
import os
import pathlib
import re
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

HERE = pathlib.Path(__file__).resolve().parent

# Locations name files without their directories.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")

F32, F16, BF16 = jnp.float32, jnp.float16, jnp.bfloat16
I8, I16, I32, I64 = jnp.int8, jnp.int16, jnp.int32, jnp.int64
U8, U16, U32, U64 = jnp.uint8, jnp.uint16, jnp.uint32, jnp.uint64
BOOL = jnp.bool_


def spec(dtype, *shape):
    return jax.ShapeDtypeStruct(shape, dtype)


# Helpers shared by the programs.  No float computed from others is rounded to
# fewer bits before a program's end, so that a reordered sum cannot show up as a
# large difference.


def affine(x, scale=1.0, bias=0.0):
    return x * scale + bias


def dense(x, weight, bias=0.0):
    return x @ weight + bias


def residual(x, branch, alpha=1.0, beta=1.0):
    return alpha * x + beta * branch


def dropout(x, rate=0.0, training=False):
    keep = 1.0 - rate
    mask = jnp.ones(x.shape, BOOL)  # evaluation keeps everything
    return jnp.where(mask | (not training), x / keep, 0.0)


def layer_norm(x, gain=1.0, bias=0.0, axis=-1, eps=1e-3):
    mean = jnp.mean(x, axis=axis, keepdims=True)
    centred = x - mean
    var = jnp.mean(centred * centred, axis=axis, keepdims=True)
    return affine(centred * lax.rsqrt(var + eps), gain, bias)


def softmax(x, axis=-1, temperature=1.0):
    x = x / temperature
    x = x - jnp.max(x, axis=axis, keepdims=True)
    e = jnp.exp(x)
    return e / jnp.sum(e, axis=axis, keepdims=True)


def one_hot(ids, depth, smoothing=0.0):
    classes = lax.broadcasted_iota(I32, ids.shape + (depth,), ids.ndim)
    hot = jnp.where(ids[..., None] == classes, 1.0, 0.0)
    return hot * (1.0 - smoothing) + smoothing / depth


def cast(tree, dtype):
    return jax.tree.map(lambda leaf: leaf.astype(dtype), tree)


# 1. Image pipeline: uint8 images, NHWC.


def pad_hw(x, top=0, bottom=0, left=0, right=0, value=0):
    widths = ((0, 0), (top, bottom), (left, right), (0, 0))
    return jnp.pad(x, widths, constant_values=value)


def crop(x, top, left, height, width):
    return x[:, top : top + height, left : left + width, :]


def flip(x, horizontal=False, vertical=False):
    if horizontal:
        x = jnp.flip(x, axis=2)
    if vertical:
        x = jnp.flip(x, axis=1)
    return x


def adjust(x, brightness=0.0, contrast=1.0, gamma=1.0):
    return (x * contrast + brightness) ** gamma


def box_blur(x):
    x = pad_hw(x, 1, 1, 1, 1)
    rows = (x[:, :-2] + x[:, 1:-1] + x[:, 2:]) / 3.0
    return (rows[:, :, :-2] + rows[:, :, 1:-1] + rows[:, :, 2:]) / 3.0


def tiles(x, size):
    _, height, width, _ = x.shape
    return [
        [crop(x, i, j, size, size) for j in range(0, width, size)]
        for i in range(0, height, size)
    ]


def untile(rows):
    return jnp.concatenate(
        [jnp.concatenate(row, axis=2) for row in rows], axis=1
    )


def image_pipeline(images, mean, std, logo):
    n, h, w, _ = images.shape
    x = images.astype(F32) / 255.0

    # Random-shift augmentation; evaluation always takes the middle crop.
    x = crop(pad_hw(x, 4, 4, 4, 4), 4, 4, h, w)
    x = adjust(jnp.clip(x, 0.0, 1.0))

    # Test-time augmentation: transform, blur, undo, average.
    views = []
    for horizontal in (False, True):
        for vertical in (False, True):
            view = flip(x, horizontal, vertical)
            view = adjust(view, contrast=1.0 + 0.2718 * vertical)
            views.append(flip(view, horizontal, vertical))
    x = jnp.mean(jnp.stack(views), axis=0)
    smooth = flip(box_blur(flip(flip(x, True), True)), vertical=True)
    smooth = flip(smooth, vertical=True)

    # Tile-wise processing that happens to leave the tiles alone.
    sharp = 2.0 * untile(tiles(x, 12)) - untile(tiles(smooth, 8))

    # Letterbox to a square, then to a multiple of the stride.
    boxed = pad_hw(sharp, top=(w - h) // 2, bottom=(w - h) - (w - h) // 2)
    boxed = pad_hw(boxed, 2, 2, 2, 2)
    boxed = pad_hw(boxed)
    side = boxed.shape[1]

    # Stamp the logo into the corner through a mask made of coordinates.
    lh, lw = logo.shape[0], logo.shape[1]
    stamp = pad_hw(logo[None], 0, side - lh, 0, side - lw)
    rows = lax.broadcasted_iota(I32, (side, side), 0)
    cols = lax.broadcasted_iota(I32, (side, side), 1)
    corner = (rows >= 0) & (rows < lh) & (cols >= 0) & (cols < lw)
    boxed = jnp.where(corner[None, :, :, None], stamp, boxed)

    # Pyramid: strided views of strided views, crops of crops.
    half = boxed[:, ::2, ::2]
    quarter = half[:, ::2, ::2]
    centre = crop(crop(boxed, 4, 4, side - 8, side - 8), 2, 2, 16, 16)
    centre = jnp.swapaxes(jnp.swapaxes(centre, 1, 2), 1, 2)
    normal = (centre - mean[None, None, None, :]) / std

    def to_uint8(v):
        return jnp.round(lax.clamp(0.0, v * 255.0, 255.0)).astype(U8)

    preview = 255 - (255 - to_uint8(jnp.clip(quarter, 0.0, 1.0)))
    side_by_side = jnp.concatenate(
        [images[:, :, : w // 2], images[:, :, w // 2 :], images], axis=2
    )
    return {
        "normal": normal,
        "preview": preview,
        "pair": side_by_side,
        "darkest": jnp.min(boxed, axis=(1, 2)),
        "brightest": jnp.max(boxed, axis=(1, 2)),
        "mean": jnp.mean(boxed, axis=(1, 2)),
        "clipped": jnp.any(images >= 255, axis=(1, 2, 3)),
        "valid": jnp.all((images >= 0) & (images <= 255), axis=(1, 2, 3)),
    }


IMAGE_SPECS = (
    spec(U8, 2, 24, 32, 3),
    spec(F32, 3),
    spec(F32, 3),
    spec(F32, 5, 7, 3),
)


# 2. Multi-layer perceptron with batch and layer normalisation.

FEATURE_SCALE = np.array([0.5, 1.0, 2.0, 1.0, 0.25, 1.0, 4.0, 1.0], np.float32)
FEATURE_SHIFT = np.zeros(8, np.float32)
CLASS_PRIOR = np.log(np.linspace(1.0, 2.0, 10, dtype=np.float64) / 15.0)


def batch_norm(x, stats, eps=1e-3, momentum=1.0):
    mean = momentum * stats["mean"] + (1.0 - momentum) * jnp.mean(x, axis=0)
    var = jnp.maximum(stats["var"], 0.0)
    x = (x - mean[None, :]) * lax.rsqrt(var + eps)
    return affine(x, stats["gamma"], stats["beta"])


def torch_linear(x, weight, bias=None):
    """A linear layer whose weight is stored as (out, in)."""
    x = x @ weight.T
    return x if bias is None else x + bias


def mlp(params, x):
    # Weights live in low precision, are restored from full precision and used
    # in full precision; the features arrive with half precision's accuracy.
    low = cast(cast(params["low"], F32), BF16)
    low = cast(low, F32)
    x = x.astype(F16).astype(F32)

    # Standardise; most features already are.
    x = (x - FEATURE_SHIFT) * FEATURE_SCALE
    numeric, flags = x[:, :5], x[:, 5:]
    x = jnp.concatenate([numeric, flags], axis=1)
    missing = jnp.isnan(x)
    x = jnp.where(missing, 0.0, x)

    h = jax.nn.relu(batch_norm(dense(x, params["w0"], params["b0"]), params["bn0"]))
    h = dropout(h)

    for i in range(3):
        p = params["block%d" % i]
        y = layer_norm(h, p["gain"])  # no bias
        y = jax.nn.gelu(torch_linear(y, p["up"], p["up_bias"]), approximate=True)
        y = dropout(y)
        y = torch_linear(y, p["down"].T.T)
        h = residual(h, y)

    gate = jax.nn.sigmoid(dense(h, low["gate"]))
    h = jnp.maximum(jax.nn.relu(h * gate), 0)
    logits = dense(layer_norm(h), low["head"], CLASS_PRIOR.astype(np.float32))
    probs = softmax(logits)
    best = jnp.max(probs, axis=-1, keepdims=True)
    classes = lax.broadcasted_iota(I32, probs.shape, 1)
    label = jnp.min(jnp.where(probs == best, classes, 10), axis=-1)
    loss = -jnp.sum(one_hot(label, 10) * jnp.log(probs + 1e-6), axis=-1)
    return {
        "probs": probs,
        "stored": probs.astype(BF16),
        "label": label,
        "loss": jnp.mean(loss),
        "finite": jnp.all(jnp.isfinite(logits)),
        "any_missing": jnp.any(missing),
    }


MLP_SPECS = (
    {
        "w0": spec(F32, 8, 32),
        "b0": spec(F32, 32),
        "bn0": {k: spec(F32, 32) for k in ("mean", "var", "gamma", "beta")},
        **{
            "block%d" % i: {
                "gain": spec(F32, 32),
                "up": spec(F32, 48, 32),
                "up_bias": spec(F32, 48),
                "down": spec(F32, 32, 48),
            }
            for i in range(3)
        },
        "low": {"gate": spec(BF16, 32, 32), "head": spec(BF16, 32, 10)},
    },
    spec(F32, 16, 8),
)


# 3. Convolution stack: NCHW at the interface, NHWC inside.

LAPLACE = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], np.float32)


def nchw_to_nhwc(x):
    return jnp.transpose(x, (0, 2, 3, 1))


def nhwc_to_nchw(x):
    return jnp.transpose(x, (0, 3, 1, 2))


def conv2d(x, kernel, bias=0.0, stride=1, pad=0, flip_kernel=False):
    """Convolve NCHW with an HWIO kernel, padding explicitly before."""
    x = nchw_to_nhwc(x)
    x = lax.pad(
        x,
        jnp.zeros((), x.dtype),
        ((0, 0, 0), (pad, pad, 0), (pad, pad, 0), (0, 0, 0)),
    )
    if flip_kernel:
        kernel = kernel[::-1, ::-1]
    y = lax.conv_general_dilated(
        x,
        kernel,
        window_strides=(stride, stride),
        padding="VALID",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
    )
    return nhwc_to_nchw(y + bias)


def max_pool(x, size=2):
    window = (1, 1, size, size)
    return lax.reduce_window(x, -jnp.inf, lax.max, window, window, "VALID")


def avg_pool(x, size=2):
    window = (1, 1, size, size)
    total = lax.reduce_window(x, 0.0, lax.add, window, window, "VALID")
    return total / (size * size)


def channel_scale(x, scale=1.0, bias=0.0):
    scale = jnp.broadcast_to(jnp.asarray(scale, x.dtype), (x.shape[1],))
    bias = jnp.broadcast_to(jnp.asarray(bias, x.dtype), (x.shape[1],))
    return x * scale[None, :, None, None] + bias[None, :, None, None]


def squeeze_excite(x, down, up):
    pooled = jnp.mean(x, axis=(2, 3))
    gate = jax.nn.sigmoid(dense(jax.nn.relu(dense(pooled, down)), up))
    return x * jnp.broadcast_to(gate[:, :, None, None], x.shape)


def conv_stack(params, images):
    # An extra ring of zeros, then the padding of the first layer.
    x = jnp.pad(images, ((0, 0), (0, 0), (1, 1), (1, 1)))
    x = conv2d(x, params["stem"], params["stem_bias"], pad=1)
    x = x[:, :, 1:-1, 1:-1]
    x = jax.nn.relu(channel_scale(x))

    edges = conv2d(x[:, :1], LAPLACE[:, :, None, None], pad=1, flip_kernel=True)
    x = jnp.concatenate([x, edges], axis=1)
    x = x[:, : x.shape[1] - 1]
    x = max_pool(x)

    for i in range(2):
        p = params["block%d" % i]
        y = channel_scale(x, scale=p["gain"])
        y = jax.nn.relu(conv2d(y, p["conv1"], pad=1))
        kernel = p["conv2"][::-1, ::-1]  # stored flipped
        y = conv2d(y, kernel, p["bias"], pad=1, flip_kernel=True)
        y = squeeze_excite(y, p["down"], p["up"])
        x = jax.nn.relu(residual(x, y))
        left, right = jnp.split(x, 2, axis=1)
        x = jnp.concatenate([left, right], axis=1)

    # Downsample by a strided 1x1 convolution and by pooling.
    small = conv2d(x, params["proj"], stride=2)
    pooled = avg_pool(jax.nn.relu(jax.nn.relu(x)))
    x = jnp.concatenate([small, pooled], axis=1)

    x = jnp.clip(x, -6.0, 6.0)
    features = jnp.max(x, axis=(2, 3)) + jnp.mean(x, axis=(2, 3))
    features = features.reshape(features.shape[0], -1, 2).reshape(features.shape)
    return {
        "logits": dense(features, params["head"]),
        "peak": jnp.max(nchw_to_nhwc(nhwc_to_nchw(nchw_to_nhwc(x))), axis=(1, 2, 3)),
        "active": jnp.any(x > 0, axis=(0, 2, 3)),
    }


CONV_SPECS = (
    {
        "stem": spec(F32, 3, 3, 3, 8),
        "stem_bias": spec(F32, 8),
        **{
            "block%d" % i: {
                "gain": spec(F32, 8),
                "conv1": spec(F32, 3, 3, 8, 8),
                "conv2": spec(F32, 3, 3, 8, 8),
                "bias": spec(F32, 8),
                "down": spec(F32, 8, 4),
                "up": spec(F32, 4, 8),
            }
            for i in range(2)
        },
        "proj": spec(F32, 1, 1, 8, 8),
        "head": spec(F32, 16, 10),
    },
    spec(F32, 2, 3, 16, 16),
)


# 4. Multi-head attention with rotary embedding and a causal mask.


def rotary_tables(length, dim, base=10000.0, offset=0, scale=1.0):
    position = affine((jnp.arange(length) + offset).astype(F32), scale)
    freq = base ** (-jnp.arange(0, dim, 2, dtype=F32) / dim)
    angle = position[:, None] * freq[None, :]
    angle = jnp.concatenate([angle, angle], axis=-1)
    return jnp.cos(angle), jnp.sin(angle)


def rotate_half(x):
    half = x.shape[-1] // 2
    return jnp.concatenate([-x[..., half:], x[..., :half]], axis=-1)


def rotary(x, cos, sin, rotary_dim=None):
    """Rotate the first rotary_dim features and pass on the rest."""
    rotary_dim = rotary_dim or x.shape[-1]
    turn, rest = x[..., :rotary_dim], x[..., rotary_dim:]
    turn = turn * cos[None, :, None, :] + rotate_half(turn) * sin[None, :, None, :]
    return jnp.concatenate([turn, rest], axis=-1)


def causal_mask(length, window=None):
    rows = lax.broadcasted_iota(I32, (length, length), 0)
    cols = lax.broadcasted_iota(I32, (length, length), 1)
    mask = rows >= cols
    if window is not None:
        mask = mask & (rows - cols < window)
    return mask


def split_heads(x, heads):
    batch, length, dim = x.shape
    parts = jnp.split(x, heads, axis=-1)
    return jnp.stack(parts, axis=2).reshape(batch, length, heads, dim // heads)


def merge_heads(x):
    return x.reshape(x.shape[0], x.shape[1], -1)


def attention(params, x, lengths):
    heads, (_, length, dim) = 4, x.shape
    head_dim = dim // heads
    skip = x
    x = layer_norm(x, params["gain"])

    qkv = dense(x, params["qkv"], params["qkv_bias"])
    q, k, v = qkv[..., :dim], qkv[..., dim : 2 * dim], qkv[..., 2 * dim :]
    kv = jnp.concatenate([k, v], axis=-1)  # the layout of a cache
    k, v = jnp.split(kv, 2, axis=-1)
    q, k, v = (split_heads(t, heads) for t in (q, k, v))

    cos, sin = rotary_tables(length, head_dim)
    q = rotary(q, cos, sin)
    k = rotary(k, cos, sin)
    # A second turn by the negative angle on half of the features and back.
    cos2, sin2 = rotary_tables(length, head_dim // 2, offset=1)
    q = rotary(rotary(q, cos2, sin2, head_dim // 2), cos2, -sin2, head_dim // 2)

    q = jnp.transpose(q, (0, 2, 1, 3))
    k = jnp.transpose(jnp.transpose(k, (0, 2, 1, 3)), (0, 1, 3, 2))
    v = jnp.transpose(v, (0, 2, 1, 3))
    scores = affine(q @ k, scale=head_dim**-0.5)

    mask = jnp.broadcast_to(causal_mask(length, length)[None, None], scores.shape)
    valid = jnp.arange(length)[None, :] < lengths[:, None]
    mask = mask & jnp.broadcast_to(valid[:, None, None, :], scores.shape)
    mask = mask | jnp.eye(length, dtype=BOOL)  # leave no row empty
    scores = jnp.where(mask, scores, -1e9)
    weights = dropout(softmax(scores))
    weights = jnp.where(mask, weights, 0.0)

    out = jnp.transpose(weights @ v, (0, 2, 1, 3))
    out = dense(merge_heads(out), params["out"])
    return {
        "y": residual(skip, out),
        "weights": jnp.transpose(weights, (0, 2, 1, 3)).transpose(0, 2, 1, 3),
        "entropy": -jnp.sum(weights * jnp.log(weights + 1e-9), axis=-1),
        "reach": jnp.sum(mask.astype(I32), axis=(1, 2, 3)),
    }


ATTENTION_SPECS = (
    {
        "gain": spec(F32, 32),
        "qkv": spec(F32, 32, 96),
        "qkv_bias": spec(F32, 96),
        "out": spec(F32, 32, 32),
    },
    spec(F32, 2, 12, 32),
    spec(I32, 2),
)


# 5. Transformer decoder, layers unrolled.

LAYERS, HEADS, MODEL, HIDDEN, VOCAB, LENGTH = 6, 2, 16, 32, 20, 8


def shift_right(x, by=1, value=0):
    """Shift along axis 1; by=0 is allowed and does nothing."""
    widths = [(0, 0)] * x.ndim
    widths[1] = (by, 0)
    return jnp.pad(x, widths, constant_values=value)[:, : x.shape[1]]


def sinusoid(length, dim, scale=1.0):
    position = lax.broadcasted_iota(F32, (length, dim // 2), 0)
    index = lax.broadcasted_iota(F32, (length, dim // 2), 1)
    angle = position * scale * jnp.exp(index * (-2.0 * np.log(10000.0) / dim))
    return jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).reshape(length, dim)


def decoder_attention(p, x, mask, alibi=0.0):
    batch, length, dim = x.shape
    shape = (batch, length, HEADS, dim // HEADS)
    q = dense(x, p["q"]).reshape(shape).transpose(0, 2, 1, 3)
    k = dense(x, p["k"]).reshape(shape).transpose(0, 2, 1, 3)
    v = dense(x, p["v"]).reshape(shape).transpose(0, 2, 1, 3)
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(dim // HEADS)
    scores = jnp.where(mask, scores + alibi, jnp.finfo(scores.dtype).min)
    out = jnp.einsum("bhqk,bhkd->bhqd", softmax(scores), v)
    return dense(out.transpose(0, 2, 1, 3).reshape(batch, length, dim), p["o"])


def token_shift(x, amount=0):
    """Mix half of the channels with those of an earlier position."""
    left, right = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([left, shift_right(right, amount)], axis=-1)


def feed_forward(p, x):
    up, gate = jnp.split(dense(x, p["up"], p["up_bias"]), 2, axis=-1)
    return dense(jax.nn.gelu(up) * jax.nn.silu(gate), p["down"])


def transformer(params, tokens, table, segments):
    batch, length = tokens.shape
    inputs = shift_right(tokens)
    inputs = lax.clamp(0, inputs, VOCAB - 1)
    x = one_hot(inputs, VOCAB) @ table
    x = affine(x, MODEL**0.5) + sinusoid(length, MODEL)[None]
    x = dropout(x)

    known = (tokens >= 0) & (tokens < VOCAB)
    same = segments[:, :, None] == segments[:, None, :]
    mask = causal_mask(length)[None] & same & known[:, None, :]
    mask = jnp.broadcast_to(mask[:, None], (batch, HEADS, length, length))

    for i in range(LAYERS):
        p = params[i]
        y = layer_norm(token_shift(x, amount=i % 2), p["gain1"], p["bias1"])
        x = residual(x, dropout(decoder_attention(p, y, mask)))
        y = layer_norm(x, p["gain2"])
        x = residual(x, dropout(feed_forward(p, y)), beta=1.0)

    x = layer_norm(x)
    logits = jnp.einsum("btd,vd->btv", x, table)
    logits = 30.0 * jnp.tanh(affine(logits, 1.0 / 30.0))
    shifted = logits - jnp.max(logits, axis=-1, keepdims=True)
    log_probs = shifted - jnp.log(jnp.sum(jnp.exp(shifted), axis=-1, keepdims=True))
    targets = one_hot(tokens, VOCAB)
    losses = -jnp.sum(targets * log_probs, axis=-1)
    weight = affine((tokens > 0).astype(F32))
    loss = jnp.sum(losses * weight) / jnp.maximum(jnp.sum(weight), 1.0)
    return loss, log_probs


TRANSFORMER_SPECS = (
    [
        {
            "gain1": spec(F32, MODEL),
            "bias1": spec(F32, MODEL),
            "gain2": spec(F32, MODEL),
            **{k: spec(F32, MODEL, MODEL) for k in "qkvo"},
            "up": spec(F32, MODEL, 2 * HIDDEN),
            "up_bias": spec(F32, 2 * HIDDEN),
            "down": spec(F32, HIDDEN, MODEL),
        }
        for _ in range(LAYERS)
    ],
    spec(I32, 2, LENGTH),
    spec(F32, VOCAB, MODEL),
    spec(I32, 2, LENGTH),
)


# 6. Stencils: the wave equation and the game of life on one grid.

BIRTH = np.array([0, 0, 0, 1, 0, 0, 0, 0, 0], bool)
SURVIVE = np.array([0, 0, 1, 1, 0, 0, 0, 0, 0], bool)
WALLS = np.add.outer(np.arange(16), np.arange(20)) % 7 == 0


def halo(x, top=0, bottom=0, left=0, right=0, value=0):
    return jnp.pad(x, ((top, bottom), (left, right)), constant_values=value)


def interior(x, width=1):
    return x[width : x.shape[0] - width, width : x.shape[1] - width]


def shift(x, dy=0, dx=0):
    return jnp.roll(jnp.roll(x, dy, axis=0), dx, axis=1)


def laplacian(u, spacing=1.0):
    around = shift(u, 1) + shift(u, -1) + shift(u, 0, 1) + shift(u, 0, -1)
    return (around - 4.0 * u) / (spacing * spacing)


def wave_step(u, before, wall, speed=0.5, dt=1.0, damping=0.0, source=0.0):
    after = 2.0 * u - before + (speed * dt) ** 2 * laplacian(u)
    after = (after - damping * (u - before)) * (1.0 - damping) + source
    return jnp.where(wall, 0.0, after), u


def life_step(cells, periodic=True):
    alive = cells.astype(I32)
    if not periodic:
        alive = halo(alive, 1, 1, 1, 1)
    count = jnp.zeros_like(alive)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            count = count + shift(alive, dy, dx)
    count = count - alive
    if not periodic:
        count, alive = interior(count), interior(alive)
    born = jnp.zeros(cells.shape, BOOL)
    kept = jnp.zeros(cells.shape, BOOL)
    for n in range(9):
        if BIRTH[n]:
            born = born | (count == n)
        if SURVIVE[n]:
            kept = kept | (count == n)
    return jnp.where(alive != 0, kept, born)


def upwind(u, velocity):
    left = u - shift(u, 0, 1)
    right = shift(u, 0, -1) - u
    return jnp.where(velocity > 0, velocity * left, velocity * right)


def energy(u, before, potential=1.0, kinetic=0.0):
    speed = u - before
    return potential * jnp.sum(u * u) + kinetic * jnp.sum(speed * speed)


def difference(a, b, ignore=False):
    return (a ^ b) & ~jnp.broadcast_to(jnp.asarray(ignore), a.shape)


def stencil(u, before, cells, velocity):
    height, width = u.shape
    rows = lax.broadcasted_iota(I32, u.shape, 0)
    cols = lax.broadcasted_iota(I32, u.shape, 1)
    border = (rows == 0) | (rows == height - 1) | (cols == 0) | (cols == width - 1)
    wall = jnp.logical_or(border, WALLS)

    for _ in range(2):
        u, before = wave_step(u, before, wall)
    # Change of frame: move with the flow, advect, move back.
    moved = shift(shift(u, 3, 2), 0, 0)
    moved = moved - 0.1 * upwind(moved, velocity)
    u = shift(shift(moved, 0, -2), -3, 0)

    # Ghost cells that another layer of ghost cells surrounds.
    ghosts = halo(halo(u, 1, 1, 1, 1), 2, 2, 2, 2)
    inner = interior(interior(ghosts, 2), 1)
    gx = (ghosts[3:-3, 4:-2] - ghosts[3:-3, 2:-4]) / 2.0
    gy = (ghosts[4:-2, 3:-3] - ghosts[2:-4, 3:-3]) / 2.0
    slope = jnp.sqrt(gx * gx + gy * gy)

    board = life_step(life_step(cells), periodic=False)
    board = jnp.concatenate([board[: height // 2], board[height // 2 :]], axis=0)
    board = jnp.flip(jnp.flip(board, 0), 1)
    board = jnp.flip(board, (0, 1))
    changed = difference(board, cells)
    coarse = u[::2, ::2][::2, 1::2]
    return {
        "u": u,
        "before": before,
        "inner": jnp.where(rows >= 0, inner, 0.0),
        "slope": slope,
        "coarse": coarse,
        "board": board,
        "population": jnp.sum(board.astype(I32)),
        "by_row": jnp.sum(board, axis=1, dtype=I32),
        "full_cols": jnp.all(board, axis=0),
        "changed": jnp.any(changed),
        "energy": energy(u, before),
        "first_row": jnp.min(jnp.where(board, rows, height)),
        "last_row": jnp.max(jnp.where(board, rows, -1)),
    }


STENCIL_SPECS = (
    spec(F32, 16, 20),
    spec(F32, 16, 20),
    spec(BOOL, 16, 20),
    spec(F32, 16, 20),
)


# 7. Signal: fixed-point audio and bit streams (64-bit types enabled).

WINDOW = np.array([0, 12, 45, 91, 127, 127, 91, 45, 12, 0, -3, -1, 0, -1, -3, 0], np.int32)
CRC_POLY = np.uint8(0x07)
SCRAMBLE = (np.arange(160) * 73 % 256).astype(np.uint8)
NO_HISTORY = np.zeros((2, 0), np.int16)


def frames(x, size, hop):
    """Split into frames and the rest, which may be empty."""
    count = x.shape[-1] // hop
    head, rest = x[..., : count * hop], x[..., count * hop :]
    return head.reshape(x.shape[:-1] + (count, size)), rest


def shift_by(x, amount=0, left=True):
    amount = jnp.asarray(amount, x.dtype)
    return jnp.left_shift(x, amount) if left else jnp.right_shift(x, amount)


def unpack_bits(data, width=8):
    index = jnp.arange(width, dtype=data.dtype)
    return ((data[..., None] >> index) & 1) != 0


def pack_bits(bits, dtype=U8):
    weight = jnp.left_shift(jnp.ones((), dtype), jnp.arange(bits.shape[-1], dtype=dtype))
    return jnp.sum(jnp.where(bits, weight, 0), axis=-1, dtype=dtype)


def crc8(data):
    crc = jnp.zeros(data.shape[:-1], U8)
    for i in range(data.shape[-1]):
        crc = crc ^ data[..., i]
        for _ in range(8):
            crc = jnp.where(crc & 0x80 != 0, (crc << 1) ^ CRC_POLY, crc << 1)
    return ~~crc


def set_bits(x, mask=0):
    return x | mask


def keep_if(x, keep, also=True):
    return jnp.where((keep & also)[..., None], x, 0)


def high_nibble(x):
    return x & 0xF0


def low_nibble(x):
    return x & 0x0F


def to_gray(x):
    return x ^ (x >> 1)


def from_gray(x, bits):
    step = 1
    while step < bits:
        x = x ^ (x >> step)
        step *= 2
    return x


def mix_hash(x, seed=0):
    x = x.astype(U32) + jnp.asarray(seed, U32)
    x = (x ^ (x >> 16)) * jnp.uint32(0x7FEB352D)
    x = (x ^ (x >> 15)) * jnp.uint32(0x846CA68B)
    return x ^ (x >> 16)


def saturate(x, dtype):
    low, high = jnp.iinfo(dtype).min, jnp.iinfo(dtype).max
    x = lax.clamp(jnp.asarray(low, x.dtype), x, jnp.asarray(high, x.dtype))
    return x.astype(dtype)


def signal(pcm, stream, gain, threshold, muted):
    # Continue after the (empty) history, take whole frames.
    pcm = jnp.concatenate([NO_HISTORY, pcm], axis=1)
    wide = pcm.astype(I32).astype(I64).astype(I32)
    blocks, rest = frames(wide, 16, 16)
    rest_sum = jnp.sum(rest, axis=1, dtype=I32)
    rest_prod = jnp.prod(rest, axis=1, dtype=I32)
    rest_quiet = jnp.all(rest == 0, axis=1)

    # Fixed-point gain with an optional extra shift that is not used.
    level = shift_by(blocks * jnp.where(muted, 0, gain), 4, left=False)
    level = shift_by(shift_by(level), 0, left=False)
    level = saturate(level * WINDOW, I16).astype(I32)
    level = set_bits(level)
    peak = jnp.max(jnp.abs(level), axis=-1)
    low = jnp.min(level, axis=-1)
    loud = ~(peak <= threshold)
    gated = keep_if(keep_if(level, loud), loud)
    out = jnp.concatenate([gated.reshape(pcm.shape[0], -1), rest], axis=1)
    zero_cross = jnp.sum((out[:, 1:] < 0) != (out[:, :-1] < 0), axis=1, dtype=I32)
    magnitude = 32 - lax.clz(peak)

    # Descramble twice (that is, not at all), then Gray code there and back.
    data = (stream ^ SCRAMBLE) ^ SCRAMBLE
    data = from_gray(to_gray(data), 8)
    bits = unpack_bits(data)
    bits = jnp.flip(jnp.flip(bits, -1), -1)
    again = pack_bits(bits)
    swapped = (data << 4) | (data >> 4)
    swapped = set_bits(high_nibble(swapped)) | low_nibble(swapped)
    nibbles = jnp.stack([low_nibble(data), high_nibble(data) >> 4], axis=-1)
    parity = jnp.sum(bits.astype(I32), axis=-1) & 1
    ones = lax.population_count(data).astype(I32)
    packets, tail = frames(data, 16, 16)
    check = crc8(packets[:, :4])  # headers only
    sync = packets[:, 0] == jnp.uint8(0x47)
    counter = affine(low_nibble(packets[:, 1]).astype(I64), scale=1, bias=0)
    order = jnp.arange(packets.shape[0], dtype=I64)
    in_range = (counter >= 0) & (counter < 16) & (order >= 0)
    hashed = mix_hash(jnp.arange(10)) ^ mix_hash(data[:10])
    total = jnp.sum(hashed.astype(U64) << 32 >> 32)
    return {
        "out": out.astype(I16),
        "low": low,
        "loud": loud,
        "zero_cross": zero_cross,
        "magnitude": magnitude,
        "rest": (rest_sum, rest_prod, rest_quiet, rest),
        "same": jnp.all(again == stream),
        "swapped": swapped,
        "nibbles": nibbles,
        "odd": parity != (ones & 1),
        "crc": check,
        "first_sync": jnp.min(jnp.where(sync & in_range, order, 99)),
        "any_sync": jnp.any(sync),
        "tail": tail,
        "hash": total,
        "budget": affine(jnp.maximum(gain - threshold, 0), scale=1, bias=0),
    }


SIGNAL_SPECS = (
    spec(I16, 2, 64),
    spec(U8, 160),
    spec(I32),
    spec(I32),
    spec(BOOL),
)


# 8. One decoding step; has control flow, gather, scatter, sort and CHLO
# operations that a simplifier must carry through untouched.


def decode(cache, position, tokens, table, weight):
    position = jnp.clip(position, 0, cache.shape[1] - 1)
    x = affine(table[tokens])
    cache = lax.dynamic_update_slice(cache, x[:, None], (0, position, 0))
    seen = jnp.arange(cache.shape[1]) <= position
    scores = jnp.einsum("bd,btd->bt", dense(x, weight), cache)
    scores = jnp.where(seen[None], scores, -jnp.inf)
    best, where = lax.top_k(scores, 4)

    def step(carry, row):
        carry = jnp.tanh(affine(carry) + row)
        return carry, jnp.square(carry)

    state, trace = lax.scan(step, jnp.zeros_like(x), jnp.swapaxes(cache, 0, 1))
    state = lax.cond(position > 3, lambda s: s, lambda s: affine(s, 2.0), state)
    order = jnp.argsort(-scores, axis=-1)
    ranked = jnp.sort(scores, axis=-1)[:, ::-1][:, ::-1]
    counts = jnp.zeros(table.shape[0], I32).at[tokens].add(1)
    mass = jnp.cumsum(softmax(scores), axis=-1)
    logits = jax.nn.gelu(state, approximate=False) @ table.T
    return {
        "cache": cache,
        "best": (best, where),
        "next": jnp.argmax(logits, axis=-1),
        "order": order,
        "ranked": ranked,
        "counts": counts,
        "mass": mass,
        "trace": jnp.sum(jnp.transpose(trace, (1, 0, 2)).transpose(1, 0, 2), axis=0),
    }


DECODE_SPECS = (
    spec(F32, 3, 8, 16),
    spec(I32),
    spec(I32, 3),
    spec(F32, 20, 16),
    spec(F32, 16, 16),
)


def lower(function, specs, x64=False, **options):
    with jax.enable_x64(x64):
        return jax.jit(function, **options).lower(*specs)


def plain(lowered):
    return lowered.as_text()


def located(lowered):
    return lowered.as_text(debug_info=True)


def generic(lowered):
    module = lowered.compiler_ir("stablehlo")
    return module.operation.get_asm(print_generic_op_form=True)


def programs():
    """Yield (file name, text)."""
    images = lower(image_pipeline, IMAGE_SPECS)
    yield "image_pipeline.mlir", plain(images)
    perceptron = lower(mlp, MLP_SPECS)
    yield "mlp.mlir", plain(perceptron)
    yield "conv_stack.mlir", plain(lower(conv_stack, CONV_SPECS))
    yield "attention.mlir", plain(lower(attention, ATTENTION_SPECS))
    yield "transformer.mlir", plain(lower(transformer, TRANSFORMER_SPECS))
    grid = lower(stencil, STENCIL_SPECS, donate_argnums=(0, 1))
    yield "stencil.mlir", plain(grid)
    yield "signal.mlir", plain(lower(signal, SIGNAL_SPECS, x64=True))
    yield "decode.mlir", plain(lower(decode, DECODE_SPECS))
    yield "mlp_locations.mlir", located(perceptron)
    yield "image_pipeline_generic.mlir", generic(images)


def count_ops(text):
    return len(re.findall(r'(?:= |^\s*)"?(?:stablehlo|chlo)\.\w+', text, re.M))


def main():
    parser = argparse.ArgumentParser(description="Export the test programs.")
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    check = parser.parse_args().check
    failed = False
    for name, text in programs():
        path = HERE / name
        data = (text.rstrip("\n") + "\n").encode()
        note = ""
        if not check:
            path.write_bytes(data)
        elif not path.exists() or path.read_bytes() != data:
            note, failed = "  DIFFERS", True
        print("%-30s %5d operations%s" % (name, count_ops(text), note))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
