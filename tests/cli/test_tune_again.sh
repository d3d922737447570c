#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_tune_again.sh COLLTUNE: a tuning ends with what was gained; the same command again measures nothing;
# what was made of a run that has changed since is made again.
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
tune=(tune -o tuned --simulate ethernet100 -c bcast --comm-sizes 2,4 --msg-sizes 8,1K --methods linear,chain)

"$colltune" "${tune[@]}" >first 2>steps || complain "the first time: $(cat steps)"
[ "$(wc -l <first)" -le 12 ] || complain "more than 12 lines: $(cat first)"
grep -q '^  2 ranks  .* times as fast' first || complain "no gain on 2 ranks: $(cat first)"
grep -q '^Measured: 4 of 4 cells' first || complain "what was measured: $(cat first)"
grep -q '^\$ colltune validate .*--comm-sizes 2,4 --msg-sizes 8,1024' steps ||
    complain "validation of other sizes than those measured: $(cat steps)"
grep -q 'bcast: [1-9][0-9]* lea' tuned/tune.log ||
    complain "the log has not what learn says: $(cat tuned/tune.log)"

cp tuned/run/samples.csv tuned/table.xml .
"$colltune" "${tune[@]}" >again 2>steps || complain "the second time: $(cat steps)"
cmp -s first again || complain "the second time it prints: $(cat again)"
[ ! -s steps ] || complain "the second time it does: $(cat steps)"
cmp -s samples.csv tuned/run/samples.csv || complain 'the second time it measures'

sed -i 's/\(samples-sha256="\)..../\10000/' tuned/table.xml
cmp -s table.xml tuned/table.xml && complain 'the table is not spoilt'
"$colltune" "${tune[@]}" >more 2>steps || complain "with another table: $(cat steps)"
for step in measure learn build validate report; do
    grep -q "^\$ colltune $step " steps || complain "$step is not done again: $(cat steps)"
done
grep -v created table.xml >old
grep -v created tuned/table.xml | cmp -s - old ||
    complain "the table differs: $(diff table.xml tuned/table.xml)"
exit $failed
