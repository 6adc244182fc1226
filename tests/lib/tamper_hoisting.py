# Changes records of hoisting, calls and equal values of loops, each in a way of its own that
# would be wrong; `rankwright check` must refuse all of them.
#   tamper_hoisting.py RANKWRIGHT DATABASE FOLDER
# FOLDER has the records of tests/programs/regions/{hoisted,calls,counters,handed_over}.mlir.
import copy
import json
import subprocess
import sys

rankwright, database, folder = sys.argv[1:4]
RECORDS = {}
for name in ("hoisted", "calls", "counters", "handed_over"):
    with open("%s/%s.json" % (folder, name)) as file:
        RECORDS[name] = json.load(file)

# What is wrong, the record, and texts of its output in place of others, one after the other.
F = " : tensor<8xf32>"
TELL = "    stablehlo.custom_call @tell(%e2) {has_side_effect = true} : (tensor<8xf32>) -> ()\n"
INNER = "    %inner:3 = stablehlo.while("
T, E2 = "    %t = stablehlo.multiply %a, %s" + F + "\n", "    %e2 = stablehlo.exponential %t" + F + "\n"
J2, I2 = "      %j2 = stablehlo.add", "    %i2 = stablehlo.add"
TEXTS = [
    ("a hoisted value is that of another argument", "hoisted", ("sine %x", "sine %y")),
    ("a hoisted value is that of another operator", "hoisted", ("sine %x", "tanh %x")),
    ("a value hoisted out of two loops skips a step", "hoisted", ("cosine %s", "cosine %x")),
    ("a value hoisted out of one loop is that of the outer one's state", "hoisted",
     ("exponential %t", "exponential %a")),
    ("a value hoisted out of one loop is that of the start", "hoisted",
     (T, T.replace("%a, %s", "%x, %s"))),
    ("the state of a loop in place of a hoisted value", "hoisted",
     ("subtract %v, %c", "subtract %v, %v")),
    ("a hoisted value in place of the state", "hoisted", ("subtract %v, %c", "subtract %c, %c")),
    ("the values hoisted out of one loop and of two are exchanged", "hoisted",
     ("add %u, %e2", "add %u, %c"), ("subtract %v, %c", "subtract %v, %e2")),
    ("a value that changes is hoisted out of all loops", "hoisted",
     ("  %outer:3", "  %e9 = stablehlo.exponential %x" + F + "\n  %outer:3"),
     ("add %u, %e2", "add %u, %e9")),
    ("an inner loop begins with a hoisted value", "hoisted", ("%u = %t,", "%u = %s,")),
    ("an inner loop begins with the outer one's start", "hoisted", ("%v = %b)", "%v = %y)")),
    ("an inner loop begins with the other state", "hoisted", ("%u = %t, %v = %b", "%u = %b, %v = %t")),
    ("an inner loop is left out", "hoisted", ("%i2, %inner#1, %inner#2", "%i2, %t, %inner#2")),
    ("an inner loop's results are exchanged", "hoisted",
     ("%inner#1, %inner#2", "%inner#2, %inner#1")),
    ("an outer loop is left out", "hoisted", ("return %outer#1,", "return %x,")),
    ("an outer loop's results are exchanged", "hoisted",
     ("return %outer#1, %outer#2", "return %outer#2, %outer#1")),
    ("an inner condition asks the outer counter", "hoisted", ("LT, %j, %m", "LT, %i, %m")),
    ("an inner condition has the outer bound", "hoisted", ("LT, %j, %m", "LT, %j, %n")),
    ("an outer condition has the inner bound", "hoisted", ("LT, %i, %n", "LT, %i, %m")),
    ("an inner counter is the outer one's next", "hoisted", (J2 + " %j", J2 + " %i")),
    ("an inner counter begins with the outer one", "hoisted", ("%j = %zero", "%j = %i")),
    ("a hoisted bound of an outer counter", "hoisted", (I2 + " %i", I2 + " %n")),
    ("an effect goes into the inner loop", "hoisted", (TELL, ""), (J2, "  " + TELL + J2)),
    ("an effect goes in front of its loop", "hoisted", (TELL, ""),
     ("  %outer:3", TELL.replace("%e2", "%s") + "  %outer:3")),
    ("an effect goes behind its loop", "hoisted", (TELL, ""),
     ("  %chosen", TELL.replace("%e2", "%outer#1") + "  %chosen")),
    ("an effect goes into a branch", "hoisted", (TELL, ""),
     ("    %l2 =", TELL.replace("%e2", "%s") + "    %l2 =")),
    ("an effect is told a hoisted value", "hoisted", (TELL, TELL.replace("%e2", "%s"))),
    ("an effect is told the state of the loop", "hoisted", (TELL, TELL.replace("%e2", "%inner#1"))),
    ("what branches share is the other branch's value", "hoisted", ("tanh %s", "tanh %x")),
    ("a branch returns what it shares with the other", "hoisted",
     ("return %l2", "return %s")),
    ("a branch is hoisted over its condition", "hoisted",
     ("return %outer#1, %outer#2, %chosen", "return %outer#1, %outer#2, %s")),
    ("a call is left out", "calls", ("call @loop(%l#0, %two)", "call @loop(%r, %two)")),
    ("a call gets another operand", "calls", ("call @loop(%r,", "call @loop(%x,")),
    ("a copied function loses an operation", "calls",
     ("%r = stablehlo.maximum %x, %cst", "%r = stablehlo.maximum %x, %x")),
    ("a result of a call is that of the other call", "calls",
     ("return %l#0, %l2#0", "return %l2#0, %l2#0")),
    ("a value handed on is another constant", "calls", ("%l2#0, %two, %c", "%l2#0, %n, %c")),
    ("a branch that the caller decides is the other one", "calls", ("cosine %x", "sine %x")),
    ("a loop that never runs runs once", "calls",
     ("    return %l#0, %l2#0, %two, %c",
      "    %d = stablehlo.tan %c : tensor<4x4xf32>\n    return %l#0, %l2#0, %two, %d")),
    ("a function returns another result", "calls", ("return %w#1, %n", "return %x, %n")),
    ("a function that is called is gone", "calls", ("@loop(%x:", "@loop2(%x:")),
    ("an equal value of a loop is one of another step", "counters",
     ("return %2, %8, %2, %8, %2, %step", "return %2, %8, %i, %8, %2, %step")),
    ("an equal result is one of another start", "counters",
     ("return %0#0, %0#1, %0#0, %0#1, %0#0", "return %0#0, %0#1, %0#5, %0#1, %0#0")),
    ("a value that takes another step is taken for equal", "counters",
     ("stablehlo.return %2, %3, %4, %i, %j", "stablehlo.return %2, %2, %4, %i, %j")),
    ("a value that begins elsewhere is taken for equal", "counters",
     ("stablehlo.return %2, %3, %4, %i, %j", "stablehlo.return %2, %3, %2, %i, %j")),
    ("a value that is a step behind is taken for equal", "counters",
     ("stablehlo.return %2, %3, %4, %i, %j", "stablehlo.return %2, %3, %4, %j, %j")),
    ("what an effect gives is what another one gives", "counters",
     ("stablehlo.return %2, %3, %4 :", "stablehlo.return %2, %3, %3 :")),
]


