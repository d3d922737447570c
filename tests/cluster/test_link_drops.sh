#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A link that drops to a tenth in the middle of a sweep: test_link_drops.sh COLLTUNE MPIEXEC PROGRAM.
# The sweep goes on, and `map` says that the launches differ.
# shellcheck source=nodes.sh disable=SC1091,SC2015,SC2016,SC2086,SC2154 # nodes.sh sets cluster and failed
. "$(dirname "$0")/nodes.sh"
colltune=$(realpath "$1") mpiexec=$2 program=$(realpath "$3")
cluster_make 2
for node in n1 n2; do cluster_rate $node 20mbit; done
on n1 "$colltune" measure -o run --program "$program" -c bcast --methods binomial,linear --comm-sizes 2 \
    --msg-sizes 128K --launches 2 --max-repetitions 3 --exhaustive --no-racing --launcher "$mpiexec" \
    --hostfile "$cluster/hosts" >log 2>&1 &
sweep=$!
until grep -q ',commit$' run/samples.csv 2>/dev/null; do
    kill -0 $sweep || fail "the sweep does not begin: $(cat log)"
    sleep 0.02
done
cluster_rate n2 2mbit # half a second for a message
wait $sweep || fail "the sweep: $(cat log)"
must on n1 "$colltune" map run
expect 'Launches of a method differ by more than 2 times' log
exit $failed
