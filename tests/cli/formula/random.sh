#!/bin/sh
# Random formulas: the result has the value of the formula, to 40 digits.
. tests/lib/cli.sh
library
mkdir "$work/r"
expect 0 python3 tests/lib/random_formulas.py "$rankwright" "$numeric" "$db" \
    "$work/r" "${SEED:-1}" "${COUNT:-60}"
cat "$work/out"
has "$work/out" '^[1-9][0-9]* formulas, [0-9]+ of them without values; [1-9][0-9]* became shorter$'
finish
