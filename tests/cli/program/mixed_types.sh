#!/bin/sh
# A rule about integers and floats together is used where it is proved for both together, and
# nowhere else.
. tests/lib/cli.sh
library
cat >"$work/in.mlir" <<'E2'
func.func @main(%x: tensor<5xi32>) -> tensor<5xi1> {
  %zero = stablehlo.constant dense<0.0> : tensor<5xf32>
  %0 = stablehlo.convert %x : (tensor<5xi32>) -> tensor<5xf32>
  %1 = stablehlo.compare GT, %0, %zero, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %1 : tensor<5xi1>
}
E2
converts() { grep -c 'stablehlo.convert' "$work/out.mlir" || true; }
# i32 and f32 together are what `word` and `float` say of the rule
expect 0 "$rankwright" simplify "$work/in.mlir" --db "$db" --verify 5 -o "$work/out.mlir" \
    --proof "$work/r.json"
[ "$(converts)" -eq 0 ] || fail "the comparison is not made in i32"
expect 0 "$rankwright" check "$work/r.json" --db "$db"
# a machine's integers beside real numbers are in no verdict
expect 0 "$rankwright" simplify "$work/in.mlir" --db "$db" --domain real -o "$work/out.mlir"
[ "$(converts)" -eq 1 ] || fail "used for i32 and reals"
# proved of mathematical integers and reals only: f32 rounds
cat >"$work/less.rw" <<'E2'
/// convert(a) < convert(b) iff a < b, of numbers without limits.
rule less_before_convert {
  claims int, real;
  axes x; map n on x; type T : float; type S : int; tensor A[x: n] : S, B[x: n] : S;
  convert(A, T) < convert(B, T) => A < B;
}
E2
expect 0 "$rankwright" prove "$work/less.rw" --db "$work/less.db"
cat >"$work/less.mlir" <<'E2'
func.func @main(%x: tensor<5xi32>, %y: tensor<5xi32>) -> tensor<5xi1> {
  %0 = stablehlo.convert %x : (tensor<5xi32>) -> tensor<5xf32>
  %1 = stablehlo.convert %y : (tensor<5xi32>) -> tensor<5xf32>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %2 : tensor<5xi1>
}
E2
for domain in float real; do
    expect 0 "$rankwright" query --fires "$work/less.mlir" --db "$work/less.db" --domain $domain
    has "$work/out" 'less_before_convert: verdict'
done
finish
