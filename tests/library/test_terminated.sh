#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_terminated.sh PROGRAM MPI MPIEXEC PREFIX: the program `profiled`, compiled for that MPI, runs with the
# tuned library below PREFIX until SIGTERM comes: to the launcher alone, which passes it on, or to all
# processes of the job at once, as at a time limit. Each rank leaves its profile.
set -euo pipefail
program=$1 mpi=$2 mpiexec=$3 library=$4/lib/libcolltuned.so
ranks=6 patience=60 # seconds until the program has called
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

fail() {
    echo "FAILED: $*"
    tail -n 20 "$work"/*
    exit 1
}

# try WHO: launcher, or all.
try() {
    local job rank
    rm -f "$work"/*
    : >"$work/log"
    # A session, and so a group of processes, of the job's own. It ends by itself after a minute.
    setsid "${launch[@]}" -n "$ranks" env LD_PRELOAD="$library" COLLTUNE_PROFILE="$work/profile" \
        "$program" waits "$work/called" >"$work/log" 2>&1 </dev/null &
    job=$!
    for ((i = 0; i < patience * 10; i++)); do
        [ ! -e "$work/called" ] || break
        sleep 0.1
    done
    [ -e "$work/called" ] || fail "$1: the program does not run"
    if [ "$1" = launcher ]; then kill -TERM "$job"; else kill -TERM -- "-$job"; fi
    wait "$job" 2>/dev/null || true
    for ((rank = 0; rank < ranks; rank++)); do
        grep -q "^$rank,allreduce,blocking,$ranks,4,\"[^\"]*\",1,4," "$work/profile.$rank" 2>/dev/null ||
            fail "$1: rank $rank leaves no profile"
    done
    [ ! -e "$work/profile" ] || fail "$1: the whole is written, too"
    echo "SIGTERM to $1: each rank leaves its profile"
}

try launcher
try all
