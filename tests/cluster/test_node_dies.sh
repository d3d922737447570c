#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A node dies in the middle of a sweep: test_node_dies.sh COLLTUNE MPIEXEC PROGRAM. What was
# measured is kept, and the sweep goes on with the nodes that are left.
# shellcheck source=nodes.sh disable=SC1091,SC2015,SC2016,SC2086,SC2154 # nodes.sh sets cluster and failed
. "$(dirname "$0")/nodes.sh"
colltune=$(realpath "$1") mpiexec=$2 program=$(realpath "$3")
cells()
{
    grep -c ',commit$' "$1/samples.csv" 2>/dev/null
}
cluster_make 3
for node in n1 n2 n3; do cluster_rate $node 20mbit; done # so that the sweep takes some seconds
printf 'n1:2\nn2:2\nn3:2\n' >hosts
on n1 "$colltune" measure -o run --program "$program" -c bcast,allreduce --methods native,linear \
    --comm-sizes 2,6 --msg-sizes 8-8K*4 --launches 1 --exhaustive --no-racing --precision 0.01 \
    --max-repetitions 10 --timeout 10s --launcher "$mpiexec" --hostfile hosts >log 2>&1 &
sweep=$!
until [ "$(cells run)" -ge 3 ] 2>/dev/null; do
    kill -0 $sweep || fail "the sweep does not begin: $(cat log)"
    sleep 0.05
done
cluster_kill n3
wait $sweep && fail "a sweep without one of its nodes succeeds: $(cat log)"
expect "the benchmark job .*no host n3" log
kept=$(cells run)
[ "$kept" -ge 3 ] && [ "$kept" -lt 24 ] || fail "cells kept: $kept"
must on n1 "$colltune" map run

# --- and on the nodes that are left ---
printf 'n1:3\nn2:3\n' >hosts
cp run/samples.csv before.csv
must on n1 "$colltune" measure -o run --resume
expect 'placed as 2\*3, .*begun with 3\*2' log
[ "$(cells run)" = 24 ] || fail "cells after resuming: $(cells run)"
head -c "$(wc -c <before.csv)" run/samples.csv | cmp -s - before.csv || fail 'what was kept has changed'
[ "$(grep ',commit$' run/samples.csv | cut -d, -f 4-6 | sort -u | tr '\n' ' ')" = '1,2,2 2,3,6 3,2,6 ' ] ||
    fail "nodes of the cells: $(grep ',commit$' run/samples.csv)"
grep -q -E '(crashed|hung)$' run/samples.csv && fail "a method is blamed for the node: $(cat run/samples.csv)"
must on n1 "$colltune" learn run -o table.xml
exit $failed
