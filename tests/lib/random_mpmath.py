#!/usr/bin/env python3
"""Random formulas against mpmath: `random_mpmath.py RANKWRIGHT DATABASE FOLDER SEED COUNT`.

Each is simplified, its record checked, and both formulas are evaluated from
their texts at random numbers: 30 digits must agree wherever the formula has a
value and the conditions hold.  Needs mpmath.
"""
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(__file__))
from formula_values import NotUnderstood, NoValue, Reader  # noqa: E402
from mpmath import mp, mpf  # noqa: E402

program, database, folder, seed, count = sys.argv[1:6]
DIGITS = mpf(10) ** -30
UNARY = ["exp", "log", "sqrt", "rsqrt", "tanh", "abs", "sigmoid", "sq", "relu", "sign", "softplus",
         "log1p", "expm1", "sin", "cos", "erf", "silu"]
ALONG = ["sum", "mean", "max", "min", "var", "softmax", "logsumexp", "norm"]
NUMBERS = ["0", "1", "2", "3", "0.5", "-1", "1/3", "0.25", "4", "10", "1.5"]


def leaf(rng, axes):
    if rng.random() < 0.35:
        return rng.choice(NUMBERS)
    return rng.choice(["x[i, j]", "x[i, j]", "u[i]", "w[j]", "c", "d"] if axes else
                      ["x", "x", "y", "y", "w", "c", "d"])


def formula(rng, depth, axes):
    def more():
        return formula(rng, depth - 1, axes)
    if depth == 0 or rng.random() < 0.1:
        return leaf(rng, axes)
    r = rng.random()
    if r < 0.5:
        return "(%s %s %s)" % (more(), rng.choice("+-*/"), more())
    if r < 0.54:
        return "(%s)^%s" % (more(), rng.choice(["2", "3", "0.5", "-1", "-2", "1/3"]))
    if r < 0.72:
        return "%s(%s)" % (rng.choice(UNARY), more())
    if r < 0.84:
        name = rng.choice(ALONG)
        if axes:
            return "%s[%s](%s)" % (name, rng.choice(["i", "j", "j", "i, j"]), more())
        return "%s(%s + 0*x)" % (name, more())
    if r < 0.92:
        return "where(%s %s %s, %s, %s)" % (more(), rng.choice(["<", "<=", ">", ">=", "=="]), more(),
                                            more(), more())
    return "%s(%s, %s)" % (rng.choice(["max", "min"]), more(), more())


def likely(rng, axes):
    """A formula as kernels have them, about parts that are random."""
    a, b, c = (formula(rng, rng.randint(0, 2), axes) for _ in range(3))
    along = "[j]" if axes else ""
    e = "(%s + 0*%s)" % (a, "x[i, j]" if axes else "x")
    form = rng.choice([
        "exp(E - max(E))/sum(exp(E - max(E)))", "max(E) + log(sum(exp(E - max(E))))",
        "(E - mean(E))/sqrt(var(E) + B)", "sum(E*E) - sum(E)*sum(E)/M", "sum(E*E)/M - sq(sum(E)/M)",
        "1/(1 + exp(-(A)))*(B)", "where(A > 0, A, B)", "(A)*(B) + (A)*(C)", "(A)/((B)*(A))",
        "sqrt((A)*(A))*(B)", "log((A)*(B)) - log(B)", "max(A, B) - min(A, B)", "max(A, 0) - max(-(A), 0)",
        "where(A > B, (C)*(A), (C)*(B))", "(A - (B))*(A + (B))", "exp(A)*exp(B)/exp(C)", "(A)^2 - 2*(A)*(B) + (B)^2",
        "where(abs(A) < B, 0.5*(A)^2/(B), abs(A) - 0.5*(B))", "sum(E*(B)) + sum(E*(C))", "(A)/(B) + (C)/(B)",
        "sin(A)*cos(B) + cos(A)*sin(B)", "log(1 + exp(A)) - (A)", "1/(1/(A) + 1/(B))", "tanh(A)^2*(B) - (B)"])
    for name in ("sum", "max", "mean", "var"):
        form = form.replace(name + "(E", name + along + "(E").replace(name + "(exp", name + along + "(exp")
    return (form.replace("exp(", "@").replace("M", "size(j)" if axes else "N").replace("E", e)
            .replace("A", "(%s)" % a).replace("B", "(%s)" % b).replace("C", "(%s)" % c)
            .replace("@", "exp("))


