#!/bin/sh
# What is given stands in the formula, too.
. tests/lib/cli.sh
library

# formula, and the text that must come out
becomes() {
    expect 0 "$rankwright" simplify --db "$db" -e "$1" --proof "$work/p.json"
    printf '%b\n' "$2" >"$work/want"
    diff "$work/want" "$work/out" >&2 || fail "$1"
    expect 0 "$rankwright" check "$work/p.json" --db "$db"
}

becomes 'given c > 0; where(c > 0, x, y)' 'x\nwhere c > 0'
becomes 'given c > 0; where(c > 0, x*2*3, y) + log(c)' 'log(c) + 6*x\nwhere c > 0'
becomes 'given c > 0, where(c > 0, x, y) > 0; abs(where(c > 0, x, y))' \
    'x\nwhere c > 0, where(c > 0, x, y) > 0'
becomes 'tensor x[j]; where(size(j) > 0, x, 2)' 'x'
finish
