#!/usr/bin/env python3
"""Judges what simplify makes of the formulas of tests/formulas/textbook.tsv.

  textbook.py RANKWRIGHT NUMERIC DATABASE FOLDER [FILE]

A result is *exact* if it is the textbook form, character by character, and
*readable* if it is another one that costs no more to read.  Each must have the
values of the formula (numeric: 40 digits, besides what recovered constants are
said to differ by), cost no more than it, be a record that check accepts, and
be simplified to itself.  Prints a line for each, and the score.
"""
import glob
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

program, numeric, database, folder = sys.argv[1:5]
path = sys.argv[5] if len(sys.argv) > 5 else "tests/formulas/textbook.tsv"
# Rules that define functions, which the textbook forms use; their cost is asked for.
DEFINITIONS = ",".join(sorted(glob.glob("rules/library/definitions/*.rw")))


def run(*args):
    r = subprocess.run([program, *args], capture_output=True, text=True)
    assert r.returncode == 0, (r.stderr or r.stdout)[:400]
    return r.stdout


def simplify(*args):
    return json.loads(run("simplify", "--db", database, "--json", *args))


def last(path):
    """The formula of a file; N is the size of the axis there."""
    with open(path) as f:
        return f.read().strip().split("\n")[-1].replace("size(j)", "N")


def same_values(record):
    r = subprocess.run([numeric, record], capture_output=True, text=True)
    return r.returncode == 0 and "differences at most" in r.stdout


def judge(row):
    """The verdict, what came out, and what speaks against it."""
    name, formula, textbook, _ = row
    record, out = "%s/%s.json" % (folder, name), "%s/%s.expr" % (folder, name)
    try:
        found = simplify("-e", formula, "--proof", record, "-o", out)
        want = simplify("-e", textbook, "--keep-constants", "--rules", DEFINITIONS)
        against = []
        if not run("check", record, "--db", database).startswith("valid"):
            against.append("not valid")
        if not same_values(record):
            against.append("other values")
        if found["cost_after"] > found["cost_before"]:
            against.append("dearer than the formula")
        run("simplify", "--db", database, out, "-o", out + ".expr", "-q")
        again = last(out + ".expr")
        if again != last(out):
            against.append("simplified again: " + again)
        text = found["formula"] + "".join(", if " + c for c in found.get("conditions", []))
        if found["formula"] == textbook.split("; ")[-1]:
            return "exact", text, against
        if found["cost_after"] <= want["cost_before"]:
            return "readable", text, against
        return "MISSED", "%s (%g, textbook %g: %s)" % (
            text, found["cost_after"], want["cost_before"], textbook.split("; ")[-1]), against
    except AssertionError as e:
        return "MISSED", "", [str(e)]


with open(path) as f:
    rows = [line.rstrip("\n").split("\t") for line in f][1:]
count = {"exact": 0, "readable": 0, "MISSED": 0}
bad = wrong = again = 0
with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
    for row, (verdict, text, against) in zip(rows, pool.map(judge, rows)):
        count[verdict] += 1
        bad += bool(against)
        wrong += any(a in ("not valid", "other values", "dearer than the formula") for a in against)
        again += any(a.startswith("simplified again") for a in against)
        print("%-4s %-8s %s%s" % (row[0], verdict, text, "".join("; AGAINST: " + a for a in against)))
print("%d pairs: %d exact, %d as readable, %d missed; %d with something against them" % (
    len(rows), count["exact"], count["readable"], count["MISSED"], bad))
print("exact or as readable: %.1f%%" % (100 - 100 * count["MISSED"] / len(rows)))
# What is numerically other, costs more, or is no valid record, is wrong; so is a second result
# that is another one.  The rest is a score.
sys.exit(1 if len(rows) < 150 or wrong or again or 20 * count["MISSED"] > len(rows) else 0)
