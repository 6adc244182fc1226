#!/bin/sh
# Elementwise operators take their operands in the order of dimensions that needs the fewest
# transposes, and know the elements of short iotas.
. tests/lib/cli.sh
library
result() { grep -c "stablehlo.$1" "$work/out.mlir" || true; }
simplified() { # the program on standard input
    cat >"$work/in.mlir"
    expect 0 "$rankwright" simplify "$work/in.mlir" --db "$db" --cost nodes --verify 3 \
        -o "$work/out.mlir" --proof "$work/r.json"
    expect 0 "$rankwright" check "$work/r.json" --db "$db"
}
simplified <<'E2'
func.func @chain(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>, %c: tensor<i1>) -> tensor<3x2xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<2x3xf32>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.transpose %y, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.divide %0, %1 : tensor<2x3xf32>
  %3 = stablehlo.power %half, %2 : tensor<2x3xf32>
  %4 = stablehlo.select %c, %3, %0 : tensor<i1>, tensor<2x3xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %5 : tensor<3x2xf32>
}
E2
[ "$(result transpose)" -eq 0 ] && [ "$(result divide)" -eq 1 ] && [ "$(result power)" -eq 1 ] ||
    fail "a chain between transposes"
# what an operator gives is turned before what computes with it, at any depth; in float too
simplified <<'E2'
func.func @deep(%x: tensor<3x2x4xf32>, %y: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<3x2x4xf32>) -> tensor<4x3x2xf32>
  %1 = stablehlo.transpose %y, dims = [2, 0, 1] : (tensor<3x2x4xf32>) -> tensor<4x3x2xf32>
  %2 = stablehlo.negate %0 : tensor<4x3x2xf32>
  %3 = stablehlo.subtract %2, %1 : tensor<4x3x2xf32>
  %4 = stablehlo.exponential %3 : tensor<4x3x2xf32>
  %5 = stablehlo.maximum %4, %1 : tensor<4x3x2xf32>
  %6 = stablehlo.transpose %5, dims = [1, 2, 0] : (tensor<4x3x2xf32>) -> tensor<3x2x4xf32>
  return %6 : tensor<3x2x4xf32>
}
E2
[ "$(result transpose)" -eq 0 ] || fail "a deep chain between transposes"
# one operand was transposed: now the other one is, and the result is not
simplified <<'E2'
func.func @one(%x: tensor<3x2xf32>, %y: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.divide %0, %y : tensor<2x3xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
E2
[ "$(result transpose)" -eq 1 ] || fail "one transposed operand"
# transposes of a cube by different permutations are different
simplified <<'E2'
func.func @cube(%x: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %1 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %2 = stablehlo.divide %0, %1 : tensor<2x2x2xf32>
  return %2 : tensor<2x2x2xf32>
}
E2
[ "$(result transpose)" -eq 2 ] || fail "different permutations"

simplified <<'E2'
func.func @places(%x: tensor<6xf32>) -> (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>, tensor<4xf32>) {
  %c = stablehlo.constant dense<2> : tensor<4xi32>
  %m = stablehlo.constant dense<-1> : tensor<4xi32>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.compare LT, %0, %c, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %2 = stablehlo.maximum %0, %m : tensor<4xi32>
  %3 = stablehlo.iota dim = 0 : tensor<65xi32>
  %4 = stablehlo.slice %3 [0:65:21] : (tensor<65xi32>) -> tensor<4xi32>
  %5 = stablehlo.add %0, %c : tensor<4xi32>
  %6 = "stablehlo.gather"(%x, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<6xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %1, %2, %4, %6 : tensor<4xi1>, tensor<4xi32>, tensor<4xi32>, tensor<4xf32>
}
E2
has "$work/out.mlir" 'dense<\[true, true, false, false\]>'
[ "$(result compare)" -eq 0 ] && [ "$(result maximum)" -eq 0 ] || fail "comparison with an iota"
# the iota itself stays, also where rules found that it is the result
has "$work/out.mlir" 'stablehlo.iota dim = 0 : tensor<4xi32>'
grep -q 'dense<\[0, 1, 2, 3\]>' "$work/out.mlir" && fail "an iota became a constant"
finish
