#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_valgrind.sh VALGRIND EVERY_METHOD MPIEXEC PREFIX FLAW_LIBRARY CALLS FEW_CALLS COMMUNICATORS HANDLES:
# runs these programs with the tuned library below PREFIX preloaded under valgrind's memcheck, on 4 ranks,
# with what the environment switches on. Memcheck finds errors of the MPI library and the layers below it,
# too; those of the tuned library count. FLAW_LIBRARY must be noticed.
set -euo pipefail
valgrind=$1 every_method=$2 mpiexec=$3 library=$4/lib/libcolltuned.so flaw=$5
calls=$6 few_calls=$7 communicators=$8 handles=$9
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ours FILE...: the errors in logs of valgrind that a library named libcolltuned* makes: of one of the
# error's stacks (where it was noticed, where the block was allocated), the innermost frame outside of
# valgrind and the C library is its own. Errors are separated by lines of the prefix ==PID== alone.
ours() {
    awk '
        function tell() { if (is_ours) printf "%s\n", text; text = ""; is_ours = 0; is_inner = 0 }
        FNR == 1 { tell() }
        /^==[0-9]+== *$/ { tell(); next }
        { text = text $0 "\n" }
        / at 0x/ { is_inner = 1 }
        is_inner && / (at|by) 0x/ && !/vgpreload|\/libc\.so|\/ld-linux/ {
            if (/libcolltuned/) is_ours = 1
            is_inner = 0
        }
        END { tell() }' "$@"
}

# run PROGRAM ARGUMENTS NAME=VALUE...: the errors in $work/errors. A program that fails ends the test.
run() {
    local program=$1 arguments=$2 status=0
    shift 2
    rm -f "$work"/*
    # shellcheck disable=SC2086
    timeout -k 5 900 "$mpiexec" -n "$ranks" env LD_PRELOAD="$library" UCX_MEM_EVENTS=no "$@" \
        "$valgrind" -q --leak-check=full --show-leak-kinds=definite --num-callers=40 --keep-debuginfo=yes \
        --log-file="$work/rank.%p" "$program" $arguments >"$work/log" 2>&1 </dev/null || status=$?
    [ "$status" -eq 0 ] || {
        echo "FAILED: $program $arguments $*: exit code $status"
        tail -n 20 "$work/log"
        exit 1
    }
    ours "$work"/rank.* >"$work/errors"
}

# clean PROGRAM ARGUMENTS NAME=VALUE...: such a run shows no errors of ours.
clean() {
    run "$@"
    if [ -s "$work/errors" ]; then
        echo "FAILED: $*: errors of the library"
        head -n 100 "$work/errors"
        exit 1
    fi
    echo "$*: $(cat "$work"/rank.* | wc -l) lines about others, none about the library"
}

# shellcheck source=memory_runs.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/memory_runs.sh"
memory_runs "$work" 1 '20 10'

ranks=4
for what in beyond uninitialised lost; do
    run "$few_calls" '' "LD_PRELOAD=$flaw" "FLAW=$what"
    grep -q MPI_Barrier "$work/errors" || {
        echo "FAILED: not noticed: $what"
        cat "$work"/rank.*
        exit 1
    }
done
