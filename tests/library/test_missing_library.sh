#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_missing_library.sh MPIEXEC PROGRAM PREFIX: runs the program on two ranks, of which only one has the
# tuned library below PREFIX preloaded. The job cannot go on, and that rank says what it waits for; with the
# library on both nothing is said.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
seconds=20 # the message comes after 10
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
timeout -k 5 60 "$mpiexec" -n 2 env LD_PRELOAD="$library" "$program" >"$work/log" 2>&1 </dev/null
! grep -q 'has waited' "$work/log"
for with in 0 1; do
    command=(-n 1 env LD_PRELOAD="$library" "$program" : -n 1 "$program")
    [ "$with" -eq 0 ] || command=(-n 1 "$program" : -n 1 env LD_PRELOAD="$library" "$program")
    timeout -k 5 "$seconds" "$mpiexec" "${command[@]}" >"$work/log" 2>&1 </dev/null || true
    cat "$work/log"
    [ "$(grep -c "rank $with has waited" "$work/log")" -eq 1 ]
done
