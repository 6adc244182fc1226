#!/bin/sh
# Sums of floats: `float` leaves every contraction and reduction as it is, `float-sums` lets
# another operation take the same terms; the record says which, and the checker holds it to that.
. tests/lib/cli.sh
db=$proved_library
cat >"$work/dot.mlir" <<'M'
func.func @main(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %0 = stablehlo.transpose %w, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}
M
sed 's/f32/i32/g' "$work/dot.mlir" >"$work/words.mlir"
run() { # PROGRAM DOMAIN
    expect 0 "$rankwright" simplify "$work/$1.mlir" --db "$db" --domain "$2" \
        -o "$work/$1.$2.mlir" --proof "$work/$1.$2.json"
    expect 0 "$rankwright" check "$work/$1.$2.json" --db "$db"
    has "$work/out" "$3"
}
run dot float '^valid for floats:'
has "$work/dot.float.mlir" 'transpose'
run dot float-sums '^valid for floats, if a sum depends on its terms alone'
grep -q 'transpose' "$work/dot.float-sums.mlir" && fail "transpose is left in dot.float-sums.mlir"
has "$work/dot.float-sums.json" '"float": *"float-sums"'
run dot real '^valid over the reals'
grep -q 'transpose' "$work/dot.real.mlir" && fail "transpose is left in dot.real.mlir"
# Sums of integers are the same in every order.
run words float '^valid for floats:'
grep -q 'transpose' "$work/words.float.mlir" && fail "transpose is left in words.float.mlir"

# A record that claims more than its steps give is rejected.
sed 's/"float": *"float-sums"/"float": "float"/' "$work/dot.float-sums.json" >"$work/forged.json"
expect 1 "$rankwright" check "$work/forged.json" --db "$db"
has "$work/out" 'sums or products of floats are taken by other operations'

# Softmax keeps its sum: what is around it is still simplified.
cat >"$work/around.mlir" <<'M'
func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.negate %x : tensor<4x8xf32>
  %1 = stablehlo.negate %0 : tensor<4x8xf32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.transpose %2, dims = [0] : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
M
run around float '^valid for floats:'
grep -q 'negate' "$work/around.float.mlir" && fail "negate is left in around.float.mlir"
grep -q 'transpose' "$work/around.float.mlir" && fail "transpose is left in around.float.mlir"

# Counts are the same in every order; functions whose last bits are open are not computed.
cat >"$work/constants.mlir" <<'M'
func.func @main() -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<100xf32>
  %tenth = stablehlo.constant dense<0.1> : tensor<100xf32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.reduce(%one init: %z) applies stablehlo.add across dimensions = [0] : (tensor<100xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%tenth init: %z) applies stablehlo.add across dimensions = [0] : (tensor<100xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.exponential %half : tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}
M
run constants float '^valid for floats:'
has "$work/constants.float.mlir" '1.000000e\+02'
has "$work/constants.float.mlir" 'applies stablehlo.add'
has "$work/constants.float.mlir" 'exponential'
run constants float-sums '^valid for floats, if a sum depends on its terms alone'
grep -q 'applies stablehlo.add' "$work/constants.float-sums.mlir" && fail "applies stablehlo.add is left in constants.float-sums.mlir"
has "$work/constants.float-sums.mlir" 'exponential'

# The order of the contracted dimensions is that of the additions; padding adds the initial value
# of a window again; a sum of -0 is 0 or -0.
cat >"$work/orders.mlir" <<'M'
func.func @main(%x: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> (tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<f32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1, 0] x [1, 0] : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<f32>
  %1 = stablehlo.dot_general %x, %y, contracting_dims = [0, 1] x [0, 1] : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<f32>
  %ones = stablehlo.constant dense<1.0> : tensor<3xf32>
  %init = stablehlo.constant dense<8388608.0> : tensor<f32>
  %2 = "stablehlo.reduce_window"(%ones, %init) <{window_dimensions = array<i64: 5>, padding = dense<[[2, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %minus = stablehlo.constant dense<-1.0> : tensor<2xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<2xf32>
  %3 = stablehlo.dot_general %minus, %zeros, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<f32>
}
M
run orders float '^valid for floats:'
has "$work/orders.float.mlir" 'contracting_dims = \[1, 0\] x \[1, 0\]'
has "$work/orders.float.mlir" 'contracting_dims = \[0, 1\] x \[0, 1\]'
has "$work/orders.float.mlir" 'reduce_window'
[ "$(grep -c dot_general "$work/orders.float.mlir")" = 3 ] || fail "a sum of -0 was folded"

expect 64 "$rankwright" simplify "$work/dot.mlir" --db "$db" --domain sums
has "$work/err" 'float-sums'
finish
