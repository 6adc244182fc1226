#!/bin/sh
# Which rules match a program, and which condition keeps the others from it.
. tests/lib/cli.sh
cat >"$work/a.rw" <<'R'
rule undo_pad { axes x; map n, l, h, s, e on x; tensor A[x: n] : any; scalar v : any;
  where s == l, e == l + n;
  slice(pad(A, v, low=l, high=h), start=s, limit=e) => A; }
rule twice { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }
rule add_zero { axes x; map n on x; tensor A[x: n] : num; A + 0 => A; }
rule whole { claims int; axes x; map n on x; tensor A[x: n] : int; A * 1 => A; }
rule least { axes x; map n on x; tensor A[x: n] : num; where all(A >= 0); claims int, word, real;
  max(A, 0) => A; }
rule window_of_one { axes x; map n, w on x; tensor A[x: n] : int; where w == 1;
  reduce_window(+, A, size=w) => A; }
R
expect 1 "$rankwright" prove "$work/a.rw" --db "$db"
program() { # BODY-LINES...: of %a : tensor<8xf32>
    printf 'func.func @main(%%a: tensor<8xf32>, %%i: tensor<8xi32>) -> %s {\n' "$1"
    printf '  %%z = stablehlo.constant dense<0.0> : tensor<f32>\n'
    shift
    printf '  %s\n' "$@"
    printf '}\n'
}
fires() { "$rankwright" query --fires "$work/p.mlir" --db "$db" "$@"; }
pad='%0 = stablehlo.pad %a, %z, low = [2], high = [3], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<13xf32>'

# it matches; simplify uses the same rule
program 'tensor<8xf32>' "$pad" '%1 = stablehlo.slice %0 [2:10] : (tensor<13xf32>) -> tensor<8xf32>' \
    'return %1 : tensor<8xf32>' >"$work/p.mlir"
expect 0 fires; has "$work/out" '^  a/undo_pad: 1$'
grep -q 'undo_pad: precondition' "$work/out" && fail "a near miss where the rule matches"
expect 0 "$rankwright" simplify "$work/p.mlir" --db "$db"; has "$work/out" 'return %a'

# one place to the left: the precondition that fails, with the values found
program 'tensor<8xf32>' "$pad" '%1 = stablehlo.slice %0 [1:9] : (tensor<13xf32>) -> tensor<8xf32>' \
    'return %1 : tensor<8xf32>' >"$work/p.mlir"
expect 0 fires
has "$work/out" '^  a/undo_pad: precondition: s == l; found l = 2, s = 1; at slice\('
grep -q '  a/twice' "$work/out" && fail "a near miss without its operators"
expect 0 fires --json
has "$work/out" '"rule":"undo_pad".*"matches":0,.*"kind":"precondition","condition":"s == l","found":"l = 2, s = 1"'

# an attribute that the rule does not name has its default
program 'tensor<15xf32>' '%0 = stablehlo.pad %a, %z, low = [0], high = [0], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<15xf32>' \
    '%1 = stablehlo.slice %0 [0:15] : (tensor<15xf32>) -> tensor<15xf32>' 'return %1 : tensor<15xf32>' >"$work/p.mlir"
expect 0 fires; has "$work/out" 'undo_pad: attribute: interior of pad along x is 0; found interior = 1;'

# an attribute has the name that the rule language gives it
program 'tensor<15xi32>' '%c = stablehlo.constant dense<0> : tensor<i32>' \
    '%0 = "stablehlo.reduce_window"(%i, %c) <{base_dilations = array<i64: 2>, padding = dense<0> : tensor<1x2xi64>,' \
    'window_dilations = array<i64: 1>, window_dimensions = array<i64: 1>, window_strides = array<i64: 1>}> ({' \
    '^bb0(%l: tensor<i32>, %r: tensor<i32>):' '%s = stablehlo.add %l, %r : tensor<i32>' \
    'stablehlo.return %s : tensor<i32>' '}) : (tensor<8xi32>, tensor<i32>) -> tensor<15xi32>' \
    'return %0 : tensor<15xi32>' >"$work/p.mlir"
