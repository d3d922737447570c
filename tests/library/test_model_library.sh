#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A library that asks a model in each call decides as generated functions do: test_model_library.sh COLLTUNE
# MPIEXEC MPICC PROGRAM.c MODEL.xml TABLE.xml
colltune=$(realpath "$1")
mpiexec=$2 mpicc=$3 program=$4 model=$5 table=$6
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

fail()
{
    echo "FAILED: $*"
    failed=1
}

# agrees PREFIX OPTION...: do the library's calls and those of functions generated with these options agree?
agrees()
{
    prefix=$1
    shift
    rm -f decide_*.c
    for collective in allgather bcast reduce; do
        "$colltune" generate "$model" --format model-c -c "$collective" -o "decide_$collective.c" "$@" ||
            return 1
    done
    # shellcheck disable=SC2086 # words on purpose
    $mpicc -std=gnu11 -Wall -Wextra -Werror -I. "$program" decide_*.c -o calls -lm || return 1
    COLLTUNE_VERBOSE=2 LD_PRELOAD=$folder/$prefix/lib/libcolltuned.so "$mpiexec" -n 6 ./calls \
        >expected 2>log || return 1
    [ "$(wc -l <expected)" = 4 ] || return 1
    while read -r line; do
        grep -q -F -- "$line" log || { echo "expected '$line'" >>log && return 1; }
    done <expected
}

"$colltune" build "$model" -o plogp >build.log 2>&1 || fail "build: $(cat build.log)"
agrees plogp --cost-model plogp || fail "plogp: $(cat log)"
grep -q 'decided in each call by the plogp model of grig-tcp' log || fail "provenance: $(cat log)"
[ "$(grep -c 'of reduce/' expected)" = 2 ] && [ "$(sort -u expected | wc -l)" = 4 ] ||
    fail "operations that do not commute are decided alike: $(cat expected)"
agrees plogp --cost-model hockney && fail 'no difference between models is seen'

# --- a vote takes the place of it, and what a table left goes ---
echo stale | tee plogp/share/colltuned/table.xml >plogp/include/colltune_decisions.h
"$colltune" build "$model" -o plogp --replace --vote hockney=3,loggp=1,plogp=1 >build.log 2>&1 ||
    fail "build --vote: $(cat build.log)"
[ ! -e plogp/share/colltuned/table.xml ] && [ ! -e plogp/include/colltune_decisions.h ] &&
    cmp -s "$model" plogp/share/colltuned/model.xml || fail "what is left: $(ls plogp/share/colltuned)"
agrees plogp --vote hockney=3,loggp=1,plogp=1 || fail "vote: $(cat log)"

# refuses WORDS ARGUMENT...
refuses()
{
    words=$1
    shift
    "$colltune" build "$@" -o none >none.log 2>&1
    [ $? = 2 ] || fail "build $*: exits with another code than 2"
    grep -q -- "$words" none.log || fail "build $*: $(cat none.log), expected $words"
    [ ! -e none ] || fail "build $* made something"
}
refuses 'cost-model: expected a MODEL.xml' "$table" --cost-model plogp
refuses 'vote: expected a MODEL.xml' --default --vote plogp
refuses 'cannot be combined' "$model" --vote plogp --cost-model plogp
sed 's/<plogp/<prologp/' "$model" >broken.xml
refuses 'broken.xml' broken.xml
exit "$failed"
