#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_varying.sh MPIEXEC PROGRAM PREFIX: runs the program `varying` natively and with the tuned library below
# PREFIX preloaded, by its own decisions and by some methods.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run RANKS CALLS OPTION...: all ranks are right.
run() {
    local ranks=$1 calls=$2
    shift 2
    timeout -k 5 60 "$mpiexec" -n "$ranks" "$@" "$program" "$calls" >"$work/log" 2>&1 </dev/null || true
    [ "$(grep -o 'ALL RIGHT' "$work/log" | wc -l)" -eq "$ranks" ] || {
        echo "FAILED: $ranks ranks $*"
        cat "$work/log"
        exit 1
    }
}

run 2 1000
run 1 1000 -genv LD_PRELOAD "$library"
run 2 6000 -genv LD_PRELOAD "$library"
run 3 200 -genv LD_PRELOAD "$library"
run 5 80 -genv LD_PRELOAD "$library"
run 2 6000 -genv LD_PRELOAD "$library" -genv COLLTUNE_BCAST chain:seg=1K -genv COLLTUNE_ALLREDUCE ring \
    -genv COLLTUNE_REDUCE binomial:seg=1K
run 3 200 -genv LD_PRELOAD "$library" -genv COLLTUNE_BCAST scatter_allgather \
    -genv COLLTUNE_ALLREDUCE recursive_doubling
run 2 1000 -genv LD_PRELOAD "$library" -genv COLLTUNE_CHECK 1
run 2 1000 -genv LD_PRELOAD "$library" -genv COLLTUNE_ADAPT 2
