#!/bin/sh
# Speed: generated programs of 100, 1,000 and 5,000 operations are simplified
# with the whole library and default options.  Promised: 1,000 operations in
# less than 1 s and 200 MB.  Asserted: the work (nodes of the graph), which grows
# no faster than the program; the memory; and that equal input gives equal
# output.  The figures, seconds among them, are printed.
. tests/lib/cli.sh
cat >"$work/generate.py" <<'P'
import random
import re
import sys


def generate(count, seed):
    rng = random.Random(seed)
    rows, cols = 16, 24
    lines, values, vectors, masks = [], [], [], []

    def tensor(shape, elem="f32"):
        return "tensor<%s>" % "x".join([str(n) for n in shape] + [elem])
    full, vector, mask = (tensor((rows, cols)), tensor((cols,)),
                          tensor((rows, cols), "i1"))

    def emit(text):
        name = "%%v%d" % len(lines)
        lines.append("  %s = stablehlo.%s" % (name, text))
        return name
    def constant(value):
        return emit("constant dense<%s> : tensor<f32>" % value)
    def scalar(value):
        return emit("broadcast_in_dim %s, dims = [] : (tensor<f32>) -> %s"
                    % (constant(value), full))
    def recent(pool, width=12):
        return rng.choice(pool[-width:])

    def unary():
        op = rng.choice(["negate", "abs", "tanh", "exponential", "logistic"])
        values.append(emit("%s %s : %s" % (op, recent(values), full)))
    def binary():
        op = rng.choice(["add", "subtract", "multiply", "maximum", "minimum"])
        values.append(emit("%s %s, %s : %s" % (op, recent(values),
                                                recent(values), full)))
    def with_scalar():
        op = rng.choice(["add", "multiply", "maximum", "subtract", "divide"])
        c = scalar(rng.choice(["0.0", "1.0", "2.0", "0.5", "-1.0"])
                   if op != "divide" else "2.0")
        values.append(emit("%s %s, %s : %s" % (op, recent(values), c, full)))
    def with_vector():
        op = rng.choice(["add", "multiply"])
        b = emit("broadcast_in_dim %s, dims = [1] : (%s) -> %s"
                 % (rng.choice(vectors), vector, full))
        values.append(emit("%s %s, %s : %s" % (op, recent(values), b, full)))
    def halves():
        x, cut = recent(values), rng.randrange(4, cols - 4)
        left, right = tensor((rows, cut)), tensor((rows, cols - cut))
        a = emit("slice %s [0:%d, 0:%d] : (%s) -> %s" % (x, rows, cut, full, left))
        b = emit("slice %s [0:%d, %d:%d] : (%s) -> %s"
                 % (x, rows, cut, cols, full, right))
        if rng.random() < 0.7: # the rotation of an embedding, a shift
            b = emit("negate %s : %s" % (b, right))
            values.append(emit("concatenate %s, %s, dim = 1 : (%s, %s) -> %s"
                               % (b, a, right, left, full)))
        else:
            values.append(emit("concatenate %s, %s, dim = 1 : (%s, %s) -> %s"
                               % (a, b, left, right, full)))
    def shift():
        x, by, zero = recent(values), rng.randrange(1, 4), constant("0.0")
        wide = tensor((rows, cols + by))
        p = emit("pad %s, %s, low = [0, %d], high = [0, 0], interior = [0, 0] "
                 ": (%s, tensor<f32>) -> %s" % (x, zero, by, full, wide))
        values.append(emit("slice %s [0:%d, 0:%d] : (%s) -> %s"
                           % (p, rows, cols, wide, full)))
    def window():
        x, n = recent(values), rng.randrange(2, 6)
        part, inner = tensor((rows - n, cols)), tensor((rows - 2 * n, cols))
        a = emit("slice %s [%d:%d, 0:%d] : (%s) -> %s" % (x, n, rows, cols, full, part))
        b = emit("slice %s [0:%d, 0:%d] : (%s) -> %s"
                 % (a, rows - 2 * n, cols, part, inner))
        values.append(emit(
            "pad %s, %s, low = [%d, 0], high = [%d, 0], interior = [0, 0] : "
            "(%s, tensor<f32>) -> %s" % (b, constant("0.0"), n, n, inner, full)))
    def reverse():
        x = emit("reverse %s, dims = [%d] : %s" % (recent(values), rng.randrange(2), full))
        if rng.random() < 0.5:
            x = emit("tanh %s : %s" % (x, full))
            x = emit("reverse %s, dims = [0] : %s" % (x, full))
        values.append(x)
    def transpose():
        turned = tensor((cols, rows))
        x = emit("transpose %s, dims = [1, 0] : (%s) -> %s" % (recent(values), full, turned))
        op = rng.choice(["abs", "exponential"])
        y = emit("%s %s : %s" % (op, x, turned))
        values.append(emit("transpose %s, dims = [1, 0] : (%s) -> %s" % (y, turned, full)))
    def choose():
        a, b = recent(values), recent(values)
        m = emit("compare %s, %s, %s, FLOAT : (%s, %s) -> %s"
                 % (rng.choice(["LT", "GE", "GT", "NE"]), a, b, full, full, mask))
        if masks and rng.random() < 0.5:
            m = emit("%s %s, %s : %s" % (rng.choice(["and", "or"]), m, recent(masks), mask))
        if rng.random() < 0.3:
            m = emit("not %s : %s" % (m, mask))
        masks.append(m)
        values.append(emit("select %s, %s, %s : %s, %s" % (m, a, recent(values), mask, full)))
    def centre():
        x = recent(values)
        op, init = rng.choice([("add", "0.0"), ("maximum", "0xFF800000")])
        column = tensor((rows,))
        s = emit("reduce(%s init: %s) applies stablehlo.%s across dimensions = [1] : "
                 "(%s, tensor<f32>) -> %s" % (x, constant(init), op, full, column))
        b = emit("broadcast_in_dim %s, dims = [0] : (%s) -> %s"
                 % (s, column, tensor((rows, 1))))
        b = emit("broadcast_in_dim %s, dims = [0, 1] : (%s) -> %s"
                 % (b, tensor((rows, 1)), full))
        values.append(emit("subtract %s, %s : %s" % (x, b, full)))

    parameters = []
    for i in range(4):
        values.append("%%a%d" % i)
        parameters.append("%%a%d: %s" % (i, full))
    for i in range(3):
        vectors.append("%%b%d" % i)
        parameters.append("%%b%d: %s" % (i, vector))
    parts = ([unary] * 4 + [binary] * 6 + [with_scalar] * 4 + [with_vector] * 2 +
             [choose] * 2 + [halves, shift, window, reverse, transpose, centre])
    while len(lines) < count:
        rng.choice(parts)()
    used = {v for line in lines for v in re.findall(r"%v\d+", line.split("=", 1)[1])}
    results = [v for v in values if v not in used]
    print("func.func @main(%s) -> (%s) {" % (", ".join(parameters),
                                             ", ".join([full] * len(results))))
    print("\n".join(lines))
    print("  return %s : %s\n}" % (", ".join(results), ", ".join([full] * len(results))))

