"""Tampers with a formula's record in many ways; every variant must be rejected.

tamper_formula.py RANKWRIGHT DATABASE RECORD WORK: as tamper.py, for records of
formulas.  Each line of the proof is dropped, and each number in it is changed.
With a fifth argument, LEAST, the record need not have a place for each kind,
but for as many variants.
"""
import copy
import json
import re
import subprocess
import sys


def variant(r):
    return copy.deepcopy(r)


def texts(key, pairs):
    def kind(r):
        for old, new in pairs:
            if old in r[key]:
                v = variant(r)
                v[key] = v[key].replace(old, new, 1)
                yield v
    kind.__name__ = key + "_text"
    return kind


CHANGES = [(" + ", " - "), ("*", "+"), ("/", "*"), ("sum(", "max("), ("exp(", "log("), ("2", "3"), ("x", "x*x"),
           ("max(", "min("), (" - ", " + "), ("mean(", "sum("), ("[j]", "[i,j]")]


def rule_text(r):
    for k, rule in enumerate(r["rules"]):
        for old, new in ((" + ", " - "), ("*", "+"), ("/", "*"), ("=>", "==>"), ("exp", "log"), ("where", "// where"), ("> ", ">= ")):
            if old in rule["text"]:
                v = variant(r)
                v["rules"][k]["text"] = rule["text"].replace(old, new, 1)
                yield v


def rule_field(key, change):
    def kind(r):
        for k in range(len(r["rules"])):
            v = variant(r)
            v["rules"][k][key] = change(v["rules"][k][key])
            yield v
    kind.__name__ = "rule_" + key
    return kind


def rule_dropped(r):
    for k in range(len(r["rules"])):
        v = variant(r)
        del v["rules"][k]
        yield v


def rule_exchanged(r):
    for k in range(1, len(r["rules"])):
        v = variant(r)
        a, b = v["rules"][k - 1], v["rules"][k]
        a["name"], b["name"] = b["name"], a["name"]
        yield v


def other_definition(r):
    """A second meaning of a name, proved by definition as the first is."""
    run = subprocess.run([sys.argv[1], "show", "other_definition", "--db", sys.argv[2], "--json"],
                         capture_output=True, text=True)
    if run.returncode == 0:
        shown = json.loads(run.stdout)
        v = variant(r)
        v["defines"].append(shown["canonical"])
        yield v
        v = variant(r)
        v["defines"] = [shown["canonical"]]
        yield v
        v = variant(r)
        v["rules"].append({"name": "other", "hash": shown["hash"], "text": shown["canonical"],
                           "backward": False, "assumed": False})
        yield v


def given_dropped(r):
    used = {int(l.split()[4]) for l in r["proof"] if l.startswith("given ")}
    for k in sorted(used):
        v = variant(r)
        del v["givens"][k]
        yield v


def given_condition(r):
    for k in range(len(r["givens"])):
        v = variant(r)
        v["givens"][k]["cond"] = "(lt 0 nothing)"
        yield v
        v = variant(r)
        v["givens"][k]["cond"] = re.sub(r"\((lt|le|ne|eq) (.*) (\S+)\)$", r"(\1 \3 \2)", v["givens"][k]["cond"])
        if v["givens"][k]["cond"] != r["givens"][k]["cond"]:
            yield v


def given_by(r):
    for k, g in enumerate(r["givens"]):
        for by in ("declared", "defined", "extent", "number", ""):
            if by != g["by"]:
                v = variant(r)
                v["givens"][k]["by"] = by
                yield v


def constant(r):
    for k in range(len(r["constants"])):
        for key, to in (("text", "2.5"), ("value", "(log 2)"), ("value", "3"), ("precision", "f64"),
                        ("precision", "f128"), ("difference", "0"), ("difference", "1e-8"), ("difference", "")):
            v = variant(r)
            v["constants"][k][key] = to
            yield v
        v = variant(r)
        del v["constants"][k]
        yield v


def proof_lost(r):
    for lines in ([], r["proof"][:-1], r["proof"][1:]):
        v = variant(r)
        v["proof"] = lines
        yield v


def proof_dropped(r):
    for k in range(len(r["proof"])):
        v = variant(r)
        del v["proof"][k]
        yield v


