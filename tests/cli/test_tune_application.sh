#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_tune_application.sh COLLTUNE MPICC MPIEXEC TOP: tune --application measures what a small application
# calls, and nothing else, and runs it with and without the library; once all is there, it only runs it.
set -uo pipefail
colltune=$(realpath "$1") mpicc=$2 mpiexec=$3 top=$(realpath "$4")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# LD_PRELOAD takes no blanks
mkdir "$work/a folder"
cd "$work/a folder" || exit 1
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}
"$mpicc" "$top/tests/library/small_allreduce.c" -o app || exit 1

# tunes OPTION...: with the application; each run adds a line to `runs`.
tunes() {
    "$colltune" tune -o tuned --application "echo run >>runs; $mpiexec -n 2 ./app" --pairs 2 "$@" \
        >told 2>steps
}

tunes --budget 10m --max-repetitions 2 --launches 1 --methods ring,recursive_doubling ||
    complain "$(cat steps tuned/tune.log)"
[ "$(sed -n 's/^\$ colltune \([a-z]*\).*/\1/p' steps | xargs)" = 'profile measure learn score build try' ] ||
    complain "other steps: $(cat steps)"
grep -q '^0,allreduce,blocking,2,8,"native",5,40,' tuned/profile.csv || complain "$(cat tuned/profile.csv)"
grep -q ' cells="allreduce/2/8"' tuned/run/run.xml || complain "other cells: $(cat tuned/run/run.xml)"
[ "$(awk -F, '/,commit$/ { print $2, $6, $8 }' tuned/run/samples.csv)" = 'allreduce 2 8' ] ||
    complain "other cells: $(grep commit tuned/run/samples.csv)"
grep -Eq '^[0-9.]+ times as fast as native: median of 2 pairs' told || complain "no gain: $(cat told)"
grep -q 'calls of allreduce/' told || complain "the library is not used: $(cat told)"
# shellcheck disable=SC2016 # the reader's shell expands it
grep -q '^Use it: LD_LIBRARY_PATH="$PWD/tuned/library/lib.*" LD_PRELOAD=libcolltuned.so echo run' told ||
    complain "the end says: $(cat told)"
sed -n 's/^Use it: //; s/echo run .*/COLLTUNE_VERBOSE=1 /p' told >use
echo "$mpiexec -n 2 ./app" >>use
tr -d '\n' <use >use-line
bash use-line >used 2>&1
grep -q '^colltune: tuned decisions' used || complain "the line that is named: $(cat use-line used)"
link=$(PKG_CONFIG_PATH=$PWD/tuned/library/lib/pkgconfig pkg-config --cflags --libs colltuned)
eval "$mpicc '$top/tests/library/small_allreduce.c' $link -o linked" || complain "to link it: $link"
LD_LIBRARY_PATH="$PWD/tuned/library/lib" COLLTUNE_VERBOSE=1 "$mpiexec" -n 2 ./linked >used 2>&1
grep -q '^colltune: tuned decisions' used || complain "linked: $(cat used)"
# one for the profile, two that do not count, two pairs
[ "$(wc -l <runs)" -eq 7 ] || complain "expected 7 runs of the application: $(wc -l <runs)"

cp tuned/run/samples.csv .
tunes || complain "once more: $(cat steps)"
[ "$(grep -c '^\$ colltune' steps)" -eq 1 ] || complain "once more it does more than try: $(cat steps)"
[ "$(wc -l <runs)" -eq 13 ] || complain "once more it runs otherwise: $(cat runs)"
cmp -s samples.csv tuned/run/samples.csv || complain 'once more it measures'

"$colltune" tune -o tuned --application 'true' >told 2>steps && complain 'another application may use it'
grep -q "^colltune tune: tuned: is tuned for another application: expected 'echo run" steps ||
    complain "another application: $(cat steps)"

"$colltune" tune -o other --application 'exit 3' >told 2>steps && complain 'an application may fail'
grep -q "^colltune tune: profile: 'sh' ended with exit code 3 and left no profile" steps ||
    complain "a failing application: $(cat steps)"
grep -q 'if the application uses another MPI than mpich, name it with --mpi$' steps ||
    complain "a failing application, no word of --mpi: $(cat steps)"
[ ! -e other/run ] || complain 'it measures all the same'
exit $failed
