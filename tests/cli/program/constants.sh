#!/bin/sh
# No constant of a result is larger than EGRAPH_CONSTANT_BYTES and the largest constant of
# the program: every program of tests/, random programs on large tensors, all cost models.
. tests/lib/cli.sh
library
limit=$("$rankwright" help limits | sed -n 's/^ *EGRAPH_CONSTANT_BYTES  *\([0-9]*\).*/\1/p')
[ "${limit:-0}" -gt 0 ] || fail "no limit EGRAPH_CONSTANT_BYTES"
bounded() { # PROGRAM, and options of simplify
    program=$1
    shift
    "$rankwright" simplify "$program" --db "$db" "$@" -o "$work/out.mlir" 2>"$work/err" ||
        [ $? -eq 2 ] || { fail "$program $*"; cat "$work/err"; return; }
    python3 tests/lib/large_program.py --largest "$program" "$work/out.mlir" >"$work/sizes" ||
        { fail "$program: its constants have no sizes"; return; }
    { read -r before && read -r after; } <"$work/sizes"
    [ "$after" -le "$before" ] || [ "$after" -le "$limit" ] ||
        fail "$program $*: a constant of $after bytes, before $before"
}
for file in $(find tests -name '*.mlir' | sort); do
    for domain in real float; do
        bounded "$file" --domain $domain
    done
done
for seed in $(seq 1 20); do
    python3 tests/lib/large_program.py "$seed" >"$work/$seed.mlir" || fail "no program $seed"
    for domain in real float; do
        bounded "$work/$seed.mlir" --domain $domain
    done
    for model in nodes flops bytes; do
        bounded "$work/$seed.mlir" --domain real --cost $model
    done
done

# A constant of the program may be as large in the result; copies of one element are a
# broadcast otherwise, and a mean is no product with a matrix of equal elements.
cat >"$work/mean.mlir" <<'P'
func.func @main(%x: tensor<512x256xf32>) -> (tensor<512x256xf32>, tensor<512x256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<256.0> : tensor<512x256xf32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %twos = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<512x256xf32>
  %twice = stablehlo.multiply %x, %twos : tensor<512x256xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<512xf32>
  %wide = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
  %mean = stablehlo.divide %wide, %n : tensor<512x256xf32>
  return %mean, %twice : tensor<512x256xf32>, tensor<512x256xf32>
}
P
sed 's/%n = .*/%one = stablehlo.constant dense<256.0> : tensor<f32>\
  %n = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<512x256xf32>/' \
    "$work/mean.mlir" >"$work/mean2.mlir"
for model in time nodes flops bytes; do
    for name in mean mean2; do
        bounded "$work/$name.mlir" --domain real --cost $model
        expect 0 "$rankwright" eval "$work/$name.mlir" --compare "$work/out.mlir" --tolerance 1e-4
    done
    has "$work/out.mlir" 'constant dense<2\.0> : tensor<f32>'
done
# A gather at a place that becomes a constant in the run is a slice, as one at a constant.
cat >"$work/place.mlir" <<'P'
func.func @main(%x: tensor<4x128xf32>) -> tensor<4x64xf32> {
  %i = stablehlo.constant dense<64> : tensor<i32>
  %j = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %g = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1],
    start_index_map = [1]>, slice_sizes = array<i64: 4, 64>}>
    : (tensor<4x128xf32>, tensor<1xi32>) -> tensor<4x64xf32>
  return %g : tensor<4x64xf32>
}
P
expect 0 "$rankwright" simplify "$work/place.mlir" --db "$db" --verify 3 -o "$work/out.mlir"
has "$work/out.mlir" 'stablehlo.slice %x \[0:4, 64:128\]'
finish
