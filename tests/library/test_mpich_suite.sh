#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_mpich_suite.sh MPICC PREFIX SUITE_PROGRAM: mpich_suite, on a small suite in the form of MPICH's, whose
# programs pass, fail, hang or pass natively alone: it names the last ones, and they alone make it fail.
set -euo pipefail
mpicc=$1 prefix=$2 program=$3
suite=$(dirname "$(realpath "$0")")/mpich_suite
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*"
    cat "$work/log"
    exit 1
}

# expect STATUS ARGUMENT...: mpich_suite ends with it.
expect() {
    local expected=$1 status=0
    shift
    "$suite" --logs "$work/logs" "$@" >"$work/log" 2>&1 </dev/null || status=$?
    [ "$status" -eq "$expected" ] || fail "mpich_suite $*: exit code $status instead of $expected"
}

says() {
    grep -qE "$1" "$work/log" || fail "expected '$1'"
}

mkdir -p "$work/mpich/test/mpi/coll" "$work/mpich/test/mpi/comm" "$work/mpich/test/mpi/errors/coll"
sources=$work/mpich/test/mpi
touch "$sources/runtests.in"
cat >"$sources/configure" <<'END'
#!/bin/sh
# Makes what a real one makes, as far as it matters here: programs that `make` knows to compile.
here=$(dirname "$0")
for folder in coll comm errors/coll; do
    mkdir -p "$folder"
    printf '%%: %s/%s/%%.c\n\t%s -D_GNU_SOURCE -O1 $< -o $@ -ldl\n' "$here" "$folder" "$MPICC_GIVEN" \
        >"$folder/Makefile"
done
# As there, it says which languages have programs; here it fails without those of use mpi_f08.
cat >config.status <<'STATUS'
#!/bin/sh
: <<'LANGUAGES'
S["HAS_F08_FALSE"]=""
S["HAS_F08_TRUE"]="#"
LANGUAGES
grep -q '^S\["HAS_F08_TRUE"\]=""' "$0"
STATUS
chmod +x config.status
END
chmod +x "$sources/configure"
export MPICC=$mpicc MPICC_GIVEN=$mpicc
cp "$program" "$sources/coll/allreduces.c"
cp "$program" "$sources/comm/allreduces.c"
cp "$program" "$sources/errors/coll/noalias2.c"
echo 'this is no program' >"$sources/coll/broken.c"
cat >"$sources/coll/testlist" <<'END'
# name, ranks, and what else there is to say
allreduces 2
allreduces 3 arg=fails
allreduces 2 arg=exits resultTest=TestStatus
allreduces 40
allreduces 2 mem=100
allreduces 2 env=SAY_NOTHING=1
broken 2
allreduces 2 arg=hangs timeLimit=2
END
echo 'allreduces 2 arg=natively' >"$sources/comm/testlist"
echo 'noalias2 2' >"$sources/errors/coll/testlist"

MPICH_SOURCES='' expect 77 "$prefix"
says '^no sources of MPICH are given .*: skipped$'
expect 2 --sources "$work" "$prefix"
says "has no tests of MPICH: expected the folder test/mpi"
expect 2 --sources "$work/mpich" "$work"
says 'libcolltuned.so is not there'
expect 2 --sources "$work/mpich" --seconds 0 "$prefix"

# Two entries pass natively; what fails there is no matter, and is no result for the library.
expect 0 --sources "$work/mpich" --folders coll --round '' --round COLLTUNE_NODE=mpi --seconds 30 "$prefix"
says '^coll +6 +2$'
says '^round 0, as the table decides: 2 of 2, 0 at the second try$'
says '^round 1, COLLTUNE_NODE=mpi: 2 of 2, 0 at the second try$'
says '^2 entries left out'
says '^4 runs of what passes natively, 0 fail with the library$'
grep -q '^coll/allreduces 40: more than 16 ranks$' "$work/logs/left-out" || fail 'left out: 40 ranks'
grep -q '^coll/allreduces 2: needs 100 GB$' "$work/logs/left-out" || fail 'left out: 100 GB'
# The library was there.
grep -q '^colltune: .* in force' "$work/logs/round0/coll/allreduces.1" || fail 'no library'
[ "$(cat "$work/logs/native/coll/allreduces.8.verdict")" = 'over time' ] || fail 'a program that hangs'

# What is left out with a variable.
expect 0 --sources "$work/mpich" --folders errors/coll --round '' --round COLLTUNE_CHECK=1 "$prefix"
says '^round 0, as the table decides: 1 of 1, 0 at the second try$'
says '^round 1, COLLTUNE_CHECK=1: 0 of 0, 0 at the second try$'
grep -q '^errors/coll/noalias2 2 with COLLTUNE_CHECK=1: ' "$work/logs/left-out" || fail 'left out: a variable'

# What fails with the library alone.
expect 1 --sources "$work/mpich" --folders comm --round '' --seconds 30 "$prefix"
says '^  DIFFERS comm/allreduces\.1: exit code 1: here is a library$'
says '^1 runs of what passes natively, 1 fail with the library$'

expect 1 --sources "$work/mpich" --folders coll --round COLLTUNE_BARRIER=unknown --seconds 30 "$prefix"
says "^  DIFFERS coll/allreduces\.1: colltune: COLLTUNE_BARRIER is ignored: unknown algorithm 'unknown'"

# Forced methods: in rounds for programs that call the collective.
cat >"$work/colltune" <<'END'
#!/bin/sh
printf '%s\n' collective,method,parameters allreduce,native, allreduce,reduce_bcast,seg barrier,native, \
    barrier,linear, barrier,dissemination,radix exchange,nbx,
END
chmod +x "$work/colltune"
expect 0 --sources "$work/mpich" --folders coll --only '^coll/allr' --forced "$work/colltune" "$prefix"
says '^round 0, COLLTUNE_ALLREDUCE=native COLLTUNE_BARRIER=native: 2 of 2'
says '^round 1, COLLTUNE_ALLREDUCE=reduce_bcast:seg=1K COLLTUNE_BARRIER=linear: 2 of 2'
says '^round 2, COLLTUNE_BARRIER=dissemination: 0 of 0'
says '^4 runs of what passes natively, 0 fail with the library$'
grep -q 'of allreduce/reduce_bcast:seg=1K' "$work/logs/round1/coll/allreduces.1" || fail 'no method is forced'
echo 'ok: a small suite'
