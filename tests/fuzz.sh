#!/bin/sh
# Fuzzes every target of tests/fuzz for the given number of seconds each, under
# address and undefined-behaviour sanitizers.  Needs clang.
set -eu
seconds=${1:-60}
cd "$(dirname "$0")/.."
command -v clang >/dev/null || {
    echo "fuzz: clang is not installed, and gcc has no libFuzzer; on Debian: apt-get install clang" >&2
    exit 1
}
make -s MODE=fuzz CC=clang build/fuzz/internal.a
status=0
for source in tests/fuzz/*.c; do
    name=$(basename "$source" .c)
    target=build/fuzz/$name
    work=build/fuzz/corpus-$name
    mkdir -p "$work"
    clang -std=c11 -D_POSIX_C_SOURCE=200809L -I. -Ibuild/fuzz/gen -g -O1 \
        -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
        -include base/banned.h -o "$target" "$source" \
        build/fuzz/internal.a -lz3 -lsqlite3 -ljansson -lClp -lmpfr -lgmp -lm
    more=""
    case $name in
    fuzz_rules) # one rule a seed: whole files are slow to parse
        awk -v to="$work/rule" '/^rule /{n++} n{print > (to n)}
            /^}/{close(to n)}' rules/library/*/*.rw tests/wrong/*.rw tests/rules/*.rw
        more=-dict=tests/fuzz/rules.dict ;;
    fuzz_program)
        cp tests/programs/*.mlir tests/records/*.mlir tests/fuzz/*.mlir tests/programs/hlo/*.hlo \
            "$work" ;;
    fuzz_egraph)
        cp tests/egraphs/*.json "$work"
        more=-dict=tests/fuzz/egraph.dict ;;
    fuzz_formula) # one formula a seed
        awk -v to="$work/formula" '{print > (to NR); close(to NR)}' \
            tests/fuzz/formulas.txt
        more=-dict=tests/fuzz/formula.dict ;;
    fuzz_record) cp tests/records/*.json "$work" ;;
    fuzz_ttir) cp tests/kernels/*.ttir "$work" ;;
    fuzz_formula_record) cp tests/records/formula/*.json "$work" ;;
    fuzz_plain)
        for rules in bench/terms/*.rules; do
            { cat "$rules"; echo ---; cat bench/terms/prop.terms bench/terms/s7.terms; } \
                >"$work/$(basename "$rules")"
        done ;;
    esac
    echo "fuzz: $name, $seconds s" >&2
    "$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 \
        -max_len=20000 -print_final_stats=1 -artifact_prefix="$work-" \
        $more "$work" >"build/fuzz/$name.log" 2>&1 || status=1
    grep -E 'stat::number_of_executed_units|ERROR|SUMMARY|runtime error' \
        "build/fuzz/$name.log" || :
done
exit $status
