#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_arrays.sh MPIEXEC PROGRAM PREFIX: runs the program `arrays` natively and with the tuned library below
# PREFIX preloaded.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run RANKS OPTION...: all ranks are right.
run() {
    local ranks=$1
    shift
    timeout -k 5 60 "$mpiexec" -n "$ranks" "$@" "$program" >"$work/log" 2>&1 </dev/null || true
    [ "$(grep -o 'ALL RIGHT' "$work/log" | wc -l)" -eq "$ranks" ] || {
        echo "FAILED: $ranks ranks $*"
        cat "$work/log"
        exit 1
    }
}

run 3
for ranks in 1 2 3 4; do
    run "$ranks" -genv LD_PRELOAD "$library"
done
run 2 -genv LD_PRELOAD "$library" -genv COLLTUNE_ALLTOALLV native -genv COLLTUNE_ALLGATHERV native
run 3 -genv LD_PRELOAD "$library" -genv COLLTUNE_ALLTOALLV pairwise -genv COLLTUNE_ALLGATHERV ring
