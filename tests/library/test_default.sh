#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A library that is built without measurements: test_default.sh COLLTUNE MPIEXEC PROGRAM
colltune=$(realpath "$1")
mpiexec=$2
program=$(realpath "$3")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

fail()
{
    echo "FAILED: $*"
    failed=1
}

# run RANKS [VARIABLE=VALUE...]: what the library prints in a job
run()
{
    ranks=$1
    shift
    env COLLTUNE_VERBOSE=1 LD_PRELOAD="$folder/standard/lib/libcolltuned.so" "$@" "$mpiexec" -n "$ranks" \
        "$program" 2>&1 || echo "exit $?"
}

"$colltune" build --default -o standard 2>build.log || fail "build --default: $(cat build.log)"

# --- native where ranks spin, a method of its own where they yield ---
# is_tuned LOG: did a method other than native carry out the calls?
is_tuned() {
    grep -q ' 5 calls of allreduce/' "$1" && ! grep -q 'allreduce/native' "$1"
}
if [ "$(nproc)" -lt 8 ]; then
    run 8 >eight.log
    grep -q 'ranks yield while they wait' eight.log || fail "8 ranks yield: $(cat eight.log)"
    is_tuned eight.log || fail "8 ranks: $(cat eight.log)"
fi
run 2 COLLTUNE_WAIT=spin >spin.log
grep -q 'ranks spin while they wait' spin.log || fail "COLLTUNE_WAIT=spin: $(cat spin.log)"
grep -q ' 5 calls of allreduce/native' spin.log || fail "2 ranks that spin: $(cat spin.log)"
run 2 COLLTUNE_WAIT=yield >yield.log
is_tuned yield.log || fail "2 ranks that yield: $(cat yield.log)"
if [ "$(nproc)" -ge 2 ]; then
    run 2 >two.log
    grep -q ' 5 calls of allreduce/native' two.log || fail "2 ranks: $(cat two.log)"
fi

# --- profiled without a library of one's own: one is built, and calls are native ---
XDG_CACHE_HOME=$folder/cache "$colltune" profile -o profile.csv -- "$mpiexec" -n 2 "$program" \
    >profile.log 2>&1 || fail "profile: $(cat profile.log)"
grep -q 'building a library for mpich' profile.log || fail "profile builds no library: $(cat profile.log)"
grep -q 'allreduce  *blocking  *2  *8  *5\.0 ' profile.log || fail "profile: $(cat profile.log)"
grep -q '^1,allreduce,blocking,2,8,"native",5,40,' profile.csv || fail "profile: $(cat profile.csv)"
[ "$(ls cache/colltune | sed 's/-.*//' | xargs)" = 'default library' ] || fail "$(ls cache/colltune)"

# --- decisions from elsewhere are named, the shipped ones are not ---
grep -q 'were learned' yield.log && fail "the shipped table is called foreign: $(cat yield.log)"
"$colltune" generate standard/share/colltuned/table.xml --format table -o plain.txt 2>generate.log ||
    fail "generate: $(cat generate.log)"
sed '1a #   mpi.name: openmpi' plain.txt >foreign.txt
run 2 COLLTUNE_TABLE=foreign.txt >foreign.log
[ "$(grep -c 'decisions were learned with openmpi, this is MPICH' foreign.log)" = 1 ] ||
    fail "one line says that the MPI is another one: $(cat foreign.log)"

# --- one table, not two and not none ---
for arguments in '' '--default plain.xml'; do
    # shellcheck disable=SC2086 # words on purpose
    "$colltune" build $arguments -o none 2>none.log
    [ $? = 2 ] || fail "build $arguments exits with 2"
    grep -q 'either a TABLE.xml, a MODEL.xml or --default' none.log ||
        fail "build $arguments: $(cat none.log)"
    [ ! -e none ] || fail "build $arguments made something"
done
exit $failed
