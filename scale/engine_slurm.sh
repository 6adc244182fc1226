#!/bin/sh
# One round of scale/prove.sh on Slurm: a job array whose tasks each take a
# share of the candidates, and write to files of their own.
#   engine_slurm.sh CANDIDATES OUT TASKS BLOCK RANKWRIGHT OWN [OPTION...]
# TASKS run at a time; there are as many as blocks, 1000 at most.
set -u
candidates=$1 out=$2 tasks=$3 block=$4 rankwright=$5 own=$6
shift 6
here=$(cd "$(dirname "$0")" && pwd)
command -v sbatch >/dev/null || { echo "Slurm (sbatch) is not installed" >&2; exit 69; }
shares=$((($(wc -l <"$candidates") + block - 1) / block))
[ "$shares" -le 1000 ] || shares=1000
# Stopped, it takes its jobs along; what they wrote stays.
stop() {
    job=$(cut -d ';' -f 1 "$out.job")
    [ -z "$job" ] || scancel "$job"
    exit 143
}
trap stop INT TERM HUP
# The round's own copy: the driver writes the next one over it.
cp "$candidates" "$out.candidates" || exit 74
# shellcheck disable=SC2086 # words
sbatch --parsable --wait --array=0-$((shares - 1))%"$tasks" --open-mode=append \
    --output="$out.log" --chdir="$(dirname "$out")" $own \
    "$here/task.sbatch" "$out" "$shares" "$rankwright" "$@" >"$out.job" &
wait $!
status=$?
job=$(cut -d ';' -f 1 "$out.job" 2>/dev/null)
[ ! -s "$out.log" ] || tail -n 20 "$out.log" >&2
rm -f "$out.candidates" "$out.job" "$out.log"
[ -n "$job" ] || exit 69
exit $status
