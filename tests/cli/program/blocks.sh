#!/bin/sh
# A program of equal blocks: of every block the same is left, at any depth.
. tests/lib/cli.sh
library
left() { # SHAPE KIND BLOCKS: operations of the result
    python3 tests/lib/block_program.py "$1" "$3" "$2" >"$work/in.mlir"
    "$rankwright" simplify "$work/in.mlir" --db "$db" --cost nodes -o "$work/out.mlir" \
        2>"$work/err" || [ $? -eq 2 ] || fail "$1 of $3"
    grep 'stablehlo\.[a-z]' "$work/out.mlir" | grep -vc 'stablehlo\.constant'
}
for shape in chain tree; do
    for kind in plain norm column; do
        few=$(left $shape $kind 4) more=$(left $shape $kind 6) far=$(left $shape $kind 404)
        [ "$more" -gt "$few" ] && [ $((far - few)) -eq $((200 * (more - few))) ] ||
            fail "$shape of $kind: $few are left of 4 blocks, $more of 6, $far of 404"
    done
done
n=$(left chain plain 1000)
[ "$n" -eq 3000 ] || fail "$n are left of a chain of 1000"
finish
