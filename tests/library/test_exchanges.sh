#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_exchanges.sh PROGRAM MPI MPIEXEC: runs the program `exchanges`, compiled for that MPI and linked with
# the tuned library, by each method. A method that is not in force must be noticed, and an error that ends the
# job must say what was wrong.
set -euo pipefail
program=$1 mpi=$2 mpiexec=$3

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

# run RANKS KNOWN UNKNOWN NAME=VALUE...: its output in $output; is all right?
run() {
    local ranks=$1 known=$2 unknown=$3
    shift 3
    output=$(timeout -k 5 120 "${launch[@]}" -n "$ranks" env "COLLTUNE_NEIGHBOR_ALLTOALLV=$known" \
        "COLLTUNE_EXCHANGE=$unknown" "$@" "$program" "$known" "$unknown" 2>&1 </dev/null) &&
        [ "$(grep -o 'ALL RIGHT' <<<"$output" | wc -l)" -eq "$ranks" ]
}

# expect RANKS KNOWN UNKNOWN NAME=VALUE...: such a run, or what went wrong.
expect() {
    run "$@" || {
        echo "FAILED: $*: $output"
        exit 1
    }
    echo "$*: right"
}

expect 1 linear nbx
expect 2 linear nbx MOVES=1
expect 2 common_neighbors personalized
expect 3 grid grid MOVES=1
expect 4 window grid:dims=1
expect 5 grid:dims=1 grid:dims=3 MOVES=1 COLLTUNE_NONBLOCKING=1
expect 7 grid personalized
expect 11 grid:dims=3 grid
expect 16 grid:dims=4 grid:dims=4
# MPICH plays two nodes.
if [ "$mpi" = mpich ]; then
    for method in node_aware locality grid; do
        expect 4 "$method" nbx MPIR_CVAR_NUM_CLIQUES=2
    done
fi

# Other methods are in force than the program expects, since the library is disabled, or ranks differ.
! run 2 grid grid COLLTUNE_DISABLE=1
grep -q 'neighbor_alltoallv/linear' <<<"$output"
grep -q 'exchange/nbx' <<<"$output"
# shellcheck disable=SC2016 # each rank is to read its own variable
differ='rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}
    COLLTUNE_EXCHANGE=$([ "$rank" = 0 ] && echo grid || echo nbx) exec "$0" linear nbx'
output=$(timeout -k 5 120 "${launch[@]}" -n 2 sh -c "$differ" "$program" 2>&1 </dev/null) || {
    echo "FAILED: methods that differ: $output"
    exit 1
}

! output=$(timeout -k 5 60 "${launch[@]}" -n 3 "$program" fatal 2>&1 </dev/null)
grep -q 'colltuned_exchange_make: .*rank' <<<"$output" || {
    echo "FAILED: a wrong rank ends the job: $output"
    exit 1
}
