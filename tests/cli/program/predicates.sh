#!/bin/sh
# Rules of any element type beside integer indices are judged in bool too, so they fire on
# predicates.
. tests/lib/cli.sh
gather='dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5>'
cat >"$work/gather.mlir" <<M
func.func @main(%p: tensor<8x3xi1>, %i: tensor<3xi32>, %j: tensor<4xi32>) -> (tensor<3x5xi1>, tensor<3x5xi1>) {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %all = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<8x5xi1>
  %0 = "stablehlo.gather"(%all, %i) {$gather} : (tensor<8x5xi1>, tensor<3xi32>) -> tensor<3x5xi1>
  %1 = stablehlo.pad %p, %c, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<8x3xi1>, tensor<i1>) -> tensor<8x5xi1>
  %2 = "stablehlo.gather"(%1, %i) {$gather} : (tensor<8x5xi1>, tensor<3xi32>) -> tensor<3x5xi1>
  return %0, %2 : tensor<3x5xi1>, tensor<3x5xi1>
}
M
expect 0 "$rankwright" prove rules/library/movement/gather.rw --db "$db" --domain bool
expect 0 "$rankwright" simplify "$work/gather.mlir" --db "$db" -o "$work/out.mlir" \
    --proof "$work/record.json"
grep -q 'stablehlo.gather"(%all' "$work/out.mlir" && fail "a gather of a constant predicate stayed"
has "$work/out.mlir" 'constant dense<true> : tensor<3x5xi1>'
has "$work/record.json" 'gather_of_constant'
expect 0 "$rankwright" eval "$work/gather.mlir" --compare "$work/out.mlir"
expect 0 "$rankwright" check "$work/record.json" --db "$db" --reprove
finish
