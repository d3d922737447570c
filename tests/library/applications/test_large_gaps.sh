#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_large_gaps.sh LARGE_GAPS MPIEXEC PREFIX: the program's result is right with the tuned library below
# PREFIX, whose messages go through lanes.
set -euo pipefail
program=$1 mpiexec=$2 library=$3/lib/libcolltuned.so
kilobytes=$((16 << 20)) # buffers of 2.4 GB: four of the program, and what is packed and received

available=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
if [ "$available" -lt "$kilobytes" ]; then
    echo "$kilobytes KB of memory are needed, $available are there: skipped"
    exit 77
fi
output=$("$mpiexec" -n 2 env LD_PRELOAD="$library" COLLTUNE_REDUCE=binomial COLLTUNE_NODE=shared "$program")
grep -qx right <<<"$output"
