"""Tampers with a proof record in many ways; every variant must be rejected.

tamper.py RANKWRIGHT DATABASE RECORD WORK: for each kind of tampering, writes
every variant that it can make (at most a few) into WORK and runs `check`.
Status 1 with a reason is right; 0 or a crash is a failure.  `explain` must say the
same before it shows anything.  A kind for which
the record offers no place is a failure too.
"""
import copy
import json
import subprocess
import sys

LIMIT = 4  # variants of one kind


def lines(record, kind):
    return [i for i, l in enumerate(record["lines"]) if l["kind"] == kind]


def variant(record):
    return copy.deepcopy(record)


def other_rule(r):
    for i in lines(r, "rule"):
        for k in range(len(r["rules"])):
            if k != r["lines"][i]["rule"]:
                v = variant(r)
                v["lines"][i]["rule"] = k
                yield v
                break


def rule_text(r):
    for k, rule in enumerate(r["rules"]):
        text = rule["text"]
        for old, new in (("reverse", "relabel_"), (" + ", " - "), ("min(", "max("), ("start", "limit"), ("=>", "==>")):
            if old in text:
                v = variant(r)
                v["rules"][k]["text"] = text.replace(old, new, 1)
                yield v


def rule_hash(r):
    for k in range(len(r["rules"])):
        v = variant(r)
        h = v["rules"][k]["hash"]
        v["rules"][k]["hash"] = ("0" if h[0] != "0" else "1") + h[1:]
        yield v


def place_a(r):
    for i in lines(r, "rule"):
        v = variant(r)
        v["lines"][i]["a"] = (v["lines"][i]["a"] + 1) % len(v["terms"])
        yield v


def place_b(r):
    for i in lines(r, "rule"):
        v = variant(r)
        v["lines"][i]["b"] = (v["lines"][i]["b"] + 1) % len(v["terms"])
        yield v


def direction(r):
    for i in lines(r, "rule"):
        v = variant(r)
        v["lines"][i]["backward"] = not v["lines"][i]["backward"]
        yield v


def attribute(r):
    for i, t in enumerate(r["terms"]):
        if t.get("attr") and t["op"] in ("slice", "pad", "broadcast_in_dim", "transpose", "iota", "compare"):
            v = variant(r)
            v["terms"][i]["attr"][0] += 1
            yield v


def operation(r):
    for i, t in enumerate(r["terms"]):
        if t["op"] in ("add", "multiply", "subtract", "maximum"):
            v = variant(r)
            v["terms"][i]["op"] = "divide"
            yield v


def operand(r):
    for i, t in enumerate(r["terms"]):
        if len(t.get("args", [])) >= 2 and t["args"][0] != t["args"][1]:
            v = variant(r)
            v["terms"][i]["args"] = t["args"][::-1]
            yield v


def constant_data(r):
    for i, t in enumerate(r["terms"]):
        if t["op"] == "constant" and t["data"]:
            v = variant(r)
            d = t["data"]
            v["terms"][i]["data"] = ("1" if d[0] != "1" else "2") + d[1:]
            yield v


def dropped_line(r):
    for i in range(len(r["lines"])):
        v = variant(r)
        del v["lines"][i]
        yield v


def emptied_step(r):
    for kind in ("cong", "trans"):
        for i in lines(r, kind):
            v = variant(r)
            v["lines"][i]["parts"] = v["lines"][i]["parts"][1:]
            yield v


def part_direction(r):
    for kind in ("trans", "cong"):
        for i in lines(r, kind):
            v = variant(r)
            p = v["lines"][i]["parts"][0]
            p["flip"] = not p.get("flip", False)
            yield v


def later_line(r):
    for kind in ("cong", "trans"):
        for i in lines(r, kind):
            v = variant(r)
            v["lines"][i]["parts"][0]["line"] = i
            yield v


def precondition_value(r):
    for i in lines(r, "rule"):
        if "true" in r["lines"][i]["where"]:
            v = variant(r)
            v["lines"][i]["where"] = v["lines"][i]["where"].replace("true", "false", 1)
            yield v


def map_value(r):
    for i in lines(r, "rule"):
        maps = r["lines"][i]["instance"]["maps"]
        for name, values in maps.items():
            if values:
                v = variant(r)
                v["lines"][i]["instance"]["maps"][name][0] += 1
                yield v
                break


def element_type(r):
    for i in lines(r, "rule"):
        types = r["lines"][i]["instance"]["types"]
        if types:
            v = variant(r)
            v["lines"][i]["instance"]["types"][0] = "i8" if types[0] != "i8" else "f64"
            yield v


