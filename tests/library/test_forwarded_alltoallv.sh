#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_forwarded_alltoallv.sh PROGRAM MPI MPIEXEC PREFIX: runs the program `forwarded_alltoallv`, compiled for
# that MPI, with the tuned library below PREFIX preloaded, by each method of alltoallv that needs a set-up:
# named, and by a table. A method that is not in force must be noticed.
set -euo pipefail
program=$1 mpi=$2 mpiexec=$3 library=$4/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

# run RANKS EXPECTED NAME=VALUE...: its output in $output; is all right?
run() {
    local ranks=$1 expected=$2
    shift 2
    output=$(timeout -k 5 120 "${launch[@]}" -n "$ranks" env "LD_PRELOAD=$library" "$@" "$program" \
        ${expected:+"$expected"} 2>&1 </dev/null) &&
        [ "$(grep -o 'ALL RIGHT' <<<"$output" | wc -l)" -eq "$ranks" ] &&
        ! grep -q '^colltune: .* ignored' <<<"$output"
}

# expect RANKS EXPECTED NAME=VALUE...: such a run, or what went wrong.
expect() {
    run "$@" || {
        echo "FAILED: $*: $output"
        exit 1
    }
    echo "$*: right"
}

# expect_named RANKS METHOD NAME=VALUE...: the method is in force.
expect_named() {
    local ranks=$1 method=$2
    shift 2
    expect "$ranks" "$method" "COLLTUNE_ALLTOALLV=$method" COLLTUNE_NONBLOCKING=1 "$@"
}

expect 3 '' COLLTUNE_ALLTOALLV=native
for call in '2 grid' '3 grid' '4 grid' '5 grid:dims=1' '8 grid:dims=3'; do
    # shellcheck disable=SC2086 # ranks and method
    expect_named $call
done
# Where the ranks share one node, methods of several nodes do not apply.
expect 3 '' COLLTUNE_ALLTOALLV=node_aware COLLTUNE_NONBLOCKING=1
# MPICH plays two nodes.
if [ "$mpi" = mpich ]; then
    for call in '4 node_aware' '4 locality' '5 node_aware:leaders=2' '6 locality' '4 grid'; do
        # shellcheck disable=SC2086 # ranks and method
        expect_named $call MPIR_CVAR_NUM_CLIQUES=2
    done
fi
expect 4 grid COLLTUNE_ALLTOALLV=grid

# By a table.
printf '%s\n' 'colltune-table 2' 'collective alltoallv' 'comm_size <= 3' '  pairwise' '  grid' >"$work/table"
expect 4 grid "COLLTUNE_TABLE=$work/table" COLLTUNE_NONBLOCKING=1
# The program sees that another method was used.
run 3 grid "COLLTUNE_TABLE=$work/table" && {
    echo 'FAILED: a method that no leaf has was used'
    exit 1
}
grep -q '^alltoallv/grid: 0 calls' <<<"$output"
