#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_handles.sh MPIEXEC PROGRAM PREFIX: runs the program `handles` with the tuned library below PREFIX
# preloaded: with contexts for all communicators, with too few, and with threads.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run RANKS [few|threads]: its output in $work/log.
run() {
    local ranks=$1
    shift
    timeout -k 5 120 "$mpiexec" -n "$ranks" -genv LD_PRELOAD "$library" -genv COLLTUNE_BCAST binomial \
        "$program" "$@" >"$work/log" 2>&1 </dev/null || true
    [ "$(grep -c 'ALL RIGHT' "$work/log")" -eq "$ranks" ] || {
        echo "FAILED: $ranks ranks $*"
        cat "$work/log"
        exit 1
    }
}

run 2
run 4
! grep -q 'many communicators' "$work/log"
run 4 few
[ "$(grep -c 'many communicators are in use' "$work/log")" -ge 1 ]
run 3 threads
# The program notices a library that leaves its calls native.
COLLTUNE_DISABLE=1 timeout -k 5 120 "$mpiexec" -n 2 -genv LD_PRELOAD "$library" "$program" \
    >"$work/log" 2>&1 </dev/null && exit 1
grep -q 'WRONG' "$work/log"
