"""Random StableHLO programs, the same for the same seed.

random_program.py SEED [real]: prints a program.  Expressions are made from a
wanted type downwards, so that every operator of tensor/language/op.h meets every rank
and size, and many are instances of the left sides of the rule library.  With
`real` floats are f64 and no operator is discontinuous in them.
"""
import random
import sys

INTS = ["i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
SIZES = [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 6]
HEX = {"f16": ("0x3C00", "0xBC00", "0x7C00", "0xFC00", "0x7E00", "0x8000", "0x0000", "0x0001", "0x7BFF", "0x4000"),
       "bf16": ("0x3F80", "0xBF80", "0x7F80", "0xFF80", "0x7FC0", "0x8000", "0x0000", "0x0001", "0x7F7F", "0x4000"),
       "f32": ("0x3F800000", "0xBF800000", "0x7F800000", "0xFF800000", "0x7FC00000", "0x80000000",
               "0x00000000", "0x00000001", "0x7F7FFFFF", "0x40000000"),
       "f64": ("0x3FF0000000000000", "0xBFF0000000000000", "0x7FF0000000000000", "0xFFF0000000000000",
               "0x7FF8000000000000", "0x8000000000000000", "0x0000000000000000", "0x0000000000000001",
               "0x7FEFFFFFFFFFFFFF", "0x4000000000000000")}
ONE, MINUS, INF, NINF, NAN, NZERO, ZERO, TINY, MAX, TWO = range(10)


def width(e):
    return int(e.lstrip("ui")) if is_int(e) else {"i1": 1, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}[e]


def is_int(e):
    return e in INTS


def is_float(e):
    return e in FLOATS


def bounds(e):
    if e == "i1":
        return 0, 1
    w = width(e)
    return (0, 2 ** w - 1) if e[0] == "u" else (-2 ** (w - 1), 2 ** (w - 1) - 1)


def count(dims):
    n = 1
    for d in dims:
        n *= d
    return n


def text(t):
    dims, e = t
    return "tensor<" + "".join(f"{d}x" for d in dims) + e + ">"


def scalar_text(v, e):
    """A value as text; floats also as ("hex", index)."""
    if e == "i1":
        return "true" if v else "false"
    if is_int(e):
        return str(v)
    if isinstance(v, tuple):
        return HEX[e][v[1]]
    s = repr(float(v))
    return s if "." in s or "e" not in s else s.replace("e", ".0e")


class Program:
    def __init__(self, seed, real=False):
        self.rng = random.Random(seed)
        self.real = real
        self.sizes = self.rng.sample(SIZES, 4)
        self.lines, self.vals, self.n = [], [], 0
        self.budget = self.rng.choice([10, 16, 25, 40, 60])
        if real:
            self.elems = ["f64", "i32", "i1", "i8"]
        else:
            self.elems = self.rng.sample(INTS, 2) + self.rng.sample(FLOATS, 2) + ["i1", "f32"]
        self.params = []
        self.helpers = []
        self.outer = []
        self.indent = "    "

    # -- emitting
    def name(self):
        self.n += 1
        return f"%v{self.n}"

    def put(self, t, line):
        v = self.name()
        self.lines.append(f"{self.indent}{v} = {line}")
        self.vals.append((v, t))
        self.budget -= 1
        return v

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, xs):
        return self.rng.choice(xs)

    def dims(self, rank=None):
        rank = self.pick([0, 1, 1, 2, 2, 2, 3, 3, 4]) if rank is None else rank
        while True:
            d = tuple(self.pick(self.sizes) for _ in range(rank))
            if count(d) <= 200:
                return d

    # -- leaves
    def value(self, e):
        r = self.rng
        if e == "i1":
            return r.randrange(2)
        if is_int(e):
            lo, hi = bounds(e)
            return self.pick([0, 0, 1, 1, min(2, hi), lo, hi, max(lo, -1), r.randint(lo, hi)])
        if self.real:
            return self.pick([0, 1, 1, -1, 2, 0.5, 3, -2])
        if self.chance(0.5):
            return ("hex", r.randrange(10))
        return self.pick([0.0, 1.0, -1.0, 2.0, -0.0, 0.5, 3.0, -2.5, 1e30 if e in ("f32", "f64", "bf16") else 65000.0])

    def constant(self, t, v=None):
        dims, e = t
        n = count(dims)
        if v is None and n > 1 and self.chance(0.4):
            vs = [self.value(e) for _ in range(n)]
            if self.chance(0.3):
                vs = [vs[0]] * n
        else:
            vs = [self.value(e) if v is None else v] * n
        if n == 0:
            return self.put(t, f"stablehlo.constant dense<> : {text(t)}")
        if len(set(map(str, vs))) == 1 and (not dims or self.chance(0.7)):
            if dims and self.chance(0.4):
                inner = self.constant(((), e), vs[0])
                return self.broadcast_op(inner, ((), e), t, [])
            return self.put(t, f"stablehlo.constant dense<{scalar_text(vs[0], e)}> : {text(t)}")
        it = iter(vs)

        def nest(ds):
            if not ds:
                return scalar_text(next(it), e)
            return "[" + ", ".join(nest(ds[1:]) for _ in range(ds[0])) + "]"
        return self.put(t, f"stablehlo.constant dense<{nest(list(dims))}> : {text(t)}")

    def splat(self, t, v):
        return self.constant(t, v)

    def zero(self, t, e=None):
        e = t[1]
        if is_float(e):
            return self.splat(t, 0.0 if self.real or self.chance(0.6) else ("hex", NZERO))
        return self.splat(t, 0)

    def one(self, t):
        return self.splat(t, 1 if not is_float(t[1]) else 1.0)

    # -- operators by name
    def unary(self, op, a, t):
        if self.chance(0.1):
            return self.put(t, f'"stablehlo.{op}"({a}) : ({text(t)}) -> {text(t)}')
        return self.put(t, f"stablehlo.{op} {a} : {text(t)}")

    def binary(self, op, a, b, t):
        if self.chance(0.1):
            return self.put(t, f'"stablehlo.{op}"({a}, {b}) : ({text(t)}, {text(t)}) -> {text(t)}')
        return self.put(t, f"stablehlo.{op} {a}, {b} : {text(t)}")

    def commuted(self, op, a, b, t):
        return self.binary(op, a, b, t) if self.chance(0.5) else self.binary(op, b, a, t)

    def compare(self, d, a, b, t):
        e = t[1]
        kind = "FLOAT" if is_float(e) else "SIGNED" if is_int(e) and e[0] == "i" else "UNSIGNED"
        if is_float(e) and not self.real and self.chance(0.15):
            kind = "TOTALORDER"
        r = (t[0], "i1")
        kind = "" if kind in ("FLOAT", "SIGNED") and self.chance(0.3) else ", " + kind
        return self.put(r, f"stablehlo.compare {d}, {a}, {b}{kind} : ({text(t)}, {text(t)}) -> {text(r)}")

    def select(self, p, a, b, t, pt=None):
        pt = pt or (t[0], "i1")
        return self.put(t, f"stablehlo.select {p}, {a}, {b} : {text(pt)}, {text(t)}")

    def convert(self, a, t, e):
        r = (t[0], e)
        return self.put(r, f"stablehlo.convert {a} : ({text(t)}) -> {text(r)}")

    def transpose_op(self, a, t, p):
        r = (tuple(t[0][i] for i in p), t[1])
        return self.put(r, f"stablehlo.transpose {a}, dims = {list(p)} : ({text(t)}) -> {text(r)}")

    def broadcast_op(self, a, t, r, d):
        return self.put(r, f"stablehlo.broadcast_in_dim {a}, dims = {list(d)} : ({text(t)}) -> {text(r)}")

    def reverse_op(self, a, t, dims):
        return self.put(t, f"stablehlo.reverse {a}, dims = {list(dims)} : {text(t)}")

    def slice_op(self, a, t, s, l, p):
        r = (tuple(-(-(b - c) // q) for b, c, q in zip(l, s, p)), t[1])
        at = ", ".join(f"{x}:{y}:{z}" if z != 1 or self.chance(0.3) else f"{x}:{y}" for x, y, z in zip(s, l, p))
        return self.put(r, f"stablehlo.slice {a} [{at}] : ({text(t)}) -> {text(r)}")

    def pad_op(self, a, t, v, lo, hi, i):
        r = (tuple(x + n + y + max(n - 1, 0) * k for n, x, y, k in zip(t[0], lo, hi, i)), t[1])
        return self.put(r, f"stablehlo.pad {a}, {v}, low = {list(lo)}, high = {list(hi)}, interior = {list(i)}"
                           f" : ({text(t)}, {text(((), t[1]))}) -> {text(r)}")

    def concat_op(self, xs, d):
        ts = [t for _, t in xs]
        dims = list(ts[0][0])
        dims[d] = sum(t[0][d] for t in ts)
        r = (tuple(dims), ts[0][1])
        return self.put(r, f"stablehlo.concatenate {', '.join(v for v, _ in xs)}, dim = {d}"
                           f" : ({', '.join(map(text, ts))}) -> {text(r)}")

    def reduce_op(self, op, a, t, init, dims):
        r = (tuple(n for i, n in enumerate(t[0]) if i not in dims), t[1])
        s = text(((), t[1]))
        if self.chance(0.15):
            x, y, z = self.name(), self.name(), self.name()
            return self.put(r, f'"stablehlo.reduce"({a}, {init}) ({{ ^bb0({x}: {s}, {y}: {s}): {z} = stablehlo.{op} {y}, {x} : {s} '
                               f'"stablehlo.return"({z}) : ({s}) -> () }}) {{dimensions = array<i64{": " if dims else ""}{", ".join(map(str, dims))}>}}'
                               f" : ({text(t)}, {s}) -> {text(r)}")
        return self.put(r, f"stablehlo.reduce({a} init: {init}) applies stablehlo.{op} across dimensions = {list(dims)}"
                           f" : ({text(t)}, {s}) -> {text(r)}")

    # -- expressions of a wanted type
    def gen(self, t, depth):
        r = self.rng
        same = [v for v, u in self.vals + self.params if u == t]
        if same and self.chance(0.35):
            return self.pick(same)
        if len(t[0]) > 1 and self.chance(0.15):
            for v, u in r.sample(self.vals + self.params, len(self.vals) + len(self.params)):
                if u[1] == t[1] and sorted(u[0]) == sorted(t[0]):
                    p = self.match_perm(u[0], t[0])
                    return self.transpose_op(v, u, p)
        if depth <= 0 or self.budget <= 0:
            if same and self.chance(0.8):
                return self.pick(same)
            if self.chance(0.6) and len(self.params) < 6 and not self.outer:
                v = f"%arg{len(self.params)}"
                self.params.append((v, t))
                return v
            if self.chance(0.2) and t[0] and t[1] != "i1":
                return self.iota(t)
            return self.constant(t)
        f = self.pick(self.makers(t))
        v = f(t, depth - 1)
        return v if v is not None else self.gen(t, depth - 1)

    def match_perm(self, have, want):
        left = list(range(len(have)))
        p = []
        for n in want:
            i = self.pick([k for k in left if have[k] == n])
            left.remove(i)
            p.append(i)
        return p

    def makers(self, t):
        dims, e = t
        m = [self.elementwise] * 3 + [self.idiom] * 7 + [self.move] * 6 + [self.reduce_idiom] * 2 + [self.constant_maker, self.opaque]
        m += [self.contraction] * 2 + [self.window, self.run_time_slice, self.run_time_update, self.reshape, self.bitcast]
        m += [self.index_idiom] * 2 + [self.product_idiom]
        if dims:
            m += [self.rows, self.scattered]
        if e == "i1":
            m += [self.comparison] * 3 + [self.compare_idiom] * 3
        return m

    def constant_maker(self, t, depth):
        return self.iota(t) if t[0] and t[1] != "i1" and self.chance(0.4) else self.constant(t)

    def iota(self, t):
        d = self.rng.randrange(len(t[0]))
        return self.put(t, f"stablehlo.iota dim = {d} : {text(t)}")

    def elementwise(self, t, depth):
        dims, e = t
        g = lambda u=t: self.gen(u, depth)
        k = self.rng.random()
        if k < 0.12:
            p = ((), "i1") if self.chance(0.3) else (dims, "i1")
            return self.select(g(p), g(), g(), t, p)
        if k < 0.2:
            lo = ((), e) if self.chance(0.3) else t
            hi = ((), e) if self.chance(0.3) else t
            a, b, c = g(lo), g(), g(hi)
            return self.put(t, f"stablehlo.clamp {a}, {b}, {c} : ({text(lo)}, {text(t)}, {text(hi)}) -> {text(t)}")
        if k < 0.28:
            f = self.pick(self.elems)
            if self.real and is_float(f) and not is_float(e):
                f = "i32"
            return self.convert(g((dims, f)), (dims, f), e)
        if e == "i1":
            return self.pick([lambda: self.unary("not", g(), t),
                              lambda: self.binary(self.pick(["and", "or", "xor", "add", "multiply", "maximum", "minimum"]), g(), g(), t)])()
        if is_int(e):
            if self.chance(0.35):
                ops = ["negate", "not", "popcnt", "count_leading_zeros"] + (["abs", "sign"] if e[0] == "i" else [])
                return self.unary(self.pick(ops), g(), t)
            ops = ["add", "subtract", "multiply", "divide", "remainder", "power", "maximum", "minimum", "and", "or", "xor",
                   "shift_left", "shift_right_arithmetic", "shift_right_logical"]
            return self.binary(self.pick(ops), g(), g(), t)
        if self.real:
            if self.chance(0.35):
                return self.unary(self.pick(["negate", "abs", "sine", "tanh", "logistic"]), g(), t)
            return self.binary(self.pick(["add", "subtract", "multiply", "maximum", "minimum"]), g(), g(), t)
        if self.chance(0.4):
            return self.unary(self.pick(["abs", "cbrt", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "log",
                                         "log_plus_one", "logistic", "negate", "round_nearest_afz", "round_nearest_even", "rsqrt",
                                         "sign", "sine", "sqrt", "tan", "tanh", "negate", "abs"]), g(), t)
        return self.binary(self.pick(["add", "subtract", "multiply", "divide", "remainder", "power", "maximum", "minimum", "atan2"]),
                           g(), g(), t)

    # -- products, windows, indices
    def array(self, xs):
        return "array<i64" + (": " if xs else "") + ", ".join(map(str, xs)) + ">"

    def reducer_region(self, op, e):
        """A reducer's region; `op` None: the second argument."""
        x, y, z = self.name(), self.name(), self.name()
        s = text(((), e))
        body = f"stablehlo.return {y} : {s}" if op is None else (
            f"{z} = stablehlo.{op} {x}, {y} : {s}\n{self.indent}stablehlo.return {z} : {s}")
        return f"({{\n{self.indent}^bb0({x}: {s}, {y}: {s}):\n{self.indent}{body}\n{self.indent}}})"

    def reducer(self, e):
        if e == "i1":
            return self.pick(["add", "multiply", "maximum", "minimum", "and", "or"])
        if is_int(e):
            return self.pick(["add", "multiply", "maximum", "minimum", "and", "or"])
        return self.pick(["add", "add", "maximum", "minimum"] + ([] if self.real else ["multiply"]))

    def arranged(self, roles):
        """Sizes by role in a random order: dims, and where each role stands."""
        order = list(range(len(roles)))
        self.rng.shuffle(order)
        return tuple(roles[i] for i in order), [order.index(i) for i in range(len(roles))]

    def contraction(self, t, depth):
        dims, e = t
        if len(dims) >= 2 and self.chance(0.4):
            return self.convolution(t, depth)
        nb = self.pick([k for k in (0, 0, 1, 2) if k <= len(dims)])
        nl = self.rng.randrange(len(dims) - nb + 1)
        batch, left, right = dims[:nb], dims[nb:nb + nl], dims[nb + nl:]
        con = tuple(self.pick([0, 1, 2, 3]) for _ in range(self.pick([0, 1, 1, 1, 2])))
        # The other dimensions stand in one order, batch and contracted ones anywhere.
        sides = []
        for free in (left, right):
            d = [("f", i) for i in range(len(free))]
            for x in [("b", i) for i in range(nb)] + [("c", i) for i in range(len(con))]:
                d.insert(self.rng.randrange(len(d) + 1), x)
            size = {"f": free, "b": batch, "c": con}
            sides.append((tuple(size[k][i] for k, i in d), [d.index(("b", i)) for i in range(nb)],
                          [d.index(("c", i)) for i in range(len(con))]))
        (ld, lb, lc), (rd, rb, rc) = sides
        if max(count(ld), count(rd)) > 300:
            return None
        a, b = self.gen((ld, e), depth), self.gen((rd, e), depth)
        pairs = f"batching_dims = {lb} x {rb}, " if nb else ""
        return self.put(t, f"stablehlo.dot_general {a}, {b}, {pairs}contracting_dims = {lc} x {rc}"
                           f" : ({text((ld, e))}, {text((rd, e))}) -> {text(t)}")

    def slide(self, m, least=1):
        """A window of which there are m: size of the axis, and the window."""
        w, stride, dil = self.pick([least, 1, 2, 3]), self.pick([1, 1, 2]), self.pick([1, 1, 2])
        if m == 0:
            return 0, w, stride, 0, 0, 1, dil
        padded = (m - 1) * stride + (w - 1) * dil + 1
        base = self.pick([1, 1, 2])
        n = self.rng.randrange(padded // base + 2)
        rest = padded - (0 if n == 0 else (n - 1) * base + 1)
        low = self.rng.randrange(-1, 2) if self.chance(0.5) else rest // 2
        return n, w, stride, low, rest - low, base, dil

    def window(self, t, depth):
        dims, e = t
        ws = [self.slide(m) for m in dims]
        u = (tuple(w[0] for w in ws), e)
        if count(u[0]) > 300:
            return None
        op = self.reducer(e)
        a, init = self.gen(u, depth), self.gen(((), e), depth)
        size, stride, low, high, base, dil = [[w[k] for w in ws] for k in range(1, 7)]
        pad = ", ".join(f"[{a}, {b}]" for a, b in zip(low, high))
        pad = f"dense<[{pad}]>" if ws else "dense<>"
        return self.put(t, f'"stablehlo.reduce_window"({a}, {init}) <{{base_dilations = {self.array(base)}, '
                           f"padding = {pad} : tensor<{len(ws)}x2xi64>, window_dilations = {self.array(dil)}, "
                           f"window_dimensions = {self.array(size)}, window_strides = {self.array(stride)}}}> "
                           f"{self.reducer_region(op, e)} : ({text(u)}, {text(((), e))}) -> {text(t)}")

    def convolution(self, t, depth):
        dims, e = t
        place = list(range(len(dims)))
        self.rng.shuffle(place)
        ob, of, os = place[0], place[1], place[2:]
        ws = [self.slide(dims[d]) for d in os]
        fg, bg = 1, 1
        groups = [g for g in (1, 2, 3) if dims[of] % g == 0]
        if self.chance(0.4):
            fg, bg = self.pick([(self.pick(groups), 1), (1, self.pick(groups))])
        kf = self.pick([0, 1, 2, 3])
        n = len(ws)
        ins, ip = self.arranged([dims[ob] * bg, kf * fg] + [w[0] for w in ws])
        kers, kp = self.arranged([kf, dims[of]] + [w[1] for w in ws])
        if max(count(ins), count(kers)) > 300:
            return None

        def letters(names, where):
            out = [None] * (n + 2)
            for name, d in zip(names, where):
                out[d] = str(name)
            return "[" + ", ".join(out) + "]"
        nums = (letters(["b", "f"] + list(range(n)), ip) + "x" + letters(["i", "o"] + list(range(n)), kp) + "->"
                + letters(["b", "f"] + list(range(n)), [ob, of] + os))
        rev = [self.pick(["false", "false", "true"]) for _ in ws]
        a, b = self.gen((ins, e), depth), self.gen((kers, e), depth)
        pad = ", ".join(f"[{w[3]}, {w[4]}]" for w in ws)
        win = (f"stride = {[w[2] for w in ws]}, pad = [{pad}], lhs_dilate = {[w[5] for w in ws]}, "
               f"rhs_dilate = {[w[6] for w in ws]}, reverse = [{', '.join(rev)}]")
        return self.put(t, f"stablehlo.convolution({a}, {b}) dim_numbers = {nums}, window = {{{win}}} "
                           f"{{batch_group_count = {bg} : i64, feature_group_count = {fg} : i64}}"
                           f" : ({text((ins, e))}, {text((kers, e))}) -> {text(t)}")

    def index_elem(self):
        return "i32" if self.real else self.pick([e for e in self.elems if is_int(e)])

    def run_time_slice(self, t, depth):
        dims, e = t
        u = (tuple(n + self.pick([0, 0, 1, 2]) for n in dims), e)
        s = ((), self.index_elem())
        args = [self.gen(u, depth)] + [self.gen(s, depth) for _ in dims]
        return self.put(t, f"stablehlo.dynamic_slice {', '.join(args)}, sizes = {list(dims)}"
                           f" : ({', '.join([text(u)] + [text(s)] * len(dims))}) -> {text(t)}")

    def run_time_update(self, t, depth):
        dims, e = t
        u = (tuple(max(0, n - self.pick([0, 0, 1, 2])) for n in dims), e)
        s = ((), self.index_elem())
        args = [self.gen(t, depth), self.gen(u, depth)] + [self.gen(s, depth) for _ in dims]
        return self.put(t, f"stablehlo.dynamic_update_slice {', '.join(args)}"
                           f" : ({', '.join([text(t), text(u)] + [text(s)] * len(dims))}) -> {text(t)}")

    def rows(self, t, depth):
        """gather: dimension 0 of the operand by indices."""
        dims, e = t
        d = self.rng.randrange(len(dims))
        rest = dims[:d] + dims[d + 1:]
        u, k = ((self.pick([1, 2, 3]),) + rest, e), ((dims[d], 1), self.index_elem())
        a, b = self.gen(u, depth), self.gen(k, depth)
        offset = [i for i in range(len(dims)) if i != d]
        member = f"offset_dims = {offset}, " if offset else ""
        return self.put(t, f'"stablehlo.gather"({a}, {b}) <{{dimension_numbers = #stablehlo.gather<{member}'
                           f"collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, "
                           f"slice_sizes = {self.array((1,) + rest)}}}> : ({text(u)}, {text(k)}) -> {text(t)}")

    def scattered(self, t, depth):
        dims, e = t
        n = self.pick([0, 1, 2, 3])
        u, k = ((n,) + dims[1:], e), ((n, 1), self.index_elem())
        a, b, c = self.gen(t, depth), self.gen(k, depth), self.gen(u, depth)
        window = list(range(1, len(dims)))
        member = f"update_window_dims = {window}, " if window else ""
        op = self.pick([None, self.reducer(e)])
        return self.put(t, f'"stablehlo.scatter"({a}, {b}, {c}) <{{indices_are_sorted = false, scatter_dimension_numbers = '
                           f"#stablehlo.scatter<{member}inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
                           f"index_vector_dim = 1>, unique_indices = false}}> {self.reducer_region(op, e)}"
                           f" : ({text(t)}, {text(k)}, {text(u)}) -> {text(t)}")

    def reshape(self, t, depth):
        dims, e = t
        d = list(dims)
        for _ in range(self.pick([1, 1, 2])):
            k = self.rng.random()
            if k < 0.4 and len(d) > 1:
                i = self.rng.randrange(len(d) - 1)
                d[i:i + 2] = [d[i] * d[i + 1]]
            elif k < 0.7 and d:
                i = self.rng.randrange(len(d))
                q = self.pick([q for q in (1, 2, 3, 4) if d[i] % q == 0])
                d[i:i + 1] = [d[i] // q, q]
            else:
                d.insert(self.rng.randrange(len(d) + 1), 1) if count(d) else None
        u = (tuple(d), e)
        return self.put(t, f"stablehlo.reshape {self.gen(u, depth)} : ({text(u)}) -> {text(t)}")

    def bitcast(self, t, depth):
        dims, e = t
        same = [f for f in self.elems if width(f) == width(e) and f != e and not (is_float(f) or is_float(e))]
        if not same:
            return None
        u = (dims, self.pick(same))
        return self.put(t, f"stablehlo.bitcast_convert {self.gen(u, depth)} : ({text(u)}) -> {text(t)}")

    # -- left sides of the rules for them
    def last(self, v):
        """A value just made, with its type."""
        return v, self.vals[-1][1]

    def dot_op(self, a, ta, b, tb, contract):
        lc, rc = contract
        dims = [n for i, n in enumerate(ta[0]) if i not in lc] + [n for i, n in enumerate(tb[0]) if i not in rc]
        r = (tuple(dims), ta[1])
        return self.put(r, f"stablehlo.dot_general {a}, {b}, contracting_dims = {list(lc)} x {list(rc)}"
                           f" : ({text(ta)}, {text(tb)}) -> {text(r)}")

    def reshape_op(self, a, t, dims):
        r = (tuple(dims), t[1])
        return self.put(r, f"stablehlo.reshape {a} : ({text(t)}) -> {text(r)}")

    def slice_at(self, a, t, starts, sizes):
        s = ((), "i32")
        r = (tuple(sizes), t[1])
        return self.put(r, f"stablehlo.dynamic_slice {', '.join([a] + starts)}, sizes = {list(sizes)}"
                           f" : ({', '.join([text(t)] + [text(s)] * len(sizes))}) -> {text(r)}")

    def update_at(self, a, t, u, tu, starts):
        s = ((), "i32")
        return self.put(t, f"stablehlo.dynamic_update_slice {', '.join([a, u] + starts)}"
                           f" : ({', '.join([text(t), text(tu)] + [text(s)] * len(starts))}) -> {text(t)}")

    def starts(self, n, depth):
        return [self.constant(((), "i32"), self.pick([0, 1, 2, -1])) if self.chance(0.4) else self.gen(((), "i32"), depth)
                for _ in range(n)]

    def index_idiom(self, t, depth):
        """Slices and updates at run-time starts, gathers, scatters, reshapes of each other."""
        dims, e = t
        k = self.rng.randrange(9)
        g = lambda u: self.gen(u, depth)
        grown = lambda d: tuple(n + self.pick([0, 1, 2]) for n in d)
        if k == 0:      # slice of slice
            mid = grown(dims)
            big = (grown(mid), e)
            a, ta = self.last(self.slice_at(g(big), big, self.starts(len(dims), depth), mid))
            return self.slice_at(a, ta, self.starts(len(dims), depth), dims)
        if k == 1:      # slice of an operation
            big = (grown(dims), e)
            a = self.elementwise(big, depth) if self.chance(0.5) else self.broadcast_maker(big, depth)
            return self.slice_at(a, big, self.starts(len(dims), depth), dims) if a else None
        if k == 2:      # update of an updated slice
            m = tuple(max(0, n - self.pick([0, 1])) for n in dims)
            u = (tuple(max(0, n - self.pick([0, 1])) for n in m), e)
            a, i = g(t), self.starts(len(dims), depth)
            s, ts = self.last(self.slice_at(a, t, i, m))
            v = self.update_at(s, ts, g(u), u, self.starts(len(dims), depth))
            return self.update_at(a, t, v, ts, i)
        if k == 3 and e != "i1":   # sum with an update of zeros, slice of an update
            u = (tuple(max(0, n - self.pick([0, 1])) for n in dims), e)
            z = self.zero(t)
            v = self.update_at(z, t, g(u), u, self.starts(len(dims), depth))
            return self.commuted("add", g(t), v, t)
        if k == 4 and dims:
            big = (grown(dims), e)
            u = (tuple(max(0, n - self.pick([0, 1])) for n in big[0]), e)
            at = [self.constant(((), "i32"), self.rng.randrange(m - n + 1)) for m, n in zip(big[0], u[0])]
            v = self.update_at(g(big), big, g(u), u, at)
            lo = [self.rng.randrange(m - n + 1) for m, n in zip(big[0], dims)]
            return self.slice_op(v, big, lo, [x + n for x, n in zip(lo, dims)], [1] * len(dims))
        if k == 5 and len(dims) > 1:      # gather of a padding, batch axes apart
            src = ((self.pick([1, 1, 2, 3]),) + tuple(max(0, n - 2) for n in dims[1:]), e)
            lo = [0] + [self.pick([0, 1, 2]) if n > 1 else 0 for n in dims[1:]]
            hi = [0] + [n - m - x for n, m, x in zip(dims[1:], src[0][1:], lo[1:])]
            p, tp = self.last(self.pad_op(g(src), src, self.scalar(e, depth), lo, hi, [0] * len(dims)))
            it = ((dims[0], 1), "i32")
            offset = list(range(1, len(dims)))
            return self.put(t, f'"stablehlo.gather"({p}, {g(it)}) <{{dimension_numbers = #stablehlo.gather<offset_dims = {offset}, '
                               f"collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, "
                               f"slice_sizes = {self.array((1,) + tp[0][1:])}}}> : ({text(tp)}, {text(it)}) -> {text(t)}")
        if k == 6 and dims and e != "i1":  # combined with a scatter
            v = self.scattered(t, depth)
            return self.commuted(self.pick(["add", "maximum", "minimum"]), g(t), v, t)
        if count(dims) == 0:
            return None
        d = self.factors(count(dims))   # reshape of reshape, of broadcast, of an operation
        a = self.elementwise((d, e), depth) if k == 7 else self.broadcast_maker((d, e), depth) if d else None
        if a is None:
            a = g((d, e))
        if self.chance(0.6):
            d2 = self.factors(count(dims))
            a = self.reshape_op(a, (d, e), d2)
            d = d2
        return self.reshape_op(a, (d, e), dims)

    def factors(self, n):
        """Sizes whose product is n."""
        out = []
        for q in (2, 3, 2, 2, 3, 5):
            if n % q == 0:
                n //= q
                out.append(q)
        out += [n] if n > 1 else []
        while len(out) > 1 and self.chance(0.5):
            i = self.rng.randrange(len(out) - 1)
            out[i:i + 2] = [out[i] * out[i + 1]]
        if self.chance(0.3):
            out.insert(self.rng.randrange(len(out) + 1), 1)
        return tuple(out)

    def product_idiom(self, t, depth):
        """Contractions of joins, broadcasts, contractions; reductions of contractions and reshapes."""
        dims, e = t
        cut = self.rng.randrange(len(dims) + 1)
        left, right = dims[:cut], dims[cut:]
        c = self.pick([0, 1, 2, 3])
        ta, tb = (left + (c,), e), ((c,) + right, e)
        k = self.rng.randrange(5)
        if max(count(ta[0]), count(tb[0])) > 200:
            return None
        con = ([len(left)], [0])
        if k == 0:
            m = self.rng.randrange(c + 1)
            pa = [((left + (x,)), e) for x in (m, c - m)]
            pb = [(((x,) + right), e) for x in (m, c - m)]
            a = self.concat_op([(self.gen(u, depth), u) for u in pa], len(left))
            b = self.concat_op([(self.gen(u, depth), u) for u in pb], 0) if self.chance(0.5) else self.gen(tb, depth)
            return self.dot_op(a, ta, b, tb, con)
        if k == 1:
            a = self.broadcast_maker(ta, depth)
            b = self.broadcast_maker(tb, depth) if self.chance(0.3) else self.gen(tb, depth)
            return self.dot_op(a, ta, b, tb, con)
        if k == 2:
            q = self.pick([1, 2, 3])
            tc, td = ((c, q), e), ((q,) + right, e)
            a = self.gen(ta, depth)
            if self.chance(0.5):
                x, tx = self.last(self.dot_op(a, ta, self.gen(tc, depth), tc, con))
                return self.dot_op(x, tx, self.gen(td, depth), td, con)
            x, tx = self.last(self.dot_op(self.gen(tc, depth), tc, self.gen(td, depth), td, ([1], [0])))
            return self.dot_op(a, ta, x, tx, con)
        if k == 3:
            x, tx = self.last(self.dot_op(self.gen((left + (2, c), e), depth), (left + (2, c), e), self.gen(tb, depth), tb,
                                          ([len(left) + 1], [0])))
            return self.reduce_op("add", x, tx, self.constant(((), e), self.unit("add", e)), [len(left)])
        n = self.pick([2, 4, 6])
        d = self.factors(n)
        op = self.reducer(e)
        x, tx = self.last(self.reshape_op(self.gen((d + dims, e), depth), (d + dims, e), (n,) + dims))
        return self.reduce_op(op, x, tx, self.constant(((), e), self.unit(op, e)), [0])

    def comparison(self, t, depth):
        e = self.pick(self.elems)
        if self.real and is_float(e):
            e = "i32"
        u = (t[0], e)
        a = self.gen(u, depth)
        d = self.pick(["EQ", "NE", "LT", "LE", "GT", "GE"])
        k = self.rng.random()
        if is_float(e) and k < 0.1:
            return self.put(t, f"stablehlo.is_finite {a} : ({text(u)}) -> {text(t)}")
        if k < 0.3:
            return self.compare(d, a, a, u)
        if k < 0.4:
            return self.compare(d, a, self.zero(u), u)
        if k < 0.5 and e != "i1":
            b, c = self.gen(u, depth), self.gen(u, depth)
            return self.compare(d, self.binary("add", a, c, u), self.binary("add", b, c, u), u)
        if k < 0.6 and e != "i1":
            b = self.gen(u, depth)
            return self.compare(d, self.unary("negate", a, u), self.unary("negate", b, u), u)
        if k < 0.7 and e != "i1":
            b = self.gen(u, depth)
            return self.compare(d, self.binary("subtract", a, b, u), self.zero(u), u)
        if k < 0.8:
            b, c = self.gen(u, depth), self.gen(u, depth)
            x, y = self.compare(d, a, b, u), self.compare(self.pick([d, "EQ", "LT", "GT"]), self.pick([a, c]), self.pick([b, c]), u)
            return self.binary(self.pick(["and", "or"]), x, y, t)
        if k < 0.9:
            b = self.gen(u, depth)
            x = self.binary(self.pick(["maximum", "minimum"]), a, b, u)
            return self.compare(d, x, self.pick([a, b]), u) if self.chance(0.5) else self.compare(d, self.pick([a, b]), x, u)
        return self.compare(d, a, self.gen(u, depth), u)

    def idiom(self, t, depth):
        dims, e = t
        g = lambda u=t: self.gen(u, depth)
        p = (dims, "i1")
        if self.chance(0.3):
            a, b, q = g(), g(), g(p)
            return self.pick([
                lambda: self.select(q, a, a, t),
                lambda: self.select(self.unary("not", q, p), a, b, t),
                lambda: self.select(self.splat(p, self.rng.randrange(2)), a, b, t),
                lambda: self.select(q, self.select(q, a, b, t), g(), t),
                lambda: self.select(q, self.select(g(p), a, b, t), b, t),
                lambda: self.select(q, a, self.select(g(p), a, b, t), t),
                lambda: self.select(self.compare(self.pick(["EQ", "NE", "LT", "LE", "GT", "GE"]), a, b, t), *self.pick([(a, b), (b, a)]), t)
                if not (self.real and is_float(e)) else None,
                lambda: self.binary("maximum", a, a, t),
                lambda: self.binary("minimum", a, self.binary("maximum", a, b, t), t),
                lambda: self.binary("maximum", self.binary("minimum", a, b, t), self.pick([b, g()]), t),
                lambda: self.put(t, f"stablehlo.clamp {a}, {b}, {a} : {text(t)}"),
                lambda: self.put(t, f"stablehlo.clamp {self.constant(t)}, {b}, {self.constant(t)} : {text(t)}"),
            ])()
        if e == "i1":
            a, b = g(), g()
            n = lambda x: self.unary("not", x, t)
            c = lambda o, x, y: self.commuted(o, x, y, t)
            return self.pick([
                lambda: n(n(a)), lambda: c("and", a, a), lambda: c("or", a, n(a)), lambda: c("and", a, n(a)),
                lambda: c("xor", a, a), lambda: c("xor", c("xor", a, b), b), lambda: c("or", a, c("and", a, b)),
                lambda: c(self.pick(["and", "or", "xor"]), a, self.constant(t, self.rng.randrange(2))),
                lambda: c(self.pick(["and", "or", "xor"]), n(a), n(b)),
                lambda: self.compare(self.pick(["EQ", "NE"]), n(a), n(b), t),
                lambda: self.compare(self.pick(["EQ", "NE"]), a, self.constant(t, self.rng.randrange(2)), t),
            ])()
        a, b = g(), g()
        neg = lambda x: self.unary("negate", x, t)
        c = lambda o, x, y: self.commuted(o, x, y, t)
        o = lambda o, x, y: self.binary(o, x, y, t)
        s = lambda: self.splat(t, self.value(e))
        choices = [
            lambda: c("add", a, self.zero(t)), lambda: c("multiply", a, self.one(t)), lambda: o("subtract", a, self.zero(t)),
            lambda: o("subtract", a, a), lambda: c("multiply", a, self.zero(t)), lambda: neg(neg(a)), lambda: c("add", a, neg(b)),
            lambda: c("add", o("subtract", a, b), b), lambda: o("subtract", o("add", a, b), b), lambda: o("subtract", neg(a), neg(b)),
            lambda: o("subtract", self.zero(t), a),
            lambda: (lambda x: o("add", c("multiply", a, x), c("multiply", b, x)))(g()),
            lambda: c("multiply", neg(a), neg(b)), lambda: o("add", o("add", a, s()), s()), lambda: o("multiply", o("multiply", a, s()), s()),
            lambda: (lambda q: o("add", self.select(q, a, b, t), self.select(q, b, a, t)))(g(p)),
            lambda: c("maximum", neg(a), neg(b)), lambda: c("maximum", a, neg(a)), lambda: o("maximum", o("maximum", a, s()), s()),
            lambda: c("multiply", a, self.convert(g(p), p, e)), lambda: self.convert(self.convert(g(p), p, self.pick(self.elems if not self.real else ["i32", "i8"])) , (dims, self.convert_elem()), e),
            lambda: o("power", a, self.splat(t, self.pick([0, 1, min(2, bounds(e)[1]) if is_int(e) else 2]))) if not self.real else None,
            lambda: self.select(g(p), self.one(t), self.zero(t), t),
            lambda: (lambda q: o(self.pick(["add", "multiply", "subtract"]), self.select(q, a, b, t), self.select(q, g(), g(), t)))(g(p)),
        ]
        if not self.real or is_int(e):
            choices += [lambda: o("divide", a, self.one(t)), lambda: o("remainder", a, self.one(t)),
                        lambda: o("divide", neg(a), neg(b)), lambda: o("remainder", o("remainder", a, b), b)]
        if e[0] != "u":
            ab = lambda x: self.unary("abs", x, t)
            choices += [lambda: ab(ab(a)), lambda: ab(neg(a)), lambda: c("multiply", ab(a), ab(b)), lambda: c("multiply", ab(a), ab(a)),
                        lambda: c("multiply", a, self.splat(t, -1)), lambda: o("divide", a, self.splat(t, -1)) if is_int(e) or not self.real else None]
            if is_int(e) or not self.real:
                choices += [lambda: c("multiply", self.unary("sign", a, t), ab(a)),
                            lambda: self.select(self.compare("LT", a, self.zero(t), t), neg(a), a, t)]
        if is_int(e):
            choices += [lambda: c(self.pick(["and", "or", "xor"]), a, self.splat(t, self.pick([0, -1 if e[0] == "i" else bounds(e)[1]]))),
                        lambda: c(self.pick(["and", "or", "xor"]), a, a), lambda: self.unary("not", self.unary("not", a, t), t),
                        lambda: o(self.pick(["shift_left", "shift_right_logical", "shift_right_arithmetic"]), a, self.zero(t))]
        if is_float(e) and not self.real:
            x = lambda u, y: self.unary(u, y, t)
            choices += [lambda: o("multiply", x("exponential", a), x("exponential", b)), lambda: x("log", x("exponential", a)),
                        lambda: o("divide", a, a), lambda: o("multiply", x("sqrt", a), x("sqrt", a)), lambda: x("floor", x("ceil", a))]
        # symmetric sums of transposes
        k = len(dims)
        if k >= 2 and self.chance(0.3):
            i, j = sorted(self.rng.sample(range(k), 2))
            if dims[i] == dims[j]:
                q = list(range(k))
                q[i], q[j] = j, i
                tr = lambda x: self.transpose_op(x, t, q)
                sm = c(self.pick(["add", "multiply", "maximum"]), a, tr(a))
                return self.pick([lambda: tr(sm), lambda: o("subtract", sm, tr(sm)), lambda: sm])()
        return self.pick(choices)()

    def convert_elem(self):
        return self.vals[-1][1][1]

    def move(self, t, depth):
        dims, e = t
        k, r = len(dims), self.rng
        g = lambda u: self.gen(u, depth)
        some = lambda: sorted(i for i in range(k) if self.chance(0.5))
        if k == 0:
            return self.reduce_maker(t, depth)
        choice = r.randrange(14)
        if choice <= 1:
            p = list(range(k))
            r.shuffle(p)
            src = [0] * k
            for i, x in enumerate(p):
                src[x] = dims[i]
            u = (tuple(src), e)
            return self.transpose_op(g(u), u, p)
        if choice == 2:
            a = g(t)
            if self.chance(0.4):
                a = self.move_shape(t, depth - 1) if depth > 0 else a
            v = self.reverse_op(a, t, some())
            return self.reverse_op(v, t, some()) if self.chance(0.6) else v
        if choice == 3:   # slice
            lo, hi, st, src = [], [], [], []
            for n in dims:
                q = self.pick([1, 1, 1, 2, 3])
                s = self.pick([0, 0, 1, 2])
                end = s + (n - 1) * q + 1 + r.randrange(q) if n else s
                lo.append(s), hi.append(end), st.append(q), src.append(end + self.pick([0, 0, 1, 2]))
            u = (tuple(src), e)
            if count(src) > 400:
                return None
            if all(s == 0 for s in lo) and self.chance(0.5) or self.chance(0.6):
                if self.chance(0.5):
                    return self.slice_op(self.move_shape(u, depth), u, lo, hi, st)
            return self.slice_op(g(u), u, lo, hi, st)
        if choice in (4, 5):   # pad
            return self.pad_maker(t, depth)
        if choice in (6, 7):   # broadcast
            return self.broadcast_maker(t, depth)
        if choice == 8 or choice == 9:
            return self.concat_maker(t, depth)
        if choice in (10, 11):
            return self.reduce_maker(t, depth)
        if choice == 12:       # slice of pad that undoes
            lo, hi, it = [self.pick([0, 1, 2]) for _ in dims], [self.pick([0, 1, 2]) for _ in dims], [self.pick([0, 0, 1]) for _ in dims]
            a = g(t)
            v = self.pad_op(a, t, self.scalar(e, depth), lo, hi, it)
            big = self.vals[-1][1]
            ends = [l + max(n - 1, 0) * (i + 1) + (1 if n else 0) for l, n, i in zip(lo, dims, it)]
            return self.slice_op(v, big, lo, ends, [i + 1 for i in it])
        return self.elementwise(t, depth)

    def move_shape(self, u, depth):
        f = self.pick([self.pad_maker, self.broadcast_maker, self.concat_maker, self.idiom, self.elementwise, self.move]) if u[0] else self.elementwise
        v = f(u, depth)
        return v if v is not None else self.gen(u, depth)

    def scalar(self, e, depth):
        if self.chance(0.6):
            return self.constant(((), e))
        return self.gen(((), e), min(depth, 1))

    def pad_maker(self, t, depth):
        dims, e = t
        lo, hi, it, src = [], [], [], []
        for n in dims:
            i = self.pick([0, 0, 0, 1, 2])
            m = self.pick([0, 1, 2, 3, 4, n])
            l = self.pick([0, 0, 0, 1, 2, -1, -2])
            lo.append(l), it.append(i), src.append(m), hi.append(n - l - m - max(m - 1, 0) * i)
        u = (tuple(src), e)
        if count(src) > 400:
            return None
        v = self.scalar(e, depth)
        if self.chance(0.4) and depth > 0:   # pad of pad
            lo2 = [self.pick([0, 0, 1, -1, 2]) for _ in dims]
            hi2 = [self.pick([0, 0, 1, -1, 2]) for _ in dims]
            it2 = [self.pick([0, 0, 1]) for _ in dims]
            s2 = [m - a - b if k == 0 or m - a - b <= 1 else None for m, a, b, k in zip(src, lo2, hi2, it2)]
            if all(x is not None and x >= 0 for x in s2):
                w = (tuple(s2), e)
                x = self.gen(w, depth - 1)
                inner = self.pad_op(x, w, v if self.chance(0.7) else self.scalar(e, 0), lo2, hi2, it2)
                if self.vals[-1][1] == u:
                    return self.pad_op(inner, u, v, lo, hi, it)
        return self.pad_op(self.gen(u, depth), u, v, lo, hi, it)

    def broadcast_maker(self, t, depth):
        dims, e = t
        k = len(dims)
        keep = [i for i in range(k) if self.chance(0.55)]
        self.rng.shuffle(keep)
        src = tuple(1 if self.chance(0.2) else dims[i] for i in keep)
        u = (src, e)
        if self.chance(0.3) and not (self.real and is_float(e)) or self.chance(0.2):  # op of two broadcasts
            a, b = self.gen(u, depth), self.gen(u, depth)
            x, y = self.broadcast_op(a, u, t, keep), self.broadcast_op(b, u, t, keep)
            return self.binary(self.pick(["add", "multiply", "maximum"]), x, y, t)
        return self.broadcast_op(self.gen(u, depth), u, t, keep)

    def concat_maker(self, t, depth):
        dims, e = t
        d = self.rng.randrange(len(dims))
        n = dims[d]
        part = lambda m: (dims[:d] + (m,) + dims[d + 1:], e)
        k = self.rng.random()
        if k < 0.3:       # cut and joined again
            src = list(dims)
            off = self.pick([0, 0, 0, 1])
            q = self.pick([1, 1, 2])
            src[d] = off + n * q + self.pick([0, 0, 1])
            c = self.rng.randint(0, n)
            u = (tuple(src), e)
            if count(src) > 400:
                return None
            a = self.gen(u, depth)
            lo, hi, st = [0] * len(dims), list(src), [1] * len(dims)
            st[d] = q
            lo[d], hi[d] = off, off + c * q
            x = self.slice_op(a, u, lo, hi, st)
            tx = self.vals[-1][1]
            lo2, hi2 = list(lo), list(hi)
            lo2[d], hi2[d] = off + c * q, off + n * q
            y = self.slice_op(a, u, lo2, hi2, st)
            ty = self.vals[-1][1]
            if self.chance(0.1):
                x, tx, y, ty = y, ty, x, tx
            return self.concat_op([(x, tx), (y, ty)], d)
        sizes, left = [], n
        for _ in range(self.pick([1, 2, 2, 2, 3, 4]) - 1):
            m = self.rng.randint(0, left)
            sizes.append(m)
            left -= m
        sizes.append(left)
        ops = [(self.constant(part(m), self.value(e)) if self.chance(0.25) else self.gen(part(m), depth), part(m)) for m in sizes]
        if k > 0.7 and e != "i1":
            op = self.pick(["negate", "not"]) if is_int(e) else "negate"
            ops = [(self.unary(op, a, u), u) for a, u in ops]
        return self.concat_op(ops, d)

    def unit(self, op, e):
        """The unit of a reducer as a value of `constant`."""
        lo, hi = (0, 0) if is_float(e) else bounds(e)
        if is_float(e):
            return {"add": 0.0, "multiply": 1.0, "maximum": ("hex", NINF), "minimum": ("hex", INF)}[op]
        return {"add": 0, "multiply": 1, "maximum": lo, "minimum": hi, "or": 0,
                "and": -1 if e[0] == "i" and e != "i1" else hi}[op]

    def reduce_idiom(self, t, depth):
        """A reduction of what the rules of reduce.rw know."""
        dims, e = t
        ops = ["add", "multiply", "maximum", "minimum"] + ([] if is_float(e) else ["and", "or"])
        op = self.pick(ops)
        extra = self.pick([1, 1, 2])
        rank = len(dims) + extra
        where = sorted(self.rng.sample(range(rank), extra))
        it = iter(dims)
        src = tuple(self.pick(self.sizes) if i in where else next(it) for i in range(rank))
        if count(src) > 200 or rank > 4:
            return None
        u = (src, e)
        init = self.constant(((), e), self.unit(op, e))
        k = self.rng.randrange(10)
        if k == 0:
            a = self.reverse_op(self.gen(u, depth), u, sorted(self.rng.sample(range(rank), self.rng.randint(1, rank))))
        elif k == 1:
            a = self.concat_maker(u, depth)
        elif k == 2:
            d = self.pick(where)
            w = (src[:d] + (self.pick([0, 1, 2, 3]),) + src[d + 1:], e)
            lo, hi, i = [0] * rank, [0] * rank, [0] * rank
            lo[d], hi[d], i[d] = self.pick([0, 1, 2, -1]), self.pick([0, 1, 2]), self.pick([0, 0, 1])
            if w[0][d] + lo[d] + hi[d] + max(w[0][d] - 1, 0) * i[d] < 0:
                return None
            a = self.pad_op(self.gen(w, depth), w, init, lo, hi, i)
            u = self.vals[-1][1]
        elif k == 3:
            keep = [i for i in range(rank) if i not in where or self.chance(0.3)]
            self.rng.shuffle(keep)
            w = (tuple(src[i] for i in keep), e)
            a = self.broadcast_op(self.gen(w, depth), w, u, keep)
        elif k == 4:
            a = self.constant(u, self.unit(op, e))
        elif k == 5 and e != "i1":
            a = self.unary("negate", self.gen(u, depth), u)
        elif k == 6 and e != "i1":
            keep = [i for i in range(rank) if i not in where]
            self.rng.shuffle(keep)
            w = (tuple(src[i] for i in keep), e)
            a = self.commuted("multiply", self.gen(u, depth), self.broadcast_op(self.gen(w, depth), w, u, keep), u)
        elif k == 7 and e != "i1":
            a = self.commuted("multiply", self.gen(u, depth), self.constant(u, self.value(e)), u)
        elif k == 8 and e != "i1" and rank > 1:
            cut = self.rng.randint(1, rank - 1)
            p, q = list(range(cut)), list(range(cut, rank))
            self.rng.shuffle(p)
            x, y = (tuple(src[i] for i in p), e), (tuple(src[i] for i in q), e)
            a = self.commuted("multiply", self.broadcast_op(self.gen(x, depth), x, u, p),
                              self.broadcast_op(self.gen(y, depth), y, u, q), u)
        else:
            z = list(range(rank))
            self.rng.shuffle(z)
            w = [0] * rank
            for i, x in enumerate(z):
                w[x] = src[i]
            a = self.transpose_op(self.gen((tuple(w), e), depth), (tuple(w), e), z)
        if a is None:
            return None
        return self.reduce_op(op, a, u, init, where)

    def compare_idiom(self, t, depth):
        """Comparisons joined, of converted predicates, of maxima."""
        e = self.pick(self.elems)
        if self.real and is_float(e):
            e = "i32"
        u = (t[0], e)
        a, b, c = self.gen(u, depth), self.gen(u, depth), self.gen(u, depth)
        d = self.pick(["LT", "LE", "GT", "GE"])
        k = self.rng.randrange(6)
        if k == 0:
            return self.binary(self.pick(["and", "or"]), self.compare(d, a, b, u), self.compare(d, a, c, u), t)
        if k == 1:
            return self.binary(self.pick(["and", "or"]), self.compare(d, a, b, u), self.compare(self.pick(["EQ", "GT", "LT"]), a, b, u), t)
        if k == 2 and e != "i1":
            p = self.gen(t, depth)
            return self.compare(self.pick(["EQ", "NE"]), self.convert(p, t, e), self.constant(u, self.rng.randrange(2)), u)
        if k == 3 and e != "i1":
            return self.compare(self.pick(["EQ", "NE", d]), self.binary("add", a, c, u), self.binary("add", b, c, u), u)
        if k == 4 and e != "i1" and e[0] != "u":
            return self.compare(d, self.unary("abs", a, u), self.zero(u), u)
        m = self.binary(self.pick(["maximum", "minimum"]), a, b, u)
        return self.compare(d, *self.pick([(m, a), (m, b), (a, m), (b, m)]), u)

    def reduce_maker(self, t, depth):
        dims, e = t
        if self.chance(0.7):
            return self.reduce_idiom(t, depth)
        k = len(dims)
        extra = self.pick([0, 1, 1, 2]) if k else self.pick([1, 1, 2])
        rank = k + extra
        where = sorted(self.rng.sample(range(rank), extra))
        src, it = [], iter(dims)
        for i in range(rank):
            src.append(self.pick(self.sizes) if i in where else next(it))
        if count(src) > 300:
            return None
        u = (tuple(src), e)
        ops = ["add", "multiply", "maximum", "minimum"]
        if not is_float(e):
            ops += ["and", "or"]
        op = self.pick(ops)
        lo, hi = (0, 0) if is_float(e) else bounds(e)
        one = {"add": 0, "multiply": 1, "maximum": lo, "minimum": hi, "and": -1 if e[0] == "i" else hi, "or": 0}[op]
        if e == "i1":
            one = {"add": 0, "multiply": 1, "maximum": 0, "minimum": 1, "and": 1, "or": 0}[op]
        if is_float(e):
            one = {"add": 0.0, "multiply": 1.0, "maximum": ("hex", NINF), "minimum": ("hex", INF)}[op]
        elif op == "and" and e[0] == "i" and e != "i1":
            one = -1
        init = self.constant(((), e), one) if self.chance(0.85) else self.scalar(e, depth)
        a = self.move_shape(u, depth - 1) if depth > 0 and self.chance(0.6) and u[0] else self.gen(u, depth)
        if self.chance(0.25) and len(where) == 2:
            x = self.reduce_op(op, a, u, init, where[:1])
            return self.reduce_op(op, x, self.vals[-1][1], init, [where[1] - 1])
        return self.reduce_op(op, a, u, init, where)

    def opaque(self, t, depth):
        dims, e = t
        g = lambda u: self.gen(u, depth)
        k = self.rng.randrange(8)
        if self.outer and k >= 4:
            k = 0
        if k == 0:
            n = count(dims)
            u = ((n,), e) if self.chance(0.5) else (tuple(reversed(dims)), e)
            return self.put(t, f"stablehlo.reshape {g(u)} : ({text(u)}) -> {text(t)}")
        if k == 1 and len(dims) == 2 and not self.real:
            m = self.pick(self.sizes)
            u, w = ((dims[0], m), e), ((m, dims[1]), e)
            if e == "i1":
                return None
            a, b = g(u), g(w)
            return self.put(t, f"stablehlo.dot_general {a}, {b}, contracting_dims = [1] x [0] : ({text(u)}, {text(w)}) -> {text(t)}")
        if k == 2:
            a = g(t)
            pure = ", has_side_effect = false" if self.chance(0.5) else ""
            return self.put(t, f'stablehlo.custom_call @f{self.rng.randrange(2)}({a}) {{backend_config = "x"{pure}}} : ({text(t)}) -> {text(t)}')
        if k == 3:
            a, b = g(t), g(t)
            pure = " {has_side_effect = false}" if self.chance(0.5) else ""
            v = self.name()
            self.lines.append(f"{self.indent}{v}:2 = stablehlo.custom_call @two({a}, {b}){pure} : ({text(t)}, {text(t)}) -> ({text(t)}, {text(t)})")
            self.vals.append((v + "#0", t))
            self.vals.append((v + "#1", t))
            return v + self.pick(["#0", "#1"])
        if k == 4:
            return self.while_maker(t, depth)
        if k == 5:
            p = g(((), "i1"))
            outer = list(self.vals)
            a = g(t)
            v = self.name()
            self.lines.append(f'{self.indent}{v} = "stablehlo.if"({p}) ({{')
            for branch in range(2):
                b = self.region(t, outer)
                self.lines.append(f"{self.indent}  stablehlo.return {b} : {text(t)}")
                self.lines.append(self.indent + ("}, {" if branch == 0 else f"}}) : (tensor<i1>) -> {text(t)}"))
            self.vals.append((v, t))
            return v
        if k == 6:
            return self.call(t, depth)
        a = g(t)
        if self.chance(0.5):
            return self.put(t, f"stablehlo.optimization_barrier {a} : {text(t)}")
        return self.put(t, f'stablehlo.add {a}, {a} {{mhlo.sharding = "{{replicated}}"}} : {text(t)}') if e != "i1" else None

    def region(self, t, outer):
        """Some lines inside a region that capture values of outside."""
        keep, self.outer = self.vals, outer or [("x", None)]
        self.vals = list(outer)
        self.indent += "  "
        b = self.gen(t, 1)
        self.indent = self.indent[:-2]
        self.vals, self.outer = keep, []
        return b

    def while_maker(self, t, depth):
        i, a = self.constant(((), "i32"), 0), self.gen(t, depth)
        n = self.constant(((), "i32"), self.rng.randrange(3))
        one = self.constant(((), "i32"), 1)
        v, x, y = self.name(), self.name(), self.name()
        s, p = "tensor<i32>", self.indent
        self.lines.append(f"{p}{v}:2 = stablehlo.while({x} = {i}, {y} = {a}) : {s}, {text(t)}")
        c = self.name()
        self.lines.append(f"{p}cond {{\n{p}  {c} = stablehlo.compare LT, {x}, {n}, SIGNED : ({s}, {s}) -> tensor<i1>")
        self.lines.append(f"{p}  stablehlo.return {c} : tensor<i1>\n{p}}} do {{")
        outer = list(self.vals) + [(y, t)]
        b = self.region(t, outer)
        c = self.name()
        self.lines.append(f"{p}  {c} = stablehlo.add {x}, {one} : {s}\n{p}  stablehlo.return {c}, {b} : {s}, {text(t)}\n{p}}}")
        self.vals.append((v + "#1", t))
        return v + "#1"

    def call(self, t, depth):
        a = self.gen(t, depth)
        name = f"helper{len(self.helpers)}"
        sub = Program(self.rng.randrange(1 << 30), self.real)
        sub.elems, sub.sizes, sub.budget, sub.n = self.elems, self.sizes, 6, 0
        sub.params, sub.outer = [("%arg0", t)], [("x", None)]
        b = sub.gen(t, 3)
        body = "\n".join(sub.lines)
        self.helpers.append(f"  func.func private @{name}(%arg0: {text(t)}) -> {text(t)} {{\n{body}\n"
                            f"    return {b} : {text(t)}\n  }}")
        v = self.put(t, f"call @{name}({a}) : ({text(t)}) -> {text(t)}")
        return v

    def whole(self):
        results = []
        for _ in range(self.pick([1, 1, 2, 3])):
            t = (self.dims(), self.pick(self.elems))
            results.append((self.gen(t, self.pick([3, 4, 5, 6])), t))
            self.budget = max(self.budget, 5)
        extra = self.rng.sample(self.vals, min(len(self.vals), self.pick([0, 0, 1, 2])))
        results += extra
        types = ", ".join(text(t) for _, t in results)
        ps = ", ".join(f"{v}: {text(t)}" for v, t in self.params)
        head = f"  func.func public @main({ps}) -> ({types}) {{"
        tail = f"    return {', '.join(v for v, _ in results)} : {types}\n  }}"
        return "module @m {\n" + "\n".join([head] + self.lines + [tail] + self.helpers) + "\n}\n"


def program(seed, real=False):
    while True:
        try:
            return Program(seed, real).whole()
        except RecursionError:
            seed = f"{seed}'"


if __name__ == "__main__":
    sys.stdout.write(program(int(sys.argv[1]), sys.argv[2:] == ["real"]))
