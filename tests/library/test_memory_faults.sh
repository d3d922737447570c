#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_memory_faults.sh COLLTUNE MEMORY_FAULT MPIEXEC PREFIX TABLE.xml: lets each allocation of the tuned
# library below PREFIX, which was built from that table, fail in turn on one of two ranks, without and with
# COLLTUNE_NONBLOCKING=1. The job must never hang: all ranks go native and the results are right, or, where
# the memory is a call's own, the error MPI_ERR_NO_MEM ends it.
set -euo pipefail
colltune=$1 program=$2 mpiexec=$3 library=$4/lib/libcolltuned.so table=$5
seconds=60 # limit of a run; each takes a fraction of a second
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$colltune" generate "$table" --format table -o "$work/table"

# run OUTPUT [N]: the exit code, in $status; output in that file. Its words are whole, its lines may not be:
# ranks print beside each other, and the end of a line comes after it.
run() {
    local output=$1
    shift
    status=0
    timeout -k 5 "$seconds" "$mpiexec" -n 2 -genv LD_PRELOAD "$library" \
        -genv COLLTUNE_TABLE "$work/table" "$program" "$@" >"$output" 2>&1 </dev/null || status=$?
}

# try_each NONBLOCKING: an allocation after the other.
try_each() {
    local survived=0 ended=0 n output=$work/output.$1
    export COLLTUNE_NONBLOCKING=$1
    run "$output"
    [ "$status" -eq 0 ] && grep -q 'all right' "$output"
    for ((n = 1;; n++)); do
        run "$output" "$n"
        grep -q 'an allocation failed' "$output" || break
        if [ "$status" -eq 0 ] && grep -q 'all right' "$output"; then
            survived=$((survived + 1))
        elif [ "$status" -ne 124 ] && [ "$status" -ne 137 ] && grep -qi 'memory' "$output"; then
            ended=$((ended + 1))
        else
            echo "FAILED: allocation $n: exit code $status"
            cat "$output"
            exit 1
        fi
    done
    echo "$survived allocations failed without harm, $ended ended the job"
    [ "$survived" -gt "$ended" ]
}

# Jobs take most of their time to start, so two take turns with the CPUs.
(try_each 0) &
(try_each 1)
wait $!
