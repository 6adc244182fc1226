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
finish
