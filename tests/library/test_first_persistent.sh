#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_first_persistent.sh MPIEXEC PROGRAM PREFIX: persistent requests that are the first collectives on their
# communicators are the library's below PREFIX, not native.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
"$program" >"$work/log" || status=$?
[ $status -ne 77 ] || exit 77

# run RANKS OPTION...: all ranks are right; prints how many calls rank 0 made by the library's method.
run() {
    local ranks=$1
    shift
    timeout -k 5 60 "$mpiexec" -n "$ranks" -genv LD_PRELOAD "$library" -genv COLLTUNE_VERBOSE 1 \
        -genv COLLTUNE_NONBLOCKING 1 -genv COLLTUNE_ALLREDUCE ring "$@" "$program" \
        >"$work/log" 2>&1 </dev/null
    [ "$(grep -o 'ALL RIGHT' "$work/log" | wc -l)" -eq "$ranks" ]
    sed -n 's/^colltune: *\([0-9]*\) calls of allreduce\/ring on rank 0.*/\1/p' "$work/log"
}

for options in "" "-genv COLLTUNE_NODE mpi" "-genv MPIR_CVAR_NUM_CLIQUES 2" "-genv COLLTUNE_ADAPT 1"; do
    # shellcheck disable=SC2086
    calls=$(run 4 $options)
    echo "4 ranks $options: ${calls:-0} calls by the library"
    [ "${calls:-0}" -eq 30 ]
done
