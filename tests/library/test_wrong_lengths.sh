#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_wrong_lengths.sh MPIEXEC WRONG_LENGTHS PREFIX: ranks that call with different lengths get the error
# from the tuned library below PREFIX, by several methods and under both wait policies, and go on.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
methods=(binomial linear) # of bcast, gather and scatter
# Natively, ranks notice what they send themselves.
output=$(timeout -k 5 60 "$mpiexec" -n 4 "$program" own 2>&1 </dev/null) || {
    echo "FAILED: natively: $output"
    exit 1
}
for wait in spin yield; do
    for method in "${methods[@]}"; do
        output=$(timeout -k 5 60 "$mpiexec" -n 4 env LD_PRELOAD="$library" COLLTUNE_WAIT=$wait \
            COLLTUNE_BCAST="$method" COLLTUNE_GATHER="$method" COLLTUNE_SCATTER="$method" \
            COLLTUNE_ALLGATHER=ring COLLTUNE_ALLTOALL=linear COLLTUNE_ALLTOALLV=linear \
            COLLTUNE_NONBLOCKING=1 COLLTUNE_VERBOSE=1 "$program" 2>&1 </dev/null) || {
            echo "FAILED: $method, $wait: $output"
            exit 1
        }
        grep -q 'all right' <<<"$output"
        grep -q " calls of bcast/$method" <<<"$output"
        grep -q ' calls of alltoall/linear' <<<"$output"
    done
done
