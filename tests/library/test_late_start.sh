#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_late_start.sh MPIEXEC PROGRAM PREFIX: runs the program `late_start` with the tuned library below PREFIX
# preloaded. No run may hang, and what was called must be in the summary and in the profile. Ranks find their
# nodes, and what the launcher says of their number.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*"
    cat "$work/log"
    exit 1
}

# run MODE ENDS COMMAND...: three ranks, each by COMMAND; so many of them end by themselves.
run() {
    local mode=$1 ends=$2 status=0
    shift 2
    rm -f "$work"/profile*
    timeout -k 5 60 "$mpiexec" -n 3 -genv LD_PRELOAD "$library" -genv COLLTUNE_VERBOSE 1 \
        -genv COLLTUNE_PROFILE "$work/profile" "$@" "$program" "$mode" >"$work/log" 2>&1 </dev/null ||
        status=$?
    [ "$status" -ne 77 ] || exit 77
    [ "$status" -ne 124 ] || fail "$mode: it hangs"
    [ "$(grep -o 'all right' "$work/log" | wc -l)" -eq "$ends" ] || fail "$mode: exit code $status"
}

# lists FILE RANK SIZE: has the profile a tuned allreduce of this rank between so many ranks?
lists() {
    grep "^$2,allreduce,blocking,$3,4," "$1" | grep -qv '"native"' || fail "$1: no allreduce of $3 on rank $2"
}

while read -r mode ends file; do
    run "$mode" "$ends"
    [ "$(grep -c 'calls of allreduce' "$work/log")" -eq 1 ] || fail "$mode: expected one summary"
    for ((rank = 0; rank < ends; rank++)); do
        lists "$work/${file/RANK/$rank}" "$rank" 3
        [ "$rank" -eq 2 ] || lists "$work/${file/RANK/$rank}" "$rank" 2
    done
    echo "$mode: the library begins and reports"
done <<'MODES'
sessions 3 profile.RANK
world 3 profile.RANK
both 3 profile
exit 1 profile.RANK
MODES

for mode in sessions world; do
    MPIR_CVAR_NUM_CLIQUES=2 COLLTUNE_ALLREDUCE=two_level run "$mode" 3
    grep -q '^0,allreduce,blocking,3,4,"two_level"' "$work/profile.0" || fail "$mode: the nodes are not known"
    # shellcheck disable=SC2016
    run "$mode" 3 sh -c 'MPI_LOCALNRANKS=99999 exec "$@"' sh
    grep -q 'ranks yield while they wait' "$work/log" || fail "$mode: the node's ranks are not known"
    echo "$mode: ranks find nodes, and yield where many were launched"
done

for mode in sessions world both; do
    # shellcheck disable=SC2016
    run "$mode" 3 sh -c 'if [ "$PMI_RANK" = 1 ]; then export COLLTUNE_DISABLE=1; fi; exec "$@"' sh
    grep -q 'differ between ranks' "$work/log" || fail "$mode: ranks disagree, and nothing is said"
    echo "$mode: ranks that disagree on being disabled are told so"
done
