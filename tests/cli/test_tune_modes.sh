#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_tune_modes.sh COLLTUNE: calls of two modes are measured, learned, built, validated and told apart; the
# run of one mode is kept when another joins it.
set -uo pipefail
colltune=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}

# tunes OPTION...: two broadcasts on 2 ranks
tunes() {
    "$colltune" tune -o tuned -c bcast --comm-sizes 2 --msg-sizes 8,1K --methods linear --launches 1 \
        --max-repetitions 3 "$@" >told 2>steps
}
# Commands that were shown, without what is measured again.
shown() {
    sed -n '/--again/d; s/^\$ colltune \([a-z]*\).*/\1/p' steps | xargs
}
# modes FILE: of its points
modes() {
    awk -F, 'NR > 1 { print $9 }' "$1" | sort -u | xargs
}

tunes --mode nonblocking --compute 20us --tests 2 --budget 60s ||
    complain "one mode: $(cat steps tuned/tune.log)"
[ "$(shown)" = 'measure learn score build validate report' ] || complain "one mode: $(cat steps)"
grep -q '^\$ colltune measure .*--mode nonblocking' steps || complain "one mode: $(cat steps)"
grep -q '<timing .* mode="nonblocking"' tuned/run/run.xml || complain "one mode: $(cat tuned/run/run.xml)"
[ "$(modes tuned/validation.csv)" = nonblocking ] || complain "one mode: $(cat tuned/validation.csv)"
grep -q '^  2 ranks, nonblocking  .* times as fast' told || complain "one mode: $(cat told)"
grep -q '^Measured: 2 of 2 cells (100 %)' told || complain "one mode: $(cat told)"
grep -q '^Use it: COLLTUNE_NONBLOCKING=1 LD_PRELOAD=' told || complain "one mode: $(cat told)"

# Another mode: the run that is there becomes one of two.
grep '^0,' tuned/run/samples.csv >nonblocking.csv
tunes --mode blocking,nonblocking --compute 20us --tests 2 --budget 60s ||
    complain "two modes: $(cat steps tuned/tune.log)"
[ "$(shown)" = 'measure measure import learn score build validate report' ] ||
    complain "two modes: $(cat steps)"
grep -q '^\$ colltune measure --output tuned/run.blocking ' steps || complain "two modes: $(cat steps)"
grep '^\$ colltune measure .*run.blocking' steps | grep -q -e '--compute' &&
    complain "blocking calls have a computation: $(cat steps)"
joining='$ colltune import run tuned/run.blocking tuned/run.nonblocking --output tuned/run'
grep -qxF "$joining" tuned/tune.log ||
    complain "joining is not in the log: $(grep import tuned/tune.log)"
grep "^0," tuned/run.nonblocking/samples.csv | cmp -s - nonblocking.csv ||
    complain "the first run is not kept"
grep -q '<timing .* mode="blocking,.*nonblocking"' tuned/run/run.xml ||
    complain "the joined run: $(cat tuned/run/run.xml)"
grep -q '<tree .* modes="blocking,nonblocking"' tuned/table.xml ||
    complain "the table: $(cat tuned/table.xml)"
[ "$(modes tuned/validation.csv)" = 'blocking nonblocking' ] ||
    complain "two modes: $(cat tuned/validation.csv)"
grep -q '^  2 ranks, blocking  .* times as fast' told || complain "two modes: $(cat told)"
grep -q '^  2 ranks, nonblocking  .* times as fast' told || complain "two modes: $(cat told)"
grep -q '^Measured: 4 of 4 cells (100 %)' told || complain "two modes: $(cat told)"
grep -q '<b>bcast, nonblocking</b>' tuned/report/index.html || complain 'the report does not name the mode'

# Once more it measures nothing.
cp told first
cp tuned/run/samples.csv .
tunes --mode blocking,nonblocking --compute 20us --tests 2 || complain "once more: $(cat steps)"
cmp -s told first || complain "once more it prints: $(cat told)"
[ ! -s steps ] || complain "once more it does: $(cat steps)"
cmp -s samples.csv tuned/run/samples.csv || complain 'once more it measures'

tunes && complain 'one mode of two is taken'
grep -q 'tuned: holds runs of several modes: expected --mode blocking,nonblocking' steps ||
    complain "one mode of two: $(cat steps)"
tunes --compute 20us && complain 'blocking calls may have a computation'
grep -q -e '--compute has no meaning for blocking calls' steps || complain "with --compute: $(cat steps)"

# A validation of two modes says of each what its own run should measure again. The run is fresh: the tuning
# may have measured its cells again as often as is worth it.
"$colltune" measure -o fresh --mode nonblocking --compute 20us --tests 2 -c bcast --comm-sizes 2 \
    --msg-sizes 8,1K --methods linear --launches 1 --max-repetitions 3 --budget 60s 2>said ||
    complain "$(cat said)"
head -n 1 tuned/validation.csv >slow.csv
for bytes in 8 1024; do
    echo "bcast,2,$bytes,\"linear\",4e-05,8e-05,2,2,blocking,,,,,,,"
    echo "bcast,2,$bytes,\"linear\",4e-05,2e-05,0.5,0.5,nonblocking,2e-05,5e-05,1e-05,0.5,4e-05,1e-05,0.25"
done >>slow.csv
"$colltune" measure -o tuned/run.blocking --resume --again slow.csv 2>said || complain "$(cat said)"
grep -q '0 cells are measured again' said || complain "blocking calls, which are fast: $(cat said)"
"$colltune" measure -o fresh --resume --again slow.csv --budget 2s 2>said ||
    complain "$(cat said)"
grep -q '2 cells are measured again' said || complain "nonblocking calls, which are slow: $(cat said)"
grep -Eq '^[0-9]+,bcast,linear,.*,0,4e-05,ok,5e-05,1e-05,2e-05,0.5$' fresh/samples.csv ||
    complain "what the validation found is not in the run: $(cat fresh/samples.csv)"

# The joined run knows which times are a validation's: promises leave them out.
"$colltune" import run tuned/run.blocking fresh -o joined 2>said || complain "$(cat said)"
grep -q ' validation="0,.*1' joined/run.xml || complain "the joined run: $(grep timing joined/run.xml)"
"$colltune" score tuned/table.xml joined --cross-validate none --validation slow.csv >scored 2>said ||
    complain "$(cat said)"
[ "$(grep -Ec '^(non)?blocking +2 +2 ' scored)" -eq 2 ] || complain "promises by mode: $(cat scored)"
exit $failed
