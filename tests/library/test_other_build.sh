#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_other_build.sh MPI MPIEXEC PROGRAM PREFIX OTHER_PREFIX [LATE]: one rank has loaded the tuned library
# below OTHER_PREFIX, which was built with another table, or one of the same table and other sources. The
# ranks find that out in MPI_Init, or in their first collective if the library begins there, say so once, and
# all collectives are native. PROGRAM is "adapted", LATE is "late_start".
set -euo pipefail
mpi=$1 mpiexec=$2 program=$3 library=$4/lib/libcolltuned.so other=$5/lib/libcolltuned.so late=${6:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

fail() {
    echo "FAILED: $1"
    head -n 40 "$work/log"
    exit 1
}

# run LIBRARY COMMAND...: on three ranks, of which the second has that library.
run() {
    local second=$1
    shift
    timeout -k 5 60 "${launch[@]}" \
        -n 1 env LD_PRELOAD="$library" COLLTUNE_VERBOSE=1 "$@" : \
        -n 1 env LD_PRELOAD="$second" COLLTUNE_VERBOSE=1 "$@" : \
        -n 1 env LD_PRELOAD="$library" COLLTUNE_VERBOSE=1 "$@" >"$work/log" 2>&1 </dev/null || fail "$*"
    grep -q 'all right' "$work/log" || fail "$*: results"
}

# is_native: has rank 0 made native calls alone, and do the ranks say why?
is_native() {
    local line='the tuned libraries of the ranks differ: all collectives are native$'
    [ "$(grep -c "$line" "$work/log")" -eq 1 ] &&
        grep -Eq ' calls? +of allreduce/native' "$work/log" &&
        ! grep -E ' calls? +of ' "$work/log" | grep -qv '/native'
}

# The same table, and sources that are not the same.
hash=$(grep -aoE 'sources of the library: [0-9a-f]{16}' "$library" | tail -c 17)
[ "${#hash}" -eq 16 ] || fail 'the library does not name its sources'
[ "$hash" = "$(grep -aoE 'sources of the library: [0-9a-f]{16}' "$other" | tail -c 17)" ] ||
    fail 'libraries of the same sources name different ones'
sed "s/sources of the library: $hash/sources of the library: ${hash:8}${hash:0:8}/" "$library" \
    >"$work/libother.so"
! cmp -s "$library" "$work/libother.so" || fail 'the library could not be changed'

run "$library" "$program" 20
! is_native || fail 'one library passes for two'
grep -E ' calls? +of allreduce/' "$work/log" | grep -qv '/native' || fail 'with one library, nothing is tuned'
for second in "$other" "$work/libother.so"; do
    for nonblocking in 0 1; do
        run "$second" env COLLTUNE_NONBLOCKING=$nonblocking "$program" 20
        is_native || fail "$second, nonblocking $nonblocking: expected native calls and one line"
    done
    for mode in ${late:+sessions world both}; do
        run "$second" "$late" "$mode"
        is_native || fail "$second, $mode: expected native calls and one line"
    done
done
