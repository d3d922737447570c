#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_foreign.sh MPIEXEC CALLS PREFIX MPIEXEC CALLS PREFIX: the program `calls` for MPICH, and that for Open
# MPI, each with the tuned library of the other MPI preloaded. That of Open MPI passes all calls of an MPICH
# program on. That of MPICH, whose handles are narrower, ends the program with a message.
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
    integer :: error
    call MPI_Init(error)
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
status=0
timeout -k 5 120 "$4" --oversubscribe -n 2 -x LD_PRELOAD="$3/lib/libcolltuned.so" "$5" \
    >"$work/log" 2>&1 </dev/null || status=$?
[ "$status" -ne 0 ] && [ "$status" -ne 124 ] ||
    fail "a program of Open MPI with the library of MPICH: exit code $status"
grep -q 'built for mpich, this is Open MPI' "$work/log" || fail 'expected a line about MPICH'
! grep -q 'Segmentation fault' "$work/log" || fail 'expected no crash'
echo 'the library of MPICH refuses a program of Open MPI'
