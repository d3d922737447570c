#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Lists of --nodes and --ppn on two nodes, by hydra with a file of hosts, and by srun where there is Slurm:
# test_node_lists.sh COLLTUNE MPIEXEC PROGRAM.
# shellcheck source=nodes.sh disable=SC1091,SC2015,SC2016,SC2086,SC2154 # nodes.sh sets cluster and failed
. "$(dirname "$0")/nodes.sh"
# shellcheck source=slurm.sh disable=SC1091
. "$(dirname "$0")/slurm.sh"
colltune=$(realpath "$1") mpiexec=$2 program=$(realpath "$3")
cluster_make 2
sweep=(measure --program "$program" -c bcast,barrier --methods native,binomial,linear,dissemination
    --launches 1 --max-repetitions 3 --nodes '1,2' --ppn '1,2')

# check RUN: the cells are the products of nodes and ranks on each but for a rank alone, and the ranks of each
# lay so.
check()
{
    local cells
    cells=$(grep ',commit$' "$1/samples.csv" | cut -d, -f 2,4-6 | sort -u | paste -s -d ' ')
    [ "$cells" = 'barrier,1,2,2 barrier,2,1,2 barrier,2,2,4 bcast,1,2,2 bcast,2,1,2 bcast,2,2,4' ] ||
        fail "cells of $1: $cells"
    expect 'placements="4/2,2/2,2/1"' "$1/run.xml"
}

# --- hydra ---
sed 's/$/:2/' "$cluster/hosts" >hosts
hydra=(--launcher "$mpiexec" --hostfile hosts)
must on n1 "$colltune" "${sweep[@]}" -o by-hydra --msg-sizes 8,8K --exhaustive "${hydra[@]}"
check by-hydra

# Killed between two numbers of ranks on a node, it goes on with the other.
cp -r by-hydra torn
sed '/,commit$/q' by-hydra/samples.csv >torn/samples.csv
must on n1 "$colltune" measure --resume -o torn
check torn

# A part of the cells, by a guided sweep.
must on n1 "$colltune" "${sweep[@]}" -o guided --msg-sizes '8-8K*2' --guided "${hydra[@]}"
check guided

# A file of hosts that does not hold the ranks.
head -n 1 hosts >one
on n1 "$colltune" "${sweep[@]}" -o none --msg-sizes 8 --exhaustive --launcher "$mpiexec" --hostfile one \
    >log 2>&1 && fail 'two nodes are measured on one'
expect 'expected 2 nodes' log

# --- srun ---
for tool in munged slurmctld slurmd srun; do
    command -v "$tool" >/dev/null || exit $failed
done
slurm_start 4
must on n1 "$colltune" "${sweep[@]}" -o by-srun --msg-sizes 8,8K --exhaustive --launcher srun
check by-srun
exit $failed
