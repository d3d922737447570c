#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2086 # lists of options are split on purpose
# Sweeps of calls that are in flight while their ranks compute: test_overlap.sh COLLTUNE PROGRAM, both with
# the faulty methods among theirs.
colltune=$(realpath "$1")
program=$(realpath "$2")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

fail()
{
    echo "FAILED: $*"
    failed=1
}

# refuse TEXT OPTION...: the sweep is refused with that text
refuse()
{
    text=$1
    shift
    "$colltune" measure "$@" >refused.log 2>&1 && fail "measure $* is taken"
    grep -q -e "$text" refused.log || fail "measure $*: $(cat refused.log)"
}

sweep="--program $program --launches 1 -c bcast --comm-sizes 2 --msg-sizes 8,64 --max-repetitions 6"

for mode in nonblocking persistent; do
    "$colltune" measure -o $mode $sweep --mode $mode --compute 20us --tests 2 --methods linear,test_wrong \
        2>log || fail "--mode $mode: $(cat log)"
    grep -q "<timing .* mode=\"$mode\" .*" $mode/run.xml || fail "$mode: $(grep timing $mode/run.xml)"
    grep -q '<sweep sync="auto" compute="2e-05" tests="2"' $mode/run.xml ||
        fail "$mode: $(grep sweep $mode/run.xml)"
    [ "$(grep -c 'test_wrong,.*,64,byte,,0,,wrong,,,,$' $mode/samples.csv)" = 1 ] ||
        fail "$mode: test_wrong is wrong at 64 bytes: $(grep wrong $mode/samples.csv)"
    # What holds of times however long they are: a rank is in MPI at most from begin to end, and what a call
    # adds is at least the time in MPI.
    for method in native linear; do
        awk -F, -v method=$method '
            NR > 1 && NF != 17 { exit 2 }
            $3 == method && $13 == "ok" { count++ }
            $3 == method && $13 == "ok" && !($14 > 0 && $15 > 0 && $15 <= $14 * 1.000001 &&
                $12 >= $15 * 0.999999 && $16 > 0 && $17 >= 0 && $17 <= 1) { exit 3 }
            END { if (count != 12) exit 4 }' $mode/samples.csv ||
            fail "$mode: samples of $method ($?): $(cat $mode/samples.csv)"
    done
    head -n 1 $mode/samples.csv >begun.csv
    cp begun.csv $mode/samples.csv
    refuse 'begun with another mode' -o $mode --resume --mode blocking
    refuse "with tests '2', not '3'" -o $mode --resume --tests 3
    "$colltune" measure -o $mode --resume 2>log || fail "resuming $mode: $(cat log)"
    [ "$(grep -c 'native,.*,ok,.' $mode/samples.csv)" = 12 ] || fail "$mode is resumed as it was begun"
done

# --- whose fault a crash is: a persistent call writes its plan, and may fail, before it starts. Rank 0 is
# slow to say which method is next, so that another rank that did not wait for it would fail too early. ---
LATE_RANK=1 "$colltune" measure -o crash --program "$program" --launches 1 -c bcast --comm-sizes 3 \
    --msg-sizes 8 --max-repetitions 1 --mode persistent --compute 20us --methods linear,test_crash 2>log ||
    fail "a method that crashes while its plan is written: $(cat log)"
[ "$(grep -E ',(crashed|hung|wrong),' crash/samples.csv | cut -d, -f 3,13)" = test_crash,crashed ] ||
    fail "test_crash alone is to blame: $(cat log crash/samples.csv)"

# --- timing the computation takes several times as long as a call may take, and is no hang ---
"$colltune" measure -o long --program "$program" --launches 1 -c bcast --comm-sizes 2 --msg-sizes 8 \
    --max-repetitions 1 --mode nonblocking --compute 0.5s --timeout 3s --methods linear,-native 2>log ||
    fail "a long computation: $(cat log)"
grep -q ',hung,' long/samples.csv && fail "a long computation counts as hung: $(cat log)"
grep -q 'linear,.*,ok,' long/samples.csv || fail "linear beside a long computation: $(cat long/samples.csv)"
refuse 'counts as hung after 3 s' -o none $sweep --mode nonblocking --compute 3s --timeout 3s
refuse 'counts as hung after 30 s' -o none $sweep --mode nonblocking --compute 31s

refuse 'no meaning for blocking calls' -o none $sweep --compute 20us
refuse 'no meaning for blocking calls' -o none $sweep --tests 2
refuse 'cannot be simulated' -o none --simulate ethernet100 --mode nonblocking
refuse 'expected blocking, nonblocking or persistent' -o none $sweep --mode sometimes
printf 'nothing\n' >none.job
"$program" none.job sometimes >log 2>&1 && fail "the program takes any mode"
grep -q 'the mode of its calls' log || fail "the program: $(cat log)"

# A table learned from both modes tests the mode. Times are made up: linear is the faster one where calls are
# blocking, native elsewhere.
"$colltune" measure -o blocking $sweep --methods linear 2>log || fail "$(cat log)"
"$colltune" import run blocking nonblocking -o both 2>log || fail "merging: $(cat log)"
awk -F, -v OFS=, 'NR > 1 && $13 == "ok" { $12 = ($3 == "linear") == ($1 == 0) ? 1e-5 : 2e-5 } { print }' \
    both/samples.csv >made_up.csv
mv made_up.csv both/samples.csv
"$colltune" learn both -o both.xml 2>log || fail "learning: $(cat log)"
grep -q '<split feature="mode" at-most="0">' both.xml ||
    fail "the table does not test the mode: $(cat both.xml)"
"$colltune" learn both -o pooled.xml --features comm_size,msg_bytes 2>log || fail "learning: $(cat log)"
grep -q 'feature="mode"' pooled.xml && fail "the mode is tested, and not listed"
"$colltune" map both --format csv >map.csv || fail "the map"
[ "$(grep -c ',nonblocking,' map.csv)" -gt 0 ] || fail "the map has no modes: $(cat map.csv)"
"$colltune" map both | grep -q '^nonblocking calls' || fail "the map does not show the mode"
"$colltune" generate both.xml --format ompi -o both.rules 2>log || fail "rules: $(cat log)"
grep -q '  0 1 0 0 # basic_linear' both.rules ||
    fail "the rules are not those of blocking calls: $(cat both.rules)"
"$colltune" generate both.xml --format c -o both.h 2>log || fail "C code: $(cat log)"
grep -q 'if (mode <= 0)' both.h || fail "the C code does not test the mode: $(cat both.h)"
exit $failed
