#!/bin/sh
# Programs with regions: what each computes, where its statements stand, and what its record
# must not be changed to.
. tests/lib/cli.sh
library
here=tests/programs/regions

# simplified NAME: the record is valid.  same NAME: the result computes the same on some
# arguments.
simplified() {
    status=0
    "$rankwright" simplify "$here/$1.mlir" --db "$db" --cost nodes -o "$work/$1.mlir" \
        --proof "$work/$1.json" 2>"$work/err" || status=$?
    [ "$status" = 0 ] || [ "$status" = 2 ] || { fail "$1: status $status"; cat "$work/err"; return; }
    expect 0 "$rankwright" check "$work/$1.json" --db "$db"
}
same() {
    for seed in 1 2 3 4; do
        expect 0 "$rankwright" eval "$here/$1.mlir" --compare "$work/$1.mlir" --seed $seed
    done
}
# count NAME PATTERN N: so many lines of the result have it.
count() {
    n=$(grep -Ec -- "$2" "$work/$1.mlir")
    [ "$n" = "$3" ] || { fail "$1: $n lines have '$2', expected $3"; cat "$work/$1.mlir"; }
}

# two loops with an equal inner loop
simplified twin_loops
same twin_loops
count twin_loops 'stablehlo.while' 4

# a side effect whose value no parameter reaches stays in its loop, with what uses it
simplified effect_in_loop
same effect_in_loop
sed -n '/ do {/,$p' "$work/effect_in_loop.mlir" >"$work/body"
has "$work/body" 'custom_call @first'
has "$work/body" 'custom_call @second'

# so does one whose result equals a constant from outside
simplified empty_effect
sed -n '/ do {/,$p' "$work/empty_effect.mlir" >"$work/body"
has "$work/body" 'custom_call @first'

# bodies of a reduce and a scatter that become one reducer
simplified reducer
count reducer 'stablehlo.multiply' 0
has "$work/reducer.json" 'null'

# a term in the place of another one stands where that stood: not once in each branch that
# uses it
simplified branches
same branches
count branches 'stablehlo.dot_general' 1

# calls without results, or whose result is not used, or is of a type that is only wider: a pure one
# is left out, and one with an effect stays
simplified called_for_nothing
count called_for_nothing 'call @f\(' 1
count called_for_nothing 'call @(pure|g)|negate' 0

# what the rules find in a function's copy counts, though the call is the smaller term
simplified called
same called
count called 'call @|stablehlo.(reshape|concatenate)' 0
expect 0 "$rankwright" simplify "$here/called.mlir" --db "$db" -o "$work/called.mlir"
count called 'call @|stablehlo.(reshape|concatenate)' 0

# values that calls in a loop hand on, or count alike, are known the first time
simplified called_loops
same called_loops
count called_loops 'stablehlo.return %next, %next, .*, %x ' 1
count called_loops 'call @' 0
expect 0 "$rankwright" simplify "$work/called_loops.mlir" --db "$db" --cost nodes -o "$work/again.mlir"
cmp -s "$work/called_loops.mlir" "$work/again.mlir" || fail "called_loops: not simplified at once"
# a function that counts otherwise, or gives another value, and the record of the first one for it
other() { # name, sed command
    sed "$2" "$here/called_loops.mlir" >"$work/$1.in.mlir"
    cmp -s "$here/called_loops.mlir" "$work/$1.in.mlir" && fail "$1: nothing is changed"
    expect 0 "$rankwright" simplify "$work/$1.in.mlir" --db "$db" --cost nodes \
        -o "$work/$1.mlir" --proof "$work/$1.json"
    expect 0 "$rankwright" check "$work/$1.json" --db "$db"
    expect 0 "$rankwright" eval "$work/$1.in.mlir" --compare "$work/$1.mlir" --seed 1
    count "$1" 'stablehlo.return %next, %next, .*, %x ' 0
    python3 - "$work/called_loops.json" "$work/$1.in.mlir" "$work/forged.json" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
record["input"] = open(sys.argv[2]).read()
json.dump(record, open(sys.argv[3], "w"))
END
    expect 1 "$rankwright" check "$work/forged.json" --db "$db"
}
other two '/@next(%j: /,$s/dense<1>/dense<2>/'
other from 's/%j = %zero/%j = %n/'
other back 's/return %n, %s, %z : tensor<i32>, tensor<4xf32>/return %n, %s, %p : tensor<i32>, tensor<4xf32>/'
# without the lines of calls nothing is known of them
python3 - "$work/called_loops.json" "$work/forged.json" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
for line in record["lines"]:
    if line["kind"] == "call":
        line["b"] = line["a"]
