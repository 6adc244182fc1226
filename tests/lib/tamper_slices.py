# Changes the lines of records that speak of slices, and the terms of these; `rankwright check` must
# refuse all of them.   tamper_slices.py RANKWRIGHT DATABASE FOLDER NAME...
import copy
import json
import random
import subprocess
import sys

rankwright, database, folder = sys.argv[1:4]
tried = accepted = 0


def refused(record, what):
    global tried, accepted
    path = folder + "/changed.json"
    with open(path, "w") as file:
        json.dump(record, file)
    tried += 1
    status = subprocess.run([rankwright, "check", path, "--db", database], capture_output=True, timeout=60).returncode
    if status not in (1, 65):
        accepted += 1
        print("status %d: %s" % (status, what))


def needed(record):
    """The numbers of the lines that a goal rests on."""
    waiting, seen = [goal["line"] for goal in record["goals"] if "line" in goal], set()
    while waiting:
        at = waiting.pop()
        if at not in seen:
            seen.add(at)
            waiting += [part["line"] for part in record["lines"][at].get("parts", [])]
    return seen


def change(name):
    with open("%s/%s.json" % (folder, name)) as file:
        record = json.load(file)
    pick = random.Random(name)
    lines = [i for i, line in enumerate(record["lines"]) if line["kind"] == "slices"]
    assert lines, name
    assert needed(record).issuperset(lines), name

    def line(i, what, **changes):
        changed = copy.deepcopy(record)
        changed["lines"][i].update(changes)
        if changed != record:
            refused(changed, "%s: line %d: %s" % (name, i, what))

    for i in pick.sample(lines, min(len(lines), 3)):
        for end in "ab":
            for term in pick.sample(range(len(record["terms"])), min(len(record["terms"]), 5)):
                line(i, "%s is term %d" % (end, term), **{end: term})
        line(i, "a and b are exchanged", a=record["lines"][i]["b"], b=record["lines"][i]["a"])
        for kind in "fold", "branch", "complex", "cong", "refine", "call":
            line(i, kind, kind=kind)
        for function in 1, 7, -1, 2**31, None:
            line(i, "function %s" % function, function=function)
    for i, term in enumerate(record["terms"]):

        def other(what, **changes):
            changed = copy.deepcopy(record)
            changed["terms"][i].update(changes)
            refused(changed, "%s: term %d: %s" % (name, i, what))

        if term.get("text") == "slices":
            args, blocks = term["args"], term["blocks"]
            other("another text", text="stablehlo.map")
            other("a side effect", serial=1)
            other("two results", results=2)
            other("another region", blocks=[blocks[0] + 1] + blocks[1:])
            other("no operand", args=args[1:])
            other("an operand twice", args=[args[0]] + args)
            for k in range(1, len(blocks)):
                other("block number %d" % k, blocks=blocks[:k] + [blocks[k] + 1] + blocks[k + 1 :])
        elif term["op"] == "parameter" and term["attr"][0] < 0:
            other("another operand", attr=[term["attr"][0], term["attr"][1] + 1])
            other("another region", attr=[term["attr"][0] - 1, term["attr"][1]])
            other("a parameter of the function", attr=[0, 0])
        elif term["op"] == "opaque":
            for old, new in (("negate", "sine"), ("multiply", "add"), ("add", "multiply"), ("subtract", "add"), ("?x4", "4x?"),
                             ("xor", "and"), ("GT", "GE"), ("LT", "LE"), ("dims = [1]", "dims = [0]"), ("dims = []", "dims = [1]"),
                             ("select", "clamp"), ("[0, 2, 1]", "[0, 1, 2]"),
                             ("maximum", "minimum"), ("dimensions = [1]", "dimensions = [2]"), ("x [2]", "x [1]"), ("dim = 2", "dim = 1"), ("is_finite", "negate"), ("erf", "tan"), ("convert", "negate")):
                if old in term["text"]:
                    other("%s in place of %s" % (new, old), text=term["text"].replace(old, new))


for name in sys.argv[4:]:
    change(name)
print("%d changed records, %d accepted" % (tried, accepted))
assert tried > 200, tried
sys.exit(accepted > 0)
