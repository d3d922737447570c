#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Nodes whose clocks are 1000 s apart each: test_clocks_apart.sh COLLTUNE MPIEXEC PROGRAM. Times on one clock
# would be wrong by minutes; with a common clock they are those of the calls.
# shellcheck source=nodes.sh disable=SC1091,SC2015,SC2016,SC2086,SC2154 # nodes.sh sets cluster and failed
. "$(dirname "$0")/nodes.sh"
colltune=$(realpath "$1") mpiexec=$2 program=$(realpath "$3")
cluster_make 3 1000

# measure NAME SYNC
measure()
{
    must on n1 "$colltune" measure -o "$1" --program "$program" -c bcast --methods binomial,linear \
        --comm-sizes 2,3 --msg-sizes 8,1K --launches 1 --max-repetitions 3 --sync "$2" --launcher "$mpiexec" \
        --hostfile "$cluster/hosts"
    [ "$(grep -c ',commit$' "$1/samples.csv")" = 4 ] || fail "cells of $1: $(cat "$1/samples.csv")"
}
measure window window
measure common common
for run in window common; do
    expect 'clocks="3"' $run/run.xml
    expect 'time="global"' $run/run.xml
    awk -F, '$13 == "ok" && $12 > 100 { bad = 1 } END { exit bad }' $run/samples.csv ||
        fail "$run: times that contain the clocks' offsets: $(cat $run/samples.csv)"
done
expect 'sync="window"' window/run.xml
# without being told, ranks take their own times
measure auto auto
expect 'time="local"' auto/run.xml
exit $failed
