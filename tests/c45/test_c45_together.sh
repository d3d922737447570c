#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Several collectives learned in one tree: test_c45_together.sh COLLTUNE MODEL.xml.
colltune=$(realpath "$1")
model=$(realpath "$2")
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../expect.sh"
cd "$folder" || exit 1

# Broadcast and reduction are alike but for split_binary, which reduce does not have; a barrier has no size.
expect 0 '' predict "$model" -o run -c barrier,bcast,reduce --comm-sizes 2-32/2 --msg-sizes 8-256K*8 \
    --methods linear,binomial,binary,chain,pipeline,split_binary
expect 0 'reduce: ' learn run -l c45 --joint -o together.xml
expect 0 'reduce: ' learn run -l c45 -o apart.xml
[ "$(grep -c '<tree collective="[a-z]*" run="run" learner="c45" options="joint"' together.xml)" = 3 ] || {
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
mean together.xml | awk '$1 > 0.05 {print "FAILED: mean slowdown", $1; bad = 1} END {exit bad || NR != 3}' ||
    failed=1
expect 0 '' generate together.xml --format c -o decisions.h

# Leaving sizes out leaves them out of all collectives: the same as a run without them, learned from, and a
# run of them alone, scored.
sizes='3 6 12 24'
predicted() { # RUN COMM-SIZES
    expect 0 '' predict "$model" -o "$1" -c bcast,reduce --comm-sizes "$2" --msg-sizes 8-256K*2 \
        --methods linear,binomial,binary,pipeline,split_binary
}
number() { # of the table's line: the mean slowdown and the cells
    awk -F, 'NR == 2 {printf "%.12f %d\n", $7, $4}'
}
predicted whole "$(echo "$sizes" | tr ' ' ,)"
for collective in bcast reduce; do
    for size in $sizes; do
        [ -d "only-$size" ] || predicted "only-$size" "$size"
        [ -d "but-$size" ] || {
            others=$(echo "$sizes" | tr ' ' '\n' | grep -vx "$size" | paste -s -d ,)
            predicted "but-$size" "$others"
            expect 0 '' learn "but-$size" -l c45 --joint -o "but-$size.xml"
        }
        "$colltune" score "but-$size.xml" "only-$size" -c $collective --format csv | number
    done | awk '{sum += $1 * $2; cells += $2} END {printf "%.9f %d\n", sum / cells, cells}' >by-hand
    "$colltune" score --cross-validate sizes whole -c $collective -l c45 --joint --format csv | number |
        awk '{printf "%.9f %d\n", $1, $2}' | cmp - by-hand || {
        echo "FAILED: $collective without each size"
        failed=1
    }
done
expect 0 'on what was left out' score --cross-validate messages whole -l c45 --joint
awk '$1 > 0 {seen = 1} END {exit !seen}' by-hand || {
    echo 'FAILED: sizes left out cost nothing'
    failed=1
}

# Groups of collectives: two are alike, and a third one has methods of its own.
expect 0 '' predict "$model" -o three -c allgather,bcast,reduce --comm-sizes 2-32/2 --msg-sizes 8-256K*8 \
    --methods linear,binomial,binary,pipeline,ring,bruck,recursive_doubling
for options in '' --subsets; do
    # shellcheck disable=SC2086
    expect 0 'allgather: ' learn three -l c45 --joint $options -o "three$options.xml"
done
mean three--subsets.xml | awk '$1 > 0.05 {print "FAILED: groups lose", $1; bad = 1}
    END {exit bad || NR != 3}' || failed=1
cmp -s three.xml three--subsets.xml && { echo 'FAILED: groups make no difference'; failed=1; }
[ "$(grep -c '<tree collective="[a-z]*" run="three" learner="c45" options="subsets joint"' \
    three--subsets.xml)" = 3 ] || { echo 'FAILED: expected three trees of groups'; failed=1; }
expect 2 'expected --joint, too' learn three -l c45 --subsets -o none.xml

# What it is not for.
expect 2 'expected the learner c45' learn run -l surrogate --joint -o none.xml
expect 2 'cannot be combined with --collective' learn run -l c45 --joint -c bcast -o none.xml
expect 2 'sizes or messages' score --cross-validate runs run run --learner c45 --joint
expect 0 '' predict "$model" -o alone -c bcast --comm-sizes 2-8*2 --msg-sizes 8
expect 2 'two collectives' learn alone -l c45 --joint -o none.xml
expect 2 'two collectives' score --cross-validate sizes alone -l c45 --joint
exit $failed
