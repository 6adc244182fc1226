# SPDX-License-Identifier: Apache-2.0
"""Measures the weights of egraph/extract/time_weights.h: one operator at a time, in JAX on one core.

    python microbench.py [elementwise|others]

elementwise: nanoseconds an element of each operator in a fused loop, in f32, f64 and i32: the
time of a sum of eight uses less that of four, divided by four; two additions of each use are
taken off.  others: nanoseconds an element, a byte or a product of everything else, alone, with
its reads and writes.  CPU time, the least of many runs.
"""

import os
import sys
import time

import one_core  # noqa: F401  before JAX

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
CALL = jax.jit(lambda x: x + 1)


def least(function, arguments, seconds=0.4):
    jax.block_until_ready(function(*arguments))
    best, runs, end = float("inf"), 0, time.monotonic() + seconds
    while runs < 5 or (time.monotonic() < end and runs < 500):
        start = time.process_time()
        jax.block_until_ready(function(*arguments))
        best, runs = min(best, time.process_time() - start), runs + 1
    return best * 1e9


def values(*shape, kind="float32"):
    drawn = np.random.default_rng(len(shape)).normal(0, 0.5, shape)
    return jnp.asarray(np.asarray(np.abs(drawn) * 50 + 1, kind) if kind.startswith("int") else
                       np.asarray(np.abs(drawn) + 0.1, kind))


def elementwise():
    def constant(x, value):
        return jnp.full_like(x, value)
    anywhere = {
        "add": lambda x: x + constant(x, 3), "multiply": lambda x: x * constant(x, 3), "negate": lambda x: -x,
        "abs": lambda x: lax.abs(-x), "sign": lax.sign, "maximum": lambda x: lax.max(x, constant(x, 1)),
        "select": lambda x: lax.select(x > constant(x, 1), x, constant(x, 2)),
        "clamp": lambda x: lax.clamp(constant(x, 1), x, constant(x, 2)),
        "divide": lambda x: lax.div(constant(x, 3), x), "remainder": lambda x: lax.rem(constant(x, 3), x)}
    on_floats = {
        "ceil": lax.ceil, "floor": lax.floor, "sqrt": lax.sqrt, "rsqrt": lax.rsqrt, "cbrt": lax.cbrt,
        "exponential": lax.exp, "exponential_minus_one": lax.expm1, "log": lax.log, "log_plus_one": lax.log1p,
        "logistic": lax.logistic, "tanh": lax.tanh, "erf": lax.erf, "sine": lax.sin, "cosine": lax.cos,
        "tan": lax.tan, "atan2": lambda x: lax.atan2(x, constant(x, 3)), "power": lambda x: lax.pow(x, x),
        "is_finite": lambda x: lax.is_finite(x).astype(x.dtype),
        "convert": lambda x: x.astype("int32").astype(x.dtype)}
    on_integers = {"shift_left": lambda x: lax.shift_left(x, constant(x, 2)), "and": lambda x: x & 5,
                   "popcnt": lax.population_count, "count_leading_zeros": lax.clz}

    def slope(function, x):
        def chain(n):
            def run(x):
                total = x
                for i in range(n):
                    total = total + function(x + constant(x, i + 1))
                return total
            return jax.jit(run)
        return (least(chain(8), (x,)) - least(chain(4), (x,))) / 4 / x.size

    for kind, table in (("float32", anywhere | on_floats), ("float64", anywhere | on_floats),
                        ("int32", anywhere | on_integers)):
        x = values(1 << 17, kind=kind)
        additions = 2 / 3 * slope(anywhere["add"], x)
        for name, function in table.items():
            print("%-8s %-24s %8.3f ns/element" % (kind, name, slope(function, x) - additions), flush=True)


