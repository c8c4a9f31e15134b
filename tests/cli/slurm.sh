# A search as a job array of Slurm, of which one task is killed and queued again: a controller and a node that
# this test starts, as ordinary processes in a folder of their own, on the loopback interface.
. "$srcdir/tests/cli/lib.sh"

PATH=$PATH:/usr/sbin:/sbin
for command in munged slurmctld slurmd sbatch squeue scontrol scancel; do
    if ! command -v $command >/dev/null; then
        skip "a job array of Slurm" "there is no $command (slurm-wlm, munge)"
        finish
        exit
    fi
done
if [ "$(id -u)" -ne 0 ]; then
    skip "a job array of Slurm" "slurmd needs root"
    finish
    exit
fi

slurm=$(mktemp -d /tmp/aolag-slurm.XXXXXX) || exit 99 # the path of a socket is short
export SLURM_CONF="$slurm/slurm.conf"
host=$(hostname -s)

ended() {
    ! kill -0 "$1" 2>/dev/null
}
no_jobs() {
    [ -z "$(squeue -h 2>&1)" ]
}
end_slurm() {
    [ -z "${node-}" ] || { scancel --user="$(id -un)" && wait_for no_jobs; } >/dev/null 2>&1
    for daemon in ${node-} ${controller-} ${munge-}; do
        kill "$daemon" 2>/dev/null
        wait_for ended "$daemon" || kill -KILL "$daemon" 2>/dev/null
        wait "$daemon" 2>/dev/null
    done
    rm -rf "$slurm"
}
trap end_slurm EXIT
trap 'exit 1' HUP INT TERM

# free_port FROM : the first port from there on on which nobody listens
free_port() {
    port=$1
    while grep -qi "^ *[0-9]*: [0-9A-F]*:$(printf %04X "$port") " /proc/net/tcp /proc/net/tcp6 2>/dev/null; do
        port=$((port + 1))
    done
    echo "$port"
}
first=$(free_port $((20000 + $$ % 10000)))
second=$(free_port $((first + 1)))

mkdir "$slurm/state" "$slurm/spool"
dd if=/dev/urandom of="$slurm/key" bs=1024 count=1 2>/dev/null
chmod 600 "$slurm/key"
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:4
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$first
SlurmdPort=$second
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
AuthType=auth/munge
AuthInfo=socket=$slurm/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
ReturnToService=2
KillWait=1
CONF
munged --foreground --force --key-file="$slurm/key" --socket="$slurm/munge" --pid-file="$slurm/munge.pid" \
    --log-file="$slurm/munge.log" --seed-file="$slurm/seed" --num-threads=1 >"$slurm/munge.out" 2>&1 &
munge=$!
wait_for test -S "$slurm/munge"
slurmctld -D -f "$SLURM_CONF" >"$slurm/controller.out" 2>&1 &
controller=$!
slurmd -D -f "$SLURM_CONF" >"$slurm/node.out" 2>&1 &
node=$!
idle() {
    [ "$(sinfo -h -o %T)" = idle ]
}
if ! wait_for idle; then
    fail "a node of Slurm is idle" "$(tail -n 5 "$slurm"/*.out)"
    finish
    exit
fi

# The second task begins to write its block and hangs, the first time. Slurm is not asked which time it is, and
# the task hangs for longer than all waits together.
cat >job.sh <<JOB
#!/bin/sh
#SBATCH --array=1-4 --requeue --output=$slurm/task.%a
if [ \$SLURM_ARRAY_TASK_ID = 2 ] && ! [ -e hangs ]; then
    echo \$\$ >hangs
    echo "aolag search" >search.2
    exec sleep 600
fi
"$AOLAG" search --over device.rtc=cpu --over device.gpu0=gpu,none --jobs 1 micado-scao \\
    --shard \$SLURM_ARRAY_TASK_ID/4 >search.\$SLURM_ARRAY_TASK_ID
JOB
"$AOLAG" search --over device.rtc=cpu --over device.gpu0=gpu,none --jobs 1 micado-scao >whole.txt
job=$(sbatch --parsable job.sh)
wait_for test -s search.2
is "$("$AOLAG" merge search.2 2>&1 | cut -d: -f1)" "search.2" "a task was killed before it wrote its block"
scontrol requeue "${job}_2" >requeue.txt 2>&1
# Slurm lets a task wait for two minutes before it starts again; the task that hangs must have ended, or what
# kills it may come late and kill the new one.
wait_for ended "$(cat hangs)"
waits() {
    [ "$(squeue -h -t PENDING -o %T -j "${job}_2")" = PENDING ]
}
wait_for waits
# The end of the killed task may reach the controller after the new one has started, which then fails.
start_again() {
    ! waits || scontrol update "jobid=${job}_2" starttime=now
    no_jobs || return
    [ -z "$(squeue -h -t FAILED -j "${job}_2" 2>&1)" ] && return
    scontrol requeue "${job}_2" >>requeue.txt 2>&1
    false
}
wait_for start_again
is "$(scontrol show job "$job" | grep -o 'JobState=[A-Z_]*' | uniq -c | tr -s ' ')" " 4 JobState=COMPLETED" \
    "all tasks end"
good "the blocks of a job array" merge search.1 search.2 search.3 search.4
is "$(cmp "$out" whole.txt 2>&1)" "" "are one run, byte for byte"
is "$(cat "$slurm"/task.* requeue.txt | grep -v 'CANCELLED AT.*DUE TO JOB REQUEUE')" "" "tasks have nothing to say"

finish
