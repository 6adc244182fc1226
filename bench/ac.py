#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it saves to declare operators associative and commutative.

Runs each problem with the rules for order and brackets, and with --ac in their
place.  Usage: bench/ac.py PROGRAM [--quick]; PROGRAM is bench/terms, built.
Prints a table; exit status 1 if an end or a goal differs."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TERMS = os.path.join(HERE, "terms")
AC = """comm-add: (+ ?a ?b) => (+ ?b ?a)
assoc-add: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)
comm-mul: (* ?a ?b) => (* ?b ?a)
assoc-mul: (* ?a (* ?b ?c)) => (* (* ?a ?b) ?c)
"""


def chain(op, items):
    text = items[-1]
    for x in reversed(items[:-1]):
        text = "(%s %s %s)" % (op, x, text)
    return text


def problems(folder, quick):
    """name, rules, terms, goal, operators, largest that rules are run on"""

    def put(name, text):
        path = os.path.join(folder, name)
        with open(path, "w") as f:
            f.write(text)
        return path

    rules = put("factor.rules", AC +
                "factor: (+ (* ?a ?b) (* ?a ?c)) => (* ?a (+ ?b ?c))\n")
    cancel = put("cancel.rules", AC.split("comm-mul")[0] +
                 "cancel: (+ ?a (neg ?a)) => 0\nzero: (+ ?a 0) => ?a\n")
    for k in (7, 9, 11) if quick else range(7, 17):
        names = ["x%d" % (i + 1) for i in range(k)]
        yield ("order %d" % k, os.path.join(TERMS, "ac.rules"),
               put("ac-%d" % k, chain("+", names)), None, "+", k <= 13)
    for k in (3, 4, 5) if quick else (3, 4, 5, 6, 7, 8, 10, 12):
        names = ["x%d" % (i + 1) for i in range(k)]
        yield ("factor %d" % k, rules,
               put("f-%d" % k, chain("+", ["(* %s a)" % x for x in names])),
               put("fg-%d" % k, "(* a %s)" % chain("+", names)), "+ *", k <= 7)
        yield ("cancel %d" % k, cancel,
               put("c-%d" % k, chain("+", names + ["(neg %s)" % x
                                                   for x in names[1:]])),
               put("cg-%d" % k, "x1"), "+", k <= 6)
    goals = os.path.join(TERMS, "goals")
    for f in sorted(os.listdir(goals)):
        if f.endswith(".goal") and f.split("-")[0] in (
                "diff", "integ", "simplify", "powers.goal"):
            yield (f[:-5], os.path.join(TERMS, "math.rules"),
                   os.path.join(goals, f[:-5] + ".terms"),
                   os.path.join(goals, f), "+ *", True)


def run(program, rules, terms, goal, ac, quick):
    # The shell's child has the memory of the shell to begin with, not Python's.
    command = ["sh", "-c", '"$0" "$@"; exit $?', program, rules, terms,
               "--nodes", "6000000", "--seconds", "60",
               "--repeat", "1" if quick else "3"]
    command += ["--goal", goal] if goal else []
    command += ["--ac", ac] if ac else []
    r = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(r.stdout)


def cell(x):
    if x is None:
        return "%10s %9s %8s %4s" % ("-", "-", "-", "-")
    return "%10d %9.2f %8.1f %4d" % (x["nodes"], 1e3 * x["cpu_seconds"],
                                     x["peak_bytes"] / 2**20, x["iterations"])


def main():
    quick = "--quick" in sys.argv
    program = os.path.abspath(sys.argv[1])
    bad = 0
    print("%-19s %34s   %34s" % ("", "rules", "--ac"))
    head = "%10s %9s %8s %4s" % ("nodes", "ms", "MiB", "rnds")
    print("%-19s %s   %s" % ("", head, head))
    with tempfile.TemporaryDirectory() as folder:
        for name, rules, terms, goal, ops, small in problems(folder, quick):
            x = run(program, rules, terms, goal, None, quick) if small else None
            y = run(program, rules, terms, goal, ops, quick)
            ok = y["stop"] == (x["stop"] if x else "goal" if goal
                               else "saturated")
            bad += not ok
            print("%-19s %s   %s%s" % (name, cell(x), cell(y),
                                       "" if ok else "  " + y["stop"]),
                  flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