def lines_of(record, kind):
    return [k for k, line in enumerate(record["lines"]) if line["kind"] == kind]


def with_line(record, k, **values):
    changed = copy.deepcopy(record)
    changed["lines"][k].update(values)
    return changed


def call_lines(calls):
    """Wrong lines about calls, loops that hand values on, and branches."""
    at = lines_of(calls, "call")
    line = calls["lines"]
    with_regions = [k for k in at if k > 0 and line[k]["first_region"] != line[at[0]]["first_region"]]
    yield "two copies have the same regions", with_line(
        calls, with_regions[1], first_region=line[with_regions[0]]["first_region"])
    yield "a copy has the regions of the program", with_line(calls, with_regions[0], first_region=0)
    yield "a call is the copy of another one", with_line(calls, at[0], b=line[at[1]]["b"])
    yield "two calls are one", with_line(calls, at[0], a=line[at[-1]]["a"])
    for k in lines_of(calls, "carried")[:1]:
        yield "a value that the loop changes is handed on", with_line(calls, k, index=1)
        yield "a counter is handed on", with_line(calls, k, index=0)
        yield "the loop of another function hands it on", with_line(
            calls, k, loop=line[lines_of(calls, "carried")[1]]["loop"])
        yield "a value is handed on as the start of another", with_line(calls, k, b=line[at[0]]["a"])
        yield "what is handed on is a branch", with_line(calls, k, kind="branch")
    for k in lines_of(calls, "branch")[:1]:
        other = lines_of(calls, "branch")[1]
        yield "a branch is that of another operation", with_line(calls, k, a=line[other]["a"])
        yield "a branch is a value of another operation", with_line(calls, k, b=line[other]["b"])


