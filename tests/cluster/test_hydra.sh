#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The commands on three nodes with uneven ranks, by hydra: test_hydra.sh COLLTUNE MPICC MPIEXEC APPLICATION.
# shellcheck source=nodes.sh disable=SC1091,SC2015,SC2016,SC2086,SC2154 # nodes.sh sets cluster and failed
. "$(dirname "$0")/nodes.sh"
colltune=$(realpath "$1") mpicc=$2 mpiexec=$3 application=$(realpath "$4")
cluster_make 3
for node in n1 n2 n3; do cluster_rate $node 100mbit; done
printf 'n1:2\nn2:1\nn3:3\n' >uneven

# --- measured, learned, built, validated ---
must on n1 "$colltune" measure -o run -c bcast,allreduce --methods two_level --comm-sizes 6 --msg-sizes 8,8K \
    --launches 1 --max-repetitions 3 --exhaustive --cc "$mpicc" --launcher "$mpiexec" --hostfile uneven
expect '"nodes.ranks" value="1\*2,1\*1,1\*3"' run/run.xml
expect 'clocks="0"' run/run.xml
[ "$(grep ',commit$' run/samples.csv | cut -d, -f 2,4-6,8 | sort | tr '\n' ' ')" = \
    'allreduce,3,3,6,8 allreduce,3,3,6,8192 bcast,3,3,6,8 bcast,3,3,6,8192 ' ] ||
    fail "the cells: $(grep ',commit$' run/samples.csv)"
must on n1 "$colltune" learn run -o table.xml
must on n1 "$colltune" build table.xml --cc "$mpicc" -o library
must on n1 "$colltune" validate library --comm-sizes 6 --msg-sizes 8,8K --seconds 0.05 --launcher "$mpiexec" \
    --hostfile uneven -o points.csv
[ "$(grep -c ',6,.*"two_level' points.csv)" = 4 ] || fail "validated: $(cat points.csv)"

# --- commands of one job, and applications; rank 0 is on another node than the command ---
printf 'n2:1\nn3:3\n' >elsewhere
on n1 "$colltune" fit -o model.xml --ranks 4 --msg-sizes 0,1K --seconds 0.002s --cc "$mpicc" \
    --launcher "$mpiexec -f elsewhere" >log 2>&1
# On CPUs that the nodes share it may find the times too uneven, but it has them.
[ -s model.xml ] || expect 'the measured times: ' log
must on n1 "$colltune" doctor --library library -- "$mpiexec" -f uneven -n 6 "$application"
expect '6 ranks start on 3 hosts; the library is loaded by all' log
exit $failed
