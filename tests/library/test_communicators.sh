#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_communicators.sh MPIEXEC PROGRAM PREFIX: runs the program `communicators` with the tuned library below
# PREFIX preloaded, and looks that its ranks were told what they share.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$mpiexec" -n 2 -genv LD_PRELOAD "$library" "$program" 2>&1 | tee "$work/log"
[ "$(grep -o 'ALL RIGHT' "$work/log" | wc -l)" -eq 2 ]
! grep -q 'many communicators are in use' "$work/log"

# What differs between ranks is ignored by all, and said once.
# shellcheck disable=SC2016
for setting in COLLTUNE_BCAST=linear COLLTUNE_DISABLE=1; do
    "$mpiexec" -n 2 sh -c '
        if [ "$PMI_RANK" = 1 ]; then export "$1"; fi
        LD_PRELOAD=$2 exec "$3"' sh "$setting" "$library" "$program" >"$work/log" 2>&1
    [ "$(grep -c 'differ between ranks' "$work/log")" -eq 1 ]
    [ "$(grep -o 'ALL RIGHT' "$work/log" | wc -l)" -eq 2 ]
done
echo "settings that differ are ignored"
