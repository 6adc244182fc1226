#!/usr/bin/env python3
"""Random formulas are simplified, the records checked and evaluated.

  random_formulas.py RANKWRIGHT NUMERIC DATABASE FOLDER SEED COUNT

Whatever comes out has the value of what went in, to 40 digits, wherever that
has one; formulas that have a value nowhere stay.
"""
import random
import subprocess
import sys

program, numeric, database, folder, seed, count = sys.argv[1:]
rng = random.Random(int(seed))
UNARY = ["exp", "log", "sqrt", "tanh", "abs", "sum", "max", "sigmoid", "mean",
         "sq", "relu", "sign"]
LEAVES = ["x", "x", "y", "y", "w", "1", "2", "0.5", "-1", "0"]


def formula(depth):
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(LEAVES)
    r = rng.random()
    if r < 0.5:
        return "(%s %s %s)" % (formula(depth - 1), rng.choice("+-*/"),
                               formula(depth - 1))
    if r < 0.85:
        return "%s(%s)" % (rng.choice(UNARY), formula(depth - 1))
    if r < 0.93:
        return "where(%s > %s, %s, %s)" % tuple(
            formula(depth - 1) for _ in range(4))
    return "%s(%s, %s)" % (rng.choice(["max", "min"]), formula(depth - 1),
                           formula(depth - 1))


HEAD = "tensor x[i, j], u[i], w[j]; scalar c; "


def by_axes(depth):
    """The same with elements, and reductions of one, two and no axes."""
    if depth == 0 or rng.random() < 0.1:
        return rng.choice(["x[i, j]", "x[i, j]", "u[i]", "w[j]", "c", "2",
                           "size(j)", "1"])
    r = rng.random()
    if r < 0.4:
        return "(%s %s %s)" % (by_axes(depth - 1), rng.choice("+-*/"),
                               by_axes(depth - 1))
    if r < 0.6:
        return "%s(%s)" % (rng.choice(["exp", "abs", "sqrt", "sq", "tanh"]),
                           by_axes(depth - 1))
    return "%s[%s](%s)" % (rng.choice(["sum", "sum", "mean", "max", "min"]),
                           rng.choice(["i", "j", "j", "i, j"]),
                           by_axes(depth - 1))


def run(*args):
    return subprocess.run(args, capture_output=True, text=True)


good = nowhere = shorter = 0
for i in range(int(count)):
    text, record = formula(rng.randint(2, 4)), "%s/%d.json" % (folder, i)
    if i % 2:
        text = HEAD + by_axes(rng.randint(2, 5))
    r = run(program, "simplify", "-e", text, "--db", database,
            "--seconds", "600", "--proof", record)
    if r.returncode == 65 and " axis" in r.stderr:
        continue
    assert r.returncode == 0, (text, r.stderr)
    shorter += len(r.stdout.split("\n")[0]) < len(text) - 2
    r = run(program, "check", record, "--db", database)
    assert r.returncode == 0, (text, r.stdout, r.stderr)
    r = run(numeric, record)
    if "hardly any values" in r.stdout + r.stderr:
        nowhere += 1
        continue
    assert r.returncode == 0 and "differences at most" in r.stdout, (
        text, r.stdout, r.stderr)
    good += 1
print("%d formulas, %d of them without values; %d became shorter" % (
    good + nowhere, nowhere, shorter))
assert 0 < int(count) < 2 * good and shorter > 0.2 * int(count)
