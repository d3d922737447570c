#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_unequal_segments.sh UNEQUAL_SEGMENTS MPI MPIEXEC PREFIX: ranks of a node whose calls differ in length
# go on with the tuned library below PREFIX, whose methods cut messages into segments or not.
set -euo pipefail
program=$1 mpi=$2 mpiexec=$3 library=$4/lib/libcolltuned.so

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

# run RANKS BYTES BCAST REDUCE ALLREDUCE OTHER ALLTOALL: methods, OTHER of scatter and gather.
run() {
    local ranks=$1 bytes=$2 output
    output=$(timeout -k 5 280 "${launch[@]}" -n "$ranks" env LD_PRELOAD="$library" COLLTUNE_VERBOSE=1 \
        COLLTUNE_NODE=shared COLLTUNE_BCAST="$3" COLLTUNE_REDUCE="$4" COLLTUNE_ALLREDUCE="$5" \
        COLLTUNE_SCATTER="$6" COLLTUNE_GATHER="$6" COLLTUNE_ALLGATHER=ring COLLTUNE_ALLTOALL="$7" \
        "$program" "$bytes" 2>&1 </dev/null) || {
        echo "FAILED: $*: $output"
        exit 1
    }
    grep -q 'all right' <<<"$output"
    grep -q " calls of bcast/$3" <<<"$output"
}

# Ranks mostly sleep until what will not come is given up, so all jobs run at once.
jobs=()
for segment in 64 64K; do # through cells, and by copies out of the sender's memory
    cut=seg=$segment
    bytes=$(numfmt --from=iec $segment)
    run 3 "$bytes" "pipeline:$cut" "pipeline:$cut" "ring_segmented:$cut" binomial pairwise &
    jobs+=($!)
done
run 2 64 binary:seg=64 binomial:seg=64 reduce_bcast linear linear &
jobs+=($!)
run 3 64 scatter_allgather rabenseifner recursive_doubling linear bruck &
jobs+=($!)
for job in "${jobs[@]}"; do
    wait "$job"
done