def axis_class(r):
    for i in lines(r, "rule"):
        classes = r["lines"][i]["instance"]["classes"]
        full = [c for c in classes if classes[c]]
        if full:
            v = variant(r)
            v["lines"][i]["instance"]["classes"][full[0]] = []
            yield v


def axis_order(r):
    for i in lines(r, "rule"):
        for t, binding in r["lines"][i]["instance"]["tensors"].items():
            if len(binding["order"]) >= 2:
                v = variant(r)
                v["lines"][i]["instance"]["tensors"][t]["order"].reverse()
                yield v
                break


def substitution(r):
    for i in lines(r, "rule"):
        for t, binding in r["lines"][i]["instance"]["tensors"].items():
            v = variant(r)
            v["lines"][i]["instance"]["tensors"][t]["term"] = (binding["term"] + 1) % len(r["terms"])
            yield v
            break


def node_place(r):
    for i in lines(r, "rule"):
        for k, p in enumerate(r["lines"][i]["instance"]["places"]):
            if len(p["out"]) >= 2:
                v = variant(r)
                v["lines"][i]["instance"]["places"][k]["out"].reverse()
                yield v
                break


def indexed(r):
    """Rule lines with run-time starts: line, name of the index, its terms."""
    for i in lines(r, "rule"):
        for name, terms in r["lines"][i]["instance"].get("indices", {}).items():
            if terms:
                yield i, name, terms


def index_term(r):
    for i, name, terms in indexed(r):
        for other in range(len(r["terms"])):
            if other != terms[0] and r["terms"][other]["type"] == r["terms"][terms[0]]["type"]:
                v = variant(r)
                v["lines"][i]["instance"]["indices"][name][0] = other
                yield v


def index_exchange(r):
    for i, name, terms in indexed(r):
        if len(set(terms)) > 1:
            v = variant(r)
            v["lines"][i]["instance"]["indices"][name] = terms[::-1]
            yield v


def index_dropped(r):
    for i, name, terms in indexed(r):
        v = variant(r)
        v["lines"][i]["instance"]["indices"][name] = terms[1:]
        yield v
        v = variant(r)
        del v["lines"][i]["instance"]["indices"]
        yield v


def index_type(r):
    for i, _, _ in indexed(r):
        for t in ("i64", "ui32", "i8", "f32", "i1"):
            v = variant(r)
            v["lines"][i]["instance"]["index_type"] = t
            yield v


def reducer(r):
    for i, t in enumerate(r["terms"]):
        if t["op"] in ("reduce", "reduce_window", "scatter"):
            for other in ("maximum", "subtract", "replace"):
                v = variant(r)
                v["terms"][i]["attr"][0] = other
                yield v


MANY = ("dot_general", "convolution", "reduce_window", "dynamic_slice", "gather", "scatter", "reduce")


def many_attributes(r):
    for i, t in enumerate(r["terms"]):
        if t["op"] in MANY:
            for k, x in enumerate(t["attr"]):
                if isinstance(x, int):
                    v = variant(r)
                    v["terms"][i]["attr"][k] += 1
                    yield v


def rules_about(r, *words):
    for i in lines(r, "rule"):
        text = r["rules"][r["lines"][i]["rule"]]["text"]
        if any(w in text for w in words):
            yield i


def operand_place(r):
    for i in rules_about(r, "dot(", "conv(", "reduce_window(", "dynamic_", "gather(", "scatter(", "reshape("):
        for k, p in enumerate(r["lines"][i]["instance"]["places"]):
            for j, order in enumerate(p["in"]):
                if len(order) >= 2:
                    v = variant(r)
                    v["lines"][i]["instance"]["places"][k]["in"][j].reverse()
                    yield v


def block_axes(r):
    for i in rules_about(r, "reshape("):
        for c, axes in r["lines"][i]["instance"]["classes"].items():
            if len(axes) >= 2:
                v = variant(r)
                v["lines"][i]["instance"]["classes"][c].reverse()
                yield v


def joint_size(r):
    for i in rules_about(r, "reshape(", "conv(", "gather("):
        for name, values in r["lines"][i]["instance"]["maps"].items():
            for k in range(len(values)):
                v = variant(r)
                v["lines"][i]["instance"]["maps"][name][k] *= 2
                v["lines"][i]["instance"]["maps"][name][k] += values[k] == 0
                yield v
            if len(set(values)) == 2:  # the product stays
                v = variant(r)
                v["lines"][i]["instance"]["maps"][name].reverse()
                yield v


