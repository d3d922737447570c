#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_blocking.sh MPI MPIEXEC BLOCKING PREFIX: ranks that block in an MPI function move the calls in flight
# of the tuned library below PREFIX, under both wait policies, with native and with tuned collectives.
# BLOCKING is compiled for that MPI.
set -euo pipefail
mpi=$1 mpiexec=$2 program=$3 library=$4/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

for wait in spin yield; do
    for method in native recursive_doubling; do
        output=$(timeout -k 5 120 "${launch[@]}" -n 3 env LD_PRELOAD="$library" COLLTUNE_NONBLOCKING=1 \
            COLLTUNE_WAIT=$wait COLLTUNE_BARRIER=$method COLLTUNE_ALLREDUCE=$method COLLTUNE_BCAST=pipeline \
            COLLTUNE_VERBOSE=1 "$program" "$work/file" 2>&1 </dev/null) || {
            echo "FAILED: $method, $wait: $output"
            exit 1
        }
        grep -q 'all right' <<<"$output"
        # The program calls MPI_Ibcast alone.
        grep -q ' calls of bcast/pipeline' <<<"$output"
    done
done
