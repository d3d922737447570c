#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Patterns of neighborhood collectives, from a simulated sweep to a table:
# test_patterns.sh COLLTUNE MODEL.xml.
colltune=$(realpath "$1") model=$(realpath "$2")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

fail()
{
    echo "FAILED: $*"
    failed=1
}

# refuse EXPECTED OPTION...: measure says that, and makes no run.
refuse()
{
    expected=$1
    shift
    "$colltune" measure -o refused --simulate ethernet100 "$@" 2>refused.log && fail "$*: accepted"
    grep -qF -e "$expected" refused.log || fail "$*: $(cat refused.log)"
    [ ! -e refused ] || fail "$*: made a run"
}

refuse 'neighbor_alltoall needs a pattern; expected --pattern' -c neighbor_alltoall
refuse '--pattern: none of the collectives has a pattern' -c bcast --pattern moore:d=2,r=1
refuse "--pattern: unknown pattern 'ring'" -c neighbor_alltoall --pattern ring --comm-sizes 4
refuse 'among 4 ranks' -c neighbor_alltoall --pattern 'edges:0>5' --comm-sizes 8,4
refuse "--pattern: 'matrix:'my': the quote ' is not closed" -c neighbor_alltoall --comm-sizes 4 \
    --pattern "matrix:'my"
refuse 'MPI has no exchange' -c exchange --pattern moore:d=1,r=1

# matrix EXPECTED FIELD LINE...: a matrix file of these lines is refused.
matrix()
{
    expected=$1 field=$2
    shift 2
    printf '%s\n' "%%MatrixMarket matrix coordinate $field general" "$@" >matrix.mtx
    refuse "$expected" -c neighbor_alltoall --pattern matrix:matrix.mtx --comm-sizes 4
}
matrix 'matrix.mtx:3: the file ends after 1 of 2 entries' real '2 2 2' '1 1 1'
matrix 'matrix.mtx:2: entries 9999999999999; expected' real '2 2 9999999999999'
matrix 'matrix.mtx:1: complex matrix; expected' complex '1 1 1' '1 1 1 1'
matrix '4 parts of 2 rows: expected at most one part for each row' real '2 2 1' '1 2 1'

patterns='moore:d=1,r=1 hubs:count=1,degree=2 edges:0>1,0>1,2>2 random:density=0'
collectives=neighbor_alltoall,neighbor_alltoallv,neighbor_allgatherv,bcast
"$colltune" measure -o run --simulate ethernet100 --ppn 2 -c $collectives --pattern "$patterns" \
    --comm-sizes 6 --msg-sizes 8,1K --methods linear,grid:dims=2,bcast/binomial 2>log || fail "$(cat log)"
grep -q '<pattern name="hubs:count=1,degree=2"/>' run/run.xml || fail 'no pattern in run.xml'
grep ',native,' run/samples.csv | grep -qv '^0,bcast,' && fail 'native without its function'
samples=$(grep -c 'neighbor.*,ok,' run/samples.csv)
[ "$samples" -eq 48 ] || fail "$samples samples"
# linear needs no set-up, grid does.
grep ',linear,' run/samples.csv | grep -v '^0,bcast' | grep -qv ',$' && fail 'a set-up of linear'
grep '"\{0,1\}grid' run/samples.csv | grep -q ',$' && fail 'no set-up of grid'

# What the ranks agree on over MPI is what one process finds in the whole pattern. (Nothing takes no time, so
# a pattern without edges is not predicted.)
"$colltune" predict "$model" -o predicted --ppn 2 -c "${collectives%,bcast}" \
    --pattern "$patterns" --comm-sizes 6 --msg-sizes 8,1K --methods linear 2>log || fail "$(cat log)"
features()
{
    "$colltune" map "$1" --format csv 2>/dev/null | sed 's/moore:d=1,r=1/moore:d=1;r=1/
        s/count=1,degree/count=1;degree/; s/edges:0>1,0>1,2>2/edges/' | grep '^neighbor.*,linear,' |
        grep -v density=0 |
        cut -d, -f1-5,21-25 | sort
}
features run >agreed
features predicted >computed
[ "$(wc -l <agreed)" -eq 18 ] || fail "$(wc -l <agreed) cells"
cmp agreed computed || fail "$(diff agreed computed)"
grep -q 'hubs' agreed || fail 'no features'