def others():
    x, odd = values(2048, 1024), values(2000, 1000)
    call = least(CALL, (values(1),))

    def show(name, function, arguments, units, unit):
        print("%-44s %9.4f ns/%s" % (name, (least(jax.jit(function), arguments) - call) / units, unit), flush=True)

    for name, function in {
            "negate": lambda x: -x, "transpose": lambda x: x.T, "transpose and add": lambda x: x.T + 1,
            "slice": lambda x: x[:, 1:], "strided slice": lambda x: x[:, ::2], "reverse": lambda x: x[:, ::-1],
            "concatenate": lambda x: jnp.concatenate([x, x], 1), "pad": lambda x: jnp.pad(x, ((1, 1), (1, 1))),
            "update": lambda x: lax.dynamic_update_slice(x, x[:16], (5, 0)),
            "sum of rows": lambda x: jnp.sum(x, 1), "sum of columns": lambda x: jnp.sum(x, 0),
            "maximum of rows": lambda x: jnp.max(x, 1), "sort": lambda x: jnp.sort(x, 1)}.items():
        for shape, array in (("2048x1024", x), ("2000x1000", odd)):
            show("%s %s" % (name, shape), function, (array,), array.size, "element of the operand")
    cube = values(64, 256, 128)
    show("transpose of rows", lambda x: x.transpose(1, 0, 2), (cube,), cube.size, "element")
    for rows in (4, 32):
        narrow = values(1 << 16, rows)
        show("sum of rows of %d" % rows, lambda x: jnp.sum(x, 1), (narrow,), 1 << 16, "result")
    ids = jnp.asarray(np.random.default_rng(0).integers(0, 2048, 2048), "int32")
    places = jnp.asarray(np.random.default_rng(0).integers(0, x.size, x.size), "int32")
    show("gather of rows", lambda x, i: x[i], (x, ids), x.size, "element")
    show("gather of elements", lambda x, i: x.ravel()[i], (x, places), x.size, "element")
    show("scatter of elements", lambda x, i: x.ravel().at[i].add(x.ravel()), (x, places), x.size, "update")

    def window(size, stride, padding):
        return lambda x: lax.reduce_window(x, np.float32(0), lax.add, size, stride, padding)
    for size in (3, 16):
        show("window of %d" % size, window((1, size), (1, 1), "VALID"), (x,), x.size, "result")
    show("window 3x3, padded", window((3, 3), (1, 1), "SAME"), (x,), x.size, "result")
    show("window 2x2, stride 2", window((2, 2), (2, 2), "VALID"), (x,), x.size / 4, "result")
    show("running window", window((1, 1024), (1, 1), ((0, 0), (1023, 0))), (x,), x.size, "result")

    for m, n, k in ((512, 512, 512), (2048, 64, 1024), (64, 2048, 1024), (2048, 2048, 64), (2048, 1, 1024)):
        sizes = {"m": m, "n": n, "k": k}
        for places in ("mk,kn->mn", "mk,nk->mn", "km,kn->mn", "km,nk->mn"):
            first, second = (values(*[sizes[c] for c in part]) for part in places.split("->")[0].split(","))
            show("contraction %s of %s" % (places, (m, n, k)), lambda a, b, p=places: jnp.einsum(p, a, b),
                 (first, second), m * n * k, "product")
    for b, m, n, k in ((64, 128, 128, 64), (1024, 16, 16, 16), (2048, 1, 1, 1024)):
        show("%d contractions of %s" % (b, (m, n, k)), lambda a, c: jnp.einsum("bmk,bkn->bmn", a, c),
             (values(b, m, k), values(b, k, n)), b * m * n * k, "product")
    # A matrix and a vector in each batch, and the same as a reduction of products.
    for b, n, k in ((64, 256, 256), (8, 512, 512), (128, 128, 128), (16, 1024, 64), (256, 64, 64), (4, 1024, 1024),
                    (512, 32, 32), (32, 64, 512), (32, 512, 64), (2, 256, 2048)):
        first, second = values(b, k), values(b, k, n)
        show("%d contractions of a vector of %d and %d columns" % (b, k, n),
             lambda a, c: jnp.einsum("bk,bkn->bn", a, c), (first, second), b * n * k, "product")
        show("the same as products and a sum", lambda a, c: jnp.sum(a[:, :, None] * c, 1),
             (first, second), b * n * k, "product")
    for n, h, c, o, k, groups, places in ((8, 56, 64, 64, 3, 1, "NHWC"), (8, 56, 64, 64, 3, 1, "NCHW"),
                                          (8, 56, 64, 64, 3, 4, "NHWC"), (8, 56, 64, 64, 3, 64, "NHWC"),
                                          (32, 28, 1, 8, 3, 1, "NHWC")):
        shape = {"N": n, "H": h, "W": h, "C": c}
        show("convolution %s, %d groups, %d to %d features" % (places, groups, c, o),
             lambda a, b, p=places, g=groups: lax.conv_general_dilated(
                 a, b, (1, 1), "SAME", dimension_numbers=(p, "HWIO", p), feature_group_count=g),
             (values(*[shape[d] for d in places]), values(k, k, c // groups, o)),
             n * h * h * o * k * k * (c // groups), "product")


if __name__ == "__main__":
    if sys.argv[1:] != ["others"]:
        elementwise()
    if sys.argv[1:] != ["elementwise"]:
        others()
