#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_shipped_tables.sh COLLTUNE TOP: the shipped tables that have a run's name were learned from that run as
# it is shipped, and each run of a study that decides about one collective has one.
set -euo pipefail
colltune=$(realpath "$1") top=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top"

# says_stale TABLE RUN
says_stale() {
    "$colltune" score "$1" "$2" --cross-validate none >"$work/out" 2>"$work/err" ||
        { cat "$work/err" && exit 1; }
    grep -q 'was learned from an earlier state' "$work/err"
}
tables=0
for run in runs/*/; do
    name=$(basename "$run")
    table=decision-tables/$name.xml
    [ -f "$table" ] || continue
    tables=$((tables + 1))
    if says_stale "$table" "$run"; then
        echo "FAILED: $table is of an earlier $run: decision-tables/make_tables colltune $name"
        exit 1
    fi
done
[ "$tables" -ge 8 ] || { echo "FAILED: only $tables runs have a table" && exit 1; }

# The check can fail.
sed 's/samples-sha256="./samples-sha256="0/; s/samples-sha256="00/samples-sha256="01/' \
    decision-tables/gigabit-alltoall.xml >"$work/old.xml"
says_stale "$work/old.xml" runs/gigabit-alltoall || { echo 'FAILED: an old table is not noticed' && exit 1; }
