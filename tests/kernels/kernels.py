# SPDX-License-Identifier: Apache-2.0
"""Triton kernels of the project's own, for tests of the reader, the interpreter and lifting.

compile.py turns them into the TTIR files beside this one.  `launch` is what the caller guarantees; it becomes
a comment of the file."""

import triton
import triton.language as tl
from triton.language.extra import libdevice

KERNELS = []


def kernel(launch, noinline=False, **constants):
    def wrap(function):
        jitted = triton.jit(function)
        KERNELS.append((jitted, launch, constants))
        return jitted
    return wrap


@kernel("(cdiv(n,BLOCK),)", BLOCK=64)
def scale_add(x, y, out, a: "fp32", n: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, a * tl.load(x + i, i < n) + tl.load(y + i, i < n), i < n)


@kernel("(rows,); 1 <= n <= BLOCK; out_stride >= n", BLOCK=128)
def softmax_row(x, out, x_stride: "i32", out_stride: "i32", n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    v = tl.load(x + r * x_stride + j, j < n, other=float("-inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + r * out_stride + j, e / tl.sum(e, 0), j < n)


@kernel("(rows,); 1 <= n; out_stride >= n", BLOCK=64)
def softmax_online(x, out, x_stride: "i32", out_stride: "i32", n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    m = float("-inf")
    s = 0.0
    for t in range(0, n, BLOCK):
        j = t + tl.arange(0, BLOCK)
        v = tl.load(x + r * x_stride + j, j < n, other=float("-inf"))
        m_new = tl.maximum(m, tl.max(v, 0))
        s = s * tl.exp(m - m_new) + tl.sum(tl.exp(v - m_new), 0)
        m = m_new
    for t in range(0, n, BLOCK):
        j = t + tl.arange(0, BLOCK)
        v = tl.load(x + r * x_stride + j, j < n, other=float("-inf"))
        tl.store(out + r * out_stride + j, tl.exp(v - m) / s, j < n)


@kernel("(rows,)", BLOCK=64)
def sum_lanes(x, out, n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    acc = tl.zeros((BLOCK,), tl.float32)
    for t in range(0, n, BLOCK):
        j = t + tl.arange(0, BLOCK)
        acc += tl.load(x + r * n + j, j < n, other=0.0)
    tl.store(out + r, tl.sum(acc, 0))


@kernel("(rows,); 1 <= n <= BLOCK; stride >= n", BLOCK=128)
def layer_norm(x, out, w, b, stride: "i32", n: "i32", eps: "fp32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    v = tl.load(x + r * stride + j, j < n, other=0.0)
    mean = tl.sum(v, 0) / n
    d = tl.where(j < n, v - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(d * d, 0) / n + eps)
    tl.store(out + r * stride + j, d * scale * tl.load(w + j, j < n) + tl.load(b + j, j < n), j < n)


@kernel("(cdiv(M,BM)*cdiv(N,BN),)", BM=16, BN=32, BK=16, GROUP=4)
def matmul_grouped(a, b, c, M: "i32", N: "i32", K: "i32", am: "i32", ak: "i32", bk: "i32", bn: "i32", cm: "i32",
                   cn: "i32", BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    rows = tl.cdiv(M, BM)
    columns = tl.cdiv(N, BN)
    first = pid // (GROUP * columns) * GROUP
    size = min(rows - first, GROUP)
    pm = first + pid % (GROUP * columns) % size
    pn = pid % (GROUP * columns) // size
    i = pm * BM + tl.arange(0, BM)
    j = pn * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(0, tl.cdiv(K, BK)):
        k = t * BK + tl.arange(0, BK)
        x = tl.load(a + i[:, None] * am + k[None, :] * ak, (i[:, None] < M) & (k[None, :] < K), other=0.0)
        y = tl.load(b + k[:, None] * bk + j[None, :] * bn, (k[:, None] < K) & (j[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
    tl.store(c + i[:, None] * cm + j[None, :] * cn, acc, (i[:, None] < M) & (j[None, :] < N))


@kernel("(cdiv(M,BM), cdiv(N,BN))", BM=16, BN=16, BK=16)
def matmul_blocks(a, b, c, M: "i32", N: "i32", K: "i32", am: "i32", bk: "i32", cm: "i32", BM: tl.constexpr,
                  BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    x = tl.make_block_ptr(a, (M, K), (am, 1), (pm * BM, 0), (BM, BK), (1, 0))
    y = tl.make_block_ptr(b, (K, N), (bk, 1), (0, pn * BN), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(0, K, BK):
        acc += tl.dot(tl.load(x, boundary_check=(0, 1), padding_option="zero"),
                      tl.load(y, boundary_check=(0, 1), padding_option="zero"))
        x = tl.advance(x, (0, BK))
        y = tl.advance(y, (BK, 0))
    z = tl.make_block_ptr(c, (M, N), (cm, 1), (pm * BM, pn * BN), (BM, BN), (1, 0))
    tl.store(z, acc, boundary_check=(0, 1))


@kernel("(cdiv(M,BM), cdiv(N,BN))", BM=16, BN=16)
def transpose_descriptors(x, out, M: "i32", N: "i32", xs: "i64", os: "i64", BM: tl.constexpr, BN: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    source = tl.make_tensor_descriptor(x, [M, N], [xs, 1], [BM, BN])
    target = tl.make_tensor_descriptor(out, [N, M], [os, 1], [BN, BM])
    tile = source.load([pm * BM, pn * BN])
    target.store([pn * BN, pm * BM], tile.T)


@kernel("(rows,)", BLOCK=64)
def early_return(x, keep: "*i32", out, n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    k = tl.load(keep + r)
    if k == 0:
        return
    acc = 0.0
    for t in range(0, n, BLOCK):
        j = t + tl.arange(0, BLOCK)
        acc += tl.sum(tl.load(x + r * n + j, j < n, other=0.0), 0)
    if k == 2:
        acc = acc * 2
    tl.store(out + r, acc)


@kernel("(cdiv(n,BLOCK), 2)", BLOCK=64)
def choose_array(x, y, out, n: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    side = tl.program_id(1)
    if side == 0:
        source = x
    else:
        source = y
    tl.store(out + side * n + i, tl.load(source + i, i < n), i < n)


@triton.jit(noinline=True)
def clipped(v, low, high):
    if high < low:
        return v
    return tl.minimum(tl.maximum(v, low), high)  # of a scalar: only these may stay calls


@kernel("(cdiv(n,BLOCK),)", BLOCK=64)
def call_private(x, out, low: "fp32", high: "fp32", n: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, i < n) * clipped(tl.load(x), low, high), i < n)


@kernel("(rows,); n <= BLOCK", BLOCK=64)
def cumulative(x, out, back, n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    v = tl.load(x + r * n + j, j < n, other=0.0)
    tl.store(out + r * n + j, tl.cumsum(v, 0), j < n)
    tl.store(back + r * n + j, tl.cumsum(v, 0, reverse=True), j < n)


@kernel("(rows,); 1 <= n <= BLOCK", BLOCK=64)
def argmax_row(x, value, index: "*i32", n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    v = tl.load(x + r * n + j, j < n, other=float("-inf"))
    best, at = tl.max(v, 0, return_indices=True)
    tl.store(value + r, best)
    tl.store(index + r, at)


@triton.jit
def merge_moments(mean, count, square, mean_b, count_b, square_b):
    total = count + count_b
    safe = tl.maximum(total, 1.0)
    delta = mean_b - mean
    return (mean * count + mean_b * count_b) / safe, total, square + square_b + delta * delta * count * count_b / safe


@kernel("(rows,); 1 <= n <= BLOCK", BLOCK=64)
def moments(x, mean, variance, n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    v = tl.load(x + r * n + j, j < n, other=0.0)
    count = (j < n).to(tl.float32)
    m, c, s = tl.reduce((v, count, tl.zeros_like(v)), 0, merge_moments)
    tl.store(mean + r, m)
    tl.store(variance + r, s / c)


@kernel("(rows,)", BLOCK=64)
def atomic_total(x, out, n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + r * n + j, j < n, other=0.0), 0))


@kernel("(rows,); n <= BLOCK", BLOCK=64)
def spin_lock(x, out, copy, lock: "*i32", n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    v = tl.load(x + r * n + j, j < n, other=0.0)
    tl.store(copy + r * n + j, v, j < n)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(out + j, tl.load(out + j, j < n) + v, j < n)
    tl.atomic_xchg(lock, 0)


@kernel("(cdiv(n,BLOCK),)", BLOCK=64)
def random_mask(x, out, p: "fp32", seed: "i32", n: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    u = tl.rand(seed, i)
    tl.store(out + i, tl.where(u > p, tl.load(x + i, i < n) / (1 - p), 0.0), i < n)


@kernel("(cdiv(n,2*BLOCK),)", BLOCK=32)
def interleave(x, y, out, sums, n: "i32", BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    both = tl.interleave(tl.load(x + i, 2 * i < n), tl.load(y + i, 2 * i + 1 < n))
    j = p * 2 * BLOCK + tl.arange(0, 2 * BLOCK)
    tl.store(out + j, both, j < n)
    a, b = tl.split(tl.reshape(both, (BLOCK, 2)))
    tl.store(sums + i, a + b, 2 * i + 1 < n)


@kernel("(Z, cdiv(M,BM)); N <= BN", BM=8, BN=16)
def permute_tiles(x, out, M: "i32", N: "i32", BM: tl.constexpr, BN: tl.constexpr):
    z = tl.program_id(0)
    i = tl.program_id(1) * BM + tl.arange(0, BM)
    j = tl.arange(0, BN)
    mask = (i[:, None] < M) & (j[None, :] < N)
    v = tl.load(x + z * M * N + i[:, None] * N + j[None, :], mask)
    v = tl.permute(tl.reshape(v, (1, BM, BN)), (2, 0, 1))
    v = tl.reshape(v, (BN, BM))
    tl.store(out + z * M * N + j[:, None] * M + i[None, :], v, (j[:, None] < N) & (i[None, :] < M))


@kernel("(cdiv(n,BLOCK),)", BLOCK=64)
def functions(x, out, n: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, i < n, other=1.0)
    v = tl.fma(v, 2.0, tl.abs(v)) + tl.clamp(v, -1.0, 1.0) + libdevice.tanh(v) + libdevice.pow(tl.abs(v), 0.5)
    v = tl.sqrt_rn(tl.abs(v) + 1.0) + tl.div_rn(v, 2.0 + tl.abs(v)) + tl.floor(v) + libdevice.rsqrt(1.0 + v * v)
    v = v + tl.erf(v) + tl.exp2(-tl.abs(v)) + tl.log2(1.0 + tl.abs(v)) + tl.sin(v) - tl.cos(v) + libdevice.log1p(v * v)
    v = v + libdevice.j0(v)
    tl.store(out + i, v, i < n)


@kernel("(cdiv(n,BLOCK),)", BLOCK=64)
def integers(x: "*i32", y: "*u32", flags: "*i1", out: "*i64", n: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, i < n, other=0)
    b = tl.load(y + i, i < n, other=1)
    f = tl.load(flags + i, i < n)
    tl.device_assert(a >= 0)
    tl.assume(n >= 0)
    q = (a // 3) * 5 + a % 7 + (a << 2) + (a >> 1)
    u = (b // 3) + (b >> 2) + tl.umulhi(b, b)
    z = tl.where(f & (a > 3), q.to(tl.int64), u.to(tl.int64))
    tl.store(out + i, z ^ (a | 5).to(tl.int64), i < n)
    tl.store(flags + i, a > 3, i < n)


@kernel("(any G >= 1,)", BLOCK=64)
def grid_stride(x, out, n: "i32", BLOCK: tl.constexpr):
    for t in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        i = t + tl.arange(0, BLOCK)
        tl.store(out + i, tl.abs(tl.load(x + i, i < n)), i < n)


@kernel("(cdiv(N_CTX,BM), H); N_CTX a multiple of BM", BM=32, BN=16, D=16)
def attention_causal(q, k, v, out, scale: "fp32", head_stride: "i32", N_CTX: "i32", BM: tl.constexpr, BN: tl.constexpr,
                     D: tl.constexpr):
    first = tl.program_id(0) * BM
    base = tl.program_id(1) * head_stride
    i = first + tl.arange(0, BM)
    d = tl.arange(0, D)
    queries = tl.load(q + base + i[:, None] * D + d[None, :])
    m = tl.full((BM,), float("-inf"), tl.float32)
    s = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for t in range(0, first + BM, BN):
        j = t + tl.arange(0, BN)
        keys = tl.load(k + base + j[None, :] * D + d[:, None])
        score = tl.dot(queries, keys) * scale
        score = tl.where(j[None, :] <= i[:, None], score, float("-inf"))
        m_new = tl.maximum(m, tl.max(score, 1))
        decay = tl.exp(m - m_new)
        p = tl.exp(score - m_new[:, None])
        s = s * decay + tl.sum(p, 1)
        acc = acc * decay[:, None] + tl.dot(p, tl.load(v + base + j[:, None] * D + d[None, :]))
        m = m_new
    tl.store(out + base + i[:, None] * D + d[None, :], acc / s[:, None])


@kernel("(rows,); n <= BLOCK", BLOCK=64)
def sort_row(x, out, count: "*i32", n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    v = tl.load(x + r * n + j, j < n, other=float("inf"))
    tl.store(out + r * n + j, tl.sort(v), j < n)
    bins = tl.histogram((v * 16).to(tl.int32), 16)
    tl.store(count + r * 16 + tl.arange(0, 16), bins)


@kernel("(rows,)", BLOCK=64)
def embedding(table, index: "*i32", out, width: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    row = tl.load(index + r)
    for t in range(0, width, BLOCK):
        j = t + tl.arange(0, BLOCK)
        tl.store(out + r * width + j, tl.load(table + row * width + j, j < width), j < width)


@kernel("(rows,)", BLOCK=64)
def cross_entropy(x, target: "*i32", loss, n: "i32", ignore: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    t = tl.load(target + r)
    if t == ignore:
        return
    m = float("-inf")
    s = 0.0
    for first in range(0, n, BLOCK):
        j = first + tl.arange(0, BLOCK)
        v = tl.load(x + r * n + j, j < n, other=float("-inf"))
        m_new = tl.maximum(m, tl.max(v, 0))
        s = s * tl.exp(m - m_new) + tl.sum(tl.exp(v - m_new), 0)
        m = m_new
    tl.store(loss + r, m + tl.log(s) - tl.load(x + r * n + t))


@kernel("(rows,)", HALF=16)
def rotate_halves(x, cos, sin, row_stride: "i32", HALF: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, HALF)
    a = tl.load(x + r * row_stride + j)
    b = tl.load(x + r * row_stride + HALF + j)
    c = tl.load(cos + r * HALF + j)
    s = tl.load(sin + r * HALF + j)
    tl.store(x + r * row_stride + j, a * c - b * s)
    tl.store(x + r * row_stride + HALF + j, b * c + a * s)


@kernel("(cdiv(columns,BN),)", BM=16, BN=32)
def softmax_columns(x, out, rows: "i32", columns: "i32", BM: tl.constexpr, BN: tl.constexpr):
    j = tl.program_id(0) * BN + tl.arange(0, BN)
    m = tl.full((BM, BN), float("-inf"), tl.float32)
    s = tl.zeros((BM, BN), tl.float32)
    for first in range(0, rows, BM):
        i = first + tl.arange(0, BM)
        inside = (i < rows)[:, None] & (j < columns)[None, :]
        v = tl.load(x + i[:, None] * columns + j[None, :], inside, other=float("-inf"))
        m_new = tl.maximum(m, v)
        s = tl.where(m_new == float("-inf"), s, s * tl.exp(m - m_new) + tl.exp(v - m_new))
        m = m_new
    top = tl.max(m, 0)
    total = tl.sum(s * tl.exp(m - top[None, :]), 0)
    for first in range(0, rows, BM):
        i = first + tl.arange(0, BM)
        inside = (i < rows)[:, None] & (j < columns)[None, :]
        v = tl.load(x + i[:, None] * columns + j[None, :], inside, other=float("-inf"))
        tl.store(out + i[:, None] * columns + j[None, :], tl.exp(v - top[None, :]) / total[None, :], inside)


@kernel("(batch*seq,heads); D2 <= BLOCK; 1 <= D2; seq >= 1; heads >= 1; batch >= 1", BLOCK=64)
def rotate_pairs(x, cos, sin, out, seq: "i32", heads: "i32", D2: "i32", BLOCK: tl.constexpr):
    p = tl.program_id(0)
    h = tl.program_id(1)
    s = p % seq
    j = tl.arange(0, BLOCK)
    mask = j < D2
    base = (p * heads + h) * D2 * 2
    a = tl.load(x + base + 2 * j, mask)
    b = tl.load(x + base + 2 * j + 1, mask)
    c = tl.load(cos + s * D2 + j, mask)
    d = tl.load(sin + s * D2 + j, mask)
    tl.store(out + base + 2 * j, a * c - b * d, mask)
    tl.store(out + base + 2 * j + 1, a * d + b * c, mask)


@kernel("(batch, cdiv(LO,BLOCK)); LO == 2*L; L >= 1; batch >= 1", BLOCK=64)
def transpose_convolution(x, w, out, L: "i32", LO: "i32", T: "i32", BLOCK: tl.constexpr):
    b = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for k in range(0, T):
        p = o - k
        i = p // 2
        ok = (o < LO) & (p >= 0) & (p % 2 == 0) & (i < L)
        acc += tl.load(x + b * L + i, ok, other=0.0) * tl.load(w + k)
    tl.store(out + b * LO + o, acc, o < LO)


@kernel("(batch, cdiv(LO,BLOCK)); LO >= 1; L >= 1; batch >= 1; LO == L - T + 1; T >= 1", BLOCK=64)
def convolution(x, w, out, L: "i32", LO: "i32", T: "i32", BLOCK: tl.constexpr):
    b = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for k in range(0, T):
        acc += tl.load(x + b * L + o + k, o < LO, other=0.0) * tl.load(w + k)
    tl.store(out + b * LO + o, acc, o < LO)


@kernel("(cdiv(N,BM),H); N a multiple of BM; N >= 1", BM=32, BN=32, D=32)
def attention_masked(q, k, v, out, lse, scale: "fp32", N: "i32", BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    base = tl.program_id(1) * N * D
    d = tl.arange(0, D)
    Q = tl.load(q + base + i[:, None] * D + d[None, :], (i < N)[:, None], other=0.0) * (scale * 1.4426950408889634)
    m = tl.zeros((BM,), tl.float32) - float("inf")
    l = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for t in range(0, N, BN):
        j = t + tl.arange(0, BN)
        K = tl.load(k + base + j[None, :] * D + d[:, None], (j < N)[None, :], other=0.0)
        s = tl.dot(Q, K)
        s = tl.where((j < N)[None, :], s, float("-inf"))
        mn = tl.maximum(m, tl.max(s, 1))
        p = tl.exp2(s - mn[:, None])
        al = tl.exp2(m - mn)
        l = l * al + tl.sum(p, 1)
        V = tl.load(v + base + j[:, None] * D + d[None, :], (j < N)[:, None], other=0.0)
        acc = acc * al[:, None] + tl.dot(p, V)
        m = mn
    tl.store(out + base + i[:, None] * D + d[None, :], acc / l[:, None], (i < N)[:, None])
    tl.store(lse + tl.program_id(1) * N + i, m + tl.log2(l), i < N)


@kernel("(rows,); 1 <= n; stride >= n", BLOCK=64)
def softmax_lanes(x, out, stride: "i32", n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    m = tl.full((BLOCK,), -1.0e38, tl.float32)
    s = tl.zeros((BLOCK,), tl.float32)
    for t in range(0, n, BLOCK):
        j = t + tl.arange(0, BLOCK)
        v = tl.load(x + r * stride + j, j < n, other=float("-inf"))
        mn = tl.maximum(m, v)
        s = s * tl.exp(m - mn) + tl.exp(v - mn)
        m = mn
    top = tl.max(m, 0)
    total = tl.sum(s * tl.exp(m - top), 0)
    for t in range(0, n, BLOCK):
        j = t + tl.arange(0, BLOCK)
        v = tl.load(x + r * stride + j, j < n, other=float("-inf"))
        tl.store(out + r * stride + j, tl.exp(v - top) / total, j < n)


@kernel("(any G >= 1,); 1 <= n <= BLOCK; rows >= 1", BLOCK=256)
def rms_norm_programs(x, w, out, rows: "i32", n: "i32", eps: "fp32", BLOCK: tl.constexpr):
    j = tl.arange(0, BLOCK)
    for r in range(tl.program_id(0), rows, tl.num_programs(0)):
        v = tl.load(x + r * n + j, j < n, other=0.0)
        rs = tl.rsqrt(tl.sum(v * v, 0) / n + eps)
        tl.store(out + r * n + j, v * rs * tl.load(w + j, j < n, other=0.0), j < n)


@kernel("(cdiv(n,BLOCK),)", BLOCK=256)
def dropout_given(x, keep: "*i1", out, n: "i32", p: "fp32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, m)
    k = tl.load(keep + i, m)
    tl.store(out + i, tl.where(k, v / (1 - p), 0.0), m)


@kernel("(cdiv(M,BM),cdiv(N,BN)); K >= 1", BM=16, BN=16, BK=32)
def matmul_int8(a: "*i8", b: "*i8", sa, sb, c, M: "i32", N: "i32", K: "i32", BM: tl.constexpr, BN: tl.constexpr,
                BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.int32)
    for t in range(0, K, BK):
        k = t + tl.arange(0, BK)
        x = tl.load(a + i[:, None] * K + k[None, :], (i[:, None] < M) & (k[None, :] < K), other=0)
        y = tl.load(b + k[:, None] * N + j[None, :], (k[:, None] < K) & (j[None, :] < N), other=0)
        acc += tl.dot(x, y)
    s = tl.load(sa + i, i < M, other=0.0)[:, None] * tl.load(sb + j, j < N, other=0.0)[None, :]
    tl.store(c + i[:, None] * N + j[None, :], acc.to(tl.float32) * s, (i[:, None] < M) & (j[None, :] < N))


@kernel("(any G >= 1,); M >= 1; N >= 1; K >= 1", BM=16, BN=16, BK=16)
def matmul_programs(a, b, c, M: "i32", N: "i32", K: "i32", BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    nm = tl.cdiv(M, BM)
    nn = tl.cdiv(N, BN)
    for tile in range(tl.program_id(0), nm * nn, tl.num_programs(0)):
        i = tile // nn * BM + tl.arange(0, BM)
        j = tile % nn * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), tl.float32)
        for t in range(0, K, BK):
            k = t + tl.arange(0, BK)
            x = tl.load(a + i[:, None] * K + k[None, :], (i[:, None] < M) & (k[None, :] < K), other=0.0)
            y = tl.load(b + k[:, None] * N + j[None, :], (k[:, None] < K) & (j[None, :] < N), other=0.0)
            acc = tl.dot(x, y, acc)
        tl.store(c + i[:, None] * N + j[None, :], acc, (i[:, None] < M) & (j[None, :] < N))


@kernel("(cdiv(M,BM),)", BM=16, BK=64)
def logsumexp_rows(x, y, M: "i32", N: "i32", BM: tl.constexpr, BK: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    m = tl.full((BM,), -float("inf"), tl.float32)
    l = tl.zeros((BM,), tl.float32)
    for i in range(0, N, BK):
        c = i + tl.arange(0, BK)
        v = tl.load(x + r[:, None] * N + c[None, :], mask=(r[:, None] < M) & (c[None, :] < N), other=-float("inf"))
        mn = tl.maximum(m, tl.max(v, 1))
        l = l * tl.exp(m - mn) + tl.sum(tl.exp(v - mn[:, None]), 1)
        m = mn
    tl.store(y + r, m + tl.log(l), mask=r < M)


@kernel("(cdiv(n,BLOCK),)", BLOCK=128)
def flip(x, y, n: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(y + n - 1 - i, tl.load(x + i, mask=m), mask=m)


@kernel("(cdiv(M,BLOCK),cdiv(N,BLOCK))", BLOCK=64)
def dequantize_blocks(x: "*i8", s, y, M: "i32", N: "i32", BLOCK: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    n = tl.cdiv(N, BLOCK)
    om = pm * BLOCK + tl.arange(0, BLOCK)
    on = pn * BLOCK + tl.arange(0, BLOCK)
    o = om[:, None] * N + on[None, :]
    m = (om[:, None] < M) & (on[None, :] < N)
    v = tl.load(x + o, mask=m, other=0).to(tl.float32)
    sc = tl.load(s + pm * n + pn)
    tl.store(y + o, v * sc, mask=m)


@kernel("(seq,heads)", BLOCK=64)
def rotate_rows(q, c, s, sq: "i32", sh: "i32", sc: "i32", half: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0)
    h = tl.program_id(1)
    o = tl.arange(0, BLOCK)
    m = o < half
    p = q + i * sq + h * sh
    x1 = tl.load(p + o, mask=m, other=0)
    x2 = tl.load(p + half + o, mask=m, other=0)
    cv = tl.load(c + i * sc + o, mask=m, other=0)
    sv = tl.load(s + i * sc + o, mask=m, other=0)
    tl.store(p + o, x1 * cv - x2 * sv, mask=m)
    tl.store(p + half + o, x2 * cv + x1 * sv, mask=m)


@kernel("(rows,)", BLOCK=128)
def sum_magnitudes(x, y, n: "i32", BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), tl.float32)
    for i in range(0, n, BLOCK):
        o = i + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + o, mask=o < n, other=0.)
        acc += tl.abs(v)
    tl.store(y + row, tl.sum(acc))


@kernel("(cdiv(T,BM),heads)", BM=64, BN=64, D=32)
def attention_heads(q, kk, v, o, lse, T: "i32", sb: "i32", scale: "fp32", BM: tl.constexpr, BN: tl.constexpr,
                    D: tl.constexpr):
    pm = tl.program_id(0)
    z = tl.program_id(1)
    om = pm * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    qv = tl.load(q + z * sb + om[:, None] * D + d[None, :], mask=om[:, None] < T, other=0.)
    m = tl.full((BM,), float("-inf"), tl.float32)
    l = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for s0 in range(0, (pm + 1) * BM, BN):
        on = s0 + tl.arange(0, BN)
        kv = tl.load(kk + z * sb + on[:, None] * D + d[None, :], mask=on[:, None] < T, other=0.)
        vv = tl.load(v + z * sb + on[:, None] * D + d[None, :], mask=on[:, None] < T, other=0.)
        s = tl.dot(qv, tl.trans(kv)) * scale
        s = tl.where((on[None, :] <= om[:, None]) & (on[None, :] < T), s, float("-inf"))
        mn = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - mn[:, None])
        al = tl.exp(m - mn)
        l = l * al + tl.sum(p, 1)
        acc = acc * al[:, None] + tl.dot(p, vv)
        m = mn
    tl.store(o + z * sb + om[:, None] * D + d[None, :], acc / l[:, None], mask=om[:, None] < T)
    tl.store(lse + z * T + om, m + tl.log(l), mask=om < T)


@kernel("(cdiv(n,BLOCK),)", BLOCK=256)
def adamw(p, g, m, v, n: "i32", lr: "fp32", b1: "fp32", b2: "fp32", eps: "fp32", wd: "fp32", c1: "fp32", c2: "fp32",
          BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    k = i < n
    pv = tl.load(p + i, mask=k)
    gv = tl.load(g + i, mask=k)
    mv = tl.load(m + i, mask=k)
    vv = tl.load(v + i, mask=k)
    pv = pv * (1 - lr * wd)
    mv = b1 * mv + (1 - b1) * gv
    vv = b2 * vv + (1 - b2) * gv * gv
    mh = mv / c1
    vh = vv / c2
    tl.store(p + i, pv - lr * mh / (tl.sqrt(vh) + eps), mask=k)
    tl.store(m + i, mv, mask=k)
    tl.store(v + i, vv, mask=k)


@kernel("(rows,); 1 <= n", BLOCK=128)
def log_softmax_online(x, out, n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    x += r * n
    out += r * n
    m = float("-inf")
    s = 0.0
    for t in range(0, n, BLOCK):
        j = t + tl.arange(0, BLOCK)
        v = tl.load(x + j, j < n, other=float("-inf")).to(tl.float32)
        mn = tl.maximum(m, tl.max(v, 0))
        s = s * tl.exp(m - mn) + tl.sum(tl.exp(v - mn), 0)
        m = mn
    lse = m + tl.log(s)
    for t in range(0, n, BLOCK):
        j = t + tl.arange(0, BLOCK)
        v = tl.load(x + j, j < n, other=0.0)
        tl.store(out + j, v - lse, j < n)


@kernel("(cdiv(n,BLOCK),)", BLOCK=128)
def gelu_erf(x, out, n: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, i < n)
    tl.store(out + i, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), i < n)


@kernel("(rows,); n <= BLOCK", BLOCK=128)
def swiglu(a, b, c, stride: "i32", n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    a += r * stride
    b += r * stride
    c += r * stride
    j = tl.arange(0, BLOCK)
    x = tl.load(a + j, j < n, other=0).to(tl.float32)
    y = tl.load(b + j, j < n, other=0)
    tl.store(c + j, x * tl.sigmoid(x) * y, j < n)


@kernel("(rows,); n <= BLOCK", BLOCK=128)
def geglu(a, b, c, stride: "i32", n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, BLOCK)
    x = tl.load(a + r * stride + j, j < n, other=0).to(tl.float32)
    y = tl.load(b + r * stride + j, j < n, other=0)
    g = 0.5 * x * (1 + tl.erf(x / tl.sqrt(2.0)))
    tl.store(c + r * stride + j, g * y, j < n)


@kernel("(batch, groups); 1 <= hidden", BLOCK=128)
def group_norm(x, w, b, y, mean, rstd, groups: "i32", channels: "i32", hidden: "i32", eps: "fp32", BLOCK: tl.constexpr):
    # row = batch*groups + g; a group has channels*hidden elements
    n = tl.program_id(0)
    g = tl.program_id(1)
    size = channels * hidden
    base = (n * groups + g) * size
    s = tl.zeros((BLOCK,), tl.float32)
    q = tl.zeros((BLOCK,), tl.float32)
    for t in range(0, size, BLOCK):
        j = t + tl.arange(0, BLOCK)
        v = tl.load(x + base + j, j < size, other=0.0)
        s += v
        q += v * v
    m = tl.sum(s, 0) / size
    var = tl.sum(q, 0) / size - m * m
    r = 1 / tl.sqrt(var + eps)
    tl.store(mean + n * groups + g, m)
    tl.store(rstd + n * groups + g, r)
    for c in range(0, channels):
        wc = tl.load(w + g * channels + c)
        bc = tl.load(b + g * channels + c)
        for t in range(0, hidden, BLOCK):
            j = t + tl.arange(0, BLOCK)
            v = tl.load(x + base + c * hidden + j, j < hidden, other=0.0)
            tl.store(y + base + c * hidden + j, (v - m) * r * wc + bc, j < hidden)


@kernel("(rows,); 1 <= n", BLOCK=64)
def var_two_pass(x, mean, var, n: "i32", correction: "fp32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    s = tl.zeros((BLOCK,), tl.float32)
    for t in range(0, n, BLOCK):
        j = t + tl.arange(0, BLOCK)
        s += tl.load(x + r * n + j, j < n, other=0.0)
    m = tl.sum(s) / n
    q = tl.zeros((BLOCK,), tl.float32)
    for t in range(0, n, BLOCK):
        j = t + tl.arange(0, BLOCK)
        v = tl.load(x + r * n + j, j < n, other=0.0)
        d = tl.where(j < n, v - m, 0.0)
        q += d * d
    tl.store(mean + r, m)
    tl.store(var + r, tl.sum(q) / (n - correction))


@kernel("(rows,); n <= BLOCK", BLOCK=128)
def layer_norm_gradient(dy, x, w, mean, rstd, dx, stride: "i32", n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    m = j < n
    g = tl.load(dy + r * stride + j, m, other=0.0)
    v = tl.load(x + r * stride + j, m, other=0.0)
    wv = tl.load(w + j, m, other=0.0)
    mu = tl.load(mean + r)
    s = tl.load(rstd + r)
    xh = (v - mu) * s
    wdy = wv * g
    xh = tl.where(m, xh, 0.0)
    wdy = tl.where(m, wdy, 0.0)
    c1 = tl.sum(xh * wdy, 0) / n
    c2 = tl.sum(wdy, 0) / n
    tl.store(dx + r * stride + j, (wdy - (xh * c1 + c2)) * s, m)


@kernel("(cdiv(n,BM), z*h); n a multiple of BM; n a multiple of BN", BM=64, BN=32, D=64)
def attention_causal_tile(q, k, v, out, sz: "i32", sm: "i32", scale: "fp32", n: "i32", BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    s = tl.program_id(0)
    z = tl.program_id(1)
    q += z * sz
    k += z * sz
    v += z * sz
    out += z * sz
    i = s * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    qq = tl.load(q + i[:, None] * sm + d[None, :])
    m = tl.full((BM,), float("-inf"), tl.float32)
    l = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for t in range(0, (s + 1) * BM, BN):
        j = t + tl.arange(0, BN)
        kk = tl.load(k + j[None, :] * sm + d[:, None])
        p = tl.dot(qq, kk) * scale
        p = tl.where(i[:, None] >= j[None, :], p, float("-inf"))
        mn = tl.maximum(m, tl.max(p, 1))
        a = tl.exp(m - mn)
        e = tl.exp(p - mn[:, None])
        l = l * a + tl.sum(e, 1)
        vv = tl.load(v + j[:, None] * sm + d[None, :])
        acc = acc * a[:, None] + tl.dot(e, vv)
        m = mn
    tl.store(out + i[:, None] * sm + d[None, :], acc / l[:, None])


@kernel("(rows,)", BLOCK=256)
def cross_entropy_ignore(x, target: "*i64", loss, stride: "i32", n: "i32", ignore: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    t = tl.load(target + r)
    x += r * stride
    if t == ignore:
        tl.store(loss + r, 0.0)
        return
    m = float("-inf")
    d = 0.0
    xt = tl.load(x + t)
    for i in range(0, n, BLOCK):
        j = i + tl.arange(0, BLOCK)
        v = tl.load(x + j, j < n, other=float("-inf"))
        bm = tl.max(v)
        mn = tl.maximum(m, bm)
        d = d * tl.exp(m - mn) + tl.sum(tl.exp(v - mn))
        m = mn
    tl.store(loss + r, m + tl.log(d) - xt)


@kernel("(cdiv(n,BM), z); n a multiple of BM", BM=64, BN=32, D=16)
def attention_two_loops(q, k, v, out, scale: "fp32", n: "i32", BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    s = tl.program_id(0)
    z = tl.program_id(1) * n * D
    i = s * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    at = z + i[:, None] * D + d[None, :]
    qq = tl.load(q + at)
    m = tl.full((BM,), float("-inf"), tl.float32)
    l = tl.full((BM,), 1.0, tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for t in range(0, s * BM, BN):  # in front of the diagonal
        j = t + tl.arange(0, BN)
        p = tl.dot(qq, tl.load(k + z + j[None, :] * D + d[:, None])) * scale
        mn = tl.maximum(m, tl.max(p, 1))
        a = tl.exp(m - mn)
        e = tl.exp(p - mn[:, None])
        l = l * a + tl.sum(e, 1)
        acc = acc * a[:, None] + tl.dot(e, tl.load(v + z + j[:, None] * D + d[None, :]))
        m = mn
    for t in range(s * BM, (s + 1) * BM, BN):  # on it
        j = t + tl.arange(0, BN)
        p = tl.dot(qq, tl.load(k + z + j[None, :] * D + d[:, None])) * scale
        p = tl.where(j[None, :] <= i[:, None], p, float("-inf"))
        mn = tl.maximum(m, tl.max(p, 1))
        a = tl.exp(m - mn)
        e = tl.exp(p - mn[:, None])
        l = l * a + tl.sum(e, 1)
        acc = acc * a[:, None] + tl.dot(e, tl.load(v + z + j[:, None] * D + d[None, :]))
        m = mn
    tl.store(out + at, acc / l[:, None])


@kernel("(G,); per == cdiv(rows,G); n <= BLOCK", BLOCK=64)
def scale_gradient(dy, x, w, dx, dw, rows: "i32", n: "i32", per: "i32", BLOCK: tl.constexpr):
    p = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    mask = j < n
    wv = tl.load(w + j, mask, other=0.0)
    acc = tl.zeros((BLOCK,), tl.float32)
    for r in range(p * per, min((p + 1) * per, rows)):
        g = tl.load(dy + r * n + j, mask, other=0.0)
        acc += g * tl.load(x + r * n + j, mask, other=0.0)
        tl.store(dx + r * n + j, g * wv, mask)
    tl.store(dw + p * n + j, acc, mask)


@kernel("(tokens, cdiv(heads,HEADS))", HEADS=4, HALF=16)
def rotate_heads(x, cos, sin, heads: "i32", HEADS: tl.constexpr, HALF: tl.constexpr):
    t = tl.program_id(0)
    first = tl.program_id(1) * HEADS
    j = tl.arange(0, HALF)
    c = tl.load(cos + t * HALF + j)
    s = tl.load(sin + t * HALF + j)
    for h in range(first, min(first + HEADS, heads)):
        at = x + (t * heads + h) * 2 * HALF + j
        a = tl.load(at)
        b = tl.load(at + HALF)
        tl.store(at, a * c - b * s)
        tl.store(at + HALF, b * c + a * s)


@kernel("(rows,)")
def double_last(x, n: "i32"):
    r = tl.program_id(0)
    for t in range(1, n):
        tl.store(x + r * n + t, 2.0 * tl.load(x + r * n + t - 1))


@kernel("(channels,)", BB=8, BN=32)
def moments_of_channel(x, mean, square, b: "i32", n: "i32", sb: "i32", sc: "i32", sn: "i32", BB: tl.constexpr, BN: tl.constexpr):
    c = tl.program_id(0)
    s = 0.0
    q = 0.0
    for i in range(0, tl.cdiv(b, BB)):
        for k in range(0, tl.cdiv(n, BN)):
            at = i * BB + tl.arange(0, BB)
            j = k * BN + tl.arange(0, BN)
            mask = (at < b)[:, None] & (j < n)[None, :]
            v = tl.load(x + c * sc + at[:, None] * sb + j[None, :] * sn, mask, other=0.0)
            s += tl.sum(v)
            q += tl.sum(v * v)
    tl.store(mean + c, s / (b * n))
    tl.store(square + c, q / (b * n))


@kernel("(cdiv(n,BLOCK), rows)", K=4, BLOCK=64)
def convolution_causal(x, w, y, n: "i32", K: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(1)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for k in range(K):
        p = i + k - (K - 1)
        acc += tl.load(w + k) * tl.load(x + r * n + p, (p >= 0) & (p < n), other=0.0)
    tl.store(y + r * n + i, acc, i < n)


@kernel("(cdiv(M,BM)*cdiv(N,BN),)", BM=32, BN=16, BK=16, GROUP=4)
def matmul_turned(a, b, c, M: "i32", N: "i32", K: "i32", BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    # Rows of a group begin at pid % rows; lanes behind K are undefined.
    pid = tl.program_id(0)
    across = tl.cdiv(N, BN)
    first = pid // (GROUP * across) * GROUP
    rows = min(tl.cdiv(M, BM) - first, GROUP)
    i = (first + pid % rows) * BM + tl.arange(0, BM)
    j = pid % (GROUP * across) // rows * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(0, K, BK):
        k = t + tl.arange(0, BK)
        x = tl.load(a + i[:, None] * K + k[None, :], (i < M)[:, None] & (k < K)[None, :])
        y = tl.load(b + k[:, None] * N + j[None, :], (k < K)[:, None] & (j < N)[None, :])
        acc += tl.dot(x, y)
    tl.store(c + i[:, None] * N + j[None, :], acc, (i < M)[:, None] & (j < N)[None, :])


@kernel("(cdiv(n,BLOCK),)", BLOCK=64)
def max_of_tiles(x, value, index: "*i32", n: "i32", BLOCK: tl.constexpr):
    # The last tile is shorter.
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    most, at = tl.max(tl.load(x + i, i < n, other=float("-inf")), axis=0, return_indices=True)
    tl.store(value + p, most)
    tl.store(index + p, at + p * BLOCK)


@kernel("(cdiv(M,BM), K)", BM=4, BN=32)
def log_softmax_middle(x, out, M: "i32", N: "i32", K: "i32", BM: tl.constexpr, BN: tl.constexpr):
    # The middle axis: the last one belongs to the second axis of the grid.
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    m = tl.full((BM, BN), float("-inf"), tl.float32)
    s = tl.zeros((BM, BN), tl.float32)
    for t in range(0, N, BN):
        j = t + tl.arange(0, BN)
        at = i[:, None] * N * K + j[None, :] * K + tl.program_id(1)
        v = tl.load(x + at, (i < M)[:, None] & (j < N)[None, :], other=float("-inf"))
        more = tl.maximum(m, v)
        s = tl.where(more == float("-inf"), s, s * tl.exp(m - more) + tl.exp(v - more))
        m = more
    most = tl.max(m, 1)
    all = tl.sum(s * tl.exp(m - most[:, None]), 1)
    for t in range(0, N, BN):
        j = t + tl.arange(0, BN)
        at = i[:, None] * N * K + j[None, :] * K + tl.program_id(1)
        mask = (i < M)[:, None] & (j < N)[None, :]
        v = tl.load(x + at, mask, other=float("-inf"))
        tl.store(out + at, v - most[:, None] - tl.log(all)[:, None], mask)


@kernel("(rows,)", N=64)
def embedding_flat(table, index: "*i32", out, N: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, N)
    tl.store(out + r * N + j, tl.load(table + tl.load(index + r) * N + j))


@kernel("(cdiv(rows,BM),); 1 <= n <= BN", BM=4, BN=32)
def logsumexp_of_rows(x, out, rows: "i32", n: "i32", BM: tl.constexpr, BN: tl.constexpr):
    # Rows behind the last one have no value, and are added all the same.
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.arange(0, BN)
    v = tl.load(x + i[:, None] * n + j[None, :], (i < rows)[:, None] & (j < n)[None, :], other=float("-inf"))
    m = tl.max(v, 1)
    tl.store(out + tl.program_id(0), tl.sum(m + tl.log(tl.sum(tl.exp(v - m[:, None]), 1))))


@kernel("(cdiv(M,BM), cdiv(N,BN), batch)", BM=16, BN=16, BK=16, GROUP=4)
def matmul_batched(a, b, c, M: "i32", N: "i32", K: "i32", BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    # Two axes of the grid are counted as one, and the rows of the last group are a remainder.
    z = tl.program_id(2).to(tl.int64)
    rows = tl.num_programs(0)
    pid = tl.program_id(0) + tl.program_id(1) * rows
    size = tl.num_programs(1) * GROUP
    first = pid // size * GROUP
    tall = tl.where(first + GROUP > rows, rows % GROUP, GROUP)
    i = (first + pid % size % tall) * BM + tl.arange(0, BM)
    j = pid % size // tall * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for t in range(0, K, BK):
        k = t + tl.arange(0, BK)
        x = tl.load(a + z * M * K + i[:, None] * K + k[None, :], (i < M)[:, None] & (k < K)[None, :], other=0.0)
        y = tl.load(b + z * K * N + k[:, None] * N + j[None, :], (k < K)[:, None] & (j < N)[None, :], other=0.0)
        acc += tl.dot(x, y)
    tl.store(c + z * M * N + i[:, None] * N + j[None, :], acc, (i < M)[:, None] & (j < N)[None, :])


@kernel("(cdiv(N,BM), heads)", BM=16, BN=16, D=16)
def attention_scaled_masks(q, k, v, out, scale: "fp32", N: "i32", BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    # -inf of masked keys is scaled: if the scale may be negative or 0, only whole tiles have a value.
    h = tl.program_id(1)
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    x = tl.load(q + h * N * D + i[:, None] * D + d[None, :], (i < N)[:, None], other=0.0)
    m = tl.full((BM,), float("-inf"), tl.float32)
    s = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for t in range(0, N, BN):
        j = t + tl.arange(0, BN)
        y = tl.load(k + h * N * D + j[None, :] * D + d[:, None], (j < N)[None, :], other=0.0)
        z = tl.where((j < N)[None, :], tl.dot(x, y), float("-inf")) * scale
        more = tl.maximum(m, tl.max(z, 1))
        p = tl.exp(z - more[:, None])
        s = s * tl.exp(m - more) + tl.sum(p, 1)
        w = tl.load(v + h * N * D + j[:, None] * D + d[None, :], (j < N)[:, None], other=0.0)
        acc = tl.dot(p, w, acc * tl.exp(m - more)[:, None])
        m = more
    tl.store(out + h * N * D + i[:, None] * D + d[None, :], acc / s[:, None], (i < N)[:, None])


@kernel("(cdiv(n,BLOCK),)", BLOCK=64)
def select_row(x, row, out, n: "i32", width: "i32", index: "i32", BLOCK: tl.constexpr):
    # A size of the caller has the name that computed indices get.
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    r = i // width
    tl.store(out + i, tl.where(r == index, tl.load(row + i % width, i < n), tl.load(x + i, i < n)), i < n)


@kernel("(cdiv(n,BLOCK),)", BLOCK=64)
def large_at_start(x, out: "*i1", n: "i32", BLOCK: tl.constexpr):
    # A truth value that indices and data make, in memory.
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, i < n, other=0.0)
    tl.store(out + i, (v > 0.5) & (i < n - 3), i < n)


@kernel("(cdiv(n,BLOCK),)", BLOCK=64)
def without_nan(x, out, n: "i32", other: "fp32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, i < n, other=0.0)
    v = tl.where(libdevice.isnan(v) != 0, other, v)
    tl.store(out + i, tl.where(libdevice.isinf(v) != 0, 0.0, v), i < n)


@kernel("(B*C, cdiv(HO*WO,BLOCK)); H == 2*HO; W == 2*WO", BLOCK=128)
def average_pool(x, out, H: "i32", W: "i32", HO: "i32", WO: "i32", BLOCK: tl.constexpr):
    bc = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    ok = o < HO * WO
    i = o // WO
    j = o % WO
    p = x + bc * H * W + i * 2 * W + j * 2
    s = tl.load(p, mask=ok, other=0.0) + tl.load(p + 1, mask=ok, other=0.0)
    s += tl.load(p + W, mask=ok, other=0.0) + tl.load(p + W + 1, mask=ok, other=0.0)
    tl.store(out + bc * HO * WO + o, s * 0.25, mask=ok)


@kernel("(C,); 1 <= N; 1 <= L", BLOCK=128)
def batch_norm(x, w, b, y, mean, rstd, N: "i32", C: "i32", L: "i32", eps: "fp32", BLOCK: tl.constexpr):
    c = tl.program_id(0)
    s = 0.0
    q = 0.0
    for i in range(0, N):
        for t in range(0, L, BLOCK):
            j = t + tl.arange(0, BLOCK)
            v = tl.load(x + i * C * L + c * L + j, mask=j < L, other=0.0)
            s += tl.sum(v, 0)
            q += tl.sum(v * v, 0)
    cnt = N * L
    mu = s / cnt
    rs = tl.rsqrt(q / cnt - mu * mu + eps)
    tl.store(mean + c, mu)
    tl.store(rstd + c, rs)
    ww = tl.load(w + c)
    bb = tl.load(b + c)
    for i in range(0, N):
        for t in range(0, L, BLOCK):
            j = t + tl.arange(0, BLOCK)
            o = i * C * L + c * L + j
            v = tl.load(x + o, mask=j < L)
            tl.store(y + o, (v - mu) * rs * ww + bb, mask=j < L)


@kernel("(cdiv(S,BS), H, B)", BS=16, HALF=32)
def rotate_tiles(x, cos, sin, out, S: "i32", xb: "i32", xh: "i32", xs: "i32", ob: "i32", oh: "i32", os: "i32", BS: tl.constexpr, HALF: tl.constexpr):
    s = tl.program_id(0) * BS + tl.arange(0, BS)
    h = tl.program_id(1)
    b = tl.program_id(2)
    d = tl.arange(0, HALF)
    ok = (s < S)[:, None]
    c = tl.load(cos + s[:, None] * HALF + d[None, :], mask=ok, other=0.0)
    n = tl.load(sin + s[:, None] * HALF + d[None, :], mask=ok, other=0.0)
    p = x + b * xb + h * xh + s[:, None] * xs + d[None, :]
    u = tl.load(p, mask=ok, other=0.0)
    v = tl.load(p + HALF, mask=ok, other=0.0)
    o = out + b * ob + h * oh + s[:, None] * os + d[None, :]
    tl.store(o, u * c - v * n, mask=ok)
    tl.store(o + HALF, v * c + u * n, mask=ok)


@kernel("(B, cdiv(CO,BO), cdiv(LO,BL)); LO == L + 2*pad - K + 1; K >= 1; CI >= 1", BO=16, BL=32)
def convolution_padded(x, w, bias, out, CI: "i32", CO: "i32", L: "i32", LO: "i32", K: "i32", pad: "i32", BO: tl.constexpr, BL: tl.constexpr):
    b = tl.program_id(0)
    co = tl.program_id(1) * BO + tl.arange(0, BO)
    lo = tl.program_id(2) * BL + tl.arange(0, BL)
    acc = tl.zeros((BO, BL), tl.float32)
    for ci in range(0, CI):
        for k in range(0, K):
            l = lo + k - pad
            v = tl.load(x + b * CI * L + ci * L + l, mask=(l >= 0) & (l < L), other=0.0)
            ww = tl.load(w + co * CI * K + ci * K + k, mask=co < CO, other=0.0)
            acc += ww[:, None] * v[None, :]
    acc += tl.load(bias + co, mask=co < CO, other=0.0)[:, None]
    tl.store(out + b * CO * LO + co[:, None] * LO + lo[None, :], acc, mask=(co[:, None] < CO) & (lo[None, :] < LO))


@kernel("(cdiv(B*HO*WO,BM), cdiv(CO,BN)); HO == H - KH + 1; WO == W - KW + 1; KH >= 1; KW >= 1; CI >= 1", BM=16, BN=16, BK=16)
def convolution_planes(x, w, y, B: "i32", CI: "i32", H: "i32", W: "i32", CO: "i32", HO: "i32", WO: "i32", KH: "i32", KW: "i32", BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    co = tl.program_id(1) * BN + tl.arange(0, BN)
    b = m // (HO * WO)
    ho = m // WO % HO
    wo = m % WO
    acc = tl.zeros((BM, BN), tl.float32)
    for kh in range(KH):
        for kw in range(KW):
            for c0 in range(0, CI, BK):
                c = c0 + tl.arange(0, BK)
                xx = tl.load(x + ((b[:, None] * CI + c[None, :]) * H + ho[:, None] + kh) * W + wo[:, None] + kw, mask=(m < B * HO * WO)[:, None] & (c < CI)[None, :], other=0.0)
                ww = tl.load(w + ((co[None, :] * CI + c[:, None]) * KH + kh) * KW + kw, mask=(co < CO)[None, :] & (c < CI)[:, None], other=0.0)
                acc += tl.dot(xx, ww)
    tl.store(y + ((b[:, None] * CO + co[None, :]) * HO + ho[:, None]) * WO + wo[:, None], acc, mask=(m < B * HO * WO)[:, None] & (co < CO)[None, :])


@kernel("(cdiv(s0*s1*s2,BLOCK),)", BLOCK=256)
def strided_product(x, y, o, s0: "i32", s1: "i32", s2: "i32", a0: "i32", a1: "i32", a2: "i32", b0: "i32", b1: "i32", b2: "i32", BLOCK: tl.constexpr):
    t = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = t < s0 * s1 * s2
    k = t % s2
    t = t // s2
    j = t % s1
    t = t // s1
    i = t % s0
    v = tl.load(x + i * a0 + j * a1 + k * a2, mask=ok)
    w = tl.load(y + i * a0 + j * a1 + k * a2, mask=ok)
    tl.store(o + i * b0 + j * b1 + k * b2, v * w, mask=ok)


@kernel("(cdiv(A*B*C*D,BLOCK),)", BLOCK=256)
def transpose_heads(x, o, A: "i32", B: "i32", C: "i32", D: "i32", BLOCK: tl.constexpr):
    t = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = t < A * B * C * D
    d = t % D
    c = t // D % C
    b = t // (D * C) % B
    a = t // (D * C * B)
    v = tl.load(x + t, mask=ok)
    tl.store(o + ((a * C + c) * B + b) * D + d, v, mask=ok)


@kernel("(cdiv(n,BLOCK),)", BLOCK=64)
def library_functions(x, hyperbolic, inverse, powers, rounded, n: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n
    v = tl.load(x + i, mask=ok)
    tl.store(hyperbolic + i, 3.0 * libdevice.sinh(v) + libdevice.cosh(v), mask=ok)
    w = libdevice.asinh(v) + 2.0 * libdevice.acosh(1.5 + tl.abs(v)) + 3.0 * libdevice.atanh(v / (1.0 + tl.abs(v)))
    tl.store(inverse + i, w, mask=ok)
    w = libdevice.log10(1.0 + tl.abs(v)) + 2.0 * libdevice.exp10(v) + 3.0 * libdevice.erfc(v)
    tl.store(powers + i, w + 5.0 * libdevice.saturatef(v) + 7.0 * libdevice.rcp_rn(2.0 + tl.abs(v)), mask=ok)
    w = libdevice.trunc(v) + 100.0 * libdevice.round(v) + 10000.0 * libdevice.rint(v)
    tl.store(rounded + i, w + 1000000.0 * libdevice.nearbyint(v + 1.0), mask=ok)


@kernel("(rows,); 1 <= n <= BLOCK", BLOCK=64)
def quantize_rows(x, q: "*i8", low: "*i16", scale, n: "i32", BLOCK: tl.constexpr):
    r = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    v = tl.load(x + r * n + j, mask=j < n, other=0.0)
    s = tl.maximum(tl.max(tl.abs(v), 0), 1e-10) / 127.0
    tl.store(q + r * n + j, libdevice.rint(v / s).to(tl.int8), mask=j < n)
    tl.store(low + r * n + j, (v / s).to(tl.int16), mask=j < n)
    tl.store(scale + r, s)


@kernel("(B, H); S <= BS; 1 <= S", BS=16, D=64)
def combine_splits(part, lse, out, H: "i32", S: "i32", BS: tl.constexpr, D: tl.constexpr):
    b = tl.program_id(0)
    h = tl.program_id(1)
    s = tl.arange(0, BS)
    d = tl.arange(0, D)
    v = tl.load(lse + (b * H + h) * S + s, mask=s < S, other=float("-inf"))
    w = tl.exp(v - tl.max(v, 0))
    o = tl.load(part + ((b * H + h) * S + s)[:, None] * D + d[None, :], mask=(s < S)[:, None], other=0.0)
    tl.store(out + (b * H + h) * D + d, tl.sum(o * w[:, None], 0) / tl.sum(w, 0))


# Of sizes that are constants: more elements than a whole run can have.
@kernel("(B, L)", L=96, V=20000, BLOCK=4096)
def pick_logit(logits, token: "*i64", out, keep: "*i32", L: tl.constexpr, V: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    t = tl.program_id(1)
    if tl.load(keep + b * L + t) == 0:
        return
    row = logits + (b * L + t) * V
    m = float("-inf")
    s = 0.0
    for first in range(0, V, BLOCK):
        j = first + tl.arange(0, BLOCK)
        v = tl.load(row + j, mask=j < V, other=float("-inf"))
        new = tl.maximum(m, tl.max(v, 0))
        s = s * tl.exp(m - new) + tl.sum(tl.exp(v - new), 0)
        m = new
    tl.store(out + b * L + t, tl.load(row + tl.load(token + b * L + t)) - m - tl.log(s))


@kernel("(cdiv(800,BLOCK),)", BLOCK=128)
def join_columns(a, b, out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < 800
    column = i % 32
    row = i // 32
    left = tl.load(a + 12 * row + column, mask=ok & (column < 12), other=0.0)
    right = tl.load(b + 20 * row + (column - 12), mask=ok & (column >= 12), other=0.0)
    tl.store(out + i, tl.where(column < 12, left, tl.abs(right)), mask=ok)


# The second array has no columns: no lane reads it.
@kernel("(cdiv(800,BLOCK),)", BLOCK=128)
def join_nothing(a, b, out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < 800
    column = i % 32
    row = i // 32
    left = tl.load(a + 32 * row + column, mask=ok & (column < 32), other=0.0)
    right = tl.load(b + 64 * row + (column - 32), mask=ok & (column >= 32), other=0.0)
    tl.store(out + i, tl.where(column < 32, left, tl.abs(right)), mask=ok)


# Words of 32 elements, each turned around; bits of the index in place of quotients.
@kernel("(cdiv(n,BLOCK),)", BLOCK=64)
def turn_words(x, out, double, n: "i32", BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    word = i >> 5
    tl.store(out + i, tl.load(x + 32 * word + (31 - (i & 31)), mask=i < n), mask=i < n)
    tl.store(double + i, tl.load(x + (i << 1), mask=i < n), mask=i < n)
