#!/bin/sh
# Runs one test: its output, and its status and seconds, into files of its name.
#   tests/lib/try.sh WORK NAME COMMAND...
at=$1/$(echo "$2" | tr / .)
shift 2
start=$(date +%s)
mkdir -p "$at.dir"
TMPDIR="$at.dir" "$@" >"$at.log" 2>&1 </dev/null
status=$?
rm -rf "$at.dir"
echo "$status $(($(date +%s) - start))" >"$at.end"
