#!/bin/sh
# One round of scale/prove.sh on GNU parallel: blocks of candidates go to
# workers on this machine, or with --sshlogin on others, whose lines come back
# one by one.
#   engine_parallel.sh CANDIDATES OUT TASKS BLOCK RANKWRIGHT OWN [OPTION...]
set -u
candidates=$1 out=$2 tasks=$3 block=$4 rankwright=$5 own=$6
shift 6
command -v parallel >/dev/null || { echo "GNU parallel is not installed" >&2; exit 69; }
# A worker's status tells of verdicts, which are no failures of the job.
# shellcheck disable=SC2086 # words
parallel --no-notice --pipe -N "$block" --jobs "$tasks" --line-buffer $own \
    --quote "$rankwright" prove --worker "$@" <"$candidates" >"$out.jsonl"
status=$?
[ $status -lt 102 ] || exit $status
exit 0