generate(int(sys.argv[1]), int(sys.argv[2]))
P
library
printf '%-6s %6s %6s %8s %8s %8s %8s %8s %s\n' domain count seed before after \
    nodes seconds MB stop
for count in 100 1000 5000; do
    for seed in 1 2; do
        program=$work/p.$count.$seed.mlir
        python3 "$work/generate.py" $count $seed >"$program"
        for domain in real float; do
            expect 0 "$rankwright" simplify "$program" --db "$db" \
                --domain $domain --json --stats -o "$work/a.mlir"
            memory=$(sed -n 's/.*peak memory \([0-9.]*\) MB.*/\1/p' "$work/err")
            python3 - "$work/out" $count $seed $domain "$memory" <<'P' ||
import json, sys
path, count, seed, domain, memory = sys.argv[1:]
r = json.loads(open(path).read())
print("%-6s %6s %6s %8g %8g %8d %8.3f %8s %s" % (
    domain, count, seed, r["cost_before"], r["cost_after"], r["nodes"],
    r["seconds"], memory, r["stop"]))
assert r["stop"] != "time", "the net was reached"
assert r["cost_after"] < 0.95 * r["cost_before"], "hardly simpler"
assert float(memory) < 200, "too much memory"
assert r["nodes"] < max(6000, 15 * int(count)), "too much work" # the limit is 20
P
                fail "$count operations, seed $seed, $domain"
        done
    done
    expect 0 "$rankwright" simplify "$program" --db "$db" -o "$work/b.mlir"
    cmp -s "$work/a.mlir" "$work/b.mlir" || fail "$count: different bytes"
done
finish