def twin_lines(counters):
    """Wrong lines about equal values of loops."""
    line = counters["lines"]
    twins = lines_of(counters, "twin")
    loops = [k for k, t in enumerate(counters["terms"])
             if t.get("text", "").startswith("stablehlo.while")]
    inside, outside = line[twins[0]], line[twins[-1]]
    yield "twins of another loop", with_line(counters, twins[0], loop=loops[-1])
    yield "twins of no loop", with_line(counters, twins[0], loop=line[twins[0]]["a"])
    yield "twins inside and outside of a loop", with_line(counters, twins[0], b=outside["b"])
    yield "twins of two types", with_line(counters, twins[0], a=line[twins[1]]["a"])
    yield "a twin is the step", with_line(
        counters, twins[0], a=line[lines_of(counters, "carried")[0]]["a"], b=inside["b"])
    yield "twins are handed on", with_line(counters, twins[0], kind="carried", index=2)


def handed_over_lines(record):
    """Values that change places in a loop, but do not begin alike."""
    loop = next(k for k, term in enumerate(record["terms"])
                if term.get("text", "").startswith("stablehlo.while"))
    negated = next(k for k, term in enumerate(record["terms"]) if term["op"] == "negate")
    changed = copy.deepcopy(record)
    changed["input"] = record["input"].replace("%b = %x)", "%b = %w)")
    changed["terms"][loop]["args"][2] = negated
    if changed["input"] == record["input"] or not lines_of(record, "carried"):
        sys.exit("nothing is handed over")
    yield "what another value begins with is handed over", changed
    second = [k for k in lines_of(record, "carried") if record["lines"][k]["index"] == 2]
    changed = copy.deepcopy(changed)
    for k in second:
        changed["lines"][k]["b"] = negated
    yield "values that begin differently change places", changed


def goals(record):
    """Wrong ends of a proof."""
    with_lines = [k for k, goal in enumerate(record["goals"]) if "line" in goal]
    first, second = with_lines[:2]
    changed = copy.deepcopy(record)
    changed["goals"][first]["line"] = record["goals"][second]["line"]
    yield "a result is proved by another one's line", changed
    changed = copy.deepcopy(record)
    changed["goals"][first]["function"] += 1
    yield "a result is that of another function", changed
    changed = copy.deepcopy(record)
    changed["goals"][first]["root"] = record["goals"][second]["root"]
    yield "a result is proved twice, another one not", changed


def kinds():
    for what, name, *changes in TEXTS:
        changed = copy.deepcopy(RECORDS[name])
        for old, new in changes:
            if old not in changed["output"]:
                sys.exit("%s: the output of %s has no %r" % (what, name, old))
            changed["output"] = changed["output"].replace(old, new)
        yield what, changed
    yield from call_lines(RECORDS["calls"])
    yield from twin_lines(RECORDS["counters"])
    yield from handed_over_lines(RECORDS["handed_over"])
    yield from goals(RECORDS["calls"])


def main():
    accepted = tried = 0
    path = folder + "/changed.json"
    for what, record in kinds():
        with open(path, "w") as file:
            json.dump(record, file)
        done = subprocess.run([rankwright, "check", path, "--db", database], capture_output=True,
                              text=True, timeout=600)
        tried += 1
        if done.returncode != 1:
            accepted += 1
            print("status %d: %s\n%s%s" % (done.returncode, what, done.stdout[:300], done.stderr[:300]))
    print("%d kinds, %d not refused" % (tried, accepted))
    return int(accepted > 0)


if __name__ == "__main__":
    sys.exit(main())