# Ranks that have sent their letters wait for those that have not: a set-up with many letters ends.
timeout 100 "$colltune" measure -o dense --simulate ethernet100 --ppn 2 -c neighbor_alltoall --comm-sizes 8 \
    --pattern random:density=0.9 --msg-sizes 8 --methods grid:dims=2 --exhaustive --timeout 60s 2>log ||
    fail "dense: $(cat log)"
grep -q ',ok,.*random:density=0.9' dense/samples.csv || fail "dense: $(cat dense/samples.csv)"

# Samples show calls after the ranks have settled on lengths, and deferred receives in their order: what plans
# alone take. An allreduce in each call would make grid and common_neighbors 40 % slower and more; receives in
# any order would make the window 20 % faster.
"$colltune" measure -o settled --simulate ethernet100 -c neighbor_alltoall --comm-sizes 8 --msg-sizes 8,4K \
    --pattern 'random:density=0.3 moore:d=1,r=2' --exhaustive \
    --methods linear,window:reqs=4,grid:dims=2,common_neighbors: 2>log || fail "settled: $(cat log)"
"$colltune" report settled --model "$model" -o settled-page >log 2>&1 || fail "settled: $(cat log)"
awk -F, '$2 == "plogp" && $3 != "" { methods++; wrong += $7 > 0.06 }
    END { exit !(methods == 4 && !wrong) }' settled-page/model-errors.csv ||
    fail "settled: $(grep plogp settled-page/model-errors.csv)"

# alltoallv has methods that need a set-up, where they are named. Samples show the calls after it, which takes
# longer than several calls, and a table may have them.
"$colltune" measure -o dense-usual --simulate ethernet100 -c alltoallv --comm-sizes 4 2>log ||
    fail "alltoallv: $(cat log)"
grep -q ',alltoallv,pairwise,' dense-usual/samples.csv || fail "alltoallv: $(cat dense-usual/samples.csv)"
grep -q ',alltoallv,grid' dense-usual/samples.csv && fail 'alltoallv: a method was not named'
"$colltune" measure -o dense-named --simulate ethernet100 --ppn 2 -c alltoallv --comm-sizes 6 \
    --methods linear,grid:dims=2,node_aware,locality 2>log || fail "alltoallv: $(cat log)"
awk -F, '$3 == "linear" { linear = $12 } /,ok/ && $3 != "native" { methods++; slow += $12 > 1.5 * linear }
    END { exit !(methods == 5 && linear > 0 && !slow) }' dense-named/samples.csv ||
    fail "alltoallv: $(cat dense-named/samples.csv)"
"$colltune" measure -o dense-grid --simulate ethernet100 -c alltoallv --comm-sizes 3,4 \
    --methods grid,-native 2>log || fail "alltoallv: $(cat log)"
"$colltune" learn dense-grid -o dense-grid.xml 2>log || fail "alltoallv: $(cat log)"
grep -q '<leaf method="grid"/>' dense-grid.xml || fail "alltoallv: $(cat dense-grid.xml)"

# A run goes on with its patterns, and with no others.
cp -r run half
part=$(grep -n ',commit,' run/samples.csv | sed -n 3p | cut -d: -f1)
head -n $((part + 1)) run/samples.csv >half/samples.csv
"$colltune" measure -o half --resume --pattern moore:d=1,r=2 2>log && fail 'other patterns'
grep -q 'was begun with other patterns' log || fail "$(cat log)"
"$colltune" measure -o half --resume 2>log || fail "$(cat log)"
sort run/samples.csv >run.sorted
sort half/samples.csv | cmp - run.sorted || fail 'a resumed run differs'

# Names of files may have blanks and commas. The run has the pattern as it is, for all that read it.
printf '%s\n' '%%MatrixMarket matrix coordinate real general' '4 4 4' '1 2 1' '2 3 1' '3 4 1' '4 1 1' \
    >'my, matrix.mtx'
named="matrix:'my, matrix.mtx' matrix:my\\,\\ matrix.mtx,parts=entries moore:d=1,r=1"
"$colltune" measure -o named --simulate ethernet100 -c neighbor_alltoallv --comm-sizes 4 --msg-sizes 8,64 \
    --methods linear --pattern "$named" 2>log || fail "named: $(cat log)"
for name in 'matrix:my, matrix.mtx' 'matrix:my, matrix.mtx,parts=entries' moore:d=1,r=1; do
    grep -qF "<pattern name=\"$name\"/>" named/run.xml || fail "no '$name' in $(cat named/run.xml)"
    [ "$(grep -cF ",ok,,,,,\"$name\"," named/samples.csv)" -eq 2 ] || fail "named: $(cat named/samples.csv)"
