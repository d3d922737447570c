#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_compare.sh COLLTUNE TOP: what changed between two runs or tables is found, and nothing else.
set -uo pipefail

colltune=$(realpath "$1") top=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

complain() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# ends CODE WORDS COMMAND...: colltune ends so, and says the words on standard output or error.
ends() {
    local code=0 expected=$1 words=$2
    shift 2
    "$colltune" "$@" >printed 2>said || code=$?
    [ "$code" -eq "$expected" ] || complain "colltune $*: ended with $code, expected $expected: $(cat said)"
    [[ $(cat printed said) == *"$words"* ]] ||
        complain "colltune $*: expected '$words': $(cat printed said)"
}

# refuses WORDS COMMAND...: wrong usage, in one line.
refuses() {
    ends 2 "$@"
    [ "$(wc -l <said)" -eq 1 ] && [ ! -s printed ] ||
        complain "colltune ${*:2}: expected one line: $(cat said)"
}

# --- simulated runs: computed times ---

shipped=$top/runs/ethernet100-bcast
ends 0 '11664 times of methods in 648 cells compared: 0 slower, 0 faster, 11664 the same' \
    compare "$shipped" "$shipped"
grep -qx 'conditions: the same' printed || complain 'a run differs from itself'

# 20 % more for one method on 8 ranks, 30 % less for another on 3
cp -r "$shipped" planted
awk -F, -v OFS=, '$3 == "binomial" && $6 == 8 { $12 *= 1.2 } $3 == "linear" && $6 == 3 { $12 *= 0.7 }
    { print }' "$shipped/samples.csv" >planted/samples.csv
sed -i 's/SimGrid 3.32"\/>/SimGrid 4.0"\/>/' planted/run.xml
ends 1 '24 slower, 24 faster, 11616 the same, 0 undecided' compare "$shipped" planted
grep -qx 'mpi.version: SimGrid 3.32 -> SimGrid 4.0' printed || complain 'no line about the version'
grep -q '^bcast  *8  *24  *24  *0  *408  *0 ' printed || complain "no line for 8 ranks: $(cat printed)"
grep -q '^bcast  *3  *24  *0  *24 ' printed || complain 'no line for 3 ranks'
[ "$(grep -c ' faster$' printed)" -eq 10 ] || complain 'the list has not the ten largest'
ends 0 '0 slower, 0 faster' compare "$shipped" planted --native
ends 0 '0 slower, 0 faster' compare "$shipped" planted --margin 50
ends 0 '0 slower, 0 faster' compare "$shipped" planted --without 3,8
ends 1 'slower' compare "$shipped" planted --format csv
key=collective,nodes,ppn,comm_size,msg_bytes,by,mode
numbers=seconds_first,seconds_second,ratio,launches_first,launches_second,p_value
head -n 1 printed | grep -qx "$key,method,$numbers,change,root" ||
    complain "the header: $(head -n 1 printed)"
[ "$(wc -l <printed)" -eq 11665 ] || complain "$(wc -l <printed) lines"
[ "$(grep -c ',slower,0$' printed)" -eq 24 ] || complain 'not 24 lines are slower'
awk -F, '/,slower,/ && ($4 != 8 || $8 != "binomial" || $11 < 1.199 || $11 > 1.201) { exit 1 }' printed ||
    complain 'other lines are slower'

# a method that fails in the second run, and a cell and a method that one run alone has
cp -r "$shipped" failing
awk -F, -v OFS=, '$3 == "chain" { exit 1 } $3 == "linear" && $6 == 28 && $8 == 8 { $12 = ""; $13 = "crashed" }
    $6 == 5 || ($3 == "binomial" && $6 == 4 && $8 == 64) { next } { print }' "$shipped/samples.csv" \
    >failing/samples.csv
ends 1 '1 fail in RUN2 alone, 0 in RUN1 alone' compare "$shipped" failing
grep -q '^RUN1 alone has 433 times of methods, and 24 whole cells: not compared$' printed ||
    complain "cells of one run: $(cat printed)"
grep -q 'failed *- *fails$' printed || complain 'the failure is not in the list'
ends 1 '0 fail in RUN2 alone, 1 in RUN1 alone' compare failing "$shipped"

# ranks yield in one of them: a condition, not another cell
cp -r "$shipped" yielding
sed -i 's/ guided="false"/ yield-from="1" guided="false"/; s/ yield-from="0"//' yielding/run.xml
ends 0 '11664 times of methods in 648 cells compared' compare "$shipped" yielding
grep -qx 'yield-from: (none) -> 1' printed || complain "yielding: $(cat printed)"
refuses 'have no cell in common' compare "$shipped" "$top/runs/gigabit-alltoall"

# --- noise, several launches ---

