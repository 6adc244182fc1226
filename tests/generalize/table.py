#!/usr/bin/env python3
"""docs/generalize.md and docs/repairs.md, from what `rankwright generalize
--json` says of tests/generalize/*.rw and of the rows in tests/wrong.

    table.py wider   RANKWRIGHT > docs/generalize.md
    table.py repairs RANKWRIGHT > docs/repairs.md

Both end with status 1 if less than the least number of rows is there."""
import glob
import json
import re
import subprocess
import sys
import tempfile
import textwrap

LEAST_WIDER = 13
LEAST_REPAIRED = 25


def run(rankwright, *args):
    done = subprocess.run([rankwright, "generalize", "--json", *args],
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"rankwright generalize ended with {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def code(text):
    return f"`{cell(text)}`" if text else ""


def wheres(text):
    return re.findall(r"^  where (.*);$", text, re.M)


def tiny(text):
    """Does a precondition leave only axes of at most one element?"""
    return any(re.fullmatch(r"\w+ (<=|==) [01]", w) for w in wheres(text))


def statement(text):
    """The rule without its doc comment."""
    return "".join(l + "\n" for l in text.splitlines() if not l.startswith("///"))


def wider(rankwright):
    out = ["# Rules made wider", "",
           textwrap.fill(
               "What `rankwright generalize` makes of the rules in tests/generalize, which are stated as narrowly as "
               "the code they come from guards them. Written by `make generalize`; every rule below is proved in "
               "the domains that are named, and all seeds are 1. *Maximal*: no points were found outside of the "
               "preconditions on maps at which the sides agree; else one that was found.", 118), "",
           "| origin | rule | changes | precondition | proved in | maximal |", "|---|---|---|---|---|---|"]
    texts, n, origins = [], 0, set()
    for path in sorted(glob.glob("tests/generalize/*.rw")):
        for r in run(rankwright, path):
            given = open(path, encoding="utf-8").read()
            block = re.search(r"^rule %s \{\n(.*?)^\}\n" % r["rule"], given, re.M | re.S).group(1)
            origin = ", ".join(re.findall(r'"([^"]+)"', block.split("origin", 1)[1].split(";")[0]))
            if r["wider"]:
                n += 1
                origins.add(origin)
            steps, v = [], len(r["variants"]) - 1
            steps = [x["change"].split("; where")[0] for x in r["variants"][1:]]
            maximal = "yes" if r["maximal"] else f"agrees at {code(r['lost'])}"
            where = "; ".join(code(w) for w in wheres(r["text"])) or "none"
            out.append(f"| {cell(origin)} | {r['rule']} | {cell('; '.join(steps)) or 'none'} | {where} | "
                       f"{r['domains']} | {maximal} |")
            if r["wider"]:
                texts.append(statement(r["text"]))
    out += ["", f"{n} rules of {len(origins)} origins became wider.", "", "## The rules", "", "```",
            "\n".join(texts).rstrip(), "```"]
    print("\n".join(out))
    return n >= LEAST_WIDER


def repairs(rankwright):
    out = ["# Repairs of wrong rules", "",
           textwrap.fill(
               "What `rankwright generalize --repair` proposes for the rules of tests/wrong that are rows of the list of "
               "wrong rewrites (their number in that list is the first column). Written by `make repairs`; every "
               "proposal is proved in the domains that are named, its sides differ and its preconditions can be met, "
               "which is part of the proof.", 118), "",
           "| row | rule | repair | change | proved in |", "|---|---|---|---|---|"]
    source = subprocess.run([sys.executable, "tests/generalize/wrong_rows.py"], stdout=subprocess.PIPE, text=True,
                            check=True).stdout
    rows, mended, more, lines, texts = set(), set(), set(), [], []
    with tempfile.NamedTemporaryFile("w", suffix=".rw") as f:
        f.write(source)
        f.flush()
        for r in run(rankwright, "--repair", f.name):
            numbers = sorted(int(m.group(1)) for o in r["origin"] if (m := re.match(r"wrong (\d+)$", o)))
            rows.update(numbers)
            if r["repairs"]:
                mended.update(numbers)
            first = ", ".join(map(str, numbers))
            for p in r["repairs"] or [{"kind": "none found", "change": "", "domains": "", "text": ""}]:
                lines.append((numbers, f"| {first} | {r['rule']} | {p['kind']} | {code(p['change'])} | {p['domains']} |"))
                if p["text"]:
                    if not tiny(p["text"]):
                        more.update(numbers)
                    texts.append((numbers, statement(p["text"])))
    lines.sort(key=lambda x: x[0])
    texts.sort(key=lambda x: x[0])
    out += [l for _, l in lines]
    out += ["", f"{len(mended)} of {len(rows)} rows have a repair; {len(more)} when those are not counted that only "
            "leave axes of at most one element.", "", "## The rules", "", "```",
            "\n".join(t for _, t in texts).rstrip(), "```"]
    print("\n".join(out))
    return len(more) >= LEAST_REPAIRED


if __name__ == "__main__":
    kind, program = sys.argv[1], sys.argv[2]
    sys.exit(0 if {"wider": wider, "repairs": repairs}[kind](program) else 1)
