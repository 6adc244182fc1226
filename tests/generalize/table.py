#!/usr/bin/env python3
"""docs/generalize.md and docs/repairs.md, from what `rankwright generalize
--json` says of tests/generalize/*.rw and of the rows in tests/wrong.

    table.py wider   RANKWRIGHT > docs/generalize.md
    table.py repairs RANKWRIGHT [ANSWERS...] > docs/repairs.md

with files of ANSWERS that `generalize --repair --json` has given before, they
are not asked for again.

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
               "`make generalize` writes this page; do not edit it. The rules in tests/generalize are stated as "
               "narrowly as the code they come from guards them, and the table says what `rankwright generalize` makes "
               "of them. Every rule below is proved in the domains that are named; all seeds are 1. *Maximal* is yes if "
               "the search found no point outside of the preconditions on maps at which the sides agree; otherwise "
               "the column has such a point.", 118), "",
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


def sides(text):
    """Preconditions and sides of a rule, on one line."""
    body = re.sub(r"//[^\n]*", "", text[text.index("{") + 1:])
    said = [" ".join(s.split()) for s in body.split(";")]
    rule = next(s for s in said if "=>" in s and not s.startswith("where"))
    return "; ".join([s for s in said if s.startswith("where")] + [rule])


def in_library(rankwright, texts):
    """What the library has to say of the rules: the same, derived, or nothing."""
    words = {"same": "the same", "same rule": "the same", "derived": "derived"}
    with tempfile.NamedTemporaryFile("w", suffix=".rw") as f:
        f.write("\n".join(texts))
        f.flush()
        done = subprocess.run([rankwright, "derive", "--from", "rules/library", "--goal", f.name, "--json",
                               "--seconds", "5", "--seed", "1"], stdout=subprocess.PIPE, text=True, check=False)
    said = {}
    for line in done.stdout.splitlines():
        r = json.loads(line)
        if r.get("goal") and r.get("status") in words:
            said[r["goal"]] = words[r["status"]]
    return said


def repairs(rankwright, answers):
    out = ["# Repairs of wrong rules", "",
           textwrap.fill(
               "`make repairs` writes this page; do not edit it. The table has the rules of tests/wrong that are rows of "
               "the list of wrong rewrites (the first column is the number in that list), and the first proposal of "
               "`rankwright generalize --repair` for each. Every proposal is proved in the domains that are named, its "
               "sides differ, and an instance with elements was evaluated at which its preconditions hold and both sides "
               "agree (for rules with run-time starts: the prover's model). *Bits* are the cost that ranks proposals: "
               "the changes, and the instances that they leave out. *Library* says whether the first proposal is a rule of "
               "rules/library, or is derived from these rules (at ground instances, within 5 s).", 118), "",
           "| row | wrong rule | repaired rule | what changed | bits | proved in | library |",
           "|---|---|---|---|---|---|---|"]
    source = subprocess.run([sys.executable, "tests/generalize/wrong_rows.py"], stdout=subprocess.PIPE, text=True,
                            check=True).stdout
    given = {m.group(1): m.group(0) for m in re.finditer(r"^rule (\w+) \{\n.*?^\}\n", source, re.M | re.S)}
    if not answers:
        with tempfile.NamedTemporaryFile("w", suffix=".rw") as f:
            f.write(source)
            f.flush()
            answers = run(rankwright, "--repair", f.name)
    firsts = [r["repairs"][0]["text"] for r in answers if r["repairs"]]
    said = in_library(rankwright, firsts)
    rows, mended, more, lines, others = set(), set(), set(), [], []
    for r in answers:
        numbers = sorted(int(m.group(1)) for o in r["origin"] if (m := re.match(r"wrong (\d+)$", o)))
        rows.update(numbers)
        at = ", ".join(map(str, numbers))
        wrong = f"| {at} | {code(sides(given[r['rule']]))} | "
        if not r["repairs"]:
            lines.append((numbers, wrong + f"none found | | | | |"))
            continue
        mended.update(numbers)
        if not all(tiny(p["text"]) for p in r["repairs"]):
            more.update(numbers)
        p = r["repairs"][0]
        name = re.search(r"^rule (\w+)", p["text"], re.M).group(1)
        lines.append((numbers, wrong + f"{code(sides(p['text']))} | {p['kind']}: {code(p['change'])} | {p['cost']:.1f} | "
                      f"{p['domains']} | {said.get(name, '')} |"))
        for p in r["repairs"][1:4]:
            others.append((numbers, f"| {at} | {r['rule']} | {p['kind']}: {code(p['change'])} | {p['cost']:.1f} | "
                           f"{p['domains']} |"))
    lines.sort(key=lambda x: x[0])
    others.sort(key=lambda x: x[0])
    out += [l for _, l in lines]
    out += ["", f"{len(mended)} of {len(rows)} rows have a repair. {len(more)} rows have a repair that leaves more than axes of "
            "at most one element.", "", "## Further proposals", "",
            "For each rule, at most three more proposals.", "", "| row | rule | what changed | bits | proved in |", "|---|---|---|---|---|"]
    out += [l for _, l in others]
    print("\n".join(out))
    return len(more) >= LEAST_REPAIRED


if __name__ == "__main__":
    kind, program = sys.argv[1], sys.argv[2]
    if kind == "repairs":
        saved = [json.loads(line) for path in sys.argv[3:] for line in open(path, encoding="utf-8")]
        sys.exit(0 if repairs(program, saved) else 1)
    sys.exit(0 if wider(program) else 1)