# make_run NAME SEED LAUNCHES SLOWER ALIKE OWN: times with noise between launches, which is ALIKE for all
# cells of a launch and OWN for each; SLOWER times longer where bcast/binomial runs on 4 ranks. Each launch
# has nine samples, a single one 40.
make_run() {
    awk -v seed="$2" -v launches="$3" -v slower="$4" -v alike="$5" -v own="$6" '
    function uniform() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
    function normal() { return sqrt(-2 * log(uniform())) * cos(6.283185307 * uniform()) }
    BEGIN {
        seed = seed * 7919 + 1
        for (i = 0; i < 20; i++)
            uniform()
        print "launch,collective,method,ranks,bytes,us"
        split("native linear binomial chain", methods, " ")
        for (l = 0; l < launches; l++) {
            all = exp(alike * normal())
            for (p = 2; p <= 16; p *= 2)
                for (m = 8; m <= 32768; m *= 8)
                    for (k = 1; k <= 4; k++) {
                        t = all * exp(own * normal()) * (5 + k * p + m / 1000)
                        if (methods[k] == "binomial" && p == 4)
                            t *= slower
                        for (r = 0; r < (launches > 1 ? 9 : 40); r++)
                            print l ",bcast," methods[k] "," p "," m "," t * exp(0.01 * normal())
                    }
        }
    }' >"$1.csv"
    rm -rf "$1"
    local map=launch=launch,collective=collective,method=method,comm_size=ranks,msg_bytes=bytes
    "$colltune" import csv "$1.csv" -o "$1" --map $map,seconds=us*us \
        --methods native=native,linear=linear,binomial=binomial,chain=chain \
        >/dev/null 2>said || complain "import: $(cat said)"
}

# Of 40 pairs of runs without any change 5 % may differ; more than 7 do so less than once in a thousand times.
false_alarms=0
for seed in {1..40}; do
    make_run before "$seed" 3 1 0.03 0.02
    make_run after $((seed + 1000)) 3 1 0.03 0.02
    code=0
    "$colltune" compare before after >printed 2>said || code=$?
    [ $code -le 1 ] || complain "noise: $(cat said)"
    false_alarms=$((false_alarms + code))
done
echo "$false_alarms of 40 pairs without a change are said to differ"
[ $false_alarms -le 7 ] || complain "$false_alarms false alarms"
ends 0 '0 slower, 0 faster' compare after after

make_run slower 2000 3 1.2 0 0.02
make_run before 1 3 1 0 0.02
ends 1 '5 slower, 0 faster' compare before slower
[ "$(grep -c '^bcast  *4 .* binomial .* slower$' printed)" -eq 5 ] ||
    complain "what is slower: $(cat printed)"
ends 1 '0 slower, 5 faster' compare slower before
ends 1 '5 significant changes' compare before slower --most 0
! grep -q binomial printed || complain 'a list of no change'

# one launch in each: by samples, and that is said
make_run before 1 1 1 0 0
make_run slower 2 1 1.2 0 0
ends 1 'one job launch in each run in 80 comparisons: significant for these launches only' \
    compare before slower
grep -q ' 5 slower, 0 faster' printed || complain "one launch: $(cat printed)"
make_run after 3 3 1 0 0.02
ends 0 '0 slower, 0 faster' compare before after
! grep -q 'one job launch' printed || complain 'one launch is said of three'

# --- the page ---

cp -r planted '<b>&planted'
ends 1 changes/index.html compare "$shipped" '<b>&planted' -o changes
page=$(<changes/index.html)
for words in '24 slower, 24 faster' '&lt;b&gt;&amp;planted' 'SimGrid 4.0' '<svg' '</html>' 'id="bcast"'; do
    [[ $page == *"$words"* ]] || complain "the page has no '$words'"
done
[[ $page != *'<b>&planted'* ]] || complain 'a name is not escaped'
refuses 'nothing was overwritten' compare "$shipped" planted -o changes
[ "$(ls changes)" = index.html ] || complain "the folder has $(ls changes)"

# --- tables ---

deep=$top/decision-tables/ethernet100-bcast.xml flat=$top/decision-tables/ethernet100-bcast-depth3.xml
ends 0 'bcast                   260      0    0.00' compare "$deep" "$deep"
ends 1 'the decisions differ' compare "$deep" "$flat"
ends 1 'bcast                   648    126   19.44       0.00      1.73  1.08 (126 cells)' \
    compare "$deep" "$flat" --on "$shipped"
grep -q 'bcast  *4  *8  linear -> native: 1.68 times the time' printed ||
    complain "the costliest: $(cat printed)"
ends 1 '' compare "$deep" "$flat" --on "$shipped" --format csv
head -n 1 printed | grep -qx "$key,method_first,method_second,differs,slowdown_first,slowdown_second,root" ||
    complain "the header of tables: $(head -n 1 printed)"
[ "$(awk -F, '$10 == 1' printed | wc -l)" -eq 126 ] || complain 'not 126 lines differ'
ends 1 'bcast                     2' compare "$deep" "$flat" --comm-sizes 8,4 --msg-sizes 8
refuses 'have no collective in common' compare "$deep" "$flat" --collective barrier
ends 0 '0    0.00' compare "$deep" "$top/decision-tables/default.xml" --comm-sizes 2 --msg-sizes 8
grep -q "alltoall is not compared: $deep does not decide it" said ||
    complain 'alltoall is not said to be left out'

# --- wrong usage ---

refuses 'expected two runs or two tables' compare "$shipped" "$deep"
refuses '--on: only two tables have this option' compare "$shipped" planted --on planted
refuses '--output: only two runs have this option' compare "$deep" "$flat" -o page
refuses '--ppn: cannot be combined with --on' compare "$deep" "$flat" --on "$shipped" --ppn 2
refuses '--comm-sizes: 0 is out of range' compare "$deep" "$flat" --comm-sizes 0
refuses 'nowhere' compare "$shipped" nowhere
refuses 'an argument is missing' compare "$shipped"

[ $failed -eq 0 ]
