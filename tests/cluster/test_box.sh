#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The cluster in a box: its nodes are apart, MPI jobs run across them, and nothing of it is left.
# test_box.sh MPIEXEC [MPIEXEC OF OPEN MPI]
# shellcheck source=nodes.sh disable=SC1091,SC2015,SC2016,SC2086,SC2154 # nodes.sh sets cluster and failed
. "$(dirname "$0")/nodes.sh"
self=$(realpath "$0")

if [ "$1" = sleep ]; then # see below
    cluster_make 2
    echo "$cluster" >"$2"
    on n2 sleep 1000
fi

cluster_make 3 1000
must on n2 bash -c '[ "$(hostname)" = n2 ] && : >/tmp/mark && [ ! -e /dev/shm/mark ]'
must on n2 test -e /tmp/mark
on n3 test -e /tmp/mark && fail "n3 has n2's files in /tmp"
must on n3 bash -c 'exec 3<>/dev/tcp/n1/1 || [ $? = 1 ]'
ahead=$(($(on n3 cut -d. -f 1 /proc/uptime) - $(on n1 cut -d. -f 1 /proc/uptime)))
[ $ahead -ge 0 ] || fail "uptime of n3 against n1: $ahead"
must cluster_rate n2 100mbit
on n2 tc qdisc show dev eth0 >shown
expect 'tbf.*rate 100Mbit' shown

# --- jobs of all nodes ---
printf 'n1:2\nn2:1\nn3:3\n' >hosts.hydra
printf 'n1 slots=2\nn2 slots=1\nn3 slots=3\n' >hosts.openmpi
on n1 "$1" -f hosts.hydra -n 6 hostname >out 2>log || fail "mpiexec: $(cat log)"
[ "$(sort out | uniq -c | tr -s '\n ' ' ')" = ' 2 n1 1 n2 3 n3 ' ] || fail "ranks of MPICH: $(cat out)"
if [ "$2" ]; then
    on n1 "$2" --hostfile hosts.openmpi -n 6 hostname >out 2>log || fail "mpiexec: $(cat log)"
    [ "$(sort out | uniq -c | tr -s '\n ' ' ')" = ' 2 n1 1 n2 3 n3 ' ] || fail "ranks of Open MPI: $(cat out)"
fi

# --- a node that dies takes its processes with it, and is not reached any more ---
on n2 sleep 1000 &
sleeper=$!
until [ "$(cluster_processes n2 | wc -l)" -ge 2 ]; do sleep 0.05; done
cluster_kill n2
wait $sleeper
[ $? = 137 ] || fail "what ran on n2 did not end with it"
on n1 "$cluster/ssh" n2 hostname >log 2>&1 && fail 'n2 is still reached'
expect 'no host n2' log

# --- another test that is killed leaves neither processes nor its folder ---
# gone SIGNAL: kills a test so, with its process group, as a terminal does
gone()
{
    rm -f other
    before=$(pgrep -c sleep)
    (cd .. && CLUSTER_INSIDE='' exec setsid bash "$self" sleep "$cluster/work/other") 2>/dev/null &
    other=$!
    until [ -s other ] && [ "$(pgrep -c sleep)" -ge $((before + 4)) ]; do sleep 0.05; done
    folder=$(cat other)
    kill "-$1" -- "-$other"
    wait $other
    for _ in {1..100}; do
        [ "$(pgrep -c sleep)" -gt "$before" ] || return
        sleep 0.1
    done
    fail "SIG$1 leaves processes: $(pgrep -a sleep)"
}
gone TERM
[ ! -e "$folder" ] || fail 'SIGTERM leaves a folder'
gone KILL
rm -rf "$folder"
exit $failed