def proof_name(r):
    """Another operator, or leaf, in a term that is used."""
    used = set()
    for l in r["proof"]:
        w = l.split()
        used |= set(w[3:] if w[0] == "term" else w[2:4])
    for k, l in enumerate(r["proof"]):
        w = l.split()
        if w[0] == "term" and w[1] in used:
            w[2] = {"add": "subtract", "multiply": "divide", "true": "false"}.get(w[2], "add" if len(w) == 5 else "pi" if w[2] != "pi" else "2")
            v = variant(r)
            v["proof"][k] = " ".join(w)
            yield v


def proof_kind(r):
    for k, l in enumerate(r["proof"]):
        kind = l.split()[0]
        if kind != "term":
            for other in ("fold", "cong", "trans", "because"):
                if other != kind:
                    v = variant(r)
                    v["proof"][k] = other + l[len(kind):]
                    yield v


def proof_rule(r):
    names = [x["name"] for x in r["rules"]] + ["nothing"]
    for k, l in enumerate(r["proof"]):
        if " by " in l:
            for name in names:
                if not l.endswith("by " + name):
                    v = variant(r)
                    v["proof"][k] = l[:l.index(" by ")] + " by " + name
                    yield v


KINDS = [texts("input", CHANGES), texts("output", CHANGES + [("; ", "; given x > 7; ")]), rule_text,
         rule_field("hash", lambda h: ("0" if h[0] != "0" else "1") + h[1:]), rule_field("assumed", lambda a: not a),
         rule_field("name", lambda n: n + "x"), rule_field("backward", lambda b: not b), rule_dropped, rule_exchanged,
         other_definition, given_dropped, given_condition, given_by, constant, proof_lost, proof_dropped, proof_name,
         proof_kind, proof_rule]


def proof_number(r):
    for k, l in enumerate(r["proof"]):
        end = l.index(" by ") if " by " in l else len(l)
        for m in re.finditer(r"(?<![\w{/.])\d+(?![\w}/.])", l[:end]):
            if l.startswith("term") and m.start() > 5 and len(l.split()) == 3:
                continue
            v = variant(r)
            v["proof"][k] = l[:m.start()] + str(int(m.group()) + 1) + l[m.end():]
            yield v, f"line {k}: {l} -> {v['proof'][k]}"


def main():
    rankwright, database, path, work = sys.argv[1:5]
    record = json.load(open(path))
    least = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    failures = total = 0

    def rejected(v, name):
        file = f"{work}/{name}.json"
        json.dump(v, open(file, "w"))
        run = subprocess.run([rankwright, "check", file, "--db", database], capture_output=True, text=True)
        return run.returncode == 1 and run.stdout.startswith("rejected: ") and len(run.stdout) > 12, run

    for kind in KINDS:
        made = 0
        for v in kind(record):
            made += 1
            ok, run = rejected(v, f"{kind.__name__}{made}")
            if not ok:
                failures += 1
                print(f"{kind.__name__} {made}: status {run.returncode}: {run.stdout}{run.stderr}")
            if made > 1:
                continue
            shown = subprocess.run([rankwright, "explain", f"{work}/{kind.__name__}{made}.json", "--db", database],
                                   capture_output=True, text=True)
            # What an option of check could change stands behind the reason.
            reason = run.stdout.removeprefix("rejected: ").split("\n")[0].split(" (--")[0]
            if shown.returncode != 1 or not shown.stdout.startswith(f"not valid: {reason}"):
                failures += 1
                print(f"explain {kind.__name__} {made}: status {shown.returncode}: "
                      f"{shown.stdout[:300]}{shown.stderr}")
        total += made
        if made == 0 and not least:
            failures += 1
            print(f"{kind.__name__}: the record has no place for it")
    made = 0
    for v, what in proof_number(record):
        made += 1
        ok, run = rejected(v, f"number{made}")
        if not ok:
            failures += 1
            print(f"{what}: status {run.returncode}: {run.stdout}{run.stderr}")
    if made == 0 or total + made < least:
        failures += 1
        print(f"too few variants: at least {least} were expected")
    print(f"{len(KINDS) + 1} kinds of tampering, {total + made} variants, {failures} failures")
    sys.exit(failures != 0)


main()
