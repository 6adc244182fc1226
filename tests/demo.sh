#!/bin/sh
# From the rule library to a checked record, in a folder that is removed again.
set -eu
rankwright=$1
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
XDG_DATA_HOME=$work
export XDG_DATA_HOME
program=tests/programs/stencil.mlir
say() { printf '\n$ %s\n' "$*"; }

# The verdicts of the library, which make library has proved.
unset RANKWRIGHT_LIBRARY_DATABASE
say rankwright query op=slice domain=float verdict=proved
"$rankwright" query op=slice domain=float verdict=proved >"$work/found"
tail -n 5 "$work/found"
say rankwright show slice_of_slice
"$rankwright" show slice_of_slice >"$work/shown"
sed -n 1,40p "$work/shown"
say rankwright simplify $program --domain real --proof record.json
"$rankwright" simplify $program --domain real \
    -o "$work/out.mlir" --proof "$work/record.json"
say rankwright explain record.json
"$rankwright" explain "$work/record.json" >"$work/explained"
sed -n 1,60p "$work/explained"
echo ...
say rankwright check record.json
"$rankwright" check "$work/record.json"
say rankwright eval $program --compare out.mlir
"$rankwright" eval $program --compare "$work/out.mlir" --tolerance 1e-4
