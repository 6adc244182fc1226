#!/bin/sh
# A program of equal blocks: of every block the same is left, at any depth.
. tests/lib/cli.sh
library
left() { # SHAPE BLOCKS: operations of the result
    python3 tests/lib/block_program.py "$1" "$2" >"$work/in.mlir"
    "$rankwright" simplify "$work/in.mlir" --db "$db" -o "$work/out.mlir" 2>"$work/err" ||
        [ $? -eq 2 ] || fail "$1 of $2"
    grep -c 'stablehlo\.[a-z]' "$work/out.mlir"
}
for blocks in 10 100 1000; do
    # At most one constant that all blocks share stays beside.
    n=$(left chain $blocks)
    [ "$n" -ge $((3 * blocks)) ] && [ "$n" -le $((3 * blocks + 1)) ] || fail "chain of $blocks: $n"
done
small=$(left tree 100) large=$(left tree 1000)
[ "$large" -le $((10 * small)) ] && [ "$large" -ge $((10 * small - 10)) ] ||
    fail "tree: $small of 100, $large of 1000"
finish
