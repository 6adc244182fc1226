#!/bin/sh
# scale/prove.sh without an engine: what it refuses, and what it says where an
# engine is not installed.  `make check-scale` runs the engines.
. tests/lib/cli.sh
for arguments in '' nonsense parallel "parallel --db $db" 'parallel rules/library' \
    "parallel --db $db --tasks 0 x" "parallel --db $db --tasks x x" \
    "parallel --db $db --nonsense x" "parallel x --db" "parallel --db $db -- x"; do
    # shellcheck disable=SC2086 # words
    expect 64 sh scale/prove.sh $arguments; [ -s "$work/err" ] || fail "no message: $arguments"
done
expect 0 sh scale/prove.sh --help
has "$work/out" 'scale/prove.sh ENGINE --db OUT'
# A PATH with what the driver itself needs, and no engine.
mkdir "$work/bin"
for p in sh cat cp cut date dirname flock mkdir mv rm sed tail wc; do
    ln -s "$(command -v $p)" "$work/bin/$p"
done
rankwright=$(cd "$(dirname "$rankwright")" && pwd)/$(basename "$rankwright")
for engine in parallel slurm ray; do
    expect 69 env PATH="$work/bin" PYTHON=false sh scale/prove.sh $engine --db "$db" \
        --rankwright "$rankwright" tests/rules/small.rw
    has "$work/err" 'not installed'
done
[ -e "$db" ] && fail "a database without a verdict"
expect 65 sh scale/prove.sh parallel --db "$db" --rankwright "$rankwright" tests/programs/mlp.mlir
# Lines that a killed driver left are merged; then nothing lacks a verdict.
mkdir -p "$db.lines"
"$rankwright" prove --list tests/rules/small.rw | "$rankwright" prove --worker >"$db.lines/old.jsonl"
expect 0 env PATH="$work/bin" sh scale/prove.sh parallel --db "$db" --rankwright "$rankwright" tests/rules/small.rw
[ "$("$rankwright" query verdict=proved --db "$db" | wc -l)" = 2 ] || fail "lines that were left"
[ -e "$db.lines/old.jsonl" ] && fail "lines stay when all is done"
# One driver at a time.
mkfifo "$work/release"
flock "$db.lines/lock" sh -c ': >"$1/locked"; cat "$1/release"' sh "$work" &
await test -e "$work/locked"
expect 74 sh scale/prove.sh parallel --db "$db" --rankwright "$rankwright" tests/rules/small.rw; one=$(wc -l <"$work/err")
[ "$one" = 1 ] || fail "expected one message"
: >"$work/release"
wait
finish
