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
has "$work/empty.rw" 'where s == e|start=\{x: s.*limit=\{x: s[,}]'
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

# A sum over an axis of size 1 is a reshape in the program after, and a sum in the rule.
expect 0 "$rankwright" learn tests/examples/sum_of_joined.mlir -o "$work/sums.rw"
grep -qE 'reshape|where' "$work/sums.rw" && fail "a folded reduction stands in the rule"

# A gather of one piece at constant places is a slice at them; collapsed dimensions are dropped.
cat >"$work/gather.mlir" <<'M'
func.func @p(%x: tensor<5x6x7xf32>) -> tensor<6x4xf32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%x, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [0], start_index_map = [0, 2]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6, 4>}> : (tensor<5x6x7xf32>, tensor<2xi32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}
func.func @q(%x: tensor<5x6x7xf32>) -> tensor<6x4xf32> {
  %0 = stablehlo.slice %x [1:2, 0:6, 2:6] : (tensor<5x6x7xf32>) -> tensor<1x6x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x6x4xf32>) -> tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}
M
expect 0 "$rankwright" learn "$work/gather.mlir" -o "$work/gather.rw"
has "$work/gather.rw" 'dynamic_slice\(A'
has "$work/out" 'holds for all ranks and sizes'
expect 0 "$rankwright" prove "$work/gather.rw" --db "$work/g.db"
cat >"$work/gather-before.mlir" <<'M'
func.func @p(%x: tensor<5x6x7xf32>) -> tensor<2x6x4xf32> {
  %c = stablehlo.constant dense<[1, 9]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%x, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [0, 2]>, indices_are_sorted = false, slice_sizes = array<i64: 2, 6, 4>}> : (tensor<5x6x7xf32>, tensor<2xi32>) -> tensor<2x6x4xf32>
  return %0 : tensor<2x6x4xf32>
}
M
expect 0 "$rankwright" simplify "$work/gather-before.mlir" --db "$work/g.db" --cost nodes \
    --proof "$work/gather.json" -o "$work/gather-got.mlir"
grep -q gather "$work/gather-got.mlir" && fail "the rule does not rewrite the gather"
expect 0 "$rankwright" check "$work/gather.json" --db "$work/g.db"

# Updates one behind the other: where the second one begins is a sum of the first one's place and
# width, although all widths are 1.
cat >"$work/updates.mlir" <<'M'
func.func @p(%x: tensor<24x5xf32>, %y: tensor<1x5xf32>, %z: tensor<1x5xf32>) -> tensor<24x5xf32> {
  %c = stablehlo.constant dense<8> : tensor<i32>
  %d = stablehlo.constant dense<7> : tensor<i32>
  %e = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %y, %c, %e : (tensor<24x5xf32>, tensor<1x5xf32>, tensor<i32>, tensor<i32>) -> tensor<24x5xf32>
  %1 = stablehlo.dynamic_update_slice %0, %z, %d, %e : (tensor<24x5xf32>, tensor<1x5xf32>, tensor<i32>, tensor<i32>) -> tensor<24x5xf32>
  return %1 : tensor<24x5xf32>
}
func.func @q(%x: tensor<24x5xf32>, %y: tensor<1x5xf32>, %z: tensor<1x5xf32>) -> tensor<24x5xf32> {
  %c = stablehlo.constant dense<7> : tensor<i32>
  %e = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.concatenate %z, %y, dim = 0 : (tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<2x5xf32>
  %1 = stablehlo.dynamic_update_slice %x, %0, %c, %e : (tensor<24x5xf32>, tensor<2x5xf32>, tensor<i32>, tensor<i32>) -> tensor<24x5xf32>
  return %1 : tensor<24x5xf32>
}
M
expect 0 "$rankwright" learn "$work/updates.mlir" -o "$work/updates.rw"
has "$work/updates.rw" 'concat\(C, B, axis=a\)'
grep -E '^  tensor [BC]\[' "$work/updates.rw" | grep -q 'a: 1' && fail "the width of the pair's updates stands in the rule"
finish

# Ten attributes of the program after are solved for together.
cat >"$work/five.mlir" <<'M'
func.func @p(%a: tensor<2x3xf32>, %b: tensor<3x3xf32>, %c: tensor<1x3xf32>, %d: tensor<4x3xf32>, %e: tensor<2x3xf32>, %f: tensor<12x3xf32>) -> tensor<12x3xf32> {
  %0 = stablehlo.concatenate %a, %b, %c, %d, %e, dim = 0 : (tensor<2x3xf32>, tensor<3x3xf32>, tensor<1x3xf32>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<12x3xf32>
  %1 = stablehlo.add %0, %f : tensor<12x3xf32>
  return %1 : tensor<12x3xf32>
}
func.func @q(%a: tensor<2x3xf32>, %b: tensor<3x3xf32>, %c: tensor<1x3xf32>, %d: tensor<4x3xf32>, %e: tensor<2x3xf32>, %f: tensor<12x3xf32>) -> tensor<12x3xf32> {
  %sa = stablehlo.slice %f [0:2, 0:3] : (tensor<12x3xf32>) -> tensor<2x3xf32>
  %ta = stablehlo.add %a, %sa : tensor<2x3xf32>
  %sb = stablehlo.slice %f [2:5, 0:3] : (tensor<12x3xf32>) -> tensor<3x3xf32>
  %tb = stablehlo.add %b, %sb : tensor<3x3xf32>
  %sc = stablehlo.slice %f [5:6, 0:3] : (tensor<12x3xf32>) -> tensor<1x3xf32>
  %tc = stablehlo.add %c, %sc : tensor<1x3xf32>
  %sd = stablehlo.slice %f [6:10, 0:3] : (tensor<12x3xf32>) -> tensor<4x3xf32>
  %td = stablehlo.add %d, %sd : tensor<4x3xf32>
  %se = stablehlo.slice %f [10:12, 0:3] : (tensor<12x3xf32>) -> tensor<2x3xf32>
  %te = stablehlo.add %e, %se : tensor<2x3xf32>
  %r = stablehlo.concatenate %ta, %tb, %tc, %td, %te, dim = 0 : (tensor<2x3xf32>, tensor<3x3xf32>, tensor<1x3xf32>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<12x3xf32>
  return %r : tensor<12x3xf32>
}
M
expect 0 "$rankwright" learn "$work/five.mlir" -o "$work/five.rw"
grep -q where "$work/five.rw" && fail "parts of a join need a precondition"
has "$work/five.rw" 'slice\(F, start=\{a: n\}, limit=\{a: n3? \+ n3?\}\)'
finish
