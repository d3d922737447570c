#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_interfaces.sh LANGUAGE MPI MPIEXEC PREFIX: compiles a program that calls every collective in that
# language (c, c++, mpif.h, `use mpi`, `use mpi_f08`), and runs it natively, and with the tuned library below
# PREFIX preloaded, linked, and linked statically. The library must count each call once, and tune some calls
# of each collective. C++ needs g++, Fortran gfortran.
set -euo pipefail
language=$1 mpi=$2 mpiexec=$3 prefix=$(realpath "$4")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=120 # limit of a run
kinds=22    # collectives that the program calls
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# skip REASON
skip() {
    echo "$1: skipped"
    exit 77
}

# shellcheck source=launch.sh disable=SC1091
. "$here/launch.sh"

# What compiles the program, and the least program of its kind.
source=$here/language_calls.c
case $language in
c) compile=("mpicc.$mpi" -std=gnu11 -O1 -Wall -Wextra -Werror) least='#include <mpi.h>' ending=c ;;
c++) compile=("mpicxx.$mpi" -O1 -x c++) least='#include <mpi.h>' ending=cc ;;
*)
    # Fortran 77 has no interfaces: calls with buffers of several types look like mistakes.
    compile=("mpifort.$mpi" -cpp "-D${mpi^^}" -O1 -w -fallow-argument-mismatch)
    source=$here/fortran_calls.F90 ending=f90
    [ "$mpi" != mpich ] || kinds=20 # without those of neighbors in which MPICH itself fails
    case $language in
    mpif.h) compile+=(-DINTERFACE=1) statement="include 'mpif.h'" ;;
    'use mpi') compile+=(-DINTERFACE=2) statement='use mpi' ;;
    'use mpi_f08') compile+=(-DINTERFACE=3) statement='use mpi_f08' ;;
    *) echo "test_interfaces.sh: unknown language '$language'" >&2; exit 2 ;;
    esac
    least=$(printf 'program least\n%s\nend program\n' "$statement")
    ;;
esac
echo "$least" >"least.$ending"
"${compile[@]}" -c "least.$ending" -o least.o 2>least.log ||
    skip "${compile[0]} cannot compile a program in $language ($(head -n 1 least.log))"
"${compile[@]}" -c "$source" -o program.o

failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# link PROGRAM FLAG...: the wrapper adds the libraries of the MPI after them.
link() {
    local program=$1
    shift
    "${compile[0]}" program.o "$@" -o "$program" 2>link.log || fail "linking $program: $(head -n 3 link.log)"
}

# Tables do not have neighborhood collectives.
neighbors=()
for collective in ALLGATHER ALLGATHERV ALLTOALL ALLTOALLV ALLTOALLW; do
    neighbors+=("COLLTUNE_NEIGHBOR_$collective=linear")
done

# run PROGRAM RANKS NAME=VALUE...: what it prints, in `output` and `errors`; is all right?
run() {
    local program=$1 ranks=$2
    shift 2
    timeout -k 5 "$seconds" "${launch[@]}" -n "$ranks" env COLLTUNE_VERBOSE=1 "${neighbors[@]}" "$@" \
        "./$program" >output 2>errors </dev/null && grep -q '^all right$' output
}

# Compares what the library counted with the calls that were made.
check_counters() {
    awk -v "least=$kinds" '
        FNR == NR { if ($1 == "called") made[$2]++; next }
        match($0, /calls? +of /) {
            split(substr($0, RSTART + RLENGTH), method, "[/ ]")
            counted[method[1]] += $2
            if (method[2] != "native")
                tuned[method[1]] += $2
        }
        END {
            for (collective in made) {
                kinds++
                if (made[collective] != counted[collective] || !tuned[collective]) {
                    printf "%s: %d calls, %d counted, %d tuned\n", collective, made[collective],
                        counted[collective], tuned[collective]
                    bad = 1
                }
            }
            exit bad || kinds < least
        }' output errors
}

# try WHAT PROGRAM NAME=VALUE...
try() {
    local what=$1 program=$2 ranks wrong
    shift 2
    for ranks in 2 3; do
        if ! run "$program" "$ranks" "$@"; then
            fail "$what on $ranks ranks: $(grep -v '^called' output | head -n 5) $(head -n 5 errors)"
        elif ! wrong=$(check_counters); then
            fail "$what on $ranks ranks: $(head -n 3 <<<"$wrong")"
        else
            echo "ok: $what on $ranks ranks, $(grep -c '^called' output) calls counted"
        fi
    done
}

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
read -r -a shared <<<"$(pkg-config --libs colltuned)"
read -r -a static <<<"-Wl,-Bstatic $(pkg-config --libs --static colltuned) -Wl,-Bdynamic"

link native
run native 2 || fail "native: $(head -n 5 output errors)"
! check_counters >/dev/null || fail 'a library that is not there passes'
try preloaded native "LD_PRELOAD=$prefix/lib/libcolltuned.so"
link linked "${shared[@]}"
try linked linked
link static "${static[@]}"
! grep -q libcolltuned <<<"$(ldd static)" || fail 'static: the shared library was linked'
try 'linked statically' static
[ "$failures" -eq 0 ]
