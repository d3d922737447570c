#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Slurm on the nodes of a cluster in a box: the controller on n1, a slurmd on each. Tests take this in after
# nodes.sh, and call slurm_start after cluster_make; srun, sbatch and squeue then work on the nodes.
# shellcheck disable=SC2154 # nodes.sh sets cluster

# slurm_start CPUS: each node is told to have so many CPUs, whatever the machine has.
slurm_start()
{
    local names node
    names=$(paste -sd, "$cluster/hosts")
    mkdir -p "$cluster/slurm/state" "$cluster/slurm/munge"
    chmod 700 "$cluster/slurm/munge"
    head -c 128 /dev/urandom >"$cluster/slurm/munge/key"
    chmod 600 "$cluster/slurm/munge/key"
    chmod 755 "$cluster" "$cluster/slurm"
    export SLURM_CONF=$cluster/slurm/slurm.conf
    {
        echo "ClusterName=box
SlurmctldHost=n1
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/slurm/munge.socket
CredType=cred/munge
StateSaveLocation=$cluster/slurm/state
SlurmdSpoolDir=$cluster/slurm/%n.spool
SlurmctldPidFile=$cluster/slurm/slurmctld.pid
SlurmdPidFile=$cluster/slurm/%n.pid
SlurmctldLogFile=$cluster/slurm/slurmctld.log
SlurmdLogFile=$cluster/slurm/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1
SlurmdParameters=config_overrides
MpiDefault=pmi2
ReturnToService=2
KillWait=5
MailProg=/bin/true
TopologyPlugin=topology/tree
PropagateResourceLimits=NONE"
        while read -r node; do
            echo "NodeName=$node NodeAddr=$(sed -n "s/ $node\$//p" "$cluster/etc-hosts") CPUs=$1"
        done <"$cluster/hosts"
        echo "PartitionName=all Nodes=$names Default=YES MaxTime=60 State=UP"
    } >"$SLURM_CONF"
    # The first node below a switch of its own, the others below another.
    {
        echo 'SwitchName=s0 Nodes=n1'
        echo "SwitchName=s1 Nodes=${names#n1,}"
        echo 'SwitchName=top Switches=s[0-1]'
    } >"$cluster/slurm/topology.conf"
    # One is enough: the nodes see each other's files.
    munged --force --key-file="$cluster/slurm/munge/key" --socket="$cluster/slurm/munge.socket" \
        --pid-file="$cluster/slurm/munge/pid" --log-file="$cluster/slurm/munge/log" \
        --seed-file="$cluster/slurm/munge/seed" || cluster_skip 'munged does not start'
    on n1 slurmctld || fail 'slurmctld does not start'
    while read -r node; do
        on "$node" slurmd -N "$node" </dev/null || fail "slurmd does not start on $node"
    done <"$cluster/hosts"
    for _ in {1..150}; do
        [ "$(on n1 sinfo -h -t idle -o %D 2>/dev/null)" != "$(wc -l <"$cluster/hosts")" ] || return 0
        sleep 0.2
    done
    fail "the nodes do not come up: $(on n1 sinfo -Nl 2>&1; tail -n 3 "$cluster"/slurm/*.log)"
}
