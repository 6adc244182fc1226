#!/bin/sh
# Runs every test: the layer table, the unit programs of BUILD/unit, and the
# tests of the command line (tests/cli/*.sh).  One line for each; the output of
# those that fail; the count at the end.
#   tests/check.sh BUILD
set -u
build=$1
cd "$(dirname "$0")/.."
rankwright=$build/rankwright
export rankwright
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
passed=0 failed=0

run() { # name command...
    name=$1
    shift
    start=$(date +%s)
    mkdir -p "$work/dir"
    if TMPDIR="$work/dir" "$@" >"$work/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok    $name ($(($(date +%s) - start)) s)"
    else
        failed=$((failed + 1))
        echo "FAIL  $name"
        sed 's/^/      /' "$work/log" | tail -n 60
    fi
    rm -rf "$work/dir"
}

run layers sh tests/layers.sh
for source in tests/unit/*.c; do
    name=$(basename "$source" .c)
    run "unit/$name" "$build/unit/$name"
done
# Tests that only need a proved library copy this one.
if [ -x "$rankwright" ]; then
    run "prove the library" "$rankwright" prove rules/library \
        --db "$work/library.db" -j 2
    proved_library=$work/library.db
    export proved_library
fi
for script in tests/cli/*.sh; do
    [ -e "$script" ] || continue
    run "cli/$(basename "$script" .sh)" sh "$script"
done
[ "$passed" -gt 0 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
