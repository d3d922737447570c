#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_learn_for.sh COLLTUNE RUN: what is learned for a library, its files express; RUN is of reduce.
colltune=$(realpath "$1") run=$(realpath "$2")
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../expect.sh"
cd "$folder" || exit 1

# learn TABLE OPTION...
learn()
{
    table=$1
    shift
    expect 0 'reduce: ' learn "$run" -o "$table" --learner penalty --max-leaves 20 "$@"
}

learn any.xml
expect 0 'colltune learn --for ompi learns with what these files can express' generate any.xml --format ompi \
    -o any.txt
# A run in the place of the table: what to type first.
expect 2 "is a run: expected a table, as of colltune learn $run --for ompi -o TABLE.xml" \
    generate "$run" --format ompi -o wrong.txt
expect 2 "is a run: expected a table, as of colltune learn $run -o TABLE.xml" \
    generate "$run" --format c -o wrong.txt
[ ! -e wrong.txt ] || failed=1
for format in ompi ompi-json mpich-cvar intel; do
    leaves=20
    [ $format != mpich-cvar ] || leaves=1
    learn $format.xml --for $format --max-leaves $leaves
    grep -q "for=$format\"" $format.xml || failed=1
    if "$colltune" generate $format.xml --format $format -o $format.txt 2>&1 |
        grep 'replaced by\|own choice'; then
        echo "FAILED: --for $format chose a method that its files cannot express"
        failed=1
    fi
done

# Operations that commute allow more.
learn commutes.xml --for ompi --commutative-only
cmp -s commutes.xml ompi.xml && failed=1
expect 0 '' generate commutes.xml --format ompi -o commutes.txt --commutative-only
[ -z "$output" ] || failed=1
expect 0 'replaced by' generate commutes.xml --format ompi -o careful.txt
expect 2 '--commutative-only: expected --for, too' learn "$run" -o wrong.xml --commutative-only
expect 2 'reduce: 2 leaves, but a setting of mpich-cvar holds for all calls: expected --max-leaves 1' \
    learn "$run" -o wrong.xml --learner penalty --max-leaves 2 --for mpich-cvar
expect 2 "--for 'c': expected" learn "$run" -o wrong.xml --for c
[ ! -e wrong.xml ] || failed=1
exit $failed