json.dump(record, open(sys.argv[2], "w"))
END
expect 1 "$rankwright" check "$work/forged.json" --db "$db"

# chlo.square is a product, and stays as it is written; a predicate of rank 0 decides a choice
simplified squares
same squares
count squares 'chlo.square' 2
count squares 'stablehlo.(multiply|select)' 0

# a small function whose copies lose half of it is copied at each call
simplified choices
same choices
expect 0 "$rankwright" simplify "$here/choices.mlir" --db "$db" -o "$work/choices.mlir"
count choices 'call @|stablehlo.broadcast_in_dim' 0
count choices 'stablehlo.select' 2

# nor does what is nested double at each depth
{
    echo 'func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {'
    echo '%z = stablehlo.negate %x : tensor<4xf32>'
    echo '%t0 = stablehlo.negate %z : tensor<4xf32>'
    for k in 0 1 2 3 4 5 6 7 8 9; do
        cat <<M
%t$((k + 1)) = "stablehlo.case"(%n) ({
  %a = stablehlo.add %t$k, %x : tensor<4xf32>
  stablehlo.return %a : tensor<4xf32>
}, {
  %a = stablehlo.multiply %t$k, %x : tensor<4xf32>
  stablehlo.return %a : tensor<4xf32>
}, {
  stablehlo.return %x : tensor<4xf32>
}) : (tensor<i32>) -> tensor<4xf32>
M
    done
    echo 'return %t10 : tensor<4xf32> }'
} >"$work/deep.mlir"
expect 0 "$rankwright" simplify "$work/deep.mlir" --db "$db" -o "$work/deep_out.mlir"
n=$(grep -c 'stablehlo.case' "$work/deep_out.mlir")
[ "$n" = 10 ] || fail "10 cases became $n"

# values of a loop, and of a reducer, that only branches use
for seed in 1 2 3 4 5 6 7 8; do
    expect 0 "$rankwright" eval "$here/inner_values.mlir" --compare "$here/inner_values_chosen.mlir" \
        --seed $seed
done
expect 0 "$rankwright" simplify "$here/inner_values.mlir" --db "$db" --verify 3 -o "$work/verified.mlir"
has "$work/err" '1 functions? gave equal results on 3 random arguments'

# calls: a function that undoes itself, a loop that hands its end on, a branch that the caller
# decides; the function that is left is the one with two calls
simplified calls
same calls
count calls 'call @loop' 2
count calls 'func.func' 2
count calls 'stablehlo.case' 0
count calls 'stablehlo.while' 1
for kind in call carried branch; do
    grep -q "\"kind\": *\"$kind\"" "$work/calls.json" || fail "calls: no line of kind $kind"
done
expect 0 "$rankwright" explain "$work/calls.json" --db "$db"
has "$work/out" 'a call is what its function computes'

# a call that two copies of a function share; a record that has a copy again, with other regions,
# or with regions far behind all others
rejected() { # in two gigabytes; a sanitizer reserves more than there is
    limit='ulimit -v 2000000'
    case $rankwright in *asan*) limit=: ;; esac
    expect 1 sh -c "$limit; '$rankwright' check '$work/forged.json' --db '$db'"
    has "$work/out" "rejected: line [0-9]+ of the record is wrong: $1"
}
simplified shared_calls
same shared_calls
expect 0 "$rankwright" simplify "$here/shared_calls.mlir" --db "$db" -o "$work/shared_calls.mlir" \
    --proof "$work/shared_calls.json"
expect 0 "$rankwright" check "$work/shared_calls.json" --db "$db"
same shared_calls
count shared_calls 'call @' 0
count shared_calls 'stablehlo.while' 0
for first in 1 7 2000000000; do
    python3 - "$work/shared_calls.json" $first "$work/forged.json" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
