#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_features.sh COLLTUNE FEW_CALLS MPIEXEC PREFIX OTHER_PREFIX TABLE.xml: what a tuned library chooses by
# features of every kind, compiled in and read from a table, on one node and on two that MPICH is made to see.
# The library below PREFIX is built from the table, that below OTHER_PREFIX decides otherwise.
set -euo pipefail

colltune=$1 program=$2 mpiexec=$3 prefix=$4 other_prefix=$5 table=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$colltune" generate "$table" --format table -o "$work/table"

failures=0

# check WHAT RANKS EXPECTED =VALUE...: the methods of both communicators' calls, sorted.
check() {
    local what=$1 ranks=$2 expected=$3 methods
    shift 3
    rm -f "$work/profile"
    timeout -k 5 100 "$mpiexec" -n "$ranks" env COLLTUNE_PROFILE="$work/profile" "$@" "$program" </dev/null
    methods=$(awk -F, 'NR > 1 && $1 == 0 { print $4 ":" $2 "/" $6 }' "$work/profile" |
        tr -d '"' | sort | paste -s -d ' ')
    if [ "$methods" = "$expected" ]; then
        echo "ok: $what"
    else
        echo "FAILED: $what: got $methods, expected $expected"
        failures=$((failures + 1))
    fi
}

on_one='3:allgather/ring 3:barrier/linear 3:bcast/chain 3:bcast/chain '
on_one+='3:scatter/binomial 3:scatter/linear'
on_one+=' 4:allgather/linear 4:barrier/linear 4:bcast/binary 4:bcast/pipeline:seg=16K '
on_one+='4:scatter/binomial 4:scatter/linear'
on_two='3:allgather/ring 3:barrier/dissemination 3:bcast/chain 3:bcast/chain '
on_two+='3:scatter/binomial 3:scatter/linear'
on_two+=' 4:allgather/linear 4:barrier/dissemination 4:bcast/binomial 4:bcast/pipeline:seg=16K '
on_two+='4:scatter/binomial 4:scatter/linear'
odd='4:allgather/linear 4:barrier/linear 4:bcast/binary 4:bcast/pipeline:seg=16K '
odd+='4:scatter/binomial 4:scatter/linear'
odd+=' 5:allgather/bruck 5:barrier/linear 5:bcast/chain 5:bcast/chain 5:scatter/binomial 5:scatter/linear'
tuned=LD_PRELOAD=$prefix/lib/libcolltuned.so
other=LD_PRELOAD=$other_prefix/lib/libcolltuned.so
check 'compiled in, one node' 4 "$on_one" "$tuned"
check 'compiled in, two nodes' 4 "$on_two" "$tuned" MPIR_CVAR_NUM_CLIQUES=2
check 'compiled in, an odd number of ranks' 5 "$odd" "$tuned"
check 'by the table, one node' 4 "$on_one" "$other" COLLTUNE_TABLE="$work/table"
check 'by the table, two nodes' 4 "$on_two" "$other" COLLTUNE_TABLE="$work/table" MPIR_CVAR_NUM_CLIQUES=2

[ "$failures" -eq 0 ]