def run(*args):
    return subprocess.run(args, capture_output=True, text=True)


def number(rng, style):
    if style == 0:
        return mpf(rng.choice([-2, -1, 0, 1, 2, 1, 3])) / rng.choice([1, 1, 2])
    if style == 1:
        return mpf(rng.randint(1, 3000)) / 1024
    return mpf(rng.randint(-3000, 3000)) / 1024


def reader(rng, axes):
    sizes = {"i": rng.randint(1, 3), "j": rng.randint(1, 4)}
    declared = ({"x": ["i", "j"], "u": ["i"], "w": ["j"], "c": [], "d": []} if axes else
                {"x": ["j"], "y": ["j"], "w": ["j"], "c": [], "d": []})
    style, data = rng.randint(0, 2), {}
    for name, own in declared.items():
        places = [()]
        for a in own:
            places = [p + (k,) for p in places for k in range(sizes[a])]
        data[name] = {p: number(rng, style) for p in places}
    return Reader(declared, sizes, data, "j")


def differ(a, b):
    if isinstance(a, bool) or isinstance(b, bool):
        return a != b
    return abs(a - b) > DIGITS * max(mpf(1), abs(a), abs(b))


def compare(rng, text, found, axes):
    """How many elements were compared, and how one differs."""
    n = 0
    for _ in range(12):
        r = reader(rng, axes)
        try:
            value, elements = r.elements(text)
        except (NoValue, NotUnderstood):
            continue
        try:
            if not all(x for c in found["conditions"] for _, x in r.elements(c)[1]):
                continue
        except (NoValue, NotUnderstood):
            continue
        for env, x in elements:
            full = {a: env.get(a, 0) for a in ("i", "j")}
            if abs(x) > mpf(10) ** 15:
                continue
            try:
                y = r.value(found["formula"]).at(full)
            except NotUnderstood as e:
                if str(e) not in ("a tie", "large"):
                    raise
                continue
            except NoValue:
                return n, "no value of %s at %s, where it was %s" % (
                    found["formula"], r.data, mp.nstr(x, 15))
            n += 1
            if differ(x, y):
                return n, "%s, not %s, at %s" % (mp.nstr(y, 20), mp.nstr(x, 20), r.data)
    return n, None


def trial(k):
    rng = random.Random("%s/%d" % (seed, k))
    axes = k % 3 == 2
    text = likely(rng, axes) if k % 2 else formula(rng, rng.randint(2, 4), axes)
    head = "tensor x[i, j], u[i], w[j]; scalar c, d; " if axes else \
        "tensor x[j], y[j], w[j]; scalar c, d; "
    record = "%s/%d.json" % (folder, k)
    r = run(program, "simplify", "-e", head + text, "--db", database, "--json", "--keep-constants",
            "--proof", record)
    if r.returncode == 65:
        return "refused", text, r.stdout + r.stderr
    if r.returncode != 0:
        return "FAILED", text, r.stdout + r.stderr
    found = json.loads(r.stdout)
    if not run(program, "check", record, "--db", database).stdout.startswith("valid"):
        return "FAILED", text, "the record is not valid"
    os.remove(record)
    if found["cost_after"] > found["cost_before"]:
        return "FAILED", text, "dearer: " + found["formula"]
    try:
        n, difference = compare(rng, text, found, axes)
    except (NotUnderstood, OverflowError) as e:
        return "not read", text, "%s in %s" % (e, found["formula"])
    if difference:
        return "FAILED", text, difference
    return ("no value" if n == 0 else "same" if found["cost_after"] == found["cost_before"] else
            "shorter"), text, ""


counts = {}
with ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
    for verdict, text, why in pool.map(trial, range(int(count))):
        counts[verdict] = counts.get(verdict, 0) + 1
        if verdict in ("FAILED", "not read"):
            print(verdict + ":", text, "\n   ", why.strip(), flush=True)
print("%s formulas: %s" % (count, ", ".join("%d %s" % (counts[k], k) for k in sorted(counts))))
sys.exit(1 if counts.get("FAILED") or not counts.get("shorter") else 0)
