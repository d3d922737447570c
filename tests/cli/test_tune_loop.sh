#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_tune_loop.sh COLLTUNE: a wrong sample lets the table take a slow method; validation finds it slower
# than native, its cell is measured again, and the next table does not take it.
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
tune=(tune -o tuned --simulate ethernet100 -c bcast --comm-sizes 2,4 --msg-sizes 8,64K --methods linear)

"$colltune" measure -o tuned/run "${tune[@]:3}" 2>steps || complain "measuring: $(cat steps)"
# On 4 ranks linear takes 1.5 times as long as native; the wrong sample says a tenth.
sed -i -E 's/^(0,bcast,linear,[0-9]+,[0-9]+,4,0,65536,byte,,0,)[^,]*/\10.001/' tuned/run/samples.csv
grep -q '^0,bcast,linear,.*,4,0,65536,byte,,0,0.001,ok' tuned/run/samples.csv ||
    complain 'no sample is spoilt'

"$colltune" "${tune[@]}" >told 2>steps || complain "tuning: $(cat steps)"
grep -q '^\$ colltune measure .*--resume --again tuned/validation.csv$' tuned/tune.log ||
    complain "nothing is measured again: $(cat steps)"
grep -q 'tune: validation asks for 1 point to be measured again (round 1)$' steps ||
    complain "it does not say that it measures again: $(cat steps)"
[ "$(grep -c '^\$ colltune validate ' tuned/tune.log)" -eq 2 ] ||
    complain "it is not validated twice: $(cat steps)"
grep -q '^\$ colltune validate .*--again tuned/validation.earlier.csv' tuned/tune.log ||
    complain "all points are validated again: $(grep validate tuned/tune.log)"
grep -q 'taken over: [1-9][0-9]* of 4 points' tuned/tune.log ||
    complain "no point is taken over: $(tail -n 20 tuned/tune.log)"
[ ! -e tuned/validation.earlier.csv ] || complain 'the earlier validation is left behind'
grep -q '1 cell is measured again' tuned/tune.log ||
    complain "other cells, too: $(grep again tuned/tune.log)"
grep -q 'again="2"' tuned/run/run.xml ||
    complain "run.xml does not count the launches: $(cat tuned/run/run.xml)"
grep -q '^1,bcast,linear,.*,4,0,65536,' tuned/run/samples.csv ||
    complain 'what validation found is not in the run'
grep -q '^2,bcast,linear,.*,4,0,65536,' tuned/run/samples.csv ||
    complain 'what was measured again is not in the run'
grep -q '^2,bcast,.*,2,0,65536,' tuned/run/samples.csv && complain 'a cell that is not slow is measured again'
grep -q '^bcast,4,65536,"native",' tuned/validation.csv ||
    complain "the table still takes it: $(cat tuned/validation.csv)"
grep -q '^No validated point is slower than native' told || complain "the end says: $(cat told)"
grep -q '^Measured: 4 of 4 cells (100 %)\.$' told || complain "cells are counted wrongly: $(cat told)"

# The simulator gives users exactly what a run promises.
"$colltune" score tuned/table.xml tuned/run --cross-validate none --validation tuned/validation.csv >scored \
    2>steps || complain "scoring: $(cat steps)"
grep -Eq '^all +2 +(1\.[0-9]+) +\1 +2$' scored || complain "promises are not kept: $(cat scored)"
"$colltune" score tuned/table.xml tuned/run --validation nothing >scored 2>steps &&
    complain 'it scores without the file'
grep -q 'nothing: No such file' steps || complain "without the file it says: $(cat steps)"
[[ ! -s scored ]] || complain "it scores before it looks for the file: $(cat scored)"

cp tuned/run/samples.csv .
"$colltune" "${tune[@]}" >again 2>steps || complain "once more: $(cat steps)"
cmp -s told again || complain "once more it prints: $(cat again)"
cmp -s samples.csv tuned/run/samples.csv || complain 'once more it measures'

# A point is slower although its cell was measured again: the table takes native there.
sed -n '/^0,bcast,\(native\|linear\|\),4,1,4,0\?,8,/s/^0/2/p' samples.csv >>tuned/run/samples.csv
cp tuned/run/samples.csv .
rm -r tuned/table.xml tuned/report
"$colltune" learn tuned/run -o tuned/table.xml 2>steps || complain "learning: $(cat steps)"
grep -q '^bcast,4,8,"linear",' tuned/validation.csv || complain "validated: $(cat tuned/validation.csv)"
sed -i -E 's/^(bcast,4,8,"linear",).*/\12e-05,1e-05,0.5,0.5,blocking/' tuned/validation.csv
"$colltune" "${tune[@]}" >told 2>steps || complain "settling: $(cat steps)"
grep -q 'tune: 1 point is slower than native: the table takes native there$' steps ||
    complain "it does not say that it takes native: $(cat steps)"
grep -q '^bcast,4,8,"native",' tuned/validation.csv ||
    complain "the table does not take native: $(cat tuned/validation.csv)"
grep -q '^No validated point is slower than native' told || complain "settled, it says: $(cat told)"
[ ! -e tuned/validation.earlier.csv ] || complain 'settled, the earlier validation is left behind'
cmp -s samples.csv tuned/run/samples.csv || complain 'settling measures'
# A validation in which the library called native keeps it there; without one, times alone decide.
natives() {
    "$colltune" learn tuned/run -o kept.xml "$@" 2>steps || complain "learning: $(cat steps)"
    "$colltune" show kept.xml --format csv | grep -c ',native,native$'
    rm kept.xml
}
[ "$(natives --validation tuned/validation.csv)" -gt "$(natives)" ] ||
    complain 'native does not stay where a validation called it'
"$colltune" learn tuned/run -o none.xml --validation nothing 2>said && complain 'it learns without the file'
grep -q 'nothing: No such file' said || complain "without the file, learn says: $(cat said)"
[ ! -e none.xml ] || complain 'without the file there is a table'

# by hand, and wrongly
"$colltune" measure -o tuned/run --again tuned/validation.csv 2>said && complain '--again without --resume'
grep -q -- '--again: expected --resume' said || complain "without --resume it says: $(cat said)"
"$colltune" measure -o tuned/run --resume --again tuned/validation.csv 2>said ||
    complain "by hand: $(cat said)"
grep -q '0 cells are measured again' said || complain "by hand it says: $(cat said)"
cmp -s samples.csv tuned/run/samples.csv || complain 'by hand it measures'
exit $failed
