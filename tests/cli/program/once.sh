#!/bin/sh
# What one run leaves, another run does not find: a result that came to rest is its own result.
. tests/lib/cli.sh
library
for name in attention mlp decode conv_stack signal regions/called_loops regions/handed_over written/scan.jnp; do
    expect 0 "$rankwright" simplify "tests/programs/$name.mlir" --db "$db" -o "$work/first.mlir"
    expect 0 "$rankwright" simplify "$work/first.mlir" --db "$db" -o "$work/second.mlir"
    cmp -s "$work/first.mlir" "$work/second.mlir" || fail "$name: a second run changes the result"
    # A slice of everything, however large what stands below it.
    grep -E 'slice .*: \((tensor<[^>]*>)\) -> \1' "$work/first.mlir" && fail "$name: a slice of everything"
done
finish
