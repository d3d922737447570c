#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_endurance.sh PROGRAM MPI MPIEXEC PREFIX LEAKING_LIBRARY RANKS CALLS COMMUNICATORS: runs the program
# `endurance`, compiled for that MPI, with the tuned library below PREFIX preloaded, in each of the ways in
# which it keeps something between calls, the others with a quarter of the calls. The memory in use must not
# grow. LEAKING_LIBRARY must be noticed.
set -euo pipefail
program=$1 mpi=$2 mpiexec=$3 library=$4/lib/libcolltuned.so leaking=$5
ranks=$6 calls=$7 communicators=$8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

# run CALLS COMMUNICATORS NAME=VALUE...: its output in $work/log.
run() {
    local calls=$1 communicators=$2
    shift 2
    timeout -k 5 1500 "${launch[@]}" -n "$ranks" env LD_PRELOAD="$library" "$@" \
        "$program" "$calls" "$communicators" >"$work/log" 2>&1 </dev/null
}

# steady PART NAME=VALUE...: such a run, with that part of the calls, does not grow.
steady() {
    local part=$1
    shift
    run $((calls / part)) $((communicators / part)) "$@" || {
        echo "FAILED: $*"
        cat "$work/log"
        exit 1
    }
    echo "$*"
    grep 'ALL RIGHT' "$work/log"
}

steady 1 COLLTUNE_NONBLOCKING=0
steady 4 COLLTUNE_NONBLOCKING=1 "COLLTUNE_PROFILE=$work/profile"
steady 4 COLLTUNE_ADAPT=2
for what in call communicator; do
    ! run 10000 250 "LD_PRELOAD=$leaking" "LEAK=$what"
    grep -q GROWS "$work/log" || {
        echo "FAILED: a block that is lost with each $what is not noticed"
        exit 1
    }
done
