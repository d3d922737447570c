#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_fortran_late_start.sh MPIEXEC SOURCE PREFIX: compiles the Fortran program, which uses mpi_f08, for
# MPICH, and runs it with the tuned library below PREFIX preloaded. The library begins in MPI_Init, carries
# out the barrier, too, and reports.
set -euo pipefail
mpiexec=$1 source=$2 library=$3/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! [ "$(type -t mpifort.mpich)" ] || ! mpifort.mpich "$source" -o "$work/late_start" 2>"$work/log"; then
    echo 'there is no Fortran compiler with the module mpi_f08 of MPICH: skipped'
    exit 77
fi
timeout -k 5 60 "$mpiexec" -n 4 -genv LD_PRELOAD "$library" -genv COLLTUNE_VERBOSE 1 \
    -genv COLLTUNE_PROFILE "$work/profile" "$work/late_start" 2>&1 </dev/null | tee "$work/log"
[ "$(grep -o 'all right' "$work/log" | wc -l)" -eq 4 ]
grep -Eq ' 1 call  of barrier/[^n]' "$work/log"
[ "$(grep -c '^[0-3],bcast,blocking,4,4,' "$work/profile")" -eq 4 ]
[ "$(grep -c '^[0-3],barrier,blocking,4,0,' "$work/profile")" -eq 4 ]
