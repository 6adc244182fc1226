#!/usr/bin/env python3
"""Simplifies the formulas of tests/formulas/pairs.tsv.

  pairs.py RANKWRIGHT DATABASE FOLDER

Each result costs at most as much as the natural form and the input, is simplified
to itself, and its record is checked again.  What must never come out is no simplification: it differs from the input
at some values (that the result does not is for formula_values.sh to see).
Prints a line for each, and how long they took without loading the rules.
"""
import json
import re
import resource
import subprocess
import sys

program, database, folder = sys.argv[1:]
failures = []
times = []
nodes = []


def run(*args, status=0):
    r = subprocess.run([program, *args], capture_output=True, text=True)
    if r.returncode != status:
        raise AssertionError("status %d of %s: %s" % (
            r.returncode, " ".join(args), (r.stderr or r.stdout)[:400]))
    return r


def simplify(text, *more):
    r = run("simplify", "-e", text, "--db", database, "--json", *more)
    return json.loads(r.stdout)


def write(name, text):
    path = "%s/%s.expr" % (folder, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def natural_cost(text):
    return simplify(text, "--keep-constants")["cost_before"]


def is_other(name, lifted, never):
    """Differs the input from its look-alike at some values?"""
    given = re.match(r"(given [^;]*; )?", lifted).group(0)
    x, y = write(name, lifted), write(name + ".never", given + never)
    rows = ["--sizes", "j=4"]
    for seed in range(4):
        command = [program, "eval", x, "--compare", y, "--seed", str(seed),
                   "--tolerance", "1e-12"]
        r = subprocess.run(command + rows, capture_output=True, text=True)
        if "no axis is called j" in r.stderr:
            rows = []
            r = subprocess.run(command, capture_output=True, text=True)
        assert r.returncode in (0, 1), r.stderr
        if r.returncode == 1:
            return True
    return False


def last(path):
    """The formula of a file; N is the size of the axis there."""
    with open(path) as f:
        return f.read().strip().split("\n")[-1].replace("size(j)", "N")


def judge(name, lifted, natural, never):
    record, out = "%s/%s.json" % (folder, name), "%s/%s.out.expr" % (folder, name)
    found = simplify(lifted, "--proof", record, "--seconds", "600", "-o", out)
    assert found["cost_after"] <= found["cost_before"], "dearer: " + found["formula"]
    run("simplify", "--db", database, out, "-o", out + ".expr", "-q")
    assert last(out + ".expr") == last(out), "simplified again: " + last(out + ".expr")
    again = run("check", record, "--db", database).stdout
    assert again.startswith("valid"), again
    want = natural_cost(natural)
    assert found["cost_after"] <= want, "%g, but %g is natural: %s" % (
        found["cost_after"], want, found["formula"])
    times.append(found["seconds"])
    nodes.append(found["nodes"])
    if never != "-":
        assert is_other(name, lifted, never) or (
            "where(" in found["formula"] and "where(" not in never), (
                "the look-alike is the same function: " + never)
    return found, want


with open("tests/formulas/pairs.tsv") as f:
    rows = [line.rstrip("\n").split("\t") for line in f][1:]
for name, lifted, natural, never, _ in rows:
    try:
        found, want = judge(name, lifted, natural, never)
        print("%-5s %5.1f -> %4.1f (%4.1f) %s" % (
            name, found["cost_before"], found["cost_after"], want,
            found["formula"]))
    except AssertionError as e:
        failures.append(name)
        print("%-5s FAIL %s" % (name, e))
times.sort()
nodes.sort()
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print("%d of %d; seconds: median %.3f, most %.3f; nodes: median %d, most %d; "
      "%.0f MiB at most" % (
          len(rows) - len(failures), len(rows), times[len(times) // 2],
          times[-1], nodes[len(nodes) // 2], nodes[-1], peak))
assert peak < 200
assert nodes[len(nodes) // 2] < 2500, "too much work"
published = {r[0] for r in rows if r[0].startswith("P")}
assert len(published) >= 33
if failures:
    sys.exit("failed: " + " ".join(failures))
