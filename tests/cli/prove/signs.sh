#!/bin/sh
# What is proved of sums and extrema of random reals holds of their values.
. tests/lib/cli.sh
expect 0 python3 tests/lib/fuzz_signs.py "$rankwright" "$work" 1 40
cat "$work/out"
finish
