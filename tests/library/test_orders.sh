#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_orders.sh MPIEXEC PROGRAM PREFIX: the program `orders` is right with the tuned library below PREFIX,
# which carries its calls in flight out.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
settings=(COLLTUNE_NONBLOCKING=1 COLLTUNE_NODE=shared COLLTUNE_BARRIER=dissemination COLLTUNE_BCAST=binomial
    COLLTUNE_ALLREDUCE=recursive_doubling COLLTUNE_VERBOSE=1)
# Ranks that outnumber CPUs yield.
for trial in 2:spin 2:yield 4:yield; do
    ranks=${trial%%:*}
    output=$(timeout -k 5 120 "$mpiexec" -n "$ranks" env LD_PRELOAD="$library" "${settings[@]}" \
        COLLTUNE_WAIT="${trial#*:}" "$program" 2>&1 </dev/null) || {
        echo "FAILED: $trial: $output"
        exit 1
    }
    grep -q 'all right' <<<"$output"
    grep -Eq ' [0-9]{3,} calls of allreduce/recursive_doubling' <<<"$output"
done
