#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_profile.sh MPIEXEC PROGRAM PREFIX: what the tuned library below PREFIX records of the program
# `profiled`, however that ends.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
header='rank,collective,mode,comm_size,msg_bytes,method,calls,bytes,seconds,waiting'

fail() {
    echo "FAILED: $*"
    tail -n 20 "$work"/*
    exit 1
}

# run HOW VARIABLE=VALUE...
run() {
    local how=$1 status=0
    shift
    rm -f "$work"/*
    timeout -k 5 50 "$mpiexec" -n 3 env LD_PRELOAD="$library" COLLTUNE_PROFILE="$work/profile" "$@" \
        "$program" "$how" "$work/called" >"$work/log" 2>&1 </dev/null || status=$?
    [ -e "$work/called" ] || fail "$how: the program does not run"
    [ "$status" -ne 124 ] || fail "$how: it hangs"
    [[ $how = whole || $how = forms || $how = neighbors ]] || [ "$status" -ne 0 ] || fail "$how: it ends well"
}

# check FILE RANK METHOD: does it hold the calls of that rank?
check() {
    [ "$(head -n 1 "$1")" = "$header" ] || fail "$1: no header"
    local number='[0-9]*\.[0-9]*'
    grep -q "^$2,bcast,blocking,3,512,\"$3\",10,8000,$number,$number$" "$1" || fail "$1: bcast"
    grep -q "^$2,allreduce,blocking,3,4,\"[^\"]*\",1,4,$number,0\.000000000$" "$1" || fail "$1: allreduce"
}

run whole COLLTUNE_BCAST=native
for rank in 0 1 2; do
    check "$work/profile" "$rank" native
done
[ "$(wc -l <"$work/profile")" -eq 7 ] || fail 'whole: expected two lines a rank'
[ ! -e "$work/profile.0" ] || fail 'whole: there is a part, too'
run forms COLLTUNE_BCAST=binomial COLLTUNE_NONBLOCKING=1
for rank in 0 1 2; do
    check "$work/profile" "$rank" binomial
    for line in nonblocking,3,512,'"binomial"',3,1800 persistent,3,512,'"binomial"',2,1200; do
        grep -q "^$rank,bcast,$line," "$work/profile" || fail "forms: no $line"
    done
done
# Neighborhood collectives: also native ones that nothing decides on.
for method in native linear grid; do
    run neighbors COLLTUNE_BCAST=binomial COLLTUNE_NEIGHBOR_ALLTOALL=$method COLLTUNE_NONBLOCKING=1
    for rank in 0 1 2; do
        check "$work/profile" "$rank" binomial
        grep -q "^$rank,neighbor_alltoall,blocking,3,64,\"$method[^\"]*\",3,300," "$work/profile" ||
            fail "neighbors by $method"
        [ "$method" = native ] ||
            grep -q "^$rank,neighbor_alltoall,nonblocking,3,64,\"$method[^\"]*\",1,100," "$work/profile" ||
            fail "non-blocking call of neighbors by $method"
    done
done
# Messages through lanes and through MPI give one profile, but for its times.
for node in shared mpi; do
    run forms COLLTUNE_BCAST=binomial COLLTUNE_NONBLOCKING=1 COLLTUNE_NODE=$node
    cut -d, -f 1-8 "$work/profile" >"$work.$node"
done
cmp "$work.shared" "$work.mpi" || fail 'COLLTUNE_NODE changes what is recorded'
rm "$work.shared" "$work.mpi"
# A table that tests how calls are made decides each form on its own.
cat >"$work.table" <<TABLE
colltune-table 2
collective bcast
mode <= 0
  linear
  mode <= 1
    chain
    pipeline
TABLE
run forms COLLTUNE_TABLE="$work.table" COLLTUNE_NONBLOCKING=1
rm "$work.table"
for rank in 0 1 2; do
    check "$work/profile" "$rank" linear
    for line in nonblocking,3,512,'"chain"',3,1800 persistent,3,512,'"pipeline"',2,1200; do
        grep -q "^$rank,bcast,$line," "$work/profile" || fail "forms by mode: no $line"
    done
done
for how in abort ended; do
    run "$how" COLLTUNE_BCAST=binomial
    check "$work/profile.0" 0 binomial
    [ ! -e "$work/profile" ] || fail "$how: the whole is written, too"
    [ ! -e "$work/profile.0.new" ] || fail "$how: half a file is left"
    echo "$how: the profile is saved"
done
run caught
[ ! -e "$work/profile.0" ] || fail "caught: the application's handler is not called"
run whole COLLTUNE_PROFILE="$work/none/profile"
grep -q 'the profile is lost' "$work/log" || fail 'nothing is said of a profile that cannot be written'
run ended COLLTUNE_PROFILE="$work/none/profile"
grep -q "the profile is lost: cannot write $work/none/profile.0" "$work/log" ||
    fail 'nothing is said of a part that cannot be written'
