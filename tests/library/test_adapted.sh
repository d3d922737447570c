#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_adapted.sh COLLTUNE MPI MPIEXEC ADAPTED PREFIX: with COLLTUNE_ADAPT=1 the tuned library below PREFIX
# leaves the methods of a table that chooses badly, and results stay the same bit for bit. The bad methods
# take hundreds of messages where others take one, so that no other load of the machine hides it.
set -euo pipefail
colltune=$1 mpi=$2 mpiexec=$3 program=$4 library=$5/lib/libcolltuned.so
calls=60
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/launch.sh"

cat >"$work/table" <<'END'
colltune-table 2
collective bcast
msg_bytes <= 1G
  chain:seg=1
  msg_bytes <= 2G
    binomial
    native
collective allreduce
msg_bytes <= 1G
  ring_segmented:seg=8 fallback recursive_doubling
  recursive_doubling
END

# run RANKS CALLS [NAME=VALUE]...: its output, in $output. CALLS is what the program is called with.
run() {
    local ranks=$1 calls=$2
    shift 2
    # shellcheck disable=SC2086
    output=$(timeout -k 5 100 "${launch[@]}" -n "$ranks" env LD_PRELOAD="$library" COLLTUNE_VERBOSE=1 \
        COLLTUNE_TABLE="$work/table" "$@" "$program" $calls 2>&1 </dev/null) || fail "$* on $ranks ranks"
    grep -q 'all right' <<<"$output" || fail "$* on $ranks ranks: results"
}
fail() {
    echo "FAILED: $1: $output"
    exit 1
}
# by METHOD: how often it was called.
by() {
    awk -v method="$1" '$5 == method { print $2; found = 1 } END { if (!found) print 0 }' <<<"$output"
}
results() {
    grep '^all right' <<<"$output"
}

for ranks in 2 3; do
    run "$ranks" $calls COLLTUNE_BCAST=binomial COLLTUNE_ADAPT=0
    alike=$(results)
    run "$ranks" $calls COLLTUNE_ADAPT=1
    [ "$(results)" = "$alike" ] || fail "other results than $alike"
    [ "$(by bcast/chain:seg=1)" -ge 2 ] || fail 'what the table says is tried'
    [ "$(by bcast/chain:seg=1)" -lt $((calls / 2)) ] || fail 'a bad method is left'
done

# Three further sizes, of which the model may decide two. The table's choice is used in a few calls only.
run 2 "$calls sizes" COLLTUNE_ADAPT=0
alike=$(results)
run 2 "$calls sizes" COLLTUNE_ADAPT=1,model
[ "$(results)" = "$alike" ] || fail "by a model other results than $alike"
[ "$(by bcast/chain:seg=1)" -lt $((2 * calls)) ] || fail 'a bad method is left by a model'

# What was learned becomes a run, from which a better table is learned.
run 2 $calls COLLTUNE_ADAPT=1 COLLTUNE_LEARNED="$work/learned.csv"
grep -q '^bcast,"chain:seg=1",1,2,2,1024,' "$work/learned.csv" || fail 'what was learned'
columns=nodes=nodes,ppn=ppn,comm_size=comm_size,msg_bytes=msg_bytes,seconds=seconds
"$colltune" import csv "$work/learned.csv" -o "$work/run" --time local \
    --map "collective=collective,method=method,$columns" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
"$colltune" learn "$work/run" -o "$work/better.xml" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
"$colltune" generate "$work/better.xml" --format table -o "$work/better"
if grep -q 'chain:seg=1$' "$work/better"; then
    fail "the table learned: $(cat "$work/better")"
fi

cp "$work/learned.csv" "$work/before.csv"
run 2 40 COLLTUNE_ADAPT=0 COLLTUNE_LEARNED="$work/learned.csv"
cmp -s "$work/learned.csv" "$work/before.csv" || fail 'without adaptation what was learned before is lost'
[ "$(by bcast/chain:seg=1)" = 40 ] || fail 'without adaptation the table decides'
# Sums of floating-point numbers go by the table; those of integers are tried.
run 2 40 COLLTUNE_ADAPT=1
[ "$(by allreduce/native)" -gt 0 ] || fail 'sums of integers are adapted'
one=$(by allreduce/native)
run 2 40 COLLTUNE_ADAPT=2
[ "$(by allreduce/native)" -gt "$one" ] || fail 'all sums are adapted'
run 2 40 COLLTUNE_ADAPT=1 COLLTUNE_BCAST=chain:seg=1
[ "$(by bcast/chain:seg=1)" = 40 ] || fail 'a forced method is certain'
run 3 40 COLLTUNE_ADAPT=1 COLLTUNE_NONBLOCKING=1

# The summary: two lengths of reductions on MPI_COMM_WORLD, and one on each of two communicators that have
# been freed. How many are changed depends on the times; a line follows for each of them.
run 2 200 COLLTUNE_ADAPT=1 COLLTUNE_BCAST=native COLLTUNE_VERBOSE=2
summary='^colltune: 4 classes of calls adapted: [0-4] settled, \([0-4]\) changed$'
changed=$(sed -n "s/$summary/\1/p" <<<"$output")
[ -n "$changed" ] || fail 'the summary'
changes=$(grep -Ec '^colltune: [a-z_]+ of [0-9]+ bytes on 2 ranks: .* instead of ' <<<"$output" || true)
[ "$changes" = "$changed" ] || fail 'what was changed'
run 2 40 COLLTUNE_ADAPT=0
if grep -q 'adapted' <<<"$output"; then
    fail 'a summary without adaptation'
fi

# Where the settings of the ranks differ, none counts.
output=$(timeout -k 5 60 "${launch[@]}" -n 1 env LD_PRELOAD="$library" COLLTUNE_ADAPT=1 "$program" 10 : \
    -n 1 env LD_PRELOAD="$library" "$program" 10 2>&1 </dev/null) || fail 'settings that differ'
grep -q 'variables differ between ranks and are ignored' <<<"$output" || fail 'settings that differ are told'
grep -q 'all right' <<<"$output" || fail 'settings that differ: results'
