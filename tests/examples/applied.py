#!/usr/bin/env python3
"""Does the rule that `learn` finds rewrite the program before into the program after?

    applied.py --rankwright BIN --pairs FOLDER [NAME...]

FOLDER is that of coverage.py.  For each pair whose expected answer begins with "rule" the rule is
learned, written to a file and proved into a new database.  Both programs become one with the
results of both, which is simplified by this rule alone.  The rule rewrites one into the other if
both results are one value then, and if `check` accepts the record.
"""
import json, os, re, subprocess, sys, tempfile

from pairs import options_of, rule_pairs, sides

HEAD = re.compile(r"func\.func (?:public )?@main\((.*?)\) -> (.*?) \{\n(.*)\n? *return (.*?) : (.*?)\n", re.S)
NAME = re.compile(r"%[\w#.]+")


def parts(text):
    """(arguments, their types, body, values returned, types returned)."""
    found = HEAD.search(text)
    pairs = [a.split(": ", 1) for a in re.split(r", (?=%)", found.group(1)) if a]
    return ([name for name, _ in pairs], [kind for _, kind in pairs], found.group(3),
            found.group(4), found.group(5))


def both(before, after):
    """One program with the results of both."""
    names, kinds, body, values, types = parts(before)
    others, _, other_body, other_values, _ = parts(after)
    place = dict(zip(others, names))

    def renamed(match):
        return place.get(match.group(0)) or "%after_" + match.group(0)[1:]

    arguments = ", ".join(f"{n}: {k}" for n, k in zip(names, kinds))
    return (f"func.func @main({arguments}) -> ({types}, {types}) {{\n{body}\n"
            f"{NAME.sub(renamed, other_body)}\n    return {values}, {NAME.sub(renamed, other_values)} "
            f": {types}, {types}\n}}\n")


def applied(options, paths, work):
    """None, or why the rule does not rewrite one program into the other."""
    def run(*words):
        return subprocess.run([options.rankwright, *words], capture_output=True, text=True)

    rule, base, pair, record = (os.path.join(work, f) for f in ("rule.rw", "rule.db", "pair.mlir", "r.json"))
    done = run("learn", *paths, "--json", "-o", rule)
    try:
        found = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return "no answer"
    if found.get("answer") == "layout":
        open(rule, "w").close()
    elif not os.path.exists(rule):
        return f"no rule: {found.get('answer')}"
    elif run("prove", rule, "--db", base).returncode == 74:
        return "the rule cannot be proved into a database"
    with open(pair, "w") as out:
        out.write(both(*(open(path).read() for path in paths)))
    rules = ["--rules", rule] if os.path.getsize(rule) else []
    # A monoid's verdict in floats is about maximum and minimum: sums are sums of reals.
    for domain in "float", "real":
        done = run("simplify", pair, "--db", base, "--domain", domain, "--proof", record, *rules)
        returned = re.search(r"return (.*?) :", done.stdout)
        if done.returncode != 0 or not returned:
            return f"simplify: {done.stderr.strip()[:200]}"
        values = returned.group(1).split(", ")
        half = len(values) // 2
        if values[:half] == values[half:]:
            done = run("check", record, "--db", base)
            return None if done.returncode == 0 else f"the record is rejected: {done.stdout.strip()[:200]}"
    return f"the results stay {values[:half]} and {values[half:]}"


def main():
    options = options_of()
    names = rule_pairs(options)
    if names is None:
        return 0
    wrong = 0
    for name in names:
        with tempfile.TemporaryDirectory() as work:
            why = applied(options, sides(options, name), work)
        wrong += why is not None
        if why:
            print(f"{name}: {why}", flush=True)
    print(f"{len(names) - wrong} of {len(names)} rules rewrite one program into the other")
    return 0


if __name__ == "__main__":
    sys.exit(main())
