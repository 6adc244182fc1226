#!/usr/bin/env python3
"""Extraction alone: sums of costs and CPU seconds for each family and method.

  bench/extract.py RANKWRIGHT [NAME=FOLDER...]

Families are generated (by seed) or are the folders' e-graphs in
egraph-serialize JSON; of BENCH_EGRAPHS=FOLDER every folder beneath is one.
If that has a best_known.csv (file, dag_cost_greedy, dag_cost_best_known), the
costs are compared with it; then a cost above the best known one of exact, or
above the greedy one in sum of dag, is a failure.  BENCH_SECONDS limits exact,
for each file (10).  Seconds are those of the extraction, without reading.
"""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

LIMIT = os.environ.get("BENCH_SECONDS", "10")


def egraph(nodes, roots):
    names = {}
    out = {}
    for k, (cls, op, children, cost) in enumerate(nodes):
        names.setdefault(cls, f"n{k}")
    for k, (cls, op, children, cost) in enumerate(nodes):
        out[f"n{k}"] = {"op": op, "children": [names[c] for c in children],
                        "eclass": str(cls), "cost": cost}
    return {"nodes": out, "root_eclasses": [str(r) for r in roots]}


def sums(rng, n):
    """All ways to bracket and order a sum; every partial sum has its price."""
    nodes = [(1 << i, f"x{i}", [], 1) for i in range(n)]
    for s in range(1, 1 << n):
        if s & (s - 1) == 0:
            continue
        part = (s - 1) & s
        while part:
            nodes.append((s, "+", [part, s ^ part], rng.randrange(1, 20)))
            part = (part - 1) & s
    return egraph(nodes, [(1 << n) - 1])


def choices(rng, users, pool):
    """Users that have their own, or share some of a pool."""
    nodes = [(("p", i), "shared", [], rng.randrange(5, 20)) for i in range(pool)]
    for u in range(users):
        nodes.append((("u", u), "own", [], rng.randrange(3, 12)))
        for _ in range(3):
            nodes.append((("u", u), "use",
                          [("p", rng.randrange(pool)) for _ in range(2)], 1))
    return egraph(nodes, [("u", u) for u in range(users)])


def cycles(rng, classes):
    """Classes that need each other every which way, above some leaves."""
    nodes = []
    for c in range(classes):
        if c % 5 == 0:
            nodes.append((c, "leaf", [], rng.randrange(1, 30)))
        for _ in range(3):
            nodes.append((c, "f", [rng.randrange(classes) for _ in
                                   range(rng.randrange(1, 4))], rng.randrange(0, 4)))
        nodes.append((c, "down", [c // 5 * 5], rng.randrange(5, 20)))
    nodes = [n for n in nodes if n[0] not in n[2]]
    return egraph(nodes, range(0, classes, max(1, classes // 8)))


def generated(folder):
    families = {}
    for name, make, sizes in (("sums", sums, (4, 6, 8, 9)),
                              ("choices", choices, ((20, 10), (200, 40), (1000, 100))),
                              ("cycles", cycles, (50, 500, 5000))):
        rng = random.Random(1)
        for size in sizes:
            size = size if isinstance(size, tuple) else (size,)
            path = os.path.join(folder, f"{name}-{size[0]}.json")
            with open(path, "w") as f:
                json.dump(make(rng, *size), f)
            families.setdefault(name, []).append(path)
    return families


def files_of(folder):
    return sorted(os.path.join(at, f) for at, _, files in os.walk(folder)
                  for f in files if f.endswith(".json"))


def measure(rankwright, files, method):
    best = {}
    for _ in range(1 if method == "exact" else 3):
        run = subprocess.run([rankwright, "extract", "--json", "--method", method]
                             + (["--seconds", LIMIT] if method == "exact" else [])
                             + files, capture_output=True, text=True)
        for line in run.stdout.splitlines():
            r = json.loads(line)
            old = best.get(r["file"])
            if not old or r["cpu_seconds"] < old["cpu_seconds"]:
                best[r["file"]] = r
    return best


def compare(suite, got):
    """got: method -> file -> result.  Is nothing worse than it is known to be?"""
    with open(os.path.join(suite, "best_known.csv")) as f:
        known = {os.path.join(suite, r["file"]): r for r in csv.DictReader(f)}
    missing = [f for f in known if f not in got["exact"] or f not in got["dag"]]
    for f in missing:
        print("no result:", f)
    both = [f for f in known if f not in missing]
    above = [f for f in both if got["exact"][f]["dag_cost"]
             > float(known[f]["dag_cost_best_known"]) * (1 + 1e-9) + 1e-9]
    for f in above:
        print("above the best known:", f)
    proved = sum(got["exact"][f]["optimal"] for f in both)
    # Greedy extractors have no result where costs are negative.
    compared = [f for f in both if known[f]["dag_cost_greedy"]]
    ours = sum(got["dag"][f]["dag_cost"] for f in compared)
    greedy = sum(float(known[f]["dag_cost_greedy"]) for f in compared)
    worse = [f for f in compared
             if got["dag"][f]["dag_cost"] > float(known[f]["dag_cost_greedy"]) + 1e-9]
    print("%d files: exact proved on %d (%.0f%%) within %s s each, %d above the best known; "
          "dag %g against %g of greedy, %d files worse" % (
              len(both), proved, 100 * proved / max(1, len(both)), LIMIT, len(above), ours, greedy,
              len(worse)))
    return both and not missing and not above and ours <= greedy


def main():
    rankwright = sys.argv[1]
    everything = {"tree": {}, "dag": {}, "exact": {}}
    with tempfile.TemporaryDirectory() as folder:
        families = generated(folder)
        for word in sys.argv[2:]:
            name, _, path = word.partition("=")
            families[name] = files_of(path)
        suite = os.environ.get("BENCH_EGRAPHS")
        for name in sorted(os.listdir(suite)) if suite else []:
            if os.path.isdir(os.path.join(suite, name)):
                families[name] = files_of(os.path.join(suite, name))
        print("%-16s %5s %-6s %14s %12s %10s %7s" % (
            "e-graphs", "files", "method", "tree cost", "DAG cost", "CPU s", "proved"))
        for name, files in families.items():
            for method in ("tree", "dag", "exact"):
                results = measure(rankwright, files, method) if files else {}
                everything[method].update(results)
                got = results.values()
                print("%-16s %5d %-6s %14g %12g %10.4f %7s" % (
                    name, len(got), method, sum(r["tree_cost"] or 0 for r in got),
                    sum(r["dag_cost"] or 0 for r in got),
                    sum(r["cpu_seconds"] for r in got),
                    sum(r["optimal"] for r in got) if method != "dag" else "-"),
                    flush=True)
                if len(got) < len(files):
                    print("%-16s %d of %d files have no result" % (
                        "", len(files) - len(got), len(files)))
    if suite and os.path.exists(os.path.join(suite, "best_known.csv")):
        return compare(suite, everything)
    return True


sys.exit(0 if main() else 1)
