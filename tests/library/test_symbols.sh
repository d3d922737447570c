#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_symbols.sh COLLTUNE PREFIX CHECK_SYMBOLS MPICC: the tuned library below PREFIX, built with MPICC, shows
# applications nothing but its own names and MPI's, and shows all functions that it takes over: since MPI 4
# two forms of each collective with counts.
set -euo pipefail
colltune=$1 prefix=$2 check_symbols=$3 mpicc=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$check_symbols" "$prefix/lib/libcolltuned.so" "$prefix/lib/libcolltuned.a"

version=$(printf '#include <mpi.h>\nMPI_VERSION\n' | "$mpicc" -E -P -x c - | tail -n 1)
nm -DP --defined-only "$prefix/lib/libcolltuned.so" >"$work/names"
"$colltune" list --format csv |
    awk -F, -v version="$version" 'NR > 1 && !seen[$1]++ {
        name = "MPI_" toupper(substr($1, 1, 1)) substr($1, 2)
        print name
        if (version >= 4 && $1 != "barrier")
            print name "_c"
    }' >"$work/expected"
[ "$(wc -l <"$work/expected")" -ge 17 ] || { echo "FAILED: few collectives are listed"; exit 1; }
while IFS= read -r name; do
    grep -q "^$name T" "$work/names" || { echo "FAILED: $name is not taken over"; exit 1; }
done <"$work/expected"
