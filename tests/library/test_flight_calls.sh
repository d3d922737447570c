#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_flight_calls.sh VALGRIND MPIEXEC PROGRAM PREFIX: calls of 8 bytes on two ranks by the library below
# PREFIX. Start and wait of a persistent request take at most 0.8 of the instructions of the blocking call,
# and a non-blocking call with its wait at most 1.2 of them, and so do a bcast of a derived type and an
# allreduce that alternates between types and operations. alltoallv and alltoallw, which have arrays to
# compare, take at most 1.6 of those of alltoall, and a persistent alltoallv no more than that. A bcast of a
# few hundred bytes, each time with another count, takes at most 5 times those of one of 8 bytes, and an
# allreduce with an operation of the program's at most 4 times those of one with MPI_SUM. The first of these
# calls, which makes a plan, takes more, which must be noticed.
set -euo pipefail
valgrind=$1 mpiexec=$2 program=$3 library=$4/lib/libcolltuned.so
calls=40
export LC_ALL=C COLLTUNE_NONBLOCKING=1
unset COLLTUNE_NODE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
"$program" || status=$?
[ $status -ne 77 ] || exit 77 # which has no persistent collectives

# count FORM: prints the instructions of the shortest call of that form on rank 0, which does not wait, and of
# the first one.
count() {
    rm -f "$work"/counts*
    timeout -k 5 120 "$mpiexec" \
        -n 1 env LD_PRELOAD="$library" "$valgrind" -q --tool=callgrind --callgrind-out-file="$work/counts" \
        --toggle-collect=counted --dump-after=counted "$program" "$1" $calls : \
        -n 1 env LD_PRELOAD="$library" "$program" "$1" $calls >"$work/log" 2>&1 </dev/null || {
        cat "$work/log" >&2
        return 1
    }
    for ((i = 1; i <= calls; i++)); do
        awk '/^totals:/ { print $2 }' "$work/counts.$i"
    done | awk 'NR == 1 { first = least = $1 } $1 < least { least = $1 } END { print least, first }'
}

# at_most FORM BLOCKING PERCENT: compares it with so many instructions of the blocking call.
at_most() {
    local least first
    read -r least first < <(count "$1")
    echo "$1: $least instructions, $first in its first call; the blocking call: $2"
    [ "$least" -gt 0 ] && [ $((100 * least)) -le $(($3 * $2)) ] && [ $((100 * first)) -gt $(($3 * $2)) ]
}

for collective in bcast allreduce; do
    read -r blocking first < <(count $collective)
    echo "$collective: $blocking instructions, $first in its first call"
    [ "$blocking" -gt 0 ] && [ "$first" -gt "$blocking" ]
    at_most "${collective}_init" "$blocking" 80
    at_most "i$collective" "$blocking" 120
    if [ $collective = bcast ]; then
        at_most bcast_derived "$blocking" 120
        COLLTUNE_BCAST=binomial at_most vary "$blocking" 500
    else
        at_most alternate "$blocking" 120
        at_most allreduce_own "$blocking" 400
    fi
done

export COLLTUNE_ALLTOALL=pairwise COLLTUNE_ALLTOALLV=pairwise COLLTUNE_ALLTOALLW=pairwise
read -r blocking first < <(count alltoall)
echo "alltoall: $blocking instructions, $first in its first call"
[ "$blocking" -gt 0 ] && [ "$first" -gt "$blocking" ]
at_most alltoallv "$blocking" 160
at_most alltoallw "$blocking" 160
at_most alltoallv_init "$blocking" 100
