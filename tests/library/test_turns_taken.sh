#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_turns_taken.sh MPIEXEC TURNS_TAKEN PREFIX: where ranks share CPUs, the MPI functions that wait for
# messages yield the CPU. With ranks that spin, the program must find that they do not.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run SECONDS ENVIRONMENT...
run() {
    timeout -k 5 120 "$mpiexec" -n 2 -genv LD_PRELOAD "$library" "${@:2}" "$program" "$work/file" "$1" 2>&1 \
        </dev/null
}

for setting in COLLTUNE_VERBOSE=0 COLLTUNE_NONBLOCKING=1; do
    output=$(run 30 -genv COLLTUNE_WAIT yield -genv "${setting%=*}" "${setting#*=}") || {
        echo "FAILED with $setting: $output"
        exit 1
    }
    grep -q 'all right' <<<"$output"
done
for setting in 'COLLTUNE_WAIT spin' 'COLLTUNE_DISABLE 1'; do
    read -ra words <<<"$setting"
    if output=$(run 2 -genv COLLTUNE_WAIT yield -genv "${words[@]}"); then
        echo "FAILED: ranks yield with $setting"
        exit 1
    fi
    grep -q 'rank 0 does not yield in MPI_Send' <<<"$output"
done
