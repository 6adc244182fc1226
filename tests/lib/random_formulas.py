#!/usr/bin/env python3
"""Random formulas are simplified, the records checked and evaluated.

  random_formulas.py RANKWRIGHT NUMERIC DATABASE FOLDER SEED COUNT

Whatever comes out has the value of what went in, to 40 digits, wherever that
has one; formulas that have a value nowhere may be refused.
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


def run(*args):
    return subprocess.run(args, capture_output=True, text=True)


good = nowhere = shorter = 0
for i in range(int(count)):
    text, record = formula(rng.randint(2, 4)), "%s/%d.json" % (folder, i)
    r = run(program, "simplify", "-e", text, "--db", database, "--proof",
            record)
    if r.returncode == 65 and " axis" in r.stderr:
        continue
    if r.returncode == 65 and "no numbers are such" in r.stderr:
        nowhere += 1
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
assert good > 0.5 * int(count) and shorter > 0.2 * int(count)
