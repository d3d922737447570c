#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_far_ahead.sh FAR_AHEAD MPI MPIEXEC PREFIX: with the tuned library below PREFIX, a rank may make more
# calls without messages than numbers of calls tell apart.
set -euo pipefail
program=$1 mpi=$2 mpiexec=$3 library=$4/lib/libcolltuned.so

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

for threads in '' multiple; do
    output=$(timeout -k 5 120 "${launch[@]}" -n 4 env LD_PRELOAD="$library" COLLTUNE_VERBOSE=1 \
        COLLTUNE_NODE=shared COLLTUNE_GATHERV=linear "$program" 40000 $threads 2>&1 </dev/null) || {
        echo "FAILED $threads: $output"
        exit 1
    }
    grep -q 'all right' <<<"$output"
    grep -q ' 40000 calls of gatherv/linear' <<<"$output"
done
