#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_odd_requests.sh MPI MPIEXEC PROGRAM PREFIX: the program `odd_requests` is told the same about its
# requests natively and with the tuned library below PREFIX, which carries its collectives out.
set -euo pipefail
mpi=$1 mpiexec=$2 program=$3 library=$4/lib/libcolltuned.so
ranks=3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

# run NAME [ARGUMENT] -- NAME=VALUE...: what is told is in files NAME.RANK.
run() {
    local arguments=()
    while [ "$1" != -- ]; do
        arguments+=("$1")
        shift
    done
    shift
    timeout -k 5 120 "${launch[@]}" -n "$ranks" env "$@" "$program" "$work/${arguments[0]}" \
        "${arguments[@]:1}" >"$work/log" 2>&1 </dev/null || {
        echo "FAILED: ${arguments[*]}, $*: $(head -n 5 "$work/log")"
        exit 1
    }
}

# differs NAME: from what is told natively.
differs() {
    for rank in $(seq 0 $((ranks - 1))); do
        diff "$work/native.$rank" "$work/$1.$rank" || return 0
    done
    return 1
}

run native native -- COLLTUNE_DISABLE=1
[ "$(wc -l <"$work/native.0")" -gt 3000 ]
run wrong wrong -- COLLTUNE_DISABLE=1
differs wrong >/dev/null

# Without collectives of the library's, too, functions that wait become loops where ranks yield.
run loops native -- LD_PRELOAD="$library" COLLTUNE_WAIT=yield
if differs loops; then
    echo 'FAILED: where ranks yield, requests are not as they are natively'
    exit 1
fi

settings=(COLLTUNE_WAIT=spin COLLTUNE_WAIT=yield)
[ "$mpi" != mpich ] || settings+=(MPIR_CVAR_NUM_CLIQUES=2) # one of the three ranks is alone on its node
for setting in "${settings[@]}"; do
    run "$setting" -- LD_PRELOAD="$library" COLLTUNE_NONBLOCKING=1 "$setting" COLLTUNE_VERBOSE=1 \
        COLLTUNE_BARRIER=dissemination COLLTUNE_ALLREDUCE=recursive_doubling
    if differs "$setting"; then
        echo "FAILED: under $setting requests are not as they are natively"
        exit 1
    fi
    grep -Eq ' [0-9]{4,} calls of allreduce/recursive_doubling' "$work/log"
    grep -Eq ' [0-9]{3,} calls of barrier/dissemination' "$work/log"
done
