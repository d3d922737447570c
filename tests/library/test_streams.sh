#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_streams.sh PROGRAM MPI MPIEXEC: runs the program `streams`, compiled for that MPI and linked with the
# tuned library. A message that is missing must be noticed.
set -euo pipefail
program=$1 mpi=$2 mpiexec=$3

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

for ranks in 1 2 3 5 8 13; do
    output=$(timeout -k 5 240 "${launch[@]}" -n "$ranks" "$program" 2>&1 </dev/null) &&
        [ "$(grep -o 'ALL RIGHT' <<<"$output" | wc -l)" -eq "$ranks" ] || {
        echo "FAILED: $ranks ranks: $output"
        exit 1
    }
    echo "$ranks ranks: right"
done
! output=$(timeout -k 5 120 "${launch[@]}" -n 2 "$program" lose 2>&1 </dev/null)
grep -q 'messages are missing' <<<"$output"
