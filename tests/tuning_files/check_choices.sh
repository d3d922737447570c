#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_choices.sh ompi|mpich EXPECT_CHOICES MAKE_CALLS MPIEXEC: random tuning files are loaded by the real
# library, whose inner functions are watched: it must take what the table says, on both sides of thresholds.
set -euo pipefail

library=$1 expect_choices=$2 make_calls=$3 mpiexec=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "check_choices.sh: $*" >&2
    exit 1
}

# The file of $1, with the calls in $2; what follows is for mpiexec.
run_ompi() {
    local rules=$1 calls=$2
    shift 2
    # Those who run tests as root tell Open MPI by its own variables that they want to.
    "$mpiexec" --oversubscribe "$@" --mca coll_tuned_use_dynamic_rules 1 \
        --mca coll_tuned_dynamic_rules_filename "$rules" "$make_calls" "$calls"
}

run_mpich() {
    local selections=$1 calls=$2
    shift 2
    MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$selections MPIR_CVAR_DEVICE_COLLECTIVES=none \
        "$mpiexec" "$@" "$make_calls" "$calls"
}

for ranks in 2 3 5 8; do
    for seed in 1 2; do
        name=$work/$ranks-$seed
        "$expect_choices" "$library" "$ranks" "$seed" "$name.file" >"$name.calls"
        [ "$(grep -cv -- ' -$' "$name.calls")" -gt 40 ] || fail "$name: hardly anything is expected"
        "run_$library" "$name.file" "$name.calls" -n "$ranks" >"$name.out" || {
            cat "$name.out"
            fail "$ranks ranks, seed $seed: other algorithms"
        }
        tail -n 1 "$name.out"
    done
done

# What was chosen for other communicators is seen to be wrong.
if "run_$library" "$work/8-1.file" "$work/3-2.calls" -n 3 >"$work/other.out"; then
    fail "a file with other decisions was not noticed"
fi
tail -n 1 "$work/other.out"
