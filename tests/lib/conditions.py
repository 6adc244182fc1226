#!/usr/bin/env python3
"""Are the conditions needed that results of tests/formulas/textbook.tsv state?

  conditions.py RANKWRIGHT DATABASE FOLDER

Each is dropped in turn: at some numbers where only it does not hold, the formula has
no value or another one than the result.  Where all hold, both have one value.  Needs
mpmath, from which alone the values come.
"""
import itertools
import json
import random
import re
import subprocess
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from formula_values import NotUnderstood, NoValue, Reader  # noqa: E402
from mpmath import mpf  # noqa: E402

program, database, folder = sys.argv[1:4]
CORNERS = [mpf(k) / 2 for k in (-4, -3, -2, -1, 0, 0, 1, 2, 3, 4)]


def run(*args):
    return subprocess.run([program, *args, "--db", database], capture_output=True, text=True)


def expanded(text):
    """The formula alone, its `let` names written out."""
    *statements, formula = text.split("; ")
    for s in reversed([s for s in statements if s.startswith("let ")]):
        name, _, value = s[4:].partition(" = ")
        formula = re.sub(r"\b%s\b" % name, "(%s)" % value, formula)
    return formula


def declarations(path):
    """name -> axes, as the program understood the formula."""
    names = {}
    with open(path) as f:
        for line in f:
            for item in re.findall(r"(\w+)\[([\w, ]*)\]", line) if line.startswith("tensor") else []:
                names[item[0]] = [a.strip() for a in item[1].split(",")]
            if line.startswith("scalar"):
                names.update((n.strip(), []) for n in line[7:].rstrip(";\n").split(","))
    return names


def holds(reader, condition):
    """None: the condition itself has no value."""
    try:
        return all(x for _, x in reader.elements(condition)[1])
    except NoValue:
        return None


def outcome(reader, formula, result):
    """none: the formula has no value; same or other: that of the result."""
    try:
        elements = reader.elements(formula)[1]
    except NoValue:
        return "none"
    try:
        value = reader.value(result)
        pairs = [(x, value.at({a: e.get(a, 0) for a in reader.sizes})) for e, x in elements]
    except NoValue:
        return "other"
    return "same" if all(abs(x - y) <= mpf(10) ** -30 * max(mpf(1), abs(x)) for x, y in pairs) else "other"


def judge(name, text):
    path = "%s/%s.expr" % (folder, name)
    found = json.loads(run("simplify", "-e", text, "--json", "--keep-constants").stdout)
    conditions = found["conditions"]
    if not conditions:
        return None
    run("simplify", "-e", text, "-o", path, "-q", "--keep-constants")
    declared, rng = declarations(path), random.Random(name)
    needed, seen, wrong = set(), 0, None
    for _ in range(2000):
        sizes = {a: rng.randint(1, 3) for axes in declared.values() for a in axes}
        data = {n: {k: rng.choice(CORNERS) for k in itertools.product(*[range(sizes[a]) for a in axes])}
                for n, axes in declared.items()}
        reader = Reader(declared, sizes, data, "j")
        try:
            held = [holds(reader, c) for c in conditions]
            if held.count(False) > 1:
                continue
            what = outcome(reader, expanded(text), found["formula"])
        except NotUnderstood:
            continue
        if False not in held:
            seen += what == "same"
            wrong = wrong or (what == "other" and None not in held and data)
        elif what != "same":  # only one does not hold
            needed.add(conditions[held.index(False)])
    spare = [c for c in conditions if c not in needed]
    if wrong:
        return "WRONG at %s" % wrong
    return "not needed alone: " + ", ".join(spare) if spare else "needed" if seen else "nothing seen"


count = {}
with open("tests/formulas/textbook.tsv") as f:
    for row in [line.rstrip("\n").split("\t") for line in f][1:]:
        try:
            verdict = judge(row[0], row[1])
        except (NotUnderstood, SyntaxError) as e:
            verdict = "not read: %s" % e
        if verdict:
            kind = verdict.split(":")[0].split(" at ")[0]
            count[kind] = count.get(kind, 0) + 1
            print(row[0], verdict, flush=True)
print(", ".join("%d %s" % (count[k], k) for k in sorted(count)))
sys.exit(1 if count.get("WRONG") or not count.get("needed") else 0)
