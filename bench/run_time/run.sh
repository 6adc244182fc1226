#!/bin/sh
# Times programs in JAX before and after `simplify`, and prints how well cost models rank
# run times: bench/run_time/run.py, with a database of the whole library.
#   bench/run_time/run.sh RANKWRIGHT PYTHON [OPTIONS]    (tests/programs/requirements.txt)
set -eu
rankwright=$1 python=$2
shift 2
cd "$(dirname "$0")/../.."
"$python" -c 'import jax' 2>/dev/null || {
    echo "bench-run-time: $python has no JAX; tests/programs/requirements.txt says which" >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
"$rankwright" prove rules/library --db "$work/rules.db" >/dev/null
"$python" bench/run_time/run.py "$rankwright" "$work/rules.db" "$@"
