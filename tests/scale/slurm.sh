#!/bin/sh
# scale/prove.sh on a Slurm of this machine: tests/scale/lib.sh says what must hold.
. tests/scale/lib.sh
for p in munged slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin command -v $p >/dev/null || skip "Slurm: $p is not installed"
done
. tests/scale/slurm_here.sh
cleanup=slurm_stop
slurm_start "$work/slurm" || { fail "no Slurm"; finish; }
serial
run_whole slurm
kill_worker slurm pids
kill_driver slurm
# A task that Slurm starts again, as after the loss of a node: what it wrote the
# first time stays beside what it writes the second time.
rm -rf "$work/requeue.db"*
start slurm "$work/requeue.db" || finish
task=$(squeue -h -r -t R -o %i | head -n 1)
scontrol requeue "$task" || fail "no task to start again"
for i in $(seq 1 60); do # else it waits for two minutes
    scontrol update JobId="$task" StartTime=now 2>/dev/null
    ls "$work"/requeue.db.lines/*."${task#*_}".1.jsonl 2>/dev/null | grep -q . && break
    sleep 0.5
done
ls "$work"/requeue.db.lines/*."${task#*_}".[01].jsonl >"$work/files" 2>&1
[ "$(grep -c jsonl$ "$work/files")" = 2 ] || { fail "no second file of task $task"; cat "$work/files"; }
wait $driver || { fail "a task started again: status $?"; tail -n 20 "$work/log"; }
same "$work/requeue.db" "a task started again"
finish
