#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A link that drops to a tenth in the middle of a sweep: test_link_drops.sh COLLTUNE MPIEXEC PROGRAM.
# The sweep goes on and says so, and the cells measured meanwhile are marked, in the launch in which the link
# drops and in the next one.
# shellcheck source=nodes.sh disable=SC1091,SC2015,SC2016,SC2086,SC2154 # nodes.sh sets cluster and failed
. "$(dirname "$0")/nodes.sh"
colltune=$(realpath "$1") mpiexec=$2 program=$(realpath "$3")
cluster_make 2

# sweep FOLDER: two launches of three cells
sweep()
{
    on n1 "$colltune" measure -o "$1" --program "$program" -c bcast --methods linear \
        --comm-sizes 2 --msg-sizes 16K,32K,64K --launches 2 --max-repetitions 3 --exhaustive \
        --no-racing --launcher "$mpiexec" --hostfile "$cluster/hosts"
}
cluster_rate n1 20mbit
cluster_rate n2 20mbit
sweep run >log 2>&1 &
sweep=$!
until grep -q ',commit$' run/samples.csv 2>/dev/null; do
    kill -0 $sweep || fail "the sweep does not begin: $(cat log)"
    sleep 0.02
done
cluster_rate n2 2mbit # half a second for a message
wait $sweep || fail "the sweep: $(cat log)"
expect 'messages between nodes take .* times as long as before, on 2 ranks' log
expect 'link-factor="[1-9]' run/run.xml
expect 'link-cells="[^"]*bcast/2/[0-9]*/0' run/run.xml
[ "$(grep -o 'bcast/2/[0-9]*/1' run/run.xml | wc -l)" = 3 ] || fail "launch 1: $(cat run/run.xml)"
must on n1 "$colltune" map run
expect 'Messages between nodes took up to .* times as long as at other times' log
expect 'Launches of a method differ by more than 2 times' log

# with links that stay as they are none is
cluster_rate n2 20mbit
must sweep even
grep -q link-cells even/run.xml && fail "without a drop: $(cat even/run.xml)"
exit $failed
