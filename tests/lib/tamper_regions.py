# Changes records of programs with regions in many ways; `rankwright check` must refuse all of
# them.   tamper_regions.py RANKWRIGHT DATABASE FOLDER NAME...
import copy
import json
import re
import subprocess
import sys

rankwright, database, folder = sys.argv[1:4]
accepted = tried = 0


def refused(record, what):
    global accepted, tried
    path = folder + "/changed.json"
    with open(path, "w") as file:
        json.dump(record, file)
    tried += 1
    status = subprocess.run(
        [rankwright, "check", path, "--db", database], capture_output=True, timeout=60
    ).returncode
    if status not in (1, 65):
        accepted += 1
        print("status %d: %s" % (status, what))


def with_output(record, lines, what):
    changed = copy.deepcopy(record)
    changed["output"] = "\n".join(lines)
    if changed["output"] != record["output"]:
        refused(changed, what)


def change_text(record):
    lines = record["output"].split("\n")
    effects = [i for i, line in enumerate(lines) if "has_side_effect = true" in line]
    for i in effects:
        without = lines[:i] + lines[i + 1 :]
        if " = stablehlo.custom_call" not in lines[i]:
            with_output(record, without, "an effect is gone")
            with_output(record, lines[:i] + [lines[i]] + lines[i:], "an effect stands twice")
            with_output(record, without[:1] + [lines[i]] + without[1:], "an effect leaves its loop")
        with_output(
            record,
            lines[:i] + [re.sub(r"@\w+", "@other", lines[i])] + lines[i + 1 :],
            "an effect of another name",
        )
        with_output(
            record,
            lines[:i] + [lines[i].replace("true", "false")] + lines[i + 1 :],
            "an effect is called none",
        )
    if len(effects) > 1:
        a, b = effects[:2]
        changed = list(lines)
        changed[a], changed[b] = re.sub(r"@\w+", "@second", lines[a]), re.sub(
            r"@\w+", "@first", lines[b]
        )
        with_output(record, changed, "effects in another order")
    for old, new in (
        (" LT,", " LE,"),
        (" LT,", " GT,"),
        ("stablehlo.add", "stablehlo.subtract"),
        ("stablehlo.add", "stablehlo.maximum"),
        ("stablehlo.subtract", "stablehlo.add"),
        ("stablehlo.multiply", "stablehlo.add"),
        ("dense<1>", "dense<2>"),
        ("dense<0>", "dense<1>"),
        ("dense<3>", "dense<4>"),
        ("unique_indices = false", "unique_indices = true"),
        ("(%n)", "(%m)"),
    ):
        for i, line in enumerate(lines):
            if old in line:
                what = "%s in place of %s" % (new, old)
                with_output(record, lines[:i] + [line.replace(old, new)] + lines[i + 1 :], what)
    for i, line in enumerate(lines):
        match = re.match(r"(\s*\S*return )(%\S+), (%\S+)( : .*)", line)
        if match and len(set(match.group(4)[3:].split(", "))) == 1:
            start, x, y, types = match.groups()
            with_output(
                record,
                lines[:i] + [start + y + ", " + x + types] + lines[i + 1 :],
                "returned values in another order",
            )
        # A value of the same type in place of the one that a block returns.
        match = re.match(r"(\s*stablehlo\.return )(%\w+)( : tensor<\w+>)$", line)
        if match and " = " in lines[i - 1]:
            operand = re.search(r"(?<== )[^%]*(%\w+)", lines[i - 1])
            if operand and lines[i - 1].endswith(match.group(3)):
                with_output(
                    record,
                    lines[:i] + [match.group(1) + operand.group(1) + match.group(3)] + lines[i + 1 :],
                    "a block returns an operand",
                )
    for i, line in enumerate(lines):
        if line.strip() != "}, {":
            continue
        indent = len(line) - len(line.lstrip())
        deeper = lambda k: len(lines[k]) - len(lines[k].lstrip()) > indent
        start, end = i - 1, i + 1
        while deeper(start):
            start -= 1
        while deeper(end):
            end += 1
        with_output(
            record,
            lines[: start + 1] + lines[i + 1 : end] + [line] + lines[start + 1 : i] + lines[end:],
            "the branches are exchanged",
        )


def change_regions(record):
    regions = record["regions"]

    def refused_with(new, what):
        if new != regions:
            refused(dict(record, regions=new), what)

    for k in range(len(regions)):
        rest = regions[:k] + regions[k + 1 :]
        refused_with(rest, "a region less")
        refused_with(regions[:k] + [None] + regions[k + 1 :], "a region is a reducer")
        refused_with(regions[:k] + [77] + regions[k + 1 :], "a region of no number")
        refused_with(regions[:k] + [2**31] + regions[k + 1 :], "a great number")
        refused_with(regions[:k] + [-1] + regions[k + 1 :], "a negative number")
        refused_with(regions[:k] + ["0"] + regions[k + 1 :], "a text")
        refused_with(regions[:k] + [0] + regions[k:], "a region more")
        for j in range(k):
            both = list(regions)
            both[j], both[k] = both[k], both[j]
            refused_with(both, "two regions are exchanged")
            refused_with(regions[:k] + [regions[j]] + regions[k + 1 :], "two regions are one")


