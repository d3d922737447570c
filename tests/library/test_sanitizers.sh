#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_sanitizers.sh BUILD COLLTUNE EVERY_METHOD MPIEXEC LIBRARY FLAW_LIBRARY CALLS FEW_CALLS COMMUNICATORS
# HANDLES: runs these programs on 4 ranks with LIBRARY preloaded, a tuned library that is compiled with
# AddressSanitizer and UndefinedBehaviorSanitizer, with a table of all methods and what the environment
# switches on. The first error ends a program. FLAW_LIBRARY must be noticed. The two libraries are targets in
# the folder BUILD. Blocks that are lost are left to valgrind, which tells those of the library from others.
set -euo pipefail
build=$1 colltune=$2 every_method=$3 mpiexec=$4 library=$5 flaw=$6
calls=$7 few_calls=$8 communicators=$9 handles=${10}
ninja -C "$build" "${library#"$build"/}" "${flaw#"$build"/}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$every_method" table >"$work/table.xml"
"$colltune" generate "$work/table.xml" --format table -o "$work/table"
# The sanitizer must be loaded before all others.
sanitizer=$(ldd "$library" | awk '$1 ~ /^libasan/ { print $3 }')
[ -n "$sanitizer" ] || {
    echo "$library is not sanitized"
    exit 1
}

# run LIBRARIES PROGRAM ARGUMENTS NAME=VALUE...: its output in $work/log.
run() {
    local libraries=$1 program=$2 arguments=$3
    shift 3
    # shellcheck disable=SC2086
    timeout -k 5 600 "$mpiexec" -n "$ranks" env LD_PRELOAD="$sanitizer:$libraries" \
        ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 \
        UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 UCX_MEM_EVENTS=no COLLTUNE_TABLE="$work/table" "$@" \
        "$program" $arguments >"$work/log" 2>&1 </dev/null
}

# clean PROGRAM ARGUMENTS NAME=VALUE...: such a run shows no errors.
clean() {
    run "$library" "$@" || {
        echo "FAILED: $*"
        head -n 100 "$work/log"
        exit 1
    }
    echo "$*: no errors"
}

# shellcheck source=memory_runs.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/memory_runs.sh"
memory_runs "$work" 3 '100 50'

ranks=1
! run "$flaw" "$few_calls" '' FLAW=beyond
grep -q 'AddressSanitizer: heap-buffer-overflow' "$work/log" || {
    echo 'FAILED: a byte beyond a block is not noticed'
    cat "$work/log"
    exit 1
}
