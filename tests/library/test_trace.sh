#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_trace.sh MPIEXEC PROGRAM PREFIX COUNTER...: with COLLTUNE_TRACE=1 a tool that wraps point-to-point
# functions sees each message of the tuned collectives, sent and received, on a communicator that it knows;
# without it none. PROGRAM is traced.o, each COUNTER a build of message_counter.c.
set -euo pipefail
mpiexec=$1 object=$(realpath "$2") prefix=$(realpath "$3")
shift 3
library=$prefix/lib/libcolltuned.so
seconds=60 # limit of a run
# No call is native.
methods=(COLLTUNE_BARRIER=dissemination COLLTUNE_BCAST=chain:seg=4K COLLTUNE_ALLREDUCE=ring_segmented:seg=4K
    COLLTUNE_REDUCE=binomial COLLTUNE_ALLTOALL=pairwise COLLTUNE_ALLGATHER=bruck COLLTUNE_SCATTER=binomial
    COLLTUNE_SCAN=recursive_doubling)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
read -r -a shared <<<"$(pkg-config --libs colltuned)"
read -r -a static <<<"-Wl,-Bstatic $(pkg-config --libs --static colltuned) -Wl,-Bdynamic"
cc=$(pkg-config --variable mpicc colltuned)
"$cc" "$object" -o "$work/plain"
"$cc" "$object" "${shared[@]}" -o "$work/linked"
"$cc" "$object" -rdynamic "${static[@]}" -o "$work/static"

failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run PROGRAM PRELOADED NAME=VALUE...: sets what the program prints: sent, seen, received, elsewhere.
run() {
    local program=$1 preloaded=$2 line
    shift 2
    line=$(timeout -k 5 "$seconds" "$mpiexec" -n 2 env "${methods[@]}" "$@" LD_PRELOAD="$preloaded" \
        "$work/$program")
    [[ $line =~ ^sent\ ([0-9]+),\ seen\ ([0-9]+)\ sent,\ ([0-9]+)\ received,\ ([0-9]+)\ elsewhere$ ]] || {
        fail "$program with $preloaded: printed '$line'"
        return 1
    }
    sent=${BASH_REMATCH[1]} seen=${BASH_REMATCH[2]} received=${BASH_REMATCH[3]} elsewhere=${BASH_REMATCH[4]}
}

# trace WHAT PROGRAM PRELOADED NAME=VALUE...
trace() {
    local what=$1 program=$2 preloaded=$3
    shift 3
    run "$program" "$preloaded" COLLTUNE_TRACE=1 "$@" || return 0
    if [ "$sent" -lt 100 ] || [ "$seen" -ne "$sent" ] || [ "$received" -ne "$sent" ] ||
        [ "$elsewhere" -ne 0 ]; then
        fail "$what: sent $sent, seen $seen sent, $received received, $elsewhere elsewhere"
    else
        echo "ok: $what: all of $sent messages are seen"
    fi
}

for counter; do
    name=$(basename "$counter")
    # Messages are sent by other functions where ranks spin, and where calls are in flight.
    for wait in spin yield; do
        trace "$name before the library, $wait" plain "$counter $library" COLLTUNE_WAIT=$wait
        trace "$name after the library, $wait" plain "$library $counter" COLLTUNE_WAIT=$wait
    done
    trace "$name, calls in flight" plain "$library $counter" COLLTUNE_NONBLOCKING=1
    trace "$name and a library that is linked" linked "$counter"
    trace "$name and a library that is linked statically" static "$counter"
    run plain "$counter $library" COLLTUNE_TRACE=0 &&
        { [ "$sent" -ge 100 ] && [ "$((seen + received))" -eq 0 ]; } ||
        fail "$name: without COLLTUNE_TRACE $seen of $sent messages are seen"
done
# Without COLLTUNE_TRACE lanes carry the messages, with it MPI does.
for setting in 0:'shared memory' 1:MPI; do
    timeout -k 5 "$seconds" "$mpiexec" -n 2 env "${methods[@]}" COLLTUNE_TRACE="${setting%%:*}" \
        COLLTUNE_NODE=shared COLLTUNE_VERBOSE=1 LD_PRELOAD="$1 $library" "$work/plain" \
        >"$work/log" 2>&1 || true
    grep -q "^colltune: .*; messages within the node go through ${setting#*:}\$" "$work/log" ||
        fail "COLLTUNE_TRACE=${setting%%:*}: messages go elsewhere than ${setting#*:}: $(cat "$work/log")"
done
# Messages through lanes are counted as those through MPI are.
for setting in COLLTUNE_WAIT=spin COLLTUNE_WAIT=yield COLLTUNE_NONBLOCKING=1; do
    run plain "$1 $library" $setting COLLTUNE_NODE=mpi && by_mpi=$sent
    run plain "$1 $library" $setting COLLTUNE_NODE=shared && by_lanes=$sent
    [ "$by_lanes" -ge 100 ] && [ "$by_lanes" -eq "$by_mpi" ] ||
        fail "$setting: $by_lanes messages through lanes, $by_mpi through MPI"
done
[ "$failures" -eq 0 ]