calls = [line for line in record["lines"] if line["kind"] == "call"]
record["lines"] += [dict(line, first_region=int(sys.argv[2])) for line in calls + calls]
json.dump(record, open(sys.argv[3], "w"))
END
    rejected ''
done
# the same with all terms of the copies
python3 - "$work/shared_calls.json" "$work/forged.json" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
calls = [line for line in record["lines"] if line["kind"] == "call"]
first = min(line["first_region"] for line in calls)
far = lambda region: region + 2000000000 if region >= first else region
record["regions"] = [far(region) for region in record["regions"]]
for line in calls:
    line["first_region"] = far(line["first_region"])
for term in record["terms"]:
    if "blocks" in term:
        term["blocks"][0] = far(term["blocks"][0])
    if term["op"] == "parameter" and term["attr"][0] < 0:
        term["attr"][0] = -1 - far(-1 - term["attr"][0])
json.dump(record, open(sys.argv[2], "w"))
END
rejected '.* too large ones'
# slices whose region stands far behind all others
python3 - "$work/shared_calls.json" "$work/forged.json" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
types, terms = record["types"], record["terms"]
part, whole = len(types), len(types) + 1
types += [{"elem": "f32", "dims": []}, {"other": "tensor<?xf32>"}]
n = len(terms)
infinite = {"op": "constant", "type": part, "data": "0000807f"}
opaque = {"op": "opaque", "type": whole, "results": 1, "serial": 0}
terms += [infinite, dict(opaque, args=[n], text="a.whole(%{0}) : (tensor<f32>) -> tensor<?xf32>"),
          dict(opaque, args=[n + 1, n], text="slices", blocks=[2000000000, 1, 1, 0, 0, 1])]
record["lines"].append({"kind": "slices", "a": n + 2, "b": n + 1, "function": 0})
json.dump(record, open(sys.argv[2], "w"))
END
rejected 'the region of the slices'

# counters that go the same way are one, and so is what is computed of them; none that only begin
# alike, or that two side effects give
simplified counters
same counters
count counters 'stablehlo.add .*step' 1
count counters 'stablehlo.add' 5
count counters 'stablehlo.sine' 1
count counters 'custom_call @draw' 2
grep -q '"kind": *"twin"' "$work/counters.json" || fail "counters: no line of kind twin"

# over the reals, an infinity that a loop or a call hands on is none
expect 0 "$rankwright" simplify "$here/infinity.mlir" --db "$db" --domain real -o "$work/infinity.mlir" \
    --proof "$work/infinity.json"
expect 0 "$rankwright" check "$work/infinity.json" --db "$db"
count infinity 'stablehlo.subtract' 3
sed 's/0x7F800000/2.0/' "$here/infinity.mlir" >"$work/finite_in.mlir"
expect 0 "$rankwright" simplify "$work/finite_in.mlir" --db "$db" --domain real -o "$work/finite.mlir"
count finite 'stablehlo.subtract' 0