def change_terms(record):
    def refused_with(k, key, value, what):
        changed = copy.deepcopy(record)
        changed["terms"][k][key] = value
        if value != record["terms"][k].get(key):
            refused(changed, "%s of term %d" % (what, k))

    for k, term in enumerate(record["terms"]):
        if term["op"] == "parameter":
            owner, number = term["attr"]
            refused_with(k, "attr", [owner - 1, number], "another region")
            refused_with(k, "attr", [owner, number + 1], "another parameter")
        if term["op"] != "opaque":
            continue
        refused_with(k, "serial", term["serial"] + 1, "another side effect")
        refused_with(k, "serial", 0 if term["serial"] else 9, "a side effect or none")
        refused_with(k, "results", term["results"] + 1, "another number of results")
        refused_with(k, "text", term["text"].replace("%{:0}", ""), "a block less")
        refused_with(k, "text", term["text"] + " ", "another template")
        refused_with(k, "type", (term["type"] + 1) % len(record["types"]), "another type")
        args = term.get("args", [])
        refused_with(k, "args", args[:-1], "an argument less")
        refused_with(k, "args", args[::-1], "arguments in another order")
        blocks = term.get("blocks", [])
        for i in range(len(blocks)):
            for step in (-1, 1, 2**32):
                changed = blocks[:i] + [blocks[i] + step] + blocks[i + 1 :]
                refused_with(k, "blocks", changed, "number %d of the blocks" % i)
        if blocks:
            refused_with(k, "blocks", blocks[:-1], "the blocks' last number")
        for i in range(1, len(blocks), 5):
            if blocks[i + 2] > 0:
                changed = list(blocks)
                changed[i + 1], changed[i + 2] = blocks[i + 1] + 1, blocks[i + 2] - 1
                refused_with(k, "blocks", changed, "an effect is returned")


# Lines about calls, loops and branches.
def change_structure(record):
    n = len(record["terms"])
    for k, line in enumerate(record["lines"]):
        if line["kind"] not in ("call", "carried", "twin", "branch"):
            continue
        for key, values in (
            ("kind", ("call", "carried", "twin", "branch", "fold", "layout", "trans", "rule")),
            ("a", ((line["a"] + 1) % n, (line["a"] + n - 1) % n, 0)),
            ("b", ((line["b"] + 1) % n, (line["b"] + n - 1) % n, 0)),
            ("first_region", (0, line.get("first_region", 0) + 1, 2**31, -1, "0")),
            ("loop", (0, (line.get("loop", 0) + 1) % n, (line.get("loop", 0) + n - 1) % n)),
            ("index", (line.get("index", 0) + 1, -1, 2**32)),
        ):
            if key not in line:
                continue
            for value in values:
                if value == line[key]:
                    continue
                changed = copy.deepcopy(record)
                changed["lines"][k][key] = value
                harmless = key == "first_region" and fresh(record, line, value)
                if not harmless:
                    refused(changed, "%s of line %d (%s)" % (key, k, line["kind"]))


# Says of any two values of a loop that they are equal at every step, if the record does not.
def change_twins(record):
    known = {}

    def first(term):
        return term if term not in known else first(known[term])

    for line in record["lines"]:
        if line["kind"] == "twin" and first(line["a"]) != first(line["b"]):
            known[first(line["a"])] = first(line["b"])
    for loop, term in enumerate(record["terms"]):
        if not term.get("text", "").startswith("stablehlo.while"):
            continue
        owner = -1 - term["blocks"][0]
        values = [
            k
            for k, value in enumerate(record["terms"])
            if (value["op"] == "parameter" and value["attr"][0] == owner)
            or (value["op"] == "result" and value["args"] == [loop])
        ]
        for b in values:
            for a in values:
                if a < b and first(a) != first(b):
                    line = {"kind": "twin", "loop": loop, "a": a, "b": b}
                    refused(dict(record, lines=record["lines"] + [line]), "twins %d, %d" % (a, b))


# A copy of a function without regions has no use for their numbers; one with regions may have any
# that nothing else has, but then its terms have others.
def fresh(record, line, value):
    has_regions = any(t["op"] == "opaque" and "blocks" in t for t in record["terms"])
    return isinstance(value, int) and 0 <= value < 2**31 and (
        not has_regions or not regions_of(record, line["b"]))


def regions_of(record, term, seen=None):
    seen = set() if seen is None else seen
    if term in seen:
        return set()
    seen.add(term)
    one = record["terms"][term]
    found = {one["blocks"][0]} if "blocks" in one else set()
    for arg in one.get("args", []):
        found |= regions_of(record, arg, seen)
    return found


def change_proof(record):
    for key in ("goals", "lines"):
        for k, one in enumerate(record[key]):
            if one.get("input", 0) != one.get("output", 1):
                rest = record[key][:k] + record[key][k + 1 :]
                refused(dict(record, **{key: rest}), key + ": one less")
    for k, line in enumerate(record["lines"]):
        for p in range(len(line.get("parts", []))):
            changed = copy.deepcopy(record)
            del changed["lines"][k]["parts"][p]
            refused(changed, "a part less")
            changed = copy.deepcopy(record)
            changed["lines"][k]["parts"][p]["flip"] = not line["parts"][p].get("flip", False)
            refused(changed, "a part backward")


for name in sys.argv[4:]:
    with open("%s/%s.json" % (folder, name)) as file:
        record = json.load(file)
    change_text(record)
    change_regions(record)
    change_terms(record)
    change_proof(record)
    change_structure(record)
    change_twins(record)
print("%d changes, %d accepted" % (tried, accepted))
sys.exit(accepted != 0 or tried < 100)
