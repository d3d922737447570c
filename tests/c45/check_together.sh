#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Several collectives learned in one tree: check_together.sh COLLTUNE MODEL.xml.
colltune=$(realpath "$1")
model=$(realpath "$2")
# shellcheck source=expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/expect.sh"
cd "$folder" || exit 1

# Broadcast and reduction are alike but for split_binary, which reduce does not have; a barrier has no size.
expect 0 '' predict "$model" -o run -c barrier,bcast,reduce --comm-sizes 2-32/2 --msg-sizes 8-256K*8 \
    --methods linear,binomial,binary,chain,pipeline,split_binary
expect 0 'reduce: ' learn run -l c45 --together -o together.xml
expect 0 'reduce: ' learn run -l c45 -o apart.xml
[ "$(grep -c '<tree collective="[a-z]*" run="run" learner="c45" options="together"' together.xml)" = 3 ] || {
    echo 'FAILED: expected three trees'
    failed=1
}

# Both tables know what is best: a few percent on the mean.
for table in together apart; do
    "$colltune" score $table.xml run --format csv >/dev/null || failed=1
done
grep -q 'method="split_binary' together.xml || failed=1
sed -n '/collective="reduce"/,/<\/tree>/p' together.xml | grep -q split_binary && {
    echo 'FAILED: reduce has no split_binary'
    failed=1
}
mean() { sed -n '/<penalty of="tree"/s/.* mean="\([^"]*\)".*/\1/p' "$1"; }
mean together.xml | awk '$1 > 0.05 {print "FAILED: mean penalty", $1; bad = 1} END {exit bad || NR != 3}' ||
    failed=1
expect 0 '' generate together.xml --format c -o decisions.h

# What it is not for.
expect 2 'expected c45' learn run --together -o none.xml
expect 2 'no one collective' learn run -l c45 --together -c bcast -o none.xml
expect 2 'by itself' score --cross-validate sizes run --learner c45 --together
expect 0 '' predict "$model" -o alone -c bcast --comm-sizes 2-8*2 --msg-sizes 8
expect 2 'two collectives' learn alone -l c45 --together -o none.xml
exit $failed
