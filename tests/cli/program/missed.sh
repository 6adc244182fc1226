#!/bin/sh
# Which shapes of operators simplify leaves, and which rule nearly made them fewer.
. tests/lib/cli.sh
cat >"$work/a.rw" <<'R'
rule undo_pad { axes x; map n, l, h, s, e on x; tensor A[x: n] : any; scalar v : any;
  where s == l, e == l + n;
  slice(pad(A, v, low=l, high=h), start=s, limit=e) => A; }
rule negate_first { axes x; map n, s, e on x; tensor A[x: n] : num;
  -slice(A, start=s, limit=e) => slice(-A, start=s, limit=e); }
rule twice { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }
R
expect 0 "$rankwright" prove "$work/a.rw" --db "$db"
missed() { # STATUS OPTION...
    status=$1
    shift
    expect "$status" "$rankwright" simplify "$work/p.mlir" --db "$db" "$@"
}
slice='tensor<13xf32>) -> tensor<8xf32>'
program() { # FIRST: the first place of a slice of padding
    cat >"$work/p.mlir" <<M
func.func @main(%a: tensor<8xf32>, %b: tensor<13xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %z, low = [2], high = [3], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<13xf32>
  %1 = stablehlo.slice %0 [$1:$(($1 + 8))] : ($slice
  %2 = stablehlo.slice %0 [0:8] : ($slice
  %3 = stablehlo.add %b, %b : tensor<13xf32>
  %4 = stablehlo.slice %3 [0:8] : ($slice
  %5 = stablehlo.negate %1 : tensor<8xf32>
  %6 = stablehlo.exponential %5 : tensor<8xf32>
  return %1, %2, %4, %6 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
M
}

# shapes are counted; the nearest rule is the one whose precondition fails
program 1
missed 0 --missed -q --limit 9
has "$work/err" ' 2  slice\(pad\): a/undo_pad: precondition: s == l; found l = 2, s = [01]; at slice'
has "$work/err" ' 1  exponential\(negate\): no rule has all its operators here; at exponential'
has "$work/err" ' 1  exponential\(negate\(slice\)\), 1 only moved: '
has "$work/err" ' 1  negate\(slice\), 1 only moved: no rule'
cp "$work/err" "$work/first"
missed 0 --missed -q --limit 9
cmp -s "$work/err" "$work/first" || fail "two answers to one question"
# a place where the rule matches is gone, and its precondition fails at the other
program 2
missed 0 --missed -q --limit 9
has "$work/err" ' 1  slice\(pad\): a/undo_pad: precondition: s == l; found l = 2, s = 0;'
grep -q 'negate(slice' "$work/err" && fail "a shape that the result does not have"
# to standard output, where the result does not go
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" --missed -o "$work/o.mlir"
has "$work/out" '^ +1  slice\(pad\): a/undo_pad'
grep -q 'undo_pad' "$work/err" && fail "told twice"
# as objects, and no more than asked for
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db" --missed --json
has "$work/out" '^\{"missed":"slice\(pad\)","operators":2,"count":1,"moved":0,.*"nearest":\{"rule":"undo_pad".*"kind":"precondition","condition":"s == l","found":"l = 2, s = 0"\}\}$'
has "$work/out" '"missed":"exponential\(negate\)".*"nearest":null\}$'
missed 0 --missed --limit 1
has "$work/err" '[0-9] more shapes that no rule makes fewer'
[ "$(grep -c ' at ' "$work/err")" = 1 ] || fail "more lines than asked for"

# one operation of the result
program 1
missed 0 --explain-missed %2 -q
has "$work/err" ' a/undo_pad: precondition: s == l; found l = 2, s = 0;'
grep -q 'negate_first' "$work/err" && fail "a rule that matches another operation"
missed 0 --explain-missed %5 -q
has "$work/err" ' a/negate_first: 1$'
grep -q 'undo_pad' "$work/err" && fail "a near miss of another operation"
missed 65 --explain-missed %none -q
has "$work/err" 'no operation is called %none'
expect 64 "$rankwright" simplify "$work/p.mlir" --db "$db" --limit 3; one_message
expect 64 "$rankwright" simplify -e 'x + x' --db "$db" --missed; one_message

# HLO: names without a sign
cat >"$work/p.mlir" <<'M'
HloModule m
ENTRY e {
  a = f32[8] parameter(0)
  z = f32[] constant(0)
  p = f32[13] pad(a, z), padding=2_3
  ROOT s = f32[8] slice(p), slice={[1:9]}
}
M
missed 0 --missed --explain-missed s -q
has "$work/err" ' 1  slice\(pad\): a/undo_pad: precondition: s == l; found l = 2, s = 1;'
[ "$(grep -c 'undo_pad: precondition' "$work/err")" = 2 ] || fail "not both answers"
finish
