#!/bin/sh
# Rules from examples whose structure a pair hides: clamped starts, results without elements,
# reshapes that only add dimensions of size 1.
. tests/lib/cli.sh

# A start beyond the end is clamped; the rule says so, without a precondition.
cat >"$work/clamped.mlir" <<'M'
func.func @p(%x: tensor<9x6xf32>) -> tensor<4x6xf32> {
  %c = stablehlo.constant dense<7> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %c, %z, sizes = [4, 6] : (tensor<9x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func @q(%x: tensor<9x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.slice %x [5:9, 0:6] : (tensor<9x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
M
expect 0 "$rankwright" learn "$work/clamped.mlir" -o "$work/clamped.rw"
has "$work/clamped.rw" 'start=\{x: m(in|ax)\('
has "$work/clamped.rw" 'max\(.*min\(|min\(.*max\('
grep -q where "$work/clamped.rw" && fail "a clamped start has a precondition"

# The result has no element, at any size: that is what the rule is about.
cat >"$work/empty.mlir" <<'M'
func.func @p(%x: tensor<3x5xf32>) -> tensor<0x5xf32> {
  %0 = stablehlo.slice %x [2:2, 0:5] : (tensor<3x5xf32>) -> tensor<0x5xf32>
  return %0 : tensor<0x5xf32>
}
func.func @q(%x: tensor<3x5xf32>) -> tensor<0x5xf32> {
  %c = stablehlo.constant dense<> : tensor<0x5xf32>
  return %c : tensor<0x5xf32>
}
M
expect 0 "$rankwright" learn "$work/empty.mlir" -o "$work/empty.rw"
has "$work/empty.rw" 'where s == e'
grep -qE '\b[35]\b' "$work/empty.rw" && fail "a size of the pair stands in the rule"

# What holds for a new dimension of size 1 holds for any reshape.
cat >"$work/reshape.mlir" <<'M'
func.func @p(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>) -> tensor<3x1x2xf32> {
  %0 = stablehlo.reshape %x : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
  %1 = stablehlo.reshape %y : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<3x1x2xf32>
  return %2 : tensor<3x1x2xf32>
}
func.func @q(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>) -> tensor<3x1x2xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<3x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
  return %1 : tensor<3x1x2xf32>
}
M
expect 0 "$rankwright" learn "$work/reshape.mlir" -o "$work/reshape.rw"
has "$work/reshape.rw" 'reshape\(A, \[[xy]\] -> \[[xy]: n\]\)'

# A reshape that only moves a dimension of size 1 is no reshape but an order of dimensions.
cat >"$work/units.mlir" <<'M'
func.func @p(%x: tensor<2x7xf32>) -> tensor<7x2xf32> {
  %0 = stablehlo.slice %x [0:1, 0:7] : (tensor<2x7xf32>) -> tensor<1x7xf32>
  %1 = stablehlo.slice %x [1:2, 0:7] : (tensor<2x7xf32>) -> tensor<1x7xf32>
  %2 = stablehlo.reshape %0 : (tensor<1x7xf32>) -> tensor<7x1xf32>
  %3 = stablehlo.reshape %1 : (tensor<1x7xf32>) -> tensor<7x1xf32>
  %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<7x1xf32>, tensor<7x1xf32>) -> tensor<7x2xf32>
  return %4 : tensor<7x2xf32>
}
func.func @q(%x: tensor<2x7xf32>) -> tensor<7x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x7xf32>) -> tensor<7x2xf32>
  return %0 : tensor<7x2xf32>
}
M
expect 0 "$rankwright" learn "$work/units.mlir" -o "$work/units.rw"
has "$work/units.rw" '=> A;'
expect 0 "$rankwright" prove "$work/units.rw" --db "$work/u.db"
awk '/@p/,/^}/' "$work/units.mlir" >"$work/units-before.mlir"
expect 0 "$rankwright" simplify "$work/units-before.mlir" --db "$work/u.db" --cost nodes \
    --proof "$work/units.json" -o "$work/units-got.mlir"
grep -q concatenate "$work/units-got.mlir" && fail "the rule does not rewrite the program before"
expect 0 "$rankwright" check "$work/units.json" --db "$work/u.db"

# Two dimensions of size 1 that change places: one program up to their order.
cat >"$work/places.mlir" <<'M'
func.func @p(%x: tensor<1x4x5x1xf32>) -> tensor<1x4x1x5xf32> {
  %0 = stablehlo.transpose %x, dims = [3, 1, 0, 2] : (tensor<1x4x5x1xf32>) -> tensor<1x4x1x5xf32>
  return %0 : tensor<1x4x1x5xf32>
}
func.func @q(%x: tensor<1x4x5x1xf32>) -> tensor<1x4x1x5xf32> {
  %0 = stablehlo.reshape %x : (tensor<1x4x5x1xf32>) -> tensor<1x4x1x5xf32>
  return %0 : tensor<1x4x1x5xf32>
}
M
expect 0 "$rankwright" learn "$work/places.mlir"
has "$work/out" 'No rule is needed'
finish
