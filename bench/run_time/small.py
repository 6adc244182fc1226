# SPDX-License-Identifier: Apache-2.0
"""Small programs of all kinds and sizes: name -> (function, shapes), as in functions.py.

The weights of the cost model `time` were measured one operator at a time, with microbench.py.
These programs test their sum.  They also showed which kinds of operations had no weight yet.
"""

import jax.numpy as jnp
from jax import lax


def conv(strides, padding, groups=1):
    return lambda x, k: lax.conv_general_dilated(
        x, k, strides, padding, dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups)


def window(reducer, start, size, stride, padding="VALID"):
    return lambda x: lax.reduce_window(x, start, reducer, size, stride, padding)


PROGRAMS = {
    # elementwise
    "add": (lambda x, y: x + y, [(512, 512)] * 2),
    "chain": (lambda x: (x * 2 + 1) * (x - 3) / (x * x + 1), [(1024, 512)]),
    "exp_log": (lambda x: jnp.log(1 + jnp.exp(x)), [(256, 1024)]),
    "sine": (lambda x: jnp.sin(x), [(300, 300)]),
    "power": (lambda x: jnp.abs(x) ** 2.5, [(256, 256)]),
    "tan_small": (lambda x: jnp.tan(x), [(64, 64)]),
    "select": (lambda x, y: jnp.where(x > y, x, y * 0.5), [(1000, 700)] * 2),
    "convert": (lambda x: (x * 100).astype(jnp.int32), [(1024, 1024)]),
    "integers": (lambda x, y: x * y + x // (y * y + 1), [((512, 256), "int32")] * 2),
    "doubles": (lambda x: jnp.tanh(x) * 2, [((256, 256), "float64")]),
    # movement
    "transpose": (lambda x: x.T, [(700, 500)]),
    "transpose_rows": (lambda x: x.transpose(1, 0, 2), [(64, 64, 64)]),
    "transpose_add": (lambda x, y: x.T + y, [(400, 600), (600, 400)]),
    "slice": (lambda x: x[100:900, 10:500] * 2, [(1000, 512)]),
    "strided": (lambda x: x[::2, ::3] + 1, [(1200, 900)]),
    "pad": (lambda x: jnp.pad(x, ((3, 3), (5, 5))), [(600, 300)]),
    "concatenate": (lambda x, y: jnp.concatenate([x, y * 2], 1), [(512, 256), (512, 512)]),
    "reverse": (lambda x: x[::-1, ::-1], [(800, 400)]),
    "gather_rows": (lambda x, i: x[i], [(1000, 128), ((2000,), "int32")]),
    "gather_elements": (lambda x, i: x[i], [(4096,), ((20000,), "int32")]),
    "scatter": (lambda x, i, u: x.at[i].add(u), [(5000,), ((10000,), "int32"), (10000,)]),
    "broadcast": (lambda v, w: v[:, None] * w[None, :], [(900,), (1100,)]),
    "tiny": (lambda x: x + 1, [(8, 8)]),
    # reductions
    "sum_rows": (lambda x: jnp.sum(x, 1), [(1000, 1000)]),
    "sum_columns": (lambda x: jnp.sum(x, 0), [(2000, 300)]),
    "sum_narrow": (lambda x: jnp.sum(x, 1), [(20000, 6)]),
    "max_all": (lambda x: jnp.max(x), [(600, 600)]),
    "norm": (lambda x: x / jnp.sqrt(jnp.sum(x * x, 1, keepdims=True)), [(400, 800)]),
    "softmax": (lambda x: jnp.exp(x) / jnp.sum(jnp.exp(x), 1, keepdims=True), [(128, 2048)]),
    "window_sum": (window(lax.add, 0.0, (1, 5), (1, 1)), [(400, 500)]),
    "window_max": (window(lax.max, -jnp.inf, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), [(2, 64, 64, 16)]),
    "cumulative": (lambda x: jnp.cumsum(x, 1), [(64, 512)]),
    # contractions and convolutions
    "matrix": (lambda x, y: x @ y, [(384, 384), (384, 384)]),
    "matrix_vector": (lambda x, y: x @ y, [(1500, 800), (800,)]),
    "matrix_tall": (lambda x, y: x @ y, [(4000, 32), (32, 16)]),
    "batches": (lambda x, y: jnp.einsum("bij,bkj->bik", x, y), [(32, 64, 32), (32, 64, 32)]),
    "row_products": (lambda x, y: jnp.einsum("ij,ij->i", x, y), [(1000, 400)] * 2),
    "convolution": (conv((1, 1), "SAME"), [(2, 28, 28, 32), (3, 3, 32, 32)]),
    "convolution_strided": (conv((2, 2), "VALID"), [(1, 64, 64, 3), (5, 5, 3, 32)]),
    "convolution_groups": (conv((1, 1), "SAME", 8), [(1, 32, 32, 32), (3, 3, 4, 32)]),
}
