# A Slurm of this machine alone, with a configuration of its own in a folder:
# munged, slurmctld and slurmd on free ports of the loopback interface, as
# whoever runs the test.  Sourced behind lib.sh; slurm_start FOLDER, slurm_stop.
slurm_pids=""

slurm_start() {
    d=$1
    PATH=$PATH:/usr/sbin
    mkdir -p "$d/state" "$d/spool"
    chmod 755 "$d" # munge wants to know who can write on the way
    head -c 1024 /dev/urandom >"$d/munge.key"
    chmod 400 "$d/munge.key"
    munged --force --foreground --key-file="$d/munge.key" \
        --socket="$d/munge.socket" --log-file="$d/munged.log" \
        --pid-file="$d/munged.pid" --seed-file="$d/munged.seed" --num-threads=1 \
        >"$d/munged.out" 2>&1 &
    slurm_pids="$!"
    set -- $(free_ports 2)
    cat >"$d/slurm.conf" <<C
ClusterName=here
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$d/munge.socket
CredType=cred/munge
SlurmctldPort=$1
SlurmdPort=$2
StateSaveLocation=$d/state
SlurmdSpoolDir=$d/spool
SlurmctldPidFile=$d/slurmctld.pid
SlurmdPidFile=$d/slurmd.pid
SlurmctldLogFile=$d/slurmctld.log
SlurmdLogFile=$d/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobRequeue=1
SchedulerParameters=batch_sched_delay=1,sched_interval=2,bf_interval=2
MinJobAge=300
ReturnToService=2
SwitchType=switch/none
MpiDefault=none
NodeName=localhost NodeAddr=127.0.0.1 NodeHostname=localhost CPUs=2 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
C
    SLURM_CONF=$d/slurm.conf
    export SLURM_CONF
    for i in 1 2 3 4 5 6 7 8 9 10; do
        [ -S "$d/munge.socket" ] && break
        sleep 0.5
    done
    slurmctld -D -f "$SLURM_CONF" >"$d/ctld.out" 2>&1 &
    slurm_pids="$slurm_pids $!"
    slurmd -D -N localhost -f "$SLURM_CONF" >"$d/slurmd.out" 2>&1 &
    slurm_pids="$slurm_pids $!"
    for i in $(seq 1 60); do
        sinfo -h -o %T 2>/dev/null | grep -q idle && return 0
        sleep 0.5
    done
    echo "Slurm does not start:"
    tail -n 5 "$d"/*.log "$d"/*.out
    return 1
}

slurm_stop() {
    for p in $slurm_pids; do kill "$p" 2>/dev/null; done
    for p in $slurm_pids; do wait "$p" 2>/dev/null; done
    slurm_pids=""
}
