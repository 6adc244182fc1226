# Writes a record by hand in which the slices of one region are computed of the parameter of another
# one, whose operand is infinite: a rule about numbers must not be used on them, in whatever order
# the lines stand.   forged_nested_slices.py RANKWRIGHT DATABASE FOLDER
#
# Of X, made of the parameter p, the record says X - X = 0 by a rule on slices, takes that back to
# known sizes by casts, p - p = 0, and says it of W, which is infinite.
import copy
import json
import subprocess
import sys

rankwright, database, folder = sys.argv[1:4]
DYNAMIC, VECTOR = "tensor<?x4xf32>", "tensor<4xf32>"
SPREAD = "stablehlo.dynamic_broadcast_in_dim %%{0}, %%{1}, dims = [%s] : (%s, tensor<2xi32>) -> " + DYNAMIC
BEFORE = """func.func @main(%x: tensor<?x4xf32>, %v: tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>) {
  %much = stablehlo.constant dense<VALUE> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %s = stablehlo.concatenate %n1, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_broadcast_in_dim %much, %s, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %w = stablehlo.add %x, %i : tensor<?x4xf32>
  %r = stablehlo.subtract %w, %w : tensor<?x4xf32>
  %one = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %y = stablehlo.dynamic_broadcast_in_dim %v, %one, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %t = stablehlo.reshape %y : (tensor<?x4xf32>) -> tensor<4xf32>
  return %r, %t : tensor<?x4xf32>, tensor<4xf32>
}
"""
AFTER = BEFORE.replace("  %w = stablehlo.add %x, %i : tensor<?x4xf32>\n", "").replace(
    "  %r = stablehlo.subtract %w, %w : tensor<?x4xf32>",
    "  %z = stablehlo.constant dense<0.0> : tensor<4xf32>\n  %r = stablehlo.dynamic_broadcast_in_dim %z, %s, dims = [1]"
    " : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>",
)
# Records of these are parts of the one by hand.
DIFFERENCE = """func.func @main(%p: tensor<4xf32>) -> tensor<4xf32> {
  %s = stablehlo.subtract %p, %p : tensor<4xf32>
  return %s : tensor<4xf32>
}
"""
RESHAPED = """func.func @main(%p: tensor<4xf32>, %x : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %p, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %b0 = stablehlo.broadcast_in_dim %z, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %s = stablehlo.subtract %b, %b : tensor<1x4xf32>
  %r = stablehlo.reshape %s : (tensor<1x4xf32>) -> tensor<4xf32>
  %r0 = stablehlo.reshape %b0 : (tensor<1x4xf32>) -> tensor<4xf32>
  return %r, %r0 : tensor<4xf32>, tensor<4xf32>
}
"""
# A rule of the library.
TO_RIGHT = """rule to_right {
  axes x, y;
  map n on x;
  map m on y;
  type T : any, S : any, R : any;
  tensor A[x: n] : T;
  tensor B[y: m] : S;
  op f : elementwise(T, S) -> R;
  reshape(f(reshape(A, [x] -> [y: m]), B), [y] -> [x: n]) => f(A, reshape(B, [y] -> [x: n]));
}
"""


