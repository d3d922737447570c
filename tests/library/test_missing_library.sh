#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_missing_library.sh MPI MPIEXEC PROGRAM PREFIX: ranks that have not loaded the tuned library below
# PREFIX. The others find them in MPI_Init, and all collectives are native. If the ranks of several nodes
# cannot know it of each other, one says what it waits for. PROGRAM is "adapted".
set -euo pipefail
mpi=$1 mpiexec=$2 program=$3 library=$4/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

fail() {
    echo "FAILED: $1"
    cat "$work/log"
    exit 1
}
# run ARGUMENTS...: of the launcher.
run() {
    timeout -k 5 60 "${launch[@]}" "$@" >"$work/log" 2>&1 </dev/null || fail "$*"
    grep -q 'all right' "$work/log" || fail "$*: results"
}
with=(env LD_PRELOAD="$library" COLLTUNE_VERBOSE=1)
native=': all collectives are native$'

# says N M: once.
says() {
    [ "$(grep -c "loaded on $1 of $2 ranks of this node$native" "$work/log")" -eq 1 ] || fail "$1 of $2 ranks"
    [ "$(grep -c 'colltune:' "$work/log")" -eq 1 ] || fail "$1 of $2 ranks: further lines"
}

# All ranks have it: also one that a script calls, and one that comes late.
run -n 1 "${with[@]}" "$program" 20 : -n 1 sh -c "sleep 1; ${with[*]} '$program' 20; true"
! grep -q 'of this node' "$work/log" || fail 'nobody is missing'
grep -q 'on rank 0' "$work/log" || fail 'decisions are in force'

run -n 1 "${with[@]}" "$program" 20 : -n 1 "$program" 20
says 1 2
run -n 1 "$program" 20 : -n 1 "${with[@]}" "$program" 20
says 1 2
run -n 2 "${with[@]}" COLLTUNE_NONBLOCKING=1 "$program" 20 : -n 1 sh -c "'$program' 20; true" : \
    -n 1 "${with[@]}" "$program" 20
says 3 4
[ "$mpi" = mpich ] || exit 0

# Two nodes.
hosts=(-launcher fork -hosts 127.0.0.1,localhost -ppn 1)
run "${hosts[@]}" -n 2 "${with[@]}" "$program" 20
! grep -q 'of this node' "$work/log" || fail 'nobody is missing on two nodes'
timeout -k 5 60 "$mpiexec" "${hosts[@]}" -n 1 "${with[@]}" "$program" : -n 1 "$program" >"$work/log" 2>&1 \
    </dev/null &
job=$!
for ((tries = 0; tries < 300; tries++)); do # the line comes after 10 s
    ! grep -q 'rank 0 has waited' "$work/log" || break
    sleep 0.1
done
kill "$job"
wait "$job" || true
[ "$(grep -c 'rank 0 has waited' "$work/log")" -eq 1 ] || fail 'a node without the library'
