#!/bin/sh
# Builds faults.c of this folder, and runs run.py with it.
#   run.sh RANKWRIGHT [OPTION...]
set -eu
here=$(dirname "$0")
faults=$(mktemp)
trap 'rm -f "$faults"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# shellcheck disable=SC2086 # a compiler may have a word in front
${CC:-cc} -shared -fPIC -O1 -std=gnu11 -o "$faults" "$here/faults.c" -ldl
rankwright=$1
shift
python3 "$here/run.py" "$rankwright" "$faults" "$@"