# a private function that nothing calls goes, though a comment names it; one that an attribute
# names stays
cat >"$work/named.mlir" <<'P'
// CHECK-LABEL: @gone
func.func private @gone(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func private @kept(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @other(%a) {backend_config = "//", called_computations = [@kept]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
P
expect 0 "$rankwright" simplify "$work/named.mlir" --db "$db" -o "$work/named_out.mlir" \
    --proof "$work/named.json"
expect 0 "$rankwright" check "$work/named.json" --db "$db"
[ "$(grep -c 'func.func' "$work/named_out.mlir")" = 2 ] || fail "the functions that stay"

# functions that call others twice each do not become 2^30 copies
{
    echo 'func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {'
    echo '%0 = call @f0(%x) : (tensor<4xf32>) -> tensor<4xf32>'
    echo 'return %0 : tensor<4xf32> }'
    for k in $(seq 0 29); do
        cat <<M
func.func private @f$k(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  %1 = call @f$((k + 1))(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.cosine %1 : tensor<4xf32>
  %3 = call @f$((k + 1))(%2) : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
M
    done
    echo 'func.func private @f30(%x: tensor<4xf32>) -> tensor<4xf32> {'
    echo '%0 = stablehlo.tanh %x : tensor<4xf32>'
    echo 'return %0 : tensor<4xf32> }'
} >"$work/doubling.mlir"
expect 0 "$rankwright" simplify "$work/doubling.mlir" --db "$db" -o "$work/doubling_out.mlir"
n=$(wc -l <"$work/doubling_out.mlir")
[ "$n" -lt 400 ] || fail "30 functions became $n lines"

# `call` is short for `func.call` in the body of a function, not in a region
{
    cat <<'P'
func.func public @main(%a: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<4xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %y = func.call @once(%x) : (tensor<4xf32>) -> tensor<4xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %y : tensor<i32>, tensor<4xf32>
    }
  %z = call @often(%r#1) : (tensor<4xf32>) -> tensor<4xf32>
  return %r#1, %z : tensor<4xf32>, tensor<4xf32>
}
func.func private @once(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.cosine %x : tensor<4xf32>
  %1 = call @often(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @often(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a0 = stablehlo.tanh %x : tensor<4xf32>
P
    for k in $(seq 60); do
        echo "  %b$k = stablehlo.sine %a$((k - 1)) : tensor<4xf32>"
        echo "  %a$k = stablehlo.add %b$k, %x : tensor<4xf32>"
    done
    echo "  return %a60 : tensor<4xf32>"
    echo "}"
} >"$work/inner_call.mlir"
expect 0 "$rankwright" simplify "$work/inner_call.mlir" --db "$db" --proof "$work/inner_call.json" -o "$work/out.mlir"
grep -q '^    .* func.call @often' "$work/out.mlir" || fail "a call in a region has its dialect"
grep -q '^  %z = call @often' "$work/out.mlir" || fail "a call in a function"
expect 0 "$rankwright" check "$work/inner_call.json" --db "$db"

# a branch or a loop may give a tensor of sizes that are known where the operation says less
cat >"$work/known.mlir" <<'P'
func.func @branch(%x: tensor<4xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({ stablehlo.return %x : tensor<4xf32> },
    { stablehlo.return %x : tensor<4xf32> }) : (tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @loop(%x: tensor<4xf32>) -> tensor<?xf32> {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.while"(%x) ({
    ^bb0(%a: tensor<?xf32>): stablehlo.return %p : tensor<i1> }, {
    ^bb0(%a: tensor<?xf32>): stablehlo.return %a : tensor<?xf32> })
    : (tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
P
expect 0 "$rankwright" simplify "$work/known.mlir" --db "$db" --proof "$work/known.json" -o "$work/out.mlir"
expect 0 "$rankwright" check "$work/known.json" --db "$db"

# --verify runs both programs; it says what it cannot run
expect 0 "$rankwright" simplify "$here/calls.mlir" --db "$db" --verify 3 -o "$work/verified.mlir"
has "$work/err" '2 functions gave equal results on 3 random arguments'
expect 0 "$rankwright" simplify "$here/calls.mlir" --db "$db" --verify 3 --json
has "$work/out" '"verified": *"2 functions'
expect 0 "$rankwright" simplify "$here/reducer.mlir" --db "$db" --verify 3 -o "$work/verified.mlir"
has "$work/err" 'nothing was run on random arguments; not run: 1 .@main: the interpreter does not know'

# what does not change in a loop or a branch is computed in front of it, its effects stay
simplified hoisted
for name in sine cosine exponential; do count hoisted "stablehlo.$name" 1; done
grep -B1 '%outer:3 =' "$work/hoisted.mlir" | grep -q 'cosine' || fail "hoisted: cosine stands in a loop"
grep -B1 '%inner:3 =' "$work/hoisted.mlir" | grep -q 'exponential' || fail "hoisted: exponential"

# values that change places in a loop and began alike stay what they were
simplified handed_over
count handed_over stablehlo.while 0

# records
python3 tests/lib/tamper_hoisting.py "$rankwright" "$db" "$work" || fail "a wrong record was accepted"
python3 tests/lib/tamper_regions.py "$rankwright" "$db" "$work" \
    effect_in_loop reducer branches twin_loops calls counters || fail "a changed record was accepted"
finish
