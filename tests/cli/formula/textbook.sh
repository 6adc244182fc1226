#!/bin/sh
# Formulas from textbooks and kernels become what a reader expects.
. tests/lib/cli.sh
library
mkdir "$work/r"
expect 0 python3 tests/lib/textbook.py "$rankwright" "$numeric" "$db" "$work/r"
cat "$work/out"
finish
