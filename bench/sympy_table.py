#!/usr/bin/env python3
"""rankwright simplify beside SymPy's simplify on 100 formulas, as a table in Markdown.

  sympy_table.py RANKWRIGHT DATABASE >docs/sympy.md

The first 100 formulas of tests/formulas/textbook.tsv and tests/formulas/pairs.tsv that
SymPy can say (sympy_formulas.py).  Names are real there, and what is given to be positive
is declared so.  Needs SymPy.
"""
import csv
import glob
import json
import signal
import subprocess
import sys
import tempfile

import sympy

from sympy_formulas import Other, Reader, Text, renamed

program, database = sys.argv[1:3]
DEFINITIONS = ",".join(sorted(glob.glob("rules/library/definitions/*.rw")))
SECONDS = 20
# What a user of SymPy would try.
WAYS = (("`e`", lambda e: e),
        ("`simplify(e)`", sympy.simplify),
        ("`simplify(e.doit())`", lambda e: sympy.simplify(e.doit())),
        ("`simplify(expand(e))`", lambda e: sympy.simplify(sympy.expand(e))),
        ("`factor(simplify(e))`", lambda e: sympy.factor(sympy.simplify(e))))


def late(*_):
    raise TimeoutError


def sympy_says(expression):
    """What each way makes of it; those that take too long make nothing."""
    out = []
    signal.signal(signal.SIGVTALRM, late)
    for _, way in WAYS:
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            text = Text().doprint(renamed(way(renamed(way(expression)))))
            if text not in out:
                out.append(text)
        except Exception:  # of SymPy's own, too: simplify of sums fails on some
            pass
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return out


def simplify(text, *more):
    r = subprocess.run([program, "simplify", "-e", text, "--db", database, "--json", *more],
                       capture_output=True, text=True)
    return json.loads(r.stdout) if r.returncode == 0 else None


def answer(text):
    """rankwright's result, and the statements that declare its names."""
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/out.expr"
        found = simplify(text, "-o", path)
        with open(path) as f:
            lines = f.read().split("\n")
    return found, [s for s in lines if s.startswith(("tensor", "scalar", "given"))]


def rows():
    for path in ("tests/formulas/textbook.tsv", "tests/formulas/pairs.tsv"):
        with open(path) as f:
            table = csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE)
            next(table)
            yield from (row[:2] for row in table)


def verdict(ours, theirs):
    return "=" if abs(ours - theirs) < 0.01 else "rankwright" if ours < theirs else "SymPy"


def cell(text):
    return "`%s`" % text.replace("|", "\\|")


def price(declared, text, *more):
    """What it costs to read, as it stands or with definitions written out."""
    read = simplify(" ".join(declared) + " " + text, "--keep-constants", "--rules", DEFINITIONS,
                    *more)
    if read is None:
        print("not read: %s %s" % (" ".join(declared), text), file=sys.stderr)
        return float("inf")
    return read["cost_after" if more else "cost_before"]


def least(declared, texts, *more):
    return min(((price(declared, t, *more), t) for t in texts), default=(float("inf"), None))


lines, count, plain, left, sums = [], {}, {}, [], 0
for name, text in rows():
    if len(lines) == 100:
        break
    ours, declared = answer(text)
    try:
        expression = Reader(text, declared).expression
    except (Other, SyntaxError) as e:
        left.append("%s (%s)" % (name, e))
        continue
    texts = sympy_says(expression)
    written = simplify(text, "--expand")
    cost, theirs = least(declared, texts)
    better = verdict(ours["cost_after"], cost)
    count[better] = count.get(better, 0) + 1
    # SymPy has no names for relu and the like: both are compared without them, too.
    bare = verdict(written["cost_after"], least(declared, texts, "--expand")[0])
    plain[bare] = plain.get(bare, 0) + 1
    sums += bool(expression.atoms(sympy.Sum, sympy.Product))
    held = ", where " + ", ".join(ours["conditions"]) if ours["conditions"] else ""
    lines.append("| %s | %s | %s%s | %s | %s | %s | %s | %s |" % (
        name, cell(text), cell(ours["formula"]), held, cell(theirs) if theirs else "no answer",
        "%g" % ours["cost_after"], "%g" % cost if theirs else "-", better, bare))
    print(lines[-1], file=sys.stderr, flush=True)

print("""# Beside SymPy

What `rankwright simplify` and SymPy (SymPy %s) make of 100 formulas: the first of `tests/formulas/textbook.tsv` and
`tests/formulas/pairs.tsv` that SymPy can say. `bench/sympy_table.py` makes this table.

A row is an `Indexed` there, and its sums are `Sum`s over the index, up to a size that is a symbol; %d of the formulas
have some. Left out in between, since it cannot be said: %s.
Names are real, and positive where that is given. The formula e was given to SymPy in five ways, with %d CPU seconds for
each, and what reads cheapest is in the table: %s.

The measure is [what it costs to read](formulas.md#what-it-costs-to-read); SymPy's results are read in the notation of
formulas, where its squares and roots are `sq` and `sqrt` and its sums `sum`. SymPy has no names for `relu`, `gelu` or `mean`; the
last column compares the results of `--expand`, which has none either, with SymPy's.

| less to read | with names | without |
|---|---|---|""" % (
    sympy.__version__, sums, ", ".join(left), SECONDS, ", ".join(name for name, _ in WAYS)))
for who, says in (("rankwright", "rankwright"), ("=", "the same"), ("SymPy", "SymPy")):
    print("| %s | %d | %d |" % (says, count.get(who, 0), plain.get(who, 0)))
print("""
| | formula | rankwright | SymPy | cost | cost | less to read | without names |
|---|---|---|---|---|---|---|---|""")
print("\n".join(lines))
