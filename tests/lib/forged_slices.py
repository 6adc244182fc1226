# Writes records about slices by hand: right ones, and ones that are wrong in a way that no change
# of one place reaches.   forged_slices.py RANKWRIGHT DATABASE FOLDER
import json
import subprocess
import sys

rankwright, database, folder = sys.argv[1:4]
D, S, V = "tensor<?xf32>", "tensor<f32>", "tensor<1xi32>"
SHAPES = """  %%s = stablehlo.custom_call @f() {has_side_effect = false} : () -> %s
  %%t = stablehlo.custom_call @g() {has_side_effect = false} : () -> %s
  %%zero = stablehlo.constant dense<0.0> : %s
  %%x = stablehlo.dynamic_broadcast_in_dim %%zero, %%s, dims = [] : (%s, %s) -> %s
  %%y = stablehlo.dynamic_broadcast_in_dim %%zero, %%t, dims = [] : (%s, %s) -> %s
""" % (V, V, S, S, V, D, S, V, D)
BRANCH = """  %%b = "stablehlo.if"(%%p) ({
    stablehlo.return %%q : %s
  }, {
    %%n = stablehlo.negate %%q : %s
    stablehlo.return %%n : %s
  }) : (tensor<i1>) -> %s
""" % (S, S, S, S)


def program(main, other):
    """@main returns one of %x and %y, and @other besides their sum, which needs equal sizes."""
    return (
        "func.func @main() -> %s {\n%s  return %%%s : %s\n}\n" % (D, SHAPES, main, D)
        + "func.func @other(%%p: tensor<i1>, %%q: %s) -> (%s, %s, %s) {\n%s%s" % (S, D, D, S, SHAPES, BRANCH)
        + "  %%e = stablehlo.add %%x, %%y : %s\n  return %%%s, %%e, %%b : %s, %s, %s\n}\n" % (D, other, D, D, S)
    )


def opaque(type, args, text, **more):
    return dict({"op": "opaque", "type": type, "args": args, "text": text, "results": 1, "serial": 0}, **more)


def laws(function, region):
    """More terms from number 6 on, and lines for each name that say something of them."""
    clamp = "stablehlo.clamp %%{0}, %%{1}, %%{2} : (%s, %s, %s) -> %s" % (S, D, S, D)
    spread = "stablehlo.dynamic_broadcast_in_dim %%{0}, %%{1}, dims = [] : (%s, %s) -> %s" % (S, V, D)
    one, two = [region, 1, 1, 0, 0, 1], [region, 2, 1, 0, 0, 2]
    terms = [
        {"op": "parameter", "type": 1, "attr": [-1 - region, 0]},
        opaque(2, [3, 4, 6], "slices", blocks=two),
        {"op": "clamp", "type": 1, "args": [2, 6, 2]},
        {"op": "clamp", "type": 1, "args": [6, 6, 2]},
        opaque(2, [3, 6], "slices", blocks=one),
        opaque(2, [3, 8], "slices", blocks=one),
        opaque(2, [3, 9], "slices", blocks=one),
        opaque(2, [2, 10, 2], clamp),
        opaque(2, [6, 10, 2], clamp),
        opaque(2, [6, 0], spread),
    ]
    line = {"kind": "slices", "function": function}
    return terms, {
        "operand": [dict(line, a=7, b=3)],
        "bounds": [dict(line, a=11, b=13)],
        "bounds that change": [dict(line, a=12, b=14)],
        "a slice as a constant": [dict(line, a=10, b=15)],
        "chain": [dict(line, a=10, b=3),
                  {"kind": "trans", "a": 10, "b": 5, "parts": [{"line": 3}, {"line": 0, "flip": True}]}],
    }


def status(goal, function, region, operand=3, law=None, by=1):
    """Of the record that makes %y of a function %x, by the sizes of `function`; `law` by those of `by`."""
    spread = "stablehlo.dynamic_broadcast_in_dim %%{0}, %%{1}, dims = [] : (%s, %s) -> %s" % (S, V, D)
    call = "stablehlo.custom_call @%%s() {has_side_effect = false} : () -> %s" % V
    terms = [
        opaque(0, [], call % "f"),
        opaque(0, [], call % "g"),
        {"op": "constant", "type": 1, "data": "00000000"},
        opaque(2, [2, 0], spread),
        opaque(2, [2, 1], spread),
        opaque(2, [operand, 2], "slices", blocks=[region, 1, 1, 0, 0, 1]),
    ]
    line = {"kind": "slices", "a": 5, "function": function}
    more, named = laws(by, region) if law else ([], {})
    root = {"function": goal, "root": 0, "input": 4, "output": 3, "line": 2, "flip": False}
    record = {
        "format": "rankwright proof record", "version": 4, "float": "float", "input_name": "p.mlir",
        "input": program("y", "y"), "output": program("x" if goal == 0 else "y", "x" if goal == 1 else "y"),
        "keep_attributes": "", "regions": [0], "rules": [],
        "types": [{"elem": "i32", "dims": [1]}, {"elem": "f32", "dims": []}, {"other": D}],
        "terms": terms + more,
        "lines": [dict(line, b=3), dict(line, b=4),
                  {"kind": "trans", "a": 4, "b": 3, "parts": [{"line": 1, "flip": True}, {"line": 0}]}]
        + (named[law] if law else []),
        "goals": [root],
    }  # fmt: skip
    with open(folder + "/forged.json", "w") as file:
        json.dump(record, file)
    run = subprocess.run([rankwright, "check", folder + "/forged.json", "--db", database], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def expect(want, why, *what, **more):
    got, said = status(*what, **more)
    assert (got, why in said) == (want, True), (what, more, got, said)


# @other computes the sum, so its %x and %y have one size
expect(0, "", goal=1, function=1, region=1)
expect(0, "", goal=1, function=1, region=1, operand=4)
# they are the same terms in @main, which runs where @other does not
expect(1, "rests on the sizes of another function", goal=0, function=1, region=1)
expect(1, "the slices do not say this", goal=0, function=0, region=1)
# the region of a branch of the input
expect(1, "the number of another", goal=1, function=1, region=0)
# laws, each by itself; the sizes of %x and %y differ in @main
expect(0, "", goal=1, function=1, region=1, law="operand")
expect(1, "line 3 of the record is wrong: the slices do not say this", goal=1, function=1, region=1, law="operand", by=0)
expect(0, "", goal=1, function=1, region=1, law="bounds")
expect(0, "", goal=1, function=1, region=1, law="bounds", by=0)
expect(1, "line 3 of the record is wrong: the slices do not say this", goal=1, function=1, region=1, law="bounds that change")
expect(1, "line 3 of the record is wrong: the slices do not say this", goal=1, function=1, region=1, law="a slice as a constant")
expect(0, "", goal=1, function=1, region=1, law="chain")
expect(1, "line 4 of the record is wrong: it rests on the sizes of two functions", goal=1, function=1, region=1, law="chain", by=0)
