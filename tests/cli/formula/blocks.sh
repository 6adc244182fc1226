#!/bin/sh
# Formulas of many blocks become the textbook form, and that is simplified to itself.
. tests/lib/cli.sh
library

blocks() { # KIND N
    python3 tests/lib/blocks.py "$1" "$2" >"$work/in.expr"
    python3 tests/lib/blocks.py "$1" "$2" form >"$work/want"
    expect 0 "$rankwright" simplify "$work/in.expr" --db "$db" --proof "$work/record.json"
    cmp -s "$work/want" "$work/out" || { fail "$1 of $2 blocks"; head -c 500 "$work/out"; }
    expect 0 "$rankwright" check "$work/record.json" --db "$db"
    expect 0 "$rankwright" simplify "$work/in.expr" --db "$db" -o "$work/again.expr"
    expect 0 "$rankwright" simplify "$work/again.expr" --db "$db" -o "$work/twice.expr"
    cmp -s "$work/again.expr" "$work/twice.expr" || fail "$1 of $2 blocks: not itself again"
}
blocks softmax 4
blocks softmax 64
blocks logsumexp 6
blocks attention 5
blocks attention 64
blocks mean 5
blocks mean 64
blocks deviations 3
blocks deviations 64
blocks sum 256
blocks dot 256
finish
