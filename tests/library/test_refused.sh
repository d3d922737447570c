#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_refused.sh REFUSED MPI MPIEXEC PREFIX [BROKEN_LIBRARY]: runs the program `refused`, compiled for that
# MPI, natively and with the tuned library below PREFIX preloaded. BROKEN_LIBRARY must be noticed.
set -euo pipefail
program=$1 mpi=$2 mpiexec=$3 library=$4/lib/libcolltuned.so broken=${5:-}

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

# run RANKS ARGUMENTS NAME=VALUE...: its output in $output; is all right?
run() {
    local ranks=$1 arguments=$2
    shift 2
    # shellcheck disable=SC2086
    output=$(timeout -k 5 120 "${launch[@]}" -n "$ranks" env "$@" "$program" $arguments 2>&1 </dev/null)
}

# expect RANKS ARGUMENTS NAME=VALUE...: such a run, or what went wrong.
expect() {
    run "$@" || {
        echo "FAILED: $*: $output"
        exit 1
    }
    echo "$*: $(grep 'wrong calls' <<<"$output")"
}

expect 2 ''
for ranks in 2 3; do
    expect "$ranks" '' "LD_PRELOAD=$library" COLLTUNE_VERBOSE=1
    grep -q ' calls of bcast/[a-z]* on rank 0$' <<<"$output" # the right calls are tuned
done
expect 2 threads "LD_PRELOAD=$library"
# Neighborhood collectives, by a method that needs nothing from other ranks and by one that forwards blocks.
for method in linear grid; do
    variables=()
    for collective in ALLGATHER ALLGATHERV ALLTOALL ALLTOALLV ALLTOALLW; do
        variables+=("COLLTUNE_NEIGHBOR_$collective=$method")
    done
    expect 2 '' "LD_PRELOAD=$library" COLLTUNE_VERBOSE=1 "${variables[@]}"
    grep -q " calls of neighbor_alltoallw/$method.* on rank 0\$" <<<"$output"
    expect 3 '' "LD_PRELOAD=$library" "${variables[@]}"
done
expect 2 threads "LD_PRELOAD=$library" "${variables[@]}"
# A job that ends is told which function was called.
! run 2 fatal "LD_PRELOAD=$library"
grep -q 'colltune: MPI_Bcast: ' <<<"$output"
if [ -n "$broken" ]; then
    expect 2 '' "LD_PRELOAD=$broken"
    ! run 2 '' "LD_PRELOAD=$broken" BROKEN=loud
    # Of a job that fails, the launcher need not pass on all that a rank says, or whole lines.
    grep -q 'bcast with .* handler called 2 times' <<<"$output" || {
        echo "FAILED: errors that are told twice are not noticed: $output"
        exit 1
    }
fi