done
cp -r named named-half
kept=$(grep -n ',commit,' named/samples.csv | sed -n 2p | cut -d: -f1)
head -n "$kept" named/samples.csv >named-half/samples.csv
"$colltune" measure -o named-half --resume --pattern "$named" 2>log || fail "named: $(cat log)"
sort named/samples.csv >named.sorted
sort named-half/samples.csv | cmp - named.sorted || fail 'a resumed run with names differs'
"$colltune" map named -c neighbor_alltoallv >map.txt 2>log || fail "$(cat log)"
grep -qF 'matrix:my, matrix.mtx,parts=entries' map.txt || fail "named: $(cat map.txt)"
"$colltune" predict "$model" -o named-predicted -c neighbor_alltoallv --comm-sizes 4 --msg-sizes 8 \
    --methods linear --pattern "$named" 2>log || fail "named: $(cat log)"

# A guided sweep has a plane of sizes for each pattern. It measures a part of the cells of each, goes on after
# it was cut off as if it had not been, and is learned from.
"$colltune" measure -o guided --simulate ethernet100 --ppn 1 -c neighbor_alltoall --comm-sizes 2-6 \
    --pattern 'moore:d=1,r=1 hubs:count=1,degree=2' --msg-sizes '8-64K*2' --methods linear,window \
    --guided 2>log || fail "guided: $(cat log)"
grep -q 'guided="true"' guided/run.xml || fail "$(cat guided/run.xml)"
for pattern in moore hubs; do
    cells=$(grep ',commit,' guided/samples.csv | grep -c "$pattern")
    [ "$cells" -ge 9 ] || fail "guided: $cells cells of $pattern"
    [ "$cells" -lt 70 ] || fail "guided: all $cells cells of $pattern"
done
cp -r guided guided-half
lines=$(grep -n ',commit,' guided/samples.csv | sed -n 8p | cut -d: -f1)
head -n "$lines" guided/samples.csv >guided-half/samples.csv
"$colltune" measure -o guided-half --resume 2>log || fail "$(cat log)"
sort guided/samples.csv >guided.sorted
sort guided-half/samples.csv | cmp - guided.sorted || fail 'a resumed guided run differs'
"$colltune" learn guided -o guided.xml 2>log || fail "$(cat log)"

# Files that are wrong.
sed 's/moore:d=1,r=1/moore:d=9,r=1/' run/samples.csv >wrong.csv
cp -r run wrong
cp wrong.csv wrong/samples.csv
"$colltune" map wrong 2>log && fail 'a pattern that is not in run.xml'
grep -q "pattern 'moore:d=9,r=1': is not in the grid of run.xml" log || fail "$(cat log)"

# Merged, shown, learned, scored, in a table and in C.
"$colltune" import run run predicted -o both 2>log && fail 'runs of different backends'
cp -r run part
head -n "$part" run/samples.csv >part/samples.csv
"$colltune" import run run part -o both 2>log || fail "$(cat log)"
[ "$(grep -c '<pattern ' both/run.xml)" -eq 4 ] || fail "$(grep '<pattern ' both/run.xml)"
features both >joined
cmp agreed joined || fail "merged: $(diff agreed joined)"
"$colltune" map run -c neighbor_alltoall >map.txt 2>log || fail "$(cat log)"
grep -q 'hubs:count=1,degree=2' map.txt || fail "$(cat map.txt)"
"$colltune" map run --format csv 2>/dev/null | head -n 1 | grep -q 'on_node,set_up,pays_after$' ||
    fail 'columns'
"$colltune" learn run -o table.xml 2>log || fail "$(cat log)"
"$colltune" learn run -o none.xml --learner interpolate 2>log && fail 'a learner without patterns'
grep -q 'knows sizes, but no patterns' log || fail "$(cat log)"
"$colltune" score table.xml run >score.txt 2>log || fail "$(cat log)"
grep -q '^neighbor_alltoallv ' score.txt || fail "$(cat score.txt)"
"$colltune" generate table.xml --format c -o decisions.h 2>log || fail "$(cat log)"
"$colltune" generate table.xml --format ompi -o rules.txt 2>log || fail "$(cat log)"
grep -q 'no rules for this collective' log || fail "$(cat log)"
"$colltune" report run -o report 2>log || fail "report: $(cat log)"
exit $failed
