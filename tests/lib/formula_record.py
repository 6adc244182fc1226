"""Writes a formula record by hand: formula_record.py RANKWRIGHT DATABASE OUT.

The database has the rules of tests/rules/formula.rw.  The proof has a line of
each kind but `ac`.
"""
import json
import subprocess
import sys

rankwright, database, out = sys.argv[1:4]


def rule(name, backward=False):
    run = subprocess.run([rankwright, "show", name, "--db", database, "--json"],
                         capture_output=True, text=True, check=True)
    shown = json.loads(run.stdout)
    return {"name": name, "hash": shown["hash"], "backward": backward,
            "assumed": False, "text": shown["canonical"]}


terms, lines, known = [], [], {}


def term(x):
    """Of a nested tuple, or a name."""
    key = x if isinstance(x, tuple) else (x,)
    if key not in known:
        args = [str(term(a)) for a in key[1:]]
        known[key] = len(terms)
        terms.append(" ".join(["term", str(len(terms)), key[0]] + args))
    return known[key]


def line(kind, a, b, rest=""):
    lines.append(f"{kind} {len(lines)} {term(a)} {term(b)} {rest}".strip())
    return len(lines) - 1


x, y, j = "x{j}", "y{j}", "{j}"
first = ("multiply", ("divide", ("multiply", x, y), y), "pi")
second = ("reduce_add", j, ("multiply", x, "c"))
third = ("multiply", ("softmax", j, x), ("add", "1", "1"))
before = ("add", ("add", first, second), third)
total = ("reduce_add", j, x)
after = ("add", ("add", ("multiply", x, "pi"), ("multiply", "c", total)),
         ("multiply", ("divide", ("exponential", x), ("reduce_add", j, ("exponential", x))), "2"))
given = line("given", ("ne", y, "0"), "true", "1")
cancel = line("rule", first[1], x, f"and:{given} by cancel")
a = line("cong", first, after[1][1], f"0:{cancel}")
b = line("rule", second, after[1][2], "by take_out")
softmax = line("rule", third[1], after[2][1], "by softmax_definition")
two = line("fold", third[2], "2")
c = line("cong", third, after[2], f"0:{softmax} 1:{two}")
left = line("cong", before[1], after[1], f"0:{a} 1:{b}")
one = line("cong", before, ("add", after[1], third), f"0:{left}")
other = line("cong", ("add", after[1], third), after, f"1:{c}")
line("trans", before, after, f"{one} {other}")

rules = [rule("cancel"), rule("take_out"), rule("softmax_definition", True)]
head = "tensor x[j], y[j]; scalar c; given c > 0; "
record = {
    "format": "rankwright formula record", "version": 1,
    "input": head + "x*y/y*3.14159265 + sum(x*c) + softmax(x)*(1 + 1)",
    "output": head + "x*pi + c*sum(x) + exp(x)/sum(exp(x))*2",
    "defines": [rules[2]["text"]],
    "constants": [{"text": "3.14159265", "value": "pi", "precision": "decimal",
                   "difference": "3.5897932384626434e-09"}],
    "givens": [{"cond": "(lt 0 c)", "by": "declared"},
               {"cond": "(ne y{j} 0)", "by": "defined"},
               {"cond": "(le 1 (count {j}))", "by": "extent"}],
    "rules": rules, "proof": terms + lines}
json.dump(record, open(out, "w"), indent=1)
