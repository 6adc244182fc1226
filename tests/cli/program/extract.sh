#!/bin/sh
# rankwright extract: files in egraph-serialize JSON, results, pictures.
. tests/lib/cli.sh
extract() { "$rankwright" extract "$@"; }
# value FILE KEY: of the one JSON line.
value() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2"; }

# a product of a shared sum; b is dear alone, cheap where it is shared
cp tests/egraphs/*.json "$work"
expect 0 extract "$work/shared.json" --method tree --json
python3 - "$work/out" <<'P' || fail "the keys of the JSON line"
import json, sys
o = json.load(open(sys.argv[1]))
assert {"file", "method", "tree_cost", "dag_cost", "seconds", "optimal"} <= set(o), o
assert (o["method"], o["tree_cost"], o["dag_cost"], o["optimal"]) == ("tree", 6.5, 6.5, True), o
P
for method in dag exact; do
    expect 0 extract "$work/shared.json" --method $method --json
    [ "$(value "$work/out" dag_cost)" = 6 ] || fail "$method: cost"
    [ "$(value "$work/out" tree_cost)" = 10 ] || fail "$method: tree cost"
done
[ "$(value "$work/out" optimal)" = True ] || fail "exact: not optimal"
expect 0 extract "$work/shared.json"
has "$work/out" '^method dag$'
has "$work/out" '^dag_cost 6$'
expect 0 extract "$work/shared.json" "$work/shared.json" --json
[ "$(wc -l <"$work/out")" = 2 ] || fail "a line for each file"
extract - --json <"$work/shared.json" >"$work/out" || fail "standard input"
[ "$(value "$work/out" dag_cost)" = 6 ] || fail "standard input: cost"

# what is chosen, as an e-graph: one node a class, the same costs, and again
expect 0 extract "$work/shared.json" --json -o "$work/chosen.json"
expect 0 extract "$work/chosen.json" --json -o "$work/again.json"
[ "$(value "$work/out" dag_cost)" = 6 ] || fail "cost of what was chosen"
cmp -s "$work/chosen.json" "$work/again.json" || fail "choosing again changes it"
python3 - "$work/shared.json" "$work/chosen.json" <<'P' || fail "the chosen nodes"
import json, sys
whole, chosen = (json.load(open(f)) for f in sys.argv[1:])
assert set(chosen["nodes"]) == {"top", "a2", "b2", "s"}, chosen["nodes"].keys()
classes = [n["eclass"] for n in chosen["nodes"].values()]
assert len(set(classes)) == len(classes)
for k, n in chosen["nodes"].items():
    w = whole["nodes"][k]
    assert (n["op"], n["eclass"], n["cost"]) == (w["op"], w["eclass"], w["cost"])
    assert [chosen["nodes"][c]["eclass"] for c in n["children"]] == \
           [whole["nodes"][c]["eclass"] for c in w.get("children", [])]
assert chosen["root_eclasses"] == whole["root_eclasses"]
assert chosen["class_data"] == whole["class_data"]
P

# roots and class_data without nodes are dropped, and told of
sed 's/\["top"\]/["gone", "top", "lost"]/; s/"class_data": {/&"gone": {}, /' "$work/shared.json" >"$work/roots.json"
expect 0 extract "$work/roots.json" --json
has "$work/err" 'roots.json: 2 roots have no node'
has "$work/err" 'class_data of 1 classes'

# no term: an answer, not a mistake in the file
printf '{"nodes": {"a": {"op": "f", "children": ["b"], "eclass": "1"}, "b": {"op": "g", "children": ["a"], "eclass": "2"}}, "root_eclasses": ["1"]}' >"$work/none.json"
for method in tree dag exact; do
    expect 1 extract "$work/none.json" --method $method; one_message
    has "$work/err" 'none.json: root 0 has no finite term'
done
# negative costs: a sum that is not proved least says so
expect 0 extract "$work/negative.json" --method tree --json
[ "$(value "$work/out" optimal)" = False ] || fail "a proof with negative costs"
expect 0 extract "$work/negative.json" --method exact --json
[ "$(value "$work/out" dag_cost)" = -1.5 ] || fail "negative costs"

# a term whose tree no double can hold is not proved least
python3 -c 'import json
n = {str(i): {"op": "f", "children": [str(i + 1)] * 2 * (i < 1999), "eclass": str(i)} for i in range(2000)}
n["a"] = {"op": "f", "children": ["0"], "eclass": "r"}
n["b"] = {"op": "f", "children": ["9"], "eclass": "r"}
print(json.dumps({"nodes": n, "root_eclasses": ["r"]}))' >"$work/double.json"
expect 0 extract "$work/double.json" --method tree --json
[ "$(value "$work/out" optimal) $(value "$work/out" bound)" = "False None" ] || fail "an infinite cost as a proof"
expect 0 extract "$work/double.json" --method exact --json
[ "$(value "$work/out" dag_cost) $(value "$work/out" optimal)" = "1992 True" ] || fail "the DAG of an infinite tree"

# cycles that cost nothing are no way round a leaf
expect 0 extract "$work/cycles.json" --method tree --json
[ "$(value "$work/out" tree_cost)" = 4 ] || fail "cycles: tree"
for method in dag exact; do
    expect 0 extract "$work/cycles.json" --method $method --json
    [ "$(value "$work/out" dag_cost)" = 3 ] || fail "cycles: $method"
done

# bad input: file, place or name, one message
bad() { # TEXT PATTERN
    printf '%b' "$1" >"$work/bad.json"
    expect 65 extract "$work/bad.json"; one_message
    has "$work/err" "bad.json:.*$2"
}
a='"a": {"op": "f", "eclass": "1"}'
r='"root_eclasses": ["1"]'
bad '' '1:1: expected an object'
bad '[1]' 'expected an object'
bad '{"nodes": {' '1:'
bad "{\"nodes\": {$a, $a}, $r}" 'duplicate'
bad "{$r}" 'nodes'
bad "{\"nodes\": [], $r}" 'nodes'
bad "{\"nodes\": {\"a\": 1}, $r}" 'node "a": expected an object'
bad "{\"nodes\": {\"a\": {\"op\": 1, \"eclass\": \"1\"}}, $r}" 'node "a": op'
bad "{\"nodes\": {\"a\": {\"op\": \"f\"}}, $r}" 'node "a": eclass'
bad "{\"nodes\": {\"a\": {\"op\": \"f\", \"eclass\": \"1\", \"cost\": null}}, $r}" 'node "a": cost'
bad "{\"nodes\": {\"a\": {\"op\": \"f\", \"eclass\": \"1\", \"cost\": NaN}}, $r}" '1:'
bad "{\"nodes\": {\"a\": {\"op\": \"f\", \"eclass\": \"1\", \"cost\": -1e999}}, $r}" '1:'
bad "{\"nodes\": {\"a\": {\"op\": \"f\", \"eclass\": \"1\", \"cost\": 0x10}}, $r}" '1:.*not a number'
bad "{\"nodes\": {\"a\": {\"op\": \"f\", \"eclass\": \"1\", \"cost\": 01}}, $r}" '1:.*not a number'
bad "{\"nodes\": {\"a\": {\"op\": \"f\", \"eclass\": \"1\", \"subsumed\": 0}}, $r}" 'node "a": subsumed'
bad "{\"nodes\": {\"a\": {\"op\": \"f\", \"eclass\": \"1\", \"children\": \"a\"}}, $r}" 'node "a": children'
bad "{\"nodes\": {\"a\": {\"op\": \"f\", \"eclass\": \"1\", \"children\": [1]}}, $r}" 'node "a": children'
bad "{\"nodes\": {\"a\": {\"op\": \"f\", \"eclass\": \"1\", \"children\": [\"q\"]}}, $r}" 'no node "q"'
bad "{\"nodes\": {$a}}" 'root_eclasses'
bad "{\"nodes\": {$a}, \"root_eclasses\": []}" 'no roots'
bad "{\"nodes\": {$a}, \"root_eclasses\": [\"2\"]}" 'no root has a node'
bad "{\"nodes\": {$a}, \"root_eclasses\": [1]}" 'root_eclasses'
bad "{\"nodes\": {$a}, $r, \"class_data\": []}" 'class_data'
bad "{\"nodes\": {\"\\377\": {}}, $r}" '1:'
bad '{"x": [1, 2}' '1:12: expected , or \]'
bad '{"x": "\\ud800"}' 'surrogate'
bad '{"x": "a\tb"}' 'control character'
bad "{\"nodes\": {$a}, $r} x" 'expected the end'
bad "{\"nodes\": {$a}, $r, $r}" 'duplicate key'
bad "{\"nodes\": {\"a\": {\"op\": \"f\", \"op\": \"f\", \"eclass\": \"1\"}}, $r}" 'duplicate key'
bad "{\"nodes\": {$a}, $r, \"class_data\": {\"1\": 1, \"1\": 2}}" 'duplicate name'
python3 -c 'print("{\"x\": " + "[" * 100000)' >"$work/deep.json"
expect 65 extract "$work/deep.json"; one_message
has "$work/err" 'nested too deeply'
expect 74 extract "$work/absent.json"; one_message
expect 65 extract "$work/shared.json" "$work/bad.json" "$work/shared.json" --json
[ "$(wc -l <"$work/out")" = 2 ] || fail "the good files beside a bad one"
expect 64 extract x --picture y.svg --picture-nodes 0; has "$work/err" 'picture-nodes: expected a number from 1 to 1000000, found 0'
for wrong in "" "--method tree --seconds 1 x" "--method best x" "--seconds -1 x" "--picture x.png x" "-o y x x" "--picture y.svg x x"; do
    # shellcheck disable=SC2086
    expect 64 extract $wrong
done

# pictures
expect 0 extract "$work/shared.json" --json --picture "$work/p.dot"
has "$work/p.dot" 'subgraph cluster_'
[ "$(grep -c palegreen "$work/p.dot")" = 4 ] || fail "the chosen nodes of the picture"
[ -s "$work/err" ] && fail "nothing was left out"
expect 0 extract "$work/shared.json" --json --picture "$work/p.dot" --picture-nodes 3
has "$work/p.dot" '5 more nodes'
has "$work/err" '5 nodes are not shown'
expect 0 extract "$work/shared.json" --json --picture "$work/p.svg"
has "$work/p.svg" '<svg'
python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$work/p.svg" || fail "the SVG is no XML"
mkdir "$work/nothing"
expect 74 env PATH="$work/nothing" "$rankwright" extract "$work/shared.json" --picture "$work/q.svg"
has "$work/err" 'graphviz'
expect 74 extract "$work/shared.json" --picture "$work/nowhere/q.dot"

# the e-graph of a program: what simplify chose is what dag finds there
library
cat >"$work/one.mlir" <<'M'
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
M
expect 0 "$rankwright" simplify "$work/one.mlir" --db "$db" --json -o "$work/o.mlir" --dump-egraph "$work/g.json"
cost=$(value "$work/out" cost_after)
expect 0 extract "$work/g.json" --method exact --json
# simplify tells six digits
[ "$(printf %g "$(value "$work/out" dag_cost)")" = "$(printf %g "$cost")" ] || fail "simplify $cost, extract $(value "$work/out" dag_cost)"
expect 0 "$rankwright" simplify "$work/one.mlir" --db "$db" --json --extract exact -o "$work/o.mlir"
[ "$(value "$work/out" cost_after)" = "$cost" ] || fail "simplify with a proof"
has "$work/g.json" 'transpose\(\[1, 0\]\)'
has "$work/g.json" 'tensor<3x2xf32>'
expect 0 "$rankwright" simplify "$work/one.mlir" --db "$db" --json -o "$work/o.mlir" --dump-egraph "$work/g.svg"
has "$work/g.svg" '<svg'
# a name without an ending is JSON; another ending is no format, and is refused before the work
mkdir "$work/v1.2"
expect 0 "$rankwright" simplify "$work/one.mlir" --db "$db" -o "$work/o.mlir" --dump-egraph "$work/v1.2/graph"
cmp -s "$work/v1.2/graph" "$work/g.json" || fail "JSON in a file without an ending"
for name in x.png x.json.gz x. x.DOT; do
    expect 64 "$rankwright" simplify "$work/one.mlir" --db "$work/none.db" --dump-egraph "$work/$name"
    one_message
    has "$work/err" '^rankwright: --dump-egraph: expected a file name that ends with .json, .dot or .svg'
    [ ! -e "$work/none.db" ] && [ ! -e "$work/$name" ] || fail "work was done for $name"
done

# and where rules have merged: every node in a class of its type, with children
# of the types it had in the program
cat >"$work/two.mlir" <<'M'
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.transpose %b, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<2x3xf32>
  %4 = stablehlo.negate %3 : tensor<2x3xf32>
  %5 = stablehlo.negate %4 : tensor<2x3xf32>
  return %0, %5 : tensor<3x2xf32>, tensor<2x3xf32>
}
M
expect 0 "$rankwright" simplify "$work/two.mlir" --db "$db" --json -o "$work/o.mlir" --dump-egraph "$work/g.json"
cost=$(value "$work/out" cost_after)
expect 0 extract "$work/g.json" --method exact --json
# simplify tells six digits
[ "$(printf %g "$(value "$work/out" dag_cost)")" = "$(printf %g "$cost")" ] || fail "after rules: simplify $cost, extract $(value "$work/out" dag_cost)"
python3 - "$work/g.json" <<'P' || fail "types in the e-graph of a program"
import json, sys
g = json.load(open(sys.argv[1]))
node, data = g["nodes"], g["class_data"]
kind = lambda n: data[node[n]["eclass"]]["type"]
shape = {"%0": "tensor<2x3xf32>", "%1": "tensor<3x2xf32>"}
swap = {shape["%0"]: shape["%1"], shape["%1"]: shape["%0"]}
for k, n in node.items():
    op = n["op"].split("(")[0]
    want = shape[op] if op in shape else swap[kind(n["children"][0])] if op == "transpose" else kind(n["children"][0])
    assert kind(k) == want, (k, n, kind(k))
assert len({n["eclass"] for n in node.values()}) < len(node), "nothing was merged"
assert [data[c]["type"] for c in g["root_eclasses"]] == [shape["%1"], shape["%0"]]
P

# BENCH_EGRAPHS=FOLDER: a suite of e-graphs with the costs that are known of it
suite=${BENCH_EGRAPHS:-}
if [ -n "$suite" ]; then
    find "$suite" -name '*.json' -exec "$rankwright" extract --json {} + >"$work/dag" 2>/dev/null || fail "the suite"
    find "$suite" -name '*.json' -exec "$rankwright" extract --method tree --json {} + >"$work/tree" 2>/dev/null || fail "the suite"
    python3 - "$suite" "$work/dag" "$work/tree" <<'P' || fail "the suite's costs"
import csv, json, sys
dag, tree = ({json.loads(l)["file"]: json.loads(l) for l in open(f)} for f in sys.argv[2:])
n = 0
for row in csv.DictReader(open(sys.argv[1] + "/best_known.csv")):
    f = sys.argv[1] + "/" + row["file"]
    least = float(row["tree_cost_bottom_up"])
    assert abs(tree[f]["tree_cost"] - least) <= 1e-9 * abs(least), f
    if row["dag_cost_greedy"]:
        assert dag[f]["dag_cost"] <= float(row["dag_cost_greedy"]) + 1e-9, f
    n += 1
print(n, "files of the suite")
P
fi
finish
