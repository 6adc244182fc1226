#!/bin/sh
# Over the reals, batches of matrices and vectors stay contractions with the default cost.  As products
# and a sum, which the e-graph has, they take longer: bench/run_time/microbench.py measures both.
. tests/lib/cli.sh

# batches BATCHES CONTRACTED COLUMNS
batches() {
    cat >"$work/batches.mlir" <<P
func.func @main(%w: tensor<$1x$2xf32>, %x: tensor<$1x$2x$3xf32>) -> tensor<$1x$3xf32> {
  %0 = stablehlo.dot_general %w, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1]
    : (tensor<$1x$2xf32>, tensor<$1x$2x$3xf32>) -> tensor<$1x$3xf32>
  return %0 : tensor<$1x$3xf32>
}
P
}

for shape in '64 256 256' '16 64 1024' '512 32 32' '2 2048 256'; do
    batches $shape
    expect 0 "$rankwright" simplify "$work/batches.mlir" --db "$proved_library" --domain real \
        --dump-egraph "$work/graph.json" -o "$work/out.mlir"
    has "$work/graph.json" '"reduce'
    has "$work/out.mlir" stablehlo.dot_general
done
finish
