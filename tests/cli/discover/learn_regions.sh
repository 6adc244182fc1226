#!/bin/sh
# Regions that are written or read at places.
. tests/lib/cli.sh
. tests/lib/pair.sh

# An update that covers an earlier one: said by where both end.
pair covers '(%a: tensor<8x8xf32>, %b: tensor<4x3xf32>, %c: tensor<4x6xf32>) -> tensor<8x8xf32>' <<'P'
  %z = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %4 = stablehlo.constant dense<4> : tensor<i32>
  %p = stablehlo.dynamic_update_slice %a, %b, %z, %4 : (tensor<8x8xf32>, tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  %q = stablehlo.dynamic_update_slice %p, %c, %z, %1 : (tensor<8x8xf32>, tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
--
  %z = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %q = stablehlo.dynamic_update_slice %a, %c, %z, %1 : (tensor<8x8xf32>, tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
P
expect 0 "$rankwright" learn "$work/covers.mlir" -o "$work/covers.rw"
has "$work/covers.rw" '=> dynamic_update_slice\(A, C, '
expect 0 "$rankwright" prove "$work/covers.rw" --db "$work/r.db"
# instances inside of bounds, where none of the sizes is the pair's
cat >"$work/other.mlir" <<'M'
func.func @main(%a: tensor<20x20xf32>, %b: tensor<2x3xf32>, %c: tensor<5x9xf32>) -> tensor<20x20xf32> {
  %2 = stablehlo.constant dense<2> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %6 = stablehlo.constant dense<6> : tensor<i32>
  %p = stablehlo.dynamic_update_slice %a, %b, %3, %6 : (tensor<20x20xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<20x20xf32>
  %q = stablehlo.dynamic_update_slice %p, %c, %2, %3 : (tensor<20x20xf32>, tensor<5x9xf32>, tensor<i32>, tensor<i32>) -> tensor<20x20xf32>
  return %q : tensor<20x20xf32>
}
M
expect 0 "$rankwright" simplify "$work/other.mlir" --db "$work/r.db" --rules "$work/covers.rw" \
    --proof "$work/other.json" -o "$work/other-got.mlir"
[ "$(grep -c 'dynamic_update_slice %' "$work/other-got.mlir")" = 1 ] || fail "both updates stay"
expect 0 "$rankwright" check "$work/other.json" --db "$work/r.db"
finish
