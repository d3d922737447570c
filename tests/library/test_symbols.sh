#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_symbols.sh COLLTUNE PREFIX CHECK_SYMBOLS: the tuned library below PREFIX shows applications nothing but
# its own names and MPI's, and shows all functions that it takes over.
set -euo pipefail
colltune=$1 prefix=$2 check_symbols=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$check_symbols" "$prefix/lib/libcolltuned.so" "$prefix/lib/libcolltuned.a"

nm -DP --defined-only "$prefix/lib/libcolltuned.so" >"$work/names"
"$colltune" list --format csv |
    awk -F, 'NR > 1 && !seen[$1]++ { print "MPI_" toupper(substr($1, 1, 1)) substr($1, 2) }' |
    while IFS= read -r name; do
        grep -q "^$name T" "$work/names" || { echo "FAILED: $name is not taken over"; exit 1; }
    done
