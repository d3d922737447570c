#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_foreign.sh MPIEXEC CALLS PREFIX MPIEXEC CALLS PREFIX: the program `calls` for MPICH, and that for Open
# MPI, each with the tuned library of the other MPI preloaded. That of Open MPI passes all calls of an MPICH
# program on. That of MPICH, whose handles are narrower, ends the program with a message, also one in Fortran,
# and one that loads MPI as interpreters do.
set -euo pipefail
mpi=mpich mpiexec=$1
# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*"
    cat "$work/log"
    exit 1
}

timeout -k 5 120 "${launch[@]}" -n 2 -genv LD_PRELOAD "$6/lib/libcolltuned.so" "$2" \
    >"$work/log" 2>&1 </dev/null ||
    fail "a program of MPICH with the library of Open MPI: exit code $?"
[ "$(grep -c 'built for openmpi, this is MPICH' "$work/log")" -eq 1 ] ||
    fail 'expected one line about Open MPI'
echo 'the library of Open MPI passes calls of MPICH on'

cat >"$work/program.f90" <<'FORTRAN'
program first_call
    include 'mpif.h'
    integer :: error, rank
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
end program
FORTRAN
if [ "$(type -t mpifort.mpich)" ] && mpifort.mpich "$work/program.f90" -o "$work/program" 2>"$work/log"; then
    status=0
    timeout -k 5 60 "${launch[@]}" -n 2 -genv LD_PRELOAD "$6/lib/libcolltuned.so" "$work/program" \
        >"$work/log" 2>&1 </dev/null || status=$?
    [ "$status" -eq 1 ] || fail "a Fortran program of MPICH with the library of Open MPI: exit code $status"
    grep -q 'built for openmpi, this is a Fortran program of MPICH' "$work/log" ||
        fail 'expected a line about Open MPI'
    echo 'the library of Open MPI refuses a Fortran program of MPICH'
fi

openmpi_runs || exit 0
mpiexec_openmpi=$4 library=$3/lib/libcolltuned.so program=$5

# refused WHAT COMMAND...: the library of MPICH ends it with a message before either MPI finds an error.
refused() {
    local what=$1 status=0
    shift
    timeout -k 5 120 "$mpiexec_openmpi" --oversubscribe -n 2 -x LD_PRELOAD="$library" "$@" \
        >"$work/log" 2>&1 </dev/null || status=$?
    [ "$status" -eq 1 ] || fail "$what of Open MPI with the library of MPICH: exit code $status"
    grep -q 'built for mpich, this is Open MPI' "$work/log" || fail 'expected a line about MPICH'
    ! grep -Eq 'Segmentation fault|MPI_INIT|Fatal error' "$work/log" || fail 'expected no other error'
    echo "the library of MPICH refuses $what of Open MPI"
}

refused 'a program in C' "$program"
if [ "$(type -t mpifort.openmpi)" ] &&
    mpifort.openmpi "$work/program.f90" -o "$work/fortran" 2>"$work/log"; then
    refused 'a program in Fortran' "$work/fortran"
fi

LD_PRELOAD=$library timeout -k 5 60 "$mpiexec_openmpi" -n 1 hostname >"$work/log" 2>&1 </dev/null ||
    fail "the launcher of Open MPI with the library of MPICH: exit code $?"
echo 'the library of MPICH lets the launcher of Open MPI be'

cat >"$work/late.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

int main(int count, char **words)
{
    if (count != 2 || !dlopen(words[1], RTLD_NOW | RTLD_GLOBAL))
        return 3;
    int (*init)(int *, char ***) = (int (*)(int *, char ***))dlsym(RTLD_DEFAULT, "MPI_Init");
    return init ? init(NULL, NULL) : 4;
}
C
read -r -a compiler <<<"${CC:-cc}" # may have arguments
"${compiler[@]}" "$work/late.c" -o "$work/late" -ldl
refused 'a program that loads MPI late' "$work/late" \
    "$(ldd "$program" | awk '$1 ~ /^libmpi\.so/ { print $3; exit }')"
