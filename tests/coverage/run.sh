#!/bin/sh
# Proves the library, the rules that wait and the false ones from nothing, and
# writes docs/coverage.md from the two databases.
#   tests/coverage/run.sh RANKWRIGHT [LISTS]
# LISTS: a folder with the lists themselves; then a row that is neither stated
# nor explained in docs/coverage-notes.tsv is an error.
set -eu
rankwright=$1
lists=${2-}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# Unknown and refuted claims are answers here, everything else is a failure.
prove() {
    status=0
    "$rankwright" prove "$@" -j 2 >/dev/null 2>"$work/log" || status=$?
    [ "$status" -le 2 ] || {
        cat "$work/log" >&2
        exit 1
    }
}
prove rules/library tests/rules/undecided.rw tests/rules/vacuous.rw \
    tests/rules/empty.rw \
    --db "$work/true.db"
status=0
"$rankwright" lint rules/library tests/rules/undecided.rw tests/rules/vacuous.rw \
    tests/rules/empty.rw --json >"$work/lint" 2>"$work/log" || status=$?
[ "$status" -le 2 ] || {
    cat "$work/log" >&2
    exit 1
}
prove tests/wrong --db "$work/wrong.db"
if [ -n "$lists" ]; then
    set -- --lists "$lists"
else
    set --
fi
python3 tests/coverage/table.py --rankwright "$rankwright" \
    --db "$work/true.db" "$work/wrong.db" --notes docs/coverage-notes.tsv \
    --rows docs/coverage-rows.tsv --lint "$work/lint" \
    --table docs/coverage.md "$@"
