#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_passed_on.sh VALGRIND MPIEXEC PROGRAM PREFIX: short calls for which the table says native take few
# instructions of the library below PREFIX, also where others are adapted, and calls by its own methods take
# more, which must be noticed.
set -euo pipefail
valgrind=$1 mpiexec=$2 program=$3 library=$4/lib/libcolltuned.so
most=80                 # instructions a call
export COLLTUNE_NODE=mpi # the MPI library waits, whose instructions are not counted
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# instructions ROUNDS METHOD: those of the library on rank 0 in a run of PROGRAM with methods forced. A name
# follows its number only once; a line of costs after `calls=` is a callee's.
instructions() {
    local settings=() collective
    for collective in BARRIER BCAST REDUCE ALLREDUCE ALLGATHER; do
        settings+=("COLLTUNE_$collective=$2")
    done
    timeout -k 5 120 "$mpiexec" \
        -n 1 env LD_PRELOAD="$library" "${settings[@]}" \
        "$valgrind" -q --tool=callgrind --toggle-collect=call_in_rounds --callgrind-out-file="$work/counts" \
        "$program" "$1" : \
        -n 1 env LD_PRELOAD="$library" "${settings[@]}" "$program" "$1" >"$work/log" 2>&1 </dev/null || {
        cat "$work/log" >&2
        return 1
    }
    awk '
        /^c?ob=/ { split($0, part, /[()]/); if (/libcolltuned/) ours = part[2] }
        /^ob=/ { is_ours = part[2] == ours }
        /^calls=/ { getline; next }
        is_ours && /^[-+*0-9]/ { sum += $2 }
        END { print sum }' "$work/counts"
}

# per_call METHOD: on average over the calls of 100 rounds, without the first ones.
per_call() {
    local few many
    few=$(instructions 50 "$1")
    many=$(instructions 150 "$1")
    echo $(((many - few) / 500))
}

passed_on=$(per_call native)
adapting=$(COLLTUNE_ADAPT=1 per_call native)
carried_out=$(per_call linear)
echo "with COLLTUNE_ADAPT=1 a call takes $adapting instructions if its method is certain and native"
echo "a call takes $passed_on instructions of the library if it is passed on, $carried_out by a plan"
[ "$adapting" -eq "$passed_on" ]
[ "$passed_on" -gt 0 ] && [ "$passed_on" -le "$most" ] && [ "$carried_out" -gt "$most" ]
