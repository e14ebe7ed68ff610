# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# A Slurm cluster of three nodes on this machine, for tests; to be sourced. cluster_start FOLDER starts it (it needs root, munge, slurmctld, slurmd
# and slurm-client) and sets SLURM_CONF, cluster_stop ends it. Every process is a child of the calling shell, so none is left behind.
# Times are short, so that lost nodes are noticed within a test. There are no cgroups, and there is no accounting.

cluster_processes=()

cluster_available() {
  [[ $(id -u) == 0 ]] && command -v munged >/dev/null && command -v slurmctld >/dev/null && command -v slurmd >/dev/null &&
    command -v sbatch >/dev/null
}

cluster_begin() { # NAME COMMAND…: starts a process in the background and remembers it
  local name=$1
  shift
  "$@" >"$cluster/$name.out" 2>&1 </dev/null &
  cluster_processes+=($!)
  printf -v "pid_$name" '%s' $!
}

cluster_wait() { # SECONDS COMMAND…: until the command succeeds
  local last=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < last)) || return 1
    sleep 0.2
  done
}

cluster_nodes_are_idle() { [[ $(sinfo -h -N -o %T | grep -c '^idle$') == 3 ]]; }
cluster_answers() { scontrol ping | grep -q 'is UP'; }

cluster_free_port() { # the first of four free ports
  local port=$((20000 + RANDOM % 20000)) p
  for ((p = port; p < port + 4; ++p)); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$p") 2>/dev/null; then cluster_free_port && return; fi
  done
  echo "$port"
}

cluster_start() {
  cluster=$1
  local port host
  port=$(cluster_free_port)
  host=$(uname -n)
  mkdir -p "$cluster"/{state,spool.n1,spool.n2,spool.n3}
  chmod 755 "$cluster"
  (umask 077 && head -c 1024 /dev/urandom >"$cluster/munge.key")
  cat >"$cluster/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=${host%%.*}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket,cred_expire=5
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool.%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SlurmdTimeout=10
SlurmctldTimeout=10
KillWait=3
BatchStartTimeout=10
CompleteWait=0
ReturnToService=2
JobRequeue=1
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
MaxArraySize=1001
NodeName=n[1-3] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 3))] CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$cluster/slurm.conf
  cluster_begin munged munged --foreground --force --socket="$cluster/munge.socket" --key-file="$cluster/munge.key" \
    --pid-file="$cluster/munge.pid" --seed-file="$cluster/munge.seed" --log-file="$cluster/munge.log" --num-threads=2
  cluster_wait 20 munge -S "$cluster/munge.socket" -n || return 1
  cluster_begin slurmctld slurmctld -D -c
  cluster_wait 40 cluster_answers || return 1
  for node in n1 n2 n3; do cluster_begin "$node" slurmd -D -c -N "$node"; done
  cluster_wait 60 cluster_nodes_are_idle
}

# The processes of a node: its daemon, the job steps it started, and the programs in them.
cluster_kill_node() { # NODE
  local daemon="pid_$1" step
  kill -KILL "${!daemon}"
  for step in $(pgrep slurmstepd || true); do
    if ls -l "/proc/$step/fd" 2>/dev/null | grep -q "$cluster/slurmd.$1.log"; then
      pkill -KILL -P "$step" || true
      kill -KILL "$step" || true
    fi
  done
}

cluster_stop() {
  timeout 5 scancel --signal=KILL --full -p test >/dev/null 2>&1 || true
  timeout 5 scancel -p test >/dev/null 2>&1 || true
  sleep 1
  for node in n1 n2 n3; do cluster_kill_node "$node" 2>/dev/null || true; done
  kill -KILL "${cluster_processes[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
}
