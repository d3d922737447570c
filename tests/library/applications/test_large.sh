#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_large.sh LARGE_BROADCASTS MPIEXEC PREFIX [MILLIONS]: broadcasts of 2.2 GB (or of so many million ints)
# on two ranks through the tuned library below PREFIX: in one message, in segments, and in halves.
set -euo pipefail

program=$1 mpiexec=$2 prefix=$3 millions=${4:-550}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kilobytes=$((millions * 1000 * 4 * 3 * 5 / 4)) # two ranks, one of which packs, and what else there is
available=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
if [ "$available" -lt "$kilobytes" ]; then
    echo "$kilobytes KB of memory are needed, $available are there: skipped"
    exit 77
fi

for method in binomial pipeline:seg=1M scatter_allgather; do
    profile=$work/profile.csv
    rm -f "$profile"
    "$mpiexec" -n 2 env "LD_PRELOAD=$prefix/lib/libcolltuned.so" "COLLTUNE_BCAST=$method" \
        "COLLTUNE_PROFILE=$profile" "$program" "$millions"
    line="^[01],bcast,blocking,2,[0-9]*,\"$method\",3,$((3 * millions * 4000000)),"
    [ "$(grep -c "$line" "$profile")" -eq 2 ] ||
        { echo "$method was not used:"; cat "$profile"; exit 1; }
    echo "ok: $method"
done
