#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The commands on three nodes with uneven ranks, by Open MPI: test_open_mpi.sh COLLTUNE MPICC MPIEXEC SOURCE,
# an application.
# shellcheck source=nodes.sh disable=SC1091,SC2015,SC2016,SC2086,SC2154 # nodes.sh sets cluster and failed
. "$(dirname "$0")/nodes.sh"
colltune=$(realpath "$1") mpicc=$2 mpiexec=$3 source=$(realpath "$4")
cluster_make 3
for node in n1 n2 n3; do cluster_rate $node 100mbit; done
printf 'n1 slots=2\nn2 slots=1\nn3 slots=3\n' >uneven
where="--launcher $mpiexec --hostfile uneven"

must on n1 "$colltune" measure -o run --mpi openmpi -c bcast,allreduce --methods two_level --comm-sizes 6 \
    --msg-sizes 8,8K --launches 1 --max-repetitions 3 --exhaustive --cc "$mpicc" $where
expect '"nodes.ranks" value="1\*2,1\*1,1\*3"' run/run.xml
[ "$(grep ',commit$' run/samples.csv | cut -d, -f 2,4-6,8 | sort | tr '\n' ' ')" = \
    'allreduce,3,3,6,8 allreduce,3,3,6,8192 bcast,3,3,6,8 bcast,3,3,6,8192 ' ] ||
    fail "the cells: $(grep ',commit$' run/samples.csv)"
must on n1 "$colltune" learn run -o table.xml
must on n1 "$colltune" build table.xml --mpi openmpi --cc "$mpicc" -o library
must on n1 "$colltune" validate library --comm-sizes 6 --msg-sizes 8,8K --seconds 0.05 $where -o points.csv
[ "$(grep -c ',6,.*"two_level' points.csv)" = 4 ] || fail "validated: $(cat points.csv)"

must on n1 "$mpicc" -o application "$source"
# Open MPI hands environment variables on to other hosts only where it is asked to.
on n1 "$colltune" doctor --library library -- "$mpiexec" --hostfile uneven -n 6 ./application >log 2>&1 &&
    fail "doctor does not notice: $(cat log)"
expect 'LD_PRELOAD does not reach 4 of 6 ranks .*by -x LD_PRELOAD (Open MPI)' log
must on n1 "$colltune" doctor --library library -- "$mpiexec" -x LD_PRELOAD --hostfile uneven -n 6 \
    ./application
expect '6 ranks start on 3 hosts; the library is loaded by all' log
exit $failed
