#!/bin/sh
# Runs every test: the layer table, the unit programs of BUILD/unit, and the
# tests of the command line (tests/cli/*.sh) and of the explorer (tests/explorer/*.sh).
# One line for each, and what it left out; the output of those that fail; the counts at the end.
# A test fails that cannot start, that is ended from outside, or that ends before its last line.
#   tests/check.sh BUILD
set -u
build=$1
cd "$(dirname "$0")/.."
rankwright=$build/rankwright
export rankwright
# Tests look at what this program proves, not at what an earlier one proved.
RANKWRIGHT_LIBRARY_DATABASE=
export RANKWRIGHT_LIBRARY_DATABASE
work=$(mktemp -d)
# Tests that run end by themselves; no other one begins.
tests=
trap 'rm -rf "$work"' EXIT
trap '[ -z "$tests" ] || kill "$tests"; exit 130' INT
trap '[ -z "$tests" ] || kill "$tests"; exit 143' TERM
passed=0 failed=0 left_out=0

tell() { # name: what came of it
    at=$work/$(echo "$1" | tr / .)
    status=missing seconds=0
    [ -s "$at.end" ] && read -r status seconds <"$at.end"
    if [ "$status" = 0 ]; then
        passed=$((passed + 1))
        echo "ok    $1 ($seconds s)"
        # What a program of cmocka skips stands in brackets.
        grep 'left out$\|^left out\|^\[  SKIPPED \] [^0-9]' "$at.log" >"$at.out" 2>/dev/null
        sed 's/^/      /' "$at.out"
        left_out=$((left_out + $(wc -l <"$at.out")))
    else
        failed=$((failed + 1))
        echo "FAIL  $1 (status $status)"
        [ -e "$at.log" ] && sed 's/^/      /' "$at.log" | tail -n 60
    fi
}
run() { # name command...
    sh tests/lib/try.sh "$work" "$@"
    tell "$1"
}

run layers sh tests/layers.sh
run operators sh tests/operators.sh
# Lists that are empty were not found.
need() { # name list
    [ -n "$2" ] || tell "$1"
}
# Unit programs, and then scripts, on all processors; each is told in its turn, and one whose runner
# is ended leaves the others.  The longest ones stand at the end of the alphabet, and come first.
units=$(cd tests/unit && find . -name '*.c' | sed 's,^\./,,; s,\.c$,,' | sort -r)
need units "$units"
printf '%s\n' $units | xargs -P "$(nproc)" -I NAME \
    sh -c '"$@" || :' sh sh tests/lib/try.sh "$work" unit/NAME "$build/unit/NAME" &
tests=$!
wait "$tests"
for name in $units; do
    tell "unit/$name"
done
# Tests that only need a proved library copy this one.
run "prove the library" "$rankwright" prove rules/library \
    --db "$work/library.db" -j 2
proved_library=$work/library.db
export proved_library
scripts=$(find tests/cli tests/explorer -name browser -prune -o -name '*.sh' -print |
    sed 's,^tests/,,; s,\.sh$,,' | sort -r)
need scripts "$scripts"
printf '%s\n' $scripts | xargs -P "$(nproc)" -I NAME \
    sh -c '"$@" || :' sh sh tests/lib/try.sh "$work" NAME sh tests/NAME.sh &
tests=$!
wait "$tests"
tests=
for name in $scripts; do
    tell "$name"
done
[ "$passed" -gt 0 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed, $left_out parts left out"
[ "$failed" = 0 ]
