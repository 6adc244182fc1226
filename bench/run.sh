#!/bin/sh
# Times the whole path and prints a table: proving the library with one and two
# workers from nothing, a second run, and every program of tests/programs
# simplified with all rules.  Medians of three runs; memory is the peak of one.
# Then extraction alone, also from the programs' e-graphs (bench/extract.py), and
# the start of the program (bench/start.py).
#   bench/run.sh RANKWRIGHT
set -eu
rankwright=$1
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
now() { date +%s%N; }
median() { sort -n | sed -n 2p; }
timed() { # command...: milliseconds
    start=$(now)
    status=0
    "$@" >/dev/null 2>&1 || status=$?
    [ $status -le 2 ] || { echo "bench: status $status: $*" >&2; touch "$work/failed"; }
    echo $((($(now) - start) / 1000000))
}

# What is timed runs in shells of its own, whose end is not ours.
whole() { [ ! -e "$work/failed" ] || exit 1; }
prove() { rm -f "$work/p.db"; timed "$rankwright" prove rules/library --db "$work/p.db" -j "$1"; }
for jobs in 1 2; do
    ms=$(for i in 1 2 3; do prove $jobs; done | median)
    whole
    echo "prove library, $jobs workers: $ms ms"
done
ms=$(for i in 1 2 3; do timed "$rankwright" prove rules/library --db "$work/p.db"; done | median)
whole
echo "prove library again: $ms ms"
printf '%-28s %7s %7s %7s %9s %7s %8s\n' program before after nodes seconds steps MB
for program in tests/programs/*.mlir; do
    for i in 1 2 3; do
        "$rankwright" simplify "$program" --db "$work/p.db" --domain real --json \
            --stats 2>"$work/stats" >"$work/json.$i" ||
            { [ $? -le 2 ] || { cat "$work/stats" >&2; exit 1; }; }
    done
    memory=$(sed -n 's/.*peak memory \([0-9.]*\) MB/\1/p' "$work/stats")
    python3 - "$(basename "$program" .mlir)" "$memory" "$work" <<'P'
import json, sys
runs = sorted((json.load(open(f"{sys.argv[3]}/json.{i}")) for i in (1, 2, 3)),
              key=lambda r: r["seconds"])
r = runs[1]
print("%-28s %7g %7g %7d %9.3f %7d %8s" % (sys.argv[1], r["cost_before"],
      r["cost_after"], r["nodes"], r["seconds"], r["steps"], sys.argv[2]))
P
done

mkdir "$work/egraphs"
for program in tests/programs/*.mlir; do
    "$rankwright" simplify "$program" --db "$work/p.db" --domain real --json \
        --dump-egraph "$work/egraphs/$(basename "$program" .mlir).json" >"$work/json" 2>"$work/err" ||
        { [ $? -le 2 ] || { cat "$work/err" >&2; exit 1; }; }
done
python3 bench/extract.py "$rankwright" "programs=$work/egraphs"
python3 bench/start.py "$rankwright" "$work/p.db"
