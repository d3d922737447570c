#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_neighbors.sh PROGRAM MPI MPIEXEC PREFIX: runs the program `neighbors`, compiled for that MPI, with the
# tuned library below PREFIX preloaded, by each method of sparse collectives. A method that is not in force
# must be noticed.
set -euo pipefail
program=$1 mpi=$2 mpiexec=$3 library=$4/lib/libcolltuned.so

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

# run RANKS METHOD EXPECTED NAME=VALUE...: its output in $output; is all right?
run() {
    local ranks=$1 method=$2 expected=$3 collective variables=()
    shift 3
    for collective in ALLGATHER ALLGATHERV ALLTOALL ALLTOALLV ALLTOALLW; do
        variables+=("COLLTUNE_NEIGHBOR_$collective=$method")
    done
    output=$(timeout -k 5 120 "${launch[@]}" -n "$ranks" env "LD_PRELOAD=$library" COLLTUNE_NONBLOCKING=1 \
        "${variables[@]}" "$@" "$program" ${expected:+"$expected"} 2>&1 </dev/null) &&
        [ "$(grep -o 'ALL RIGHT' <<<"$output" | wc -l)" -eq "$ranks" ]
}

# expect RANKS METHOD EXPECTED NAME=VALUE...: such a run, or what went wrong.
expect() {
    run "$@" || {
        echo "FAILED: $*: $output"
        exit 1
    }
    echo "$*: right"
}

for method in linear window grid common_neighbors; do
    expect 2 "$method" "$method"
done
for ranks in 3 5; do
    expect "$ranks" linear ''
    expect "$ranks" grid ''
done
expect 4 common_neighbors common_neighbors
expect 8 linear linear
# Ranks without neighbors forward blocks.
expect 4 grid grid
expect 4 grid:dims=1 ''
# MPICH plays two nodes.
if [ "$mpi" = mpich ]; then
    for method in node_aware locality grid common_neighbors; do
        expect 4 "$method" "$method" MPIR_CVAR_NUM_CLIQUES=2
    done
    expect 5 node_aware node_aware MPIR_CVAR_NUM_CLIQUES=2
fi
expect 3 linear linear COLLTUNE_CHECK=1

# Decisions by the pattern, agreed on by the ranks: each method of the table carries out calls, blocking and
# persistent ones; a method that is forced goes before them.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    echo 'colltune-table 2'
    for collective in allgather allgatherv alltoall alltoallv alltoallw; do
        cat <<END
collective neighbor_$collective
msg_bytes <= 8
  mean_degree <= 150
    grid
    window:reqs=4
  imbalance <= 120
    common_neighbors:k=4
    degree <= 1
      window:reqs=16
      on_node <= 49
        node_aware fallback linear
        grid:dims=1
END
    done
} >"$work/table"

# decide RANKS EXPECTED NAME=VALUE...: as run, by that table.
decide() {
    local ranks=$1 expected=$2
    shift 2
    output=$(timeout -k 5 120 "${launch[@]}" -n "$ranks" env "LD_PRELOAD=$library" COLLTUNE_NONBLOCKING=1 \
        COLLTUNE_VERBOSE=1 WITHOUT_NONBLOCKING=1 "COLLTUNE_TABLE=$work/table" "$@" "$program" \
        ${expected:+"$expected"} 2>&1 </dev/null) &&
        [ "$(grep -o 'ALL RIGHT' <<<"$output" | wc -l)" -eq "$ranks" ] &&
        grep -q 'decisions from COLLTUNE_TABLE for 5 collectives' <<<"$output"
}
for call in '2 window:reqs=4' '4 grid:dims=1' '5 grid'; do
    # shellcheck disable=SC2086 # ranks and method
    decide $call || {
        echo "FAILED: by the pattern, $call: $output"
        exit 1
    }
done
decide 2 linear COLLTUNE_NEIGHBOR_{ALLGATHER,ALLGATHERV,ALLTOALL,ALLTOALLV,ALLTOALLW}=linear || {
    echo "FAILED: linear in place of a decision by the pattern: $output"
    exit 1
}
# What no leaf has is not used.
decide 2 locality && {
    echo 'FAILED: a method that no leaf has was used'
    exit 1
}
grep -q '^neighbor_alltoall/locality: 0 calls' <<<"$output"
# The program sees that another method was used. (Native calls of MPICH 4.0.2 may hang.)
! run 2 linear window
grep -q '^neighbor_alltoall/window: 0 calls' <<<"$output"
