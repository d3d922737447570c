#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_choices.sh ompi|mpich EXPECT_CHOICES MAKE_CALLS CHECK_ORDER MPIEXEC: random tuning files are loaded by
# the real library, whose inner functions are watched: it must take what the table says, on both sides of
# thresholds.
set -euo pipefail

library=$1 expect_choices=$2 make_calls=$3 check_order=$4 mpiexec=$5
if [ "$library" = ompi ] && [ "$(id -u)" -eq 0 ] && [ -z "${OMPI_ALLOW_RUN_AS_ROOT_CONFIRM:-}" ]; then
    echo 'Open MPI does not run as root, unless OMPI_ALLOW_RUN_AS_ROOT and _CONFIRM say so: skipped'
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_choices.sh: $*" >&2
    exit 1
}

# run_LIBRARY FILE RANKS PROGRAM [ARGUMENT]
run_ompi() {
    local rules=$1 ranks=$2
    shift 2
    "$mpiexec" --oversubscribe -n "$ranks" --mca coll_tuned_use_dynamic_rules 1 \
        --mca coll_tuned_dynamic_rules_filename "$rules" "$@"
}

run_mpich() {
    local selections=$1 ranks=$2
    shift 2
    MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$selections MPIR_CVAR_DEVICE_COLLECTIVES=none \
        "$mpiexec" -n "$ranks" "$@"
}

for ranks in 2 3 5 8; do
    for seed in 1 2; do
        name=$work/$ranks-$seed
        "$expect_choices" "$library" "$ranks" "$seed" "$name.file" >"$name.calls"
        [ "$(grep -cv -- ' -$' "$name.calls")" -gt 40 ] || fail "$name: hardly anything is expected"
        "run_$library" "$name.file" "$ranks" "$make_calls" "$name.calls" >"$name.out" || {
            cat "$name.out"
            fail "$ranks ranks, seed $seed: other algorithms"
        }
        tail -n 1 "$name.out"
    done
done

# What was chosen for other communicators is seen to be wrong.
if "run_$library" "$work/8-1.file" 3 "$make_calls" "$work/3-2.calls" >"$work/other.out"; then
    fail "a file with other decisions was not noticed"
fi
tail -n 1 "$work/other.out"

# Operations that do not commute: right with files that do not say that all do.
for seed in 1 2 3 4; do
    "$expect_choices" "$library" 5 "$seed" "$work/careful-$seed" careful
    "run_$library" "$work/careful-$seed" 5 "$check_order" || fail "seed $seed: results out of order"
done
if [ "$library" = ompi ] && "run_$library" "$work/5-1.file" 5 "$check_order" &&
    "run_$library" "$work/5-2.file" 5 "$check_order"; then
    fail "files for operations that commute alone would do for all"
fi
