#!/bin/sh
# Fuzzes targets of tests/fuzz for the given number of seconds each, under
# address and undefined-behaviour sanitizers.  Needs clang.
#   tests/fuzz.sh [SECONDS] [TARGET...]    all targets, if none is named
set -eu
seconds=${1:-60}
[ $# = 0 ] || shift
cd "$(dirname "$0")/.."
command -v clang >/dev/null || {
    echo "fuzz: clang is not installed, and gcc has no libFuzzer; on Debian: apt-get install clang" >&2
    exit 1
}
# The layers that a source includes, and those that they may include.
layers_of() {
    { clang -MM -I. "$1" | tr ' ' '\n' | sed -n 's/^\([a-z]*\)\/.*/use \1/p'
      sed -n '/^layer /p' tests/layers.sh; } |
        awk '$1 == "use" { used[$2] = 1 }
             $1 == "layer" && $2 in used { print $2; for (i = 4; i <= NF; i++) print $i }' |
        sort -u | tr '\n' ' '
}
[ $# -gt 0 ] || set -- $(cd tests/fuzz && ls fuzz_*.c)
status=0
for name in "$@"; do
    name=${name%.c}
    source=tests/fuzz/$name.c
    target=build/fuzz/$name
    work=build/fuzz/corpus-$name
    mkdir -p "$work"
    make -s MODE=fuzz CC="${FUZZ_CC:-clang}" LAYERS="$(layers_of "$source")" \
        LIB="$target.a" "$target.a"
    clang -std=c11 -D_POSIX_C_SOURCE=200809L -I. -Ibuild/fuzz/gen -g -O1 \
        -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
        -include base/banned.h -o "$target" "$source" \
        "$target.a" -lz3 -lsqlite3 -ljansson -lmpfr -lgmp -lm -ldl
    more=""
    case $name in
    fuzz_rules) # one rule a seed: whole files are slow to parse
        awk -v to="$work/rule" '/^rule /{n++} n{print > (to n)}
            /^}/{close(to n)}' rules/library/*/*.rw tests/wrong/*.rw tests/rules/*.rw
        more=-dict=tests/fuzz/rules.dict ;;
    fuzz_program)
        cp tests/programs/*.mlir tests/records/*.mlir tests/fuzz/*.mlir tests/programs/hlo/*.hlo \
            "$work" ;;
    fuzz_hlo) cp tests/programs/hlo/*.hlo "$work" ;;
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