def simplified(text, rules=None):
    with open(folder + "/part.mlir", "w") as file:
        file.write(text)
    command = [rankwright, "simplify", folder + "/part.mlir", "--db", database, "--domain", "real",
               "--proof", folder + "/part.json", "-o", folder + "/part.out"]  # fmt: skip
    if rules:
        with open(folder + "/part.rw", "w") as file:
            file.write(rules)
        command += ["--rules", folder + "/part.rw"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    with open(folder + "/part.json") as file:
        return json.load(file)


class Record:
    def __init__(self):
        self.types, self.terms, self.lines, self.rules = [], [], [], []

    def type(self, type):
        if type not in self.types:
            self.types.append(type)
        return self.types.index(type)

    def term(self, **term):
        if term not in self.terms:
            self.terms.append(term)
        return self.terms.index(term)

    def opaque(self, type, args, text, **more):
        return self.term(op="opaque", type=type, args=args, text=text, results=1, serial=0, **more)

    def line(self, kind, a, b, **more):
        self.lines.append(dict(kind=kind, a=a, b=b, **more))
        return len(self.lines) - 1

    def between(self, a, b):
        """The line that says a = b, as a part of another line."""
        for k, line in enumerate(self.lines):
            if (line["a"], line["b"]) in ((a, b), (b, a)):
                return dict(line=k, flip=True) if line["a"] == b else dict(line=k)
        raise ValueError((a, b))

    def joined(self, *terms):
        parts = [self.between(a, b) for a, b in zip(terms, terms[1:])]
        return self.line("trans", terms[0], terms[-1], parts=parts)

    def congruent(self, a, b, *places):
        """`places`: lines with the argument that they are about."""
        parts = [dict(line=line, arg=arg) for line, arg in places]
        return self.line("cong", a, b, parts=parts)


def forged(value, first):
    """`first`: the law about the operand that may be infinite stands before all others."""
    record = Record()
    wide = record.type({"other": DYNAMIC})
    scalar = record.type({"elem": "f32", "dims": []})
    vector = record.type({"elem": "f32", "dims": [4]})
    row = record.type({"elem": "f32", "dims": [1, 4]})
    sizes = [record.type({"elem": "i32", "dims": dims}) for dims in ([], [1], [2])]

    x = record.term(op="parameter", type=wide, attr=[0, 0])
    v = record.term(op="parameter", type=vector, attr=[0, 1])
    much = record.term(op="constant", type=scalar, data=value)
    n = record.opaque(sizes[0], [x], "stablehlo.get_dimension_size %%{0}, dim = 0 : (%s) -> tensor<i32>" % DYNAMIC)
    n1 = record.term(op="reshape", type=sizes[1], args=[n])
    four = record.term(op="constant", type=sizes[1], data="04000000")
    shape = record.term(op="concatenate", type=sizes[2], args=[n1, four], attr=[0])
    one = record.term(op="constant", type=sizes[2], data="0100000004000000")
    spread = record.opaque(wide, [much, shape], SPREAD % ("", "tensor<f32>"))
    w = record.opaque(wide, [x, spread], "stablehlo.add %%{0}, %%{1} : %s" % DYNAMIC)

    def difference(a):
        return record.opaque(wide, [a, a], "stablehlo.subtract %%{0}, %%{1} : %s" % DYNAMIC)

    def rows(a, shape):
        return record.opaque(wide, [a, shape], SPREAD % ("1", VECTOR))

    def back(a):
        return record.opaque(vector, [a], "stablehlo.reshape %%{0} : (%s) -> %s" % (DYNAMIC, VECTOR))

    def cast(a):
        return record.opaque(wide, [a], "stablehlo.convert %%{0} : (tensor<1x4xf32>) -> %s" % DYNAMIC)

    def slices(operand, inner, region):
        return record.opaque(wide, [operand, inner], "slices", blocks=[region, 1, 1, 0, 0, 1])

    def law(a, b):
        return record.line("slices", a, b, function=0)

    given = back(rows(v, one))
    p, q = (record.term(op="parameter", type=vector, attr=[-1 - r, 0]) for r in (0, 1))
    zero = record.term(op="constant", type=vector, data="00000000")
    p_p, q_q = (record.term(op="subtract", type=vector, args=[a, a]) for a in (p, q))
    inner = rows(p, one)
    if first:
        law(slices(w, p, 0), w)

    # slices of `inner`: inner - inner = 0
    own = law(slices(inner, q, 1), inner)
    law(slices(inner, q_q, 1), difference(slices(inner, q, 1)))
    law(slices(inner, zero, 1), rows(zero, one))
    part = simplified(DIFFERENCE)
    record.rules.append(part["rules"][0])
    rule = copy.deepcopy(part["lines"][0])
    rule.update(a=q_q, b=zero, rule=0)
    rule["instance"]["tensors"]["t0"]["term"] = q
    record.lines.append(rule)
    record.congruent(slices(inner, q_q, 1), slices(inner, zero, 1), (len(record.lines) - 1, 1))
    record.congruent(difference(slices(inner, q, 1)), difference(inner), (own, 0), (own, 1))
    record.joined(difference(inner), difference(slices(inner, q, 1)), slices(inner, q_q, 1),
                  slices(inner, zero, 1), rows(zero, one))  # fmt: skip

    # back to known sizes: p - p = 0
    p_row, zero_row = (record.term(op="broadcast_in_dim", type=row, args=[a], attr=[1]) for a in (p, zero))
    row_row = record.term(op="subtract", type=row, args=[p_row, p_row])
    refined = record.line("refine", inner, cast(p_row))
    record.congruent(difference(inner), difference(cast(p_row)), (refined, 0), (refined, 1))
    record.line("refine", difference(cast(p_row)), cast(row_row))
    record.line("refine", rows(zero, one), cast(zero_row))
    known = record.joined(cast(row_row), difference(cast(p_row)), difference(inner), rows(zero, one), cast(zero_row))
    record.congruent(back(cast(row_row)), back(cast(zero_row)), (known, 0))
    left, right = (record.term(op="reshape", type=vector, args=[a]) for a in (row_row, zero_row))
    record.line("refine", back(cast(row_row)), left)
    record.line("refine", back(cast(zero_row)), right)
    part = simplified(RESHAPED, TO_RIGHT)
    at, lines, rules = {}, len(record.lines), len(record.rules)
    record.rules += part["rules"]
    for k, term in enumerate(part["terms"]):
        term = dict(term, type=record.type(part["types"][term["type"]]))
        if "args" in term:
            term["args"] = [at[a] for a in term["args"]]
        at[k] = p if term["op"] == "parameter" else record.term(**term)
    for line in part["lines"]:
        line = dict(line, a=at[line["a"]], b=at[line["b"]])
        for used in line.get("parts", []):
            used["line"] += lines
        if line["kind"] == "rule":
            line["rule"] += rules
            for tensor in line["instance"]["tensors"].values():
                tensor["term"] = at[tensor["term"]]
        record.lines.append(line)
    same = record.joined(p_p, left, back(cast(row_row)), back(cast(zero_row)), right, zero)

    # slices of w: w - w = 0
    own = law(slices(w, p, 0), w)
    law(slices(w, p_p, 0), difference(slices(w, p, 0)))
    law(slices(w, zero, 0), rows(zero, shape))
    record.congruent(slices(w, p_p, 0), slices(w, zero, 0), (same, 1))
    record.congruent(difference(slices(w, p, 0)), difference(w), (own, 0), (own, 1))
    root = record.joined(difference(w), difference(slices(w, p, 0)), slices(w, p_p, 0),
                         slices(w, zero, 0), rows(zero, shape))  # fmt: skip
    return record, [
        {"function": 0, "root": 0, "input": difference(w), "output": rows(zero, shape), "line": root, "flip": False},
        {"function": 0, "root": 1, "input": given, "output": given},
    ]


def checked(text, value, first):
    record, goals = forged(value, first)
    whole = {
        "format": "rankwright proof record", "version": 4, "float": "real", "input_name": "p.mlir",
        "input": BEFORE.replace("VALUE", text), "output": AFTER.replace("VALUE", text), "regions": [],
        "keep_attributes": "", "rules": record.rules, "types": record.types, "terms": record.terms,
        "lines": record.lines, "goals": goals,
    }  # fmt: skip
    with open(folder + "/nested.json", "w") as file:
        json.dump(whole, file)
    run = subprocess.run([rankwright, "check", folder + "/nested.json", "--db", database], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


for first in (False, True):
    # The steps are right where all numbers are finite,
    got, said = checked("1.0", "0000803f", first)
    assert got == 0, (first, got, said)
    # and refused for an infinity.
    got, said = checked("0x7F800000", "0000807f", first)
    assert (got, "a variable may be infinite or NaN" in said) == (1, True), (first, got, said)
