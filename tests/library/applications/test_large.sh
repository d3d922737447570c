#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_large.sh COLLTUNE EVERY_METHOD CHECK_LARGE MPIEXEC [MILLIONS]: broadcasts of 2.2 GB (or of so many
# million ints) on two ranks through a tuned library: in one message, in segments, and in halves.
set -euo pipefail

colltune=$1 every_method=$2 program=$3 mpiexec=$4 millions=${5:-550}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kilobytes=$((millions * 1000 * 4 * 2 * 5 / 4)) # two ranks, and what else there is
available=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
if [ "$available" -lt "$kilobytes" ]; then
    echo "$kilobytes KB of memory are needed, $available are there: skipped"
    exit 77
fi

"$every_method" tuned >"$work/table.xml"
"$colltune" build "$work/table.xml" -o "$work/prefix"
for method in binomial pipeline:seg=1M scatter_allgather; do
    profile=$work/profile.csv
    rm -f "$profile"
    "$mpiexec" -n 2 env "LD_PRELOAD=$work/prefix/lib/libcolltuned.so" "COLLTUNE_BCAST=$method" \
        "COLLTUNE_PROFILE=$profile" "$program" "$millions"
    [ "$(grep -c "^[01],bcast,2,$((millions * 4000000)),\"$method\",2," "$profile")" -eq 2 ] ||
        { echo "$method was not used:"; cat "$profile"; exit 1; }
    echo "ok: $method"
done
