#!/bin/sh
# Runs every program and its simplified form in JAX: both are accepted by
# StableHLO's own parser and give the same numbers.  The same of HLO and XLA's parser.
#   tests/check_jax.sh RANKWRIGHT PYTHON    (tests/programs/requirements.txt)
set -eu
rankwright=$1 python=$2
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
"$python" -c 'import jax' 2>/dev/null || {
    echo "check-jax: $python has no JAX; tests/programs/requirements.txt says which" >&2
    exit 1
}
"$rankwright" prove rules/library --db "$work/rules.db" >/dev/null
passed=0 failed=0
for program in tests/programs/*.mlir; do
    for domain in real float-sums float; do
        out=$work/$(basename "$program" .mlir).$domain.mlir
        if "$rankwright" simplify "$program" --db "$work/rules.db" --domain $domain -o "$out" &&
            "$python" tests/programs/run_jax.py --parse "$out" &&
            "$python" tests/programs/run_jax.py "$program" "$out" --tol 1e-4; then
            passed=$((passed + 1))
        else
            echo "FAIL $program $domain"
            failed=$((failed + 1))
        fi
    done
done
"$python" tests/programs/run_hlo.py "$rankwright" "$work/rules.db" tests/programs/hlo/*.hlo ||
    failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
