#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares "the right side has a value wherever the left side has one" with values.

usage: fuzz_values.py RANKWRIGHT FOLDER SEED ROUNDS

Makes random rules over the reals whose right side is the left side and something that the
normal forms cancel, has them proved, and computes both sides of every proved rule at small
tensors.  Fails if one has an element without a value on the right and not on the left, or if
hardly any rule is proved, or nearly all.
"""
import itertools
import json
import math
import os
import random
import subprocess
import sys

NUMBERS = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]


class Undefined(Exception):
    """No value at this element."""


def divide(a, b):
    if b == 0:
        raise Undefined
    return a / b


def logarithm(a):
    if a <= 0:
        raise Undefined
    return math.log(a)


def root(a):
    if a < 0:
        raise Undefined
    return math.sqrt(a)


def reciprocal_root(a):
    if a <= 0:
        raise Undefined
    return 1 / math.sqrt(a)


def power(a, k):
    if a == 0 and k < 0:
        raise Undefined
    return a ** k


# A term is (text, function of an environment and an index, has it an axis).
def unary(name, function, a):
    return f"{name}({a[0]})", lambda env, i: function(a[1](env, i))


def binary(sign, function, a, b):
    return f"({a[0]} {sign} {b[0]})", lambda env, i: function(a[1](env, i), b[1](env, i))


def literal(k):
    return f"broadcast({k}, {{x: n}})", lambda env, i: float(k)


def variable(name):
    return name, lambda env, i: env[name][i]


def reverse(a):
    return (f"reverse({a[0]}, {{x}})", lambda env, i: a[1](env, len(env["A"]) - 1 - i))


def total(a):
    return (f"broadcast(reduce(+, {a[0]}, {{x}}), {{x: n}})",
            lambda env, i: math.fsum(a[1](env, k) for k in range(len(env["A"]))))


def first(a):
    """The element before, and 1 at the first place."""
    return (f"slice(pad({a[0]}, 1, low=1), start=0, limit=n)",
            lambda env, i: a[1](env, i - 1) if i > 0 else 1.0)


def choose(direction, a, k, b, c):
    compare = {">": lambda u, v: u > v, ">=": lambda u, v: u >= v, "!=": lambda u, v: u != v}[direction]
    return (f"select({a[0]} {direction} {k}, {b[0]}, {c[0]})",
            lambda env, i: b[1](env, i) if compare(a[1](env, i), k) else c[1](env, i))


def term(rng, depth):
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([variable("A"), variable("B"), variable("A"), variable("B"),
                           literal(rng.randint(-1, 2))])
    kind = rng.randrange(14)
    a = term(rng, depth - 1)
    if kind < 3:
        return binary("*+-"[kind], [lambda u, v: u * v, lambda u, v: u + v, lambda u, v: u - v][kind],
                      a, term(rng, depth - 1))
    if kind == 3:
        return binary("/", divide, a, term(rng, depth - 1))
    if kind == 4:
        return unary("log", logarithm, a)
    if kind == 5:
        return unary("sqrt", root, a)
    if kind == 6:
        return unary("rsqrt", reciprocal_root, a)
    if kind == 7:
        return unary("exp", math.exp, a)
    if kind == 8:
        return unary("abs", abs, a)
    if kind == 9:
        k = rng.choice([-1, 2])
        return f"pow({a[0]}, {k})", lambda env, i: power(a[1](env, i), k)
    if kind == 10:
        return reverse(a)
    if kind == 11:
        return total(a)
    if kind == 12:
        return first(a)
    return choose(rng.choice([">", ">=", "!="]), rng.choice([variable("A"), variable("B"), a]),
                  rng.choice([0, 0, 1]), a, term(rng, depth - 1))


def rule(rng, number):
    """A rule that is true where both sides have a value: (text, left, right)."""
    base, extra = term(rng, 2), term(rng, rng.choice([1, 2, 2, 3]))
    kept = binary("+", lambda u, v: u + v, base, binary("+", lambda u, v: u + v,
                                                        variable("A"), variable("B")))
    nothing = rng.choice([
        binary("*", lambda u, v: 0 * v, literal(0), extra),
        binary("-", lambda u, v: u - u, extra, extra),
    ])
    right = binary("+", lambda u, v: u + v, kept, nothing)
    wheres = rng.choice(["", "", "  where all(A != 0);\n", "  where all(A > 0);\n",
                         "  where all(B > 0), all(A > 0);\n", "  where all(B >= 1);\n"])
    text = (f"rule r{number} {{\n  axes x; map n on x; tensor A[x: n] : float, B[x: n] : float;\n"
            f"{wheres}  {kept[0]}\n    => {right[0]};\n}}\n")
    return text, wheres, kept[1], right[1]


def meets(wheres, env):
    return all({"A != 0": all(v != 0 for v in env["A"]), "A > 0": all(v > 0 for v in env["A"]),
                "B > 0": all(v > 0 for v in env["B"]),
                "B >= 1": all(v >= 1 for v in env["B"])}[c.strip(" ;)\n")]
               for c in wheres.replace("where", "").replace("all(", "").split(",") if c.strip())


def has_value(function, env, i):
    try:
        function(env, i)
    except Undefined:
        return False
    except OverflowError:
        return None
    return True


def difference(one, rng):
    """A place at which only the left side has a value."""
    _, wheres, left, right = one
    small = [([a], [b]) for a in NUMBERS for b in NUMBERS]
    longer = [([rng.choice(NUMBERS) for _ in range(n)], [rng.choice(NUMBERS) for _ in range(n)])
              for n in (2, 3) for _ in range(400)]
    for a, b in itertools.chain(small, longer):
        env = {"A": a, "B": b}
        if not meets(wheres, env):
            continue
        for i in range(len(a)):
            if has_value(left, env, i) and has_value(right, env, i) is False:
                return a, b, i
    return None


def main():
    program, folder, seed, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    rules = [rule(rng, i) for i in range(rounds)]
    path = os.path.join(folder, "values.rw")
    with open(path, "w", encoding="utf-8") as out:
        out.write("".join(text for text, *_ in rules))
    done = subprocess.run([program, "prove", path, "--domain", "real", "--json", "--no-search",
                           "--db", os.path.join(folder, "values.db")],
                          stdout=subprocess.PIPE, text=True, check=False)
    proved, wrong, open_places = 0, [], 0
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    for row in rows:
        one = rules[int(row["rule"].split("/")[-1][1:])]
        place = difference(one, rng)
        open_places += place is not None
        if row["verdict"] == "proved":
            proved += 1
            if place is not None:
                wrong.append((one[0], place))
    for text, place in wrong:
        print(f"proved, and without a value at A = {place[0]}, B = {place[1]}, index {place[2]}:\n{text}")
    holds = len(rows) - open_places
    print(f"{len(rows)} rules: {holds} seem to hold, {proved} proved, {len(wrong)} wrong")
    return 1 if wrong or len(rows) != rounds or proved < holds // 4 or open_places < rounds // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
