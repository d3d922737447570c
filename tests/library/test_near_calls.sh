#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_near_calls.sh MPIEXEC NEAR_CALLS PREFIX NO_MEMORY_FILE: calls that go through the lanes of a node leave
# the program's own messages moving, are right on more ranks than CPUs, with data at absolute addresses and
# with lanes in a window. A rank that is killed among them ends the job and leaves no shared memory behind.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so no_memory_file=$4

run() {
    timeout -k 5 60 "$mpiexec" -n "$ranks" -genv LD_PRELOAD "$library" \
        -genv COLLTUNE_ALLREDUCE recursive_doubling -genv COLLTUNE_VERBOSE 1 "$@" "$program" "$scenario" \
        2>&1 </dev/null
}

# is_right OUTPUT: the program has said so, and its messages went through lanes.
is_right() {
    grep -q 'all right' <<<"$1" &&
        grep -q 'messages within the node go through shared memory' <<<"$1"
}

# Linear methods have messages between all ranks.
ranks=24 scenario=many
output=$(run -genv COLLTUNE_BCAST linear -genv COLLTUNE_BARRIER linear -genv COLLTUNE_ALLTOALL linear) &&
    is_right "$output" || {
    echo "FAILED: $ranks ranks: $output"
    exit 1
}

# A rank that can make no memory file, or find none, has the others take a window.
ranks=3
for refused in make find; do
    output=$(run -genv LD_PRELOAD "$no_memory_file $library" -genv NO_MEMORY_FILE $refused) &&
        is_right "$output" || {
        echo "FAILED: $refused: $output"
        exit 1
    }
done

ranks=2
for wait in spin yield; do
    for scenario in progress requests bottom; do
        if ! output=$(run -genv COLLTUNE_WAIT $wait -genv COLLTUNE_NONBLOCKING 1) ||
            ! is_right "$output"; then
            echo "FAILED: $scenario, $wait: $output"
            exit 1
        fi
    done
    scenario=killed
    before=$(ls /dev/shm 2>/dev/null || true) status=0
    run -genv COLLTUNE_WAIT $wait >/dev/null || status=$?
    if [ "$status" -eq 0 ] || [ "$status" -ge 124 ]; then
        echo "FAILED: a job with a killed rank has ended with $status"
        exit 1
    fi
    if [ "$(ls /dev/shm 2>/dev/null || true)" != "$before" ]; then
        echo "FAILED: shared memory is left behind: $(ls /dev/shm)"
        exit 1
    fi
done