def fold_result(r):
    for i in lines(r, "fold"):
        for k, t in enumerate(r["terms"]):
            if t["op"] == "constant" and k != r["lines"][i]["b"] and t["type"] == r["terms"][r["lines"][i]["b"]]["type"]:
                v = variant(r)
                v["lines"][i]["b"] = k
                yield v
                break


def law(r):
    for i in lines(r, "layout"):
        v = variant(r)
        v["lines"][i]["law"] = "compose" if r["lines"][i]["law"] != "compose" else "fuse"
        yield v


def goal_dropped(r):
    for i, g in enumerate(r["goals"]):
        if "line" in g:
            v = variant(r)
            del v["goals"][i]
            yield v


def goal_line(r):
    for i, g in enumerate(r["goals"]):
        if "line" in g and g["line"] > 0:
            v = variant(r)
            v["goals"][i]["line"] -= 1
            yield v


def goal_output(r):
    for i, g in enumerate(r["goals"]):
        v = variant(r)
        v["goals"][i]["output"] = (g["output"] + 1) % len(r["terms"])
        yield v


def goal_twice(r):
    v = variant(r)
    v["goals"].append(dict(v["goals"][0]))
    yield v
    v = variant(r)
    v["goals"].append(dict(v["goals"][0], function=99))
    yield v


def output_text(r):
    text = r["output"]
    for old, new in (("stablehlo.add", "stablehlo.subtract"), ("stablehlo.multiply", "stablehlo.add"), ("stablehlo.maximum", "stablehlo.minimum"), ("compare LT", "compare LE")):
        if old in text:
            v = variant(r)
            v["output"] = text.replace(old, new, 1)
            yield v


def input_text(r):
    text = r["input"]
    for old, new in (("stablehlo.add", "stablehlo.subtract"), ("stablehlo.multiply", "stablehlo.add"), ("stablehlo.maximum", "stablehlo.minimum")):
        if old in text:
            v = variant(r)
            v["input"] = text.replace(old, new, 1)
            yield v


def number_mode(r):
    if r["float"] == "real":
        v = variant(r)
        v["float"] = "float"
        yield v


def assumed(r):
    for k in range(len(r["rules"])):
        v = variant(r)
        v["rules"][k]["assumed"] = True
        yield v


KINDS = [other_rule, rule_text, rule_hash, place_a, place_b, direction,
         attribute, operation, operand, constant_data, dropped_line,
         emptied_step, part_direction, later_line, precondition_value,
         map_value, element_type, axis_class, axis_order, substitution,
         node_place, fold_result, law, goal_dropped, goal_line, goal_output,
         goal_twice,
         output_text, input_text, number_mode, assumed, index_term,
         index_exchange, index_dropped, index_type, reducer, many_attributes,
         operand_place, block_axes, joint_size]
WIDE = {index_term: 8, index_type: 10, reducer: 15, many_attributes: 150,
        operand_place: 60, joint_size: 40}


def main():
    rankwright, database, path, work = sys.argv[1:5]
    record = json.load(open(path))
    failures = 0
    for kind in KINDS:
        made = 0
        for v in kind(record):
            if made == WIDE.get(kind, LIMIT):
                break
            made += 1
            name = f"{work}/{kind.__name__}{made}.json"
            json.dump(v, open(name, "w"))
            run = subprocess.run([rankwright, "check", name, "--db", database],
                                 capture_output=True, text=True)
            if run.returncode != 1 or not run.stdout.startswith("rejected: "):
                failures += 1
                print(f"{kind.__name__} {made}: status {run.returncode}: {run.stdout}{run.stderr}")
            # Every step is shown, if at all, under the reason of the check.
            if made > 1:
                continue
            shown = subprocess.run([rankwright, "explain", name, "--db", database],
                                   capture_output=True, text=True)
            # What an option of check could change stands behind the reason.
            reason = run.stdout.removeprefix("rejected: ").split("\n")[0].split(" (--")[0]
            if shown.returncode != 1 or not shown.stdout.startswith(f"not valid: {reason}"):
                failures += 1
                print(f"explain {kind.__name__} {made}: status {shown.returncode}: "
                      f"{shown.stdout[:300]}{shown.stderr}")
        if made == 0:
            failures += 1
            print(f"{kind.__name__}: the record has no place for it")
    print(f"{len(KINDS)} kinds of tampering, {failures} failures")
    sys.exit(failures != 0)


main()
