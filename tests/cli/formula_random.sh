#!/bin/sh
# Random formulas: the result has the value of the formula, to 40 digits.
. tests/lib/cli.sh
numeric=$(dirname "$rankwright")/numeric
[ -x "$numeric" ] || numeric=build/dev/numeric
library
mkdir "$work/r"
expect 0 python3 tests/lib/random_formulas.py "$rankwright" "$numeric" "$db" \
    "$work/r" "${SEED:-1}" "${COUNT:-60}"
cat "$work/out"
finish
