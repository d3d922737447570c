#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_makers.sh MPI MPIEXEC PROGRAM PREFIX: the program `makers` ends well natively and with the tuned
# library below PREFIX, which carries out the last collective.
set -euo pipefail
mpi=$1 mpiexec=$2 program=$3 library=$4/lib/libcolltuned.so

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

# run NAME=VALUE...: its output in $output
run() {
    local status=0
    output=$(timeout -k 5 60 "${launch[@]}" -n 3 env "$@" "$program" 2>&1 </dev/null) || status=$?
    if [ "$status" -ne 0 ] || ! grep -q 'ALL RIGHT' <<<"$output"; then
        echo "FAILED: $*: exit code $status: $output"
        exit 1
    fi
    echo "$*: right"
}

run LD_PRELOAD=
for settings in COLLTUNE_NODE=shared COLLTUNE_NODE=mpi COLLTUNE_ADAPT=2 COLLTUNE_CHECK=1; do
    run "LD_PRELOAD=$library" COLLTUNE_VERBOSE=1 COLLTUNE_ALLREDUCE=ring "$settings"
    grep -q ' calls* *of allreduce/ring on rank 0' <<<"$output" || {
        echo "FAILED: $settings: no call is tuned: $output"
        exit 1
    }
done
