#!/bin/sh
# What is proved over the reals has a value on the right wherever it has one on the left.
. tests/lib/cli.sh
expect 0 python3 tests/lib/fuzz_values.py "$rankwright" "$work" 1 150
cat "$work/out"
finish