expect 0 fires
has "$work/out" 'window_of_one: attribute: dilation of reduce_window along x is 1; found dilation = 2;'

# not proved in floats; over the reals the rule matches
program 'tensor<8xf32>' '%c = stablehlo.constant dense<0.0> : tensor<8xf32>' \
    '%1 = stablehlo.add %a, %c : tensor<8xf32>' 'return %1 : tensor<8xf32>' >"$work/p.mlir"
expect 0 fires; has "$work/out" 'add_zero: verdict: proved for f32; found proved in int, word, real;'
expect 0 fires --domain real; has "$work/out" '^  a/add_zero: 1$'
for domain in int real,float bool flaot; do
    expect 64 fires --domain $domain; one_message
    has "$work/err" "^rankwright: --domain: expected float or float-sums or real, found $domain\$"
done
has "$work/err" 'hint: did you mean float'
expect 0 fires --domain float; expect 0 fires --domain float-sums

# another constant; another type; elements that are not known
program 'tensor<8xf32>' '%c = stablehlo.constant dense<1.0> : tensor<8xf32>' \
    '%1 = stablehlo.add %a, %c : tensor<8xf32>' '%2 = stablehlo.multiply %1, %c : tensor<8xf32>' \
    'return %2 : tensor<8xf32>' >"$work/p.mlir"
expect 0 fires; has "$work/out" 'add_zero: constant: 0; found 1'
has "$work/out" 'whole: type: A\*1 is .*; found f32'
program 'tensor<8xi32>' '%c = stablehlo.constant dense<0> : tensor<8xi32>' \
    '%1 = stablehlo.maximum %i, %c : tensor<8xi32>' 'return %1 : tensor<8xi32>' >"$work/p.mlir"
expect 0 fires; has "$work/out" 'least: elements: all\(A >= 0\); found A not constant'
program 'tensor<8xi32>' '%c = stablehlo.constant dense<0> : tensor<8xi32>' \
    '%b = stablehlo.constant dense<-3> : tensor<8xi32>' \
    '%1 = stablehlo.maximum %b, %c : tensor<8xi32>' 'return %1 : tensor<8xi32>' >"$work/p.mlir"

# filters choose the rules; lines are limited
program 'tensor<8xf32>' "$pad" '%1 = stablehlo.slice %0 [1:9] : (tensor<13xf32>) -> tensor<8xf32>' \
    'return %1 : tensor<8xf32>' >"$work/p.mlir"
expect 0 fires op=reverse; grep -q undo_pad "$work/out" && fail "a rule that was not asked for"
expect 0 fires --limit 0; has "$work/err" '1 more near misses'
expect 65 "$rankwright" query --fires "$work/a.rw" --db "$db"; one_message
expect 74 "$rankwright" query --fires "$work/none.mlir" --db "$db"; one_message
expect 64 fires --limit many; one_message

# what matches is what the engine applies first
if [ -n "${proved_library:-}" ]; then
    cp "$proved_library" "$work/library.db"
    for page in signal mlp; do
        "$rankwright" query --fires "tests/programs/$page.mlir" --db "$work/library.db" --json >"$work/fires" 2>/dev/null
        "$rankwright" simplify "tests/programs/$page.mlir" --db "$work/library.db" -o "$work/o.mlir" \
            --proof "$work/p.json" 2>/dev/null
        python3 - "$work" <<'P' || fail "$page: simplify uses a rule on the input that is said not to match"
import json, sys
fires = {r["hash"] for r in map(json.loads, open(sys.argv[1] + "/fires")) if r["matches"]}
record = json.load(open(sys.argv[1] + "/p.json"))
used = {r["hash"] for r in record["rules"]}
assert used & fires, sorted(used)
P
    done
fi
finish
