#!/bin/sh
# Rules from examples in which something is by the way: what both programs do last, where a strided
# slice ends, the types that a conversion goes through.
. tests/lib/cli.sh

# Both programs end with a product by one value: the rule is about the other operand.
cat >"$work/inner.mlir" <<'M'
func.func @p(%x: tensor<4x7xf32>, %y: tensor<4x7xf32>) -> tensor<7x4xf32> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<4x7xf32>
  %1 = stablehlo.negate %0 : tensor<4x7xf32>
  %2 = stablehlo.reverse %1, dims = [1] : tensor<4x7xf32>
  %3 = stablehlo.multiply %y, %2 : tensor<4x7xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<4x7xf32>) -> tensor<7x4xf32>
  return %4 : tensor<7x4xf32>
}
func.func @q(%x: tensor<4x7xf32>, %y: tensor<4x7xf32>) -> tensor<7x4xf32> {
  %0 = stablehlo.negate %x : tensor<4x7xf32>
  %1 = stablehlo.multiply %0, %y : tensor<4x7xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x7xf32>) -> tensor<7x4xf32>
  return %2 : tensor<7x4xf32>
}
M
expect 0 "$rankwright" learn "$work/inner.mlir" -o "$work/inner.rw"
has "$work/inner.rw" 'reverse'
grep -q '\*' "$work/inner.rw" && fail "what both programs do last stands in the rule"
[ "$(grep -c '^  tensor' "$work/inner.rw")" = 1 ] || fail "the rule has an operand of the product"

# The parts differ, and only what stands around them makes the programs equal: the rule is about all
# of it.
cat >"$work/whole.mlir" <<'M'
func.func @p(%x: tensor<6x5xi32>) -> tensor<6x5xi32> {
  %0 = stablehlo.negate %x : tensor<6x5xi32>
  %1 = stablehlo.abs %0 : tensor<6x5xi32>
  return %1 : tensor<6x5xi32>
}
func.func @q(%x: tensor<6x5xi32>) -> tensor<6x5xi32> {
  %0 = stablehlo.abs %x : tensor<6x5xi32>
  return %0 : tensor<6x5xi32>
}
M
expect 0 "$rankwright" learn "$work/whole.mlir" -o "$work/whole.rw"
has "$work/whole.rw" 'abs\(-A\)'

# The slice of the program after ends right behind its last element, which no formula says.
cat >"$work/limit.mlir" <<'M'
func.func @p(%x: tensor<30x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.slice %x [1:29:2, 0:4] : (tensor<30x4xf32>) -> tensor<14x4xf32>
  %1 = stablehlo.slice %0 [2:14:3, 0:4] : (tensor<14x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
func.func @q(%x: tensor<30x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.slice %x [5:24:6, 0:4] : (tensor<30x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
M
expect 0 "$rankwright" learn "$work/limit.mlir" -o "$work/limit.rw"
grep -q where "$work/limit.rw" && fail "a slice of a slice has a precondition"

# A conversion by way of a type that holds every value, whatever the types are.
cat >"$work/wider.mlir" <<'M'
func.func @p(%x: tensor<9xi8>) -> tensor<9xf32> {
  %0 = stablehlo.convert %x : (tensor<9xi8>) -> tensor<9xi32>
  %1 = stablehlo.convert %0 : (tensor<9xi32>) -> tensor<9xf32>
  return %1 : tensor<9xf32>
}
func.func @q(%x: tensor<9xi8>) -> tensor<9xf32> {
  %0 = stablehlo.convert %x : (tensor<9xi8>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
M
expect 0 "$rankwright" learn "$work/wider.mlir" -o "$work/wider.rw"
grep -q claims "$work/wider.rw" && fail "the rule is not proved for elements of every kind"
has "$work/wider.rw" 'wider T1 of T2'

# A padding moves elements apart, and a slice takes them: the stride is one more than what lies
# between, though that is 1, as is what lies in front of them.
cat >"$work/apart.mlir" <<'M'
func.func @p(%x: tensor<4x6xf32>, %v: tensor<f32>) -> tensor<4x6xf32> {
  %0 = stablehlo.pad %x, %v, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x12xf32>
  %1 = stablehlo.slice %0 [0:4, 1:12:2] : (tensor<4x12xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
func.func @q(%x: tensor<4x6xf32>, %v: tensor<f32>) -> tensor<4x6xf32> {
  return %x : tensor<4x6xf32>
}
M
expect 0 "$rankwright" learn "$work/apart.mlir" -o "$work/apart.rw"
grep -qE 'where l2? ' "$work/apart.rw" && fail "what lies in front of the elements is 1 in the rule"
has "$work/apart.rw" 'stride=\{(x: 1, )?y: i2? \+ 1\}'

# A window of one element takes every second one; the slice ends where the last one does.
cat >"$work/window.mlir" <<'M'
func.func @p(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x8xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
func.func @q(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.slice %x [0:3, 0:7:2] : (tensor<3x8xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
M
expect 0 "$rankwright" learn "$work/window.mlir" -o "$work/window.rw"
has "$work/window.rw" 'limit=\{(x: n, )?y: [a-z0-9 +]*\}, stride=\{(x: 1, )?y: p\}'

# An axis along which nothing is sliced is one of those along which something is.
cat >"$work/idle.mlir" <<'M'
func.func @p(%x: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = stablehlo.slice %x [2:6, 0:5] : (tensor<8x5xf32>) -> tensor<4x5xf32>
  %1 = stablehlo.divide %0, %0 : tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}
func.func @q(%x: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = stablehlo.divide %x, %x : tensor<8x5xf32>
  %1 = stablehlo.slice %0 [2:6, 0:5] : (tensor<8x5xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}
M
expect 0 "$rankwright" learn "$work/idle.mlir" -o "$work/idle.rw"
[ "$(grep -c '^  ax' "$work/idle.rw")" = 1 ] || fail "the axis along which nothing is sliced has a class"
has "$work/idle.rw" 'start=\{x: s'
finish
