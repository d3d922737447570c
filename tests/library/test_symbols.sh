#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_symbols.sh COLLTUNE EVERY_METHOD CHECK_SYMBOLS: that a tuned library shows applications nothing but its
# own names and MPI's, and that it shows all that it takes over.
set -euo pipefail
colltune=$1 every_method=$2 check_symbols=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$every_method" table >"$work/table.xml"
"$colltune" build "$work/table.xml" -o "$work/library"
"$check_symbols" "$work/library/lib/libcolltuned.so" "$work/library/lib/libcolltuned.a"

nm -DP --defined-only "$work/library/lib/libcolltuned.so" >"$work/names"
"$colltune" list --format csv |
    awk -F, 'NR > 1 && !seen[$1]++ { print "MPI_" toupper(substr($1, 1, 1)) substr($1, 2) }' |
    while IFS= read -r name; do
        grep -q "^$name T" "$work/names" || { echo "FAILED: $name is not taken over"; exit 1; }
    done
