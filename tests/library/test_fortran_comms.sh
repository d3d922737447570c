#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_fortran_comms.sh MPI MPIEXEC PREFIX: compiles fortran_comms.F90 with each Fortran interface of that
# MPI, and runs it natively and with the tuned library below PREFIX preloaded, as it is and with calls in
# flight taken over: communicators of each kind have right results, those between groups stay native, and the
# others are tuned.
set -euo pipefail
mpi=$1 mpiexec=$2 library=$3/lib/libcolltuned.so
source=$(dirname "$(realpath "$0")")/fortran_comms.F90
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

# The kinds of communicators, and the allgathers of rank 0 that are tuned and native. Both programs report
# where one spawns the other. MPICH has sessions and large counts, Open MPI 4 spawns under its launcher.
kinds=('between 5 3')
if [ "$mpi" = mpich ]; then
    kinds+=('session 2 0' 'large 3 0')
    flags=(-DMPI_4)
else
    kinds+=('spawned 6 4')
    flags=()
fi

# run PROGRAM KIND NAME=VALUE...: on four ranks; those that they spawn have the same environment.
run() {
    local program=$1 kind=$2 environment=() setting
    shift 2
    for setting in "$@"; do
        if [ "$mpi" = mpich ]; then
            environment+=(-genv "${setting%%=*}" "${setting#*=}")
        else
            environment+=(-x "$setting")
        fi
    done
    timeout -k 5 60 "${launch[@]}" -n 4 "${environment[@]}" "$program" "$kind" >"$work/log" 2>&1 \
        </dev/null &&
        [ "$(grep -o 'all right' "$work/log" | wc -l)" -eq 1 ]
}

# has_made TUNED NATIVE: so many calls of allgather, by the summaries.
has_made() {
    [ "$(awk '/calls? +of allgather\// { made[$5 ~ /native/] += $2 } END { print made[0] + 0, made[1] + 0 }' \
        "$work/log")" = "$1 $2" ]
}

fail() {
    echo "FAILED: $*"
    head -n 20 "$work/log"
    exit 1
}

tried=0
for interface in 1 2 3; do
    program=$work/program$interface
    if ! [ "$(type -t "mpifort.$mpi")" ] || ! "mpifort.$mpi" -cpp "${flags[@]}" "-DINTERFACE=$interface" -O1 \
        -w -fallow-argument-mismatch "$source" -o "$program" >"$work/log" 2>&1; then
        # Without a compiler or a module; a mistake in the program is an error of the first interface, too.
        [ "$tried" -gt 0 ] || ! grep -q 'fortran_comms.F90' "$work/log" || fail "interface $interface"
        continue
    fi
    for about in "${kinds[@]}"; do
        read -r kind tuned native <<<"$about"
        [ "$kind" != large ] || [ "$interface" -eq 3 ] || continue
        run "$program" "$kind" COLLTUNE_VERBOSE=1 || fail "$kind, interface $interface: natively"
        ! has_made "$tuned" "$native" || fail 'a library that is not there is taken for one'
        for nonblocking in 0 1; do
            run "$program" "$kind" "LD_PRELOAD=$library" COLLTUNE_VERBOSE=1 \
                COLLTUNE_NONBLOCKING=$nonblocking ||
                fail "$kind, interface $interface, nonblocking $nonblocking"
            has_made "$tuned" "$native" ||
                fail "$kind, interface $interface: expected $tuned and $native calls"
        done
        tried=$((tried + 1))
    done
    ! run "$program" unknown || fail 'wrong results pass'
done
[ "$tried" -gt 0 ] || { echo "there is no Fortran compiler for $mpi: skipped"; exit 77; }
echo "ok: $tried kinds of communicators"
