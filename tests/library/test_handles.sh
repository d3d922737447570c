#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_handles.sh MPIEXEC PROGRAM PREFIX: runs the program `handles` with the tuned library below PREFIX
# preloaded: with tags for many communicators, with one for all, with threads, with communicators for calls in
# flight, and where one rank can keep nothing with its communicators.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run RANKS [few|threads|flights] [forgetful]: its output in $work/log.
run() {
    local ranks=$1
    shift
    timeout -k 5 120 "$mpiexec" -n "$ranks" -genv LD_PRELOAD "$library" -genv COLLTUNE_BCAST binomial \
        "$program" "$@" >"$work/log" 2>&1 </dev/null || true
    [ "$(grep -o 'ALL RIGHT' "$work/log" | wc -l)" -eq "$ranks" ] || {
        echo "FAILED: $ranks ranks $*"
        cat "$work/log"
        exit 1
    }
}

run 2
run 4
run 4 few
run 3 threads
run 4 forgetful
run 3 threads forgetful
export COLLTUNE_NONBLOCKING=1
run 3 flights
run 3 flights forgetful
unset COLLTUNE_NONBLOCKING
# The program notices a library that leaves its calls native.
COLLTUNE_DISABLE=1 timeout -k 5 120 "$mpiexec" -n 2 -genv LD_PRELOAD "$library" "$program" \
    >"$work/log" 2>&1 </dev/null && exit 1
grep -q 'WRONG' "$work/log"
