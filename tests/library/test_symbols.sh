#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_symbols.sh COLLTUNE PREFIX CHECK_SYMBOLS: the tuned library below PREFIX shows applications nothing but
# its own names and MPI's, and shows all functions that it takes over: since MPI 4 two forms of each
# collective with counts; with Open MPI the Fortran procedures, too. A program that is linked with the static
# one has all of them, even if it refers to none.
set -euo pipefail
colltune=$1 prefix=$2 check_symbols=$3
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$check_symbols" "$prefix/lib/libcolltuned.so" "$prefix/lib/libcolltuned.a"

mpi=$(pkg-config --variable mpi colltuned)
version=$(printf '#include <mpi.h>\nMPI_VERSION\n' | "$(pkg-config --variable mpicc colltuned)" -E -P -x c - |
    tail -n 1)
nm -DP --defined-only "$prefix/lib/libcolltuned.so" >"$work/names"
{
    echo init
    echo init_thread
    "$colltune" list --format csv | grep -v '^exchange' | # which MPI does not have
        awk -F, 'NR > 1 && !seen[$1]++ { print $1 }'
} >"$work/procedures"
# Compilers spell the name of a Fortran procedure in one of three ways; a fourth is that of `use mpi_f08`.
awk -v version="$version" -v mpi="$mpi" '{
    name = "MPI_" toupper(substr($1, 1, 1)) substr($1, 2)
    print name
    if (version >= 4 && $1 !~ /^(init.*|barrier)$/)
        print name "_c"
    if (mpi == "openmpi" && $1 !~ /^neighbor_/) # the Fortran procedures of those are not taken over
        printf "mpi_%s_\nmpi_%s__\nMPI_%s\nmpi_%s_f08_\n", $1, $1, toupper($1), $1
}' "$work/procedures" >"$work/expected"
[ "$(wc -l <"$work/expected")" -ge 19 ] || { echo "FAILED: few collectives are listed"; exit 1; }
while IFS= read -r name; do
    grep -q "^$name T" "$work/names" || { echo "FAILED: $name is not taken over"; exit 1; }
done <"$work/expected"

# has_all FLAG...: does a program that is linked statically with these flags take over all that the shared
# library does?
has_all() {
    echo 'int main(void) { return 0; }' |
        "$(pkg-config --variable mpicc colltuned)" -x c - -x none "$@" -o "$work/program"
    nm -P --defined-only "$work/program" | awk '{ print $1 }' | sort >"$work/taken"
    awk '$1 ~ /^MPI_[A-Z][a-z]/ { print $1 }' "$work/names" | sort | comm -23 - "$work/taken" >"$work/missing"
    [ ! -s "$work/missing" ]
}

read -r -a static <<<"-Wl,-Bstatic $(pkg-config --libs --static colltuned) -Wl,-Bdynamic"
has_all "${static[@]}" ||
    { echo "FAILED: the static library leaves out: $(head -n 5 "$work/missing" | xargs)"; exit 1; }
! has_all "${static[@]/-u,MPI_Init/-u,main}" ||
    { echo 'FAILED: functions that are missing pass'; exit 1; }
