#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_placements.sh COLLTUNE: several numbers of nodes and of ranks on each in one sweep, on a simulated fat
# tree.
colltune=$(realpath "$1")
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../expect.sh"
cd "$folder" || exit 1
place='--simulate fattree --msg-sizes 8,64K -c bcast,barrier'

# cells RUN: nodes, ranks on each and ranks of the cells, but for the sizes
cells()
{
    awk -F, '{gsub(/"[^"]*"/, "x")} $13 == "commit" && $2 == "bcast" && $8 == 8 {print $4 "x" $5 "=" $6}' \
        "$1/samples.csv" | sort -n | paste -s -d ' '
}

# Every product but a rank alone, each with jobs of its own; the plan says so before.
# shellcheck disable=SC2086
expect 0 'ppn 2   9 cells' measure $place --nodes 1,2,4 --ppn 1,2,4 --dry-run -o run
case $output in
*'ppn 4   9 cells, '*', on up to 4 nodes'*'ppn 1   6 cells'*) ;;
*) echo "FAILED: the plan is $output"; failed=1 ;;
esac
# shellcheck disable=SC2086
expect 0 'run has 24 cells' measure $place --nodes 1,2,4 --ppn 1,2,4 -o run
[ "$(cells run)" = '1x2=2 1x4=4 2x1=2 2x2=4 2x4=8 4x1=4 4x2=8 4x4=16' ] ||
    { echo "FAILED: cells $(cells run)"; failed=1; }
grep -q ' placements="16/4,8/4,4/4,8/2,4/2,2/2,4/1,2/1"' run/run.xml || { echo 'FAILED: run.xml'; failed=1; }

# A placement in a run of several has the times that it has alone (but for their last digits, which depend on
# how long a cell is measured): here all of two ranks on a node.
# shellcheck disable=SC2086
expect 0 '' measure $place --nodes 1,2,4 --ppn 2 -o alone
[ "$(cells alone)" = '1x2=2 2x2=4 4x2=8' ] || { echo "FAILED: alone $(cells alone)"; failed=1; }
grep -q ' placements=' alone/run.xml && { echo 'FAILED: one is none of several'; failed=1; }
rows()
{
    grep ',4,2,8,\|,2,2,4,\|,1,2,2,' "$1/samples.csv" |
        awk -F, -v OFS=, '{ $(NF - 1) = sprintf("%.4g", $(NF - 1)); print }' | sort
}
rows run >of_run
rows alone >of_alone
cmp of_run of_alone || failed=1

# It is resumed as it was, also where it was killed in between.
expect 0 '0 samples' measure --resume -o run
expect 0 'nothing is left to measure' measure --resume --dry-run -o run
cp -r run torn
lines=$(grep -n ',commit$' run/samples.csv | sed -n 12p | cut -d: -f1)
head -n $((lines + 2)) run/samples.csv >torn/samples.csv
expect 0 'torn has 24 cells' measure --resume -o torn
sort run/samples.csv >all && sort torn/samples.csv | cmp all - || failed=1
# shellcheck disable=SC2086
expect 2 "was begun with" measure --resume --nodes 1,2 --ppn 1,2 -o run

expect 0 'one has 1 cell; ' measure --simulate fattree -c barrier --comm-sizes 2 --methods native -o one
expect 0 'cells   1, with 1 measurement of methods' measure --simulate fattree -c barrier --comm-sizes 2 \
    --methods native --dry-run -o two

# Ranks of one node that fit in several ways are placed once.
# shellcheck disable=SC2086
expect 0 'sizes has 18 cells' measure $place --comm-sizes 2,4,6 --ppn 1,4 -o sizes
[ "$(cells sizes)" = '1x2=2 1x4=4 2x1=2 2x4=6 4x1=4 6x1=6' ] || { echo "FAILED: $(cells sizes)"; failed=1; }

# A guided sweep measures a part, in all numbers of ranks on a node, and is resumed as it was: what it chooses
# depends on the samples alone.
guided='--simulate fattree --msg-sizes 8-64K*2 -c bcast --methods binomial:,linear,pipeline:'
# shellcheck disable=SC2086
expect 0 '' measure $guided --nodes 1,2,4,8 --ppn 1,2,4 --guided -o guided
grep -q ' guided="true"' guided/run.xml || { echo 'FAILED: it is not guided'; failed=1; }
measured=$(grep -c ',commit$' guided/samples.csv)
[ "$measured" -ge 32 ] && [ "$measured" -le 140 ] ||
    { echo "FAILED: $measured of 154 cells are measured"; failed=1; }
[ "$(grep ',commit$' guided/samples.csv | cut -d, -f 5 | sort -u | paste -s -d ' ')" = '1 2 4' ] ||
    { echo 'FAILED: numbers of ranks on a node are missing'; failed=1; }
cp -r guided broken
head -n 150 guided/samples.csv >broken/samples.csv
expect 0 '' measure --resume -o broken
sort guided/samples.csv >all && sort broken/samples.csv | cmp all - || failed=1

# Decisions test where ranks lie.
expect 0 '' learn run -c bcast -l penalty --features msg_bytes,nodes,ppn -o table.xml
grep -q 'feature="\(nodes\|ppn\)"' table.xml ||
    { echo 'FAILED: the tree tests neither nodes nor ppn'; failed=1; }

# Tuning goes the whole way: decisions test nodes, ranks on each and roots, and validation takes the most of
# these ranks, and all roots.
expect 0 'Report: ' tune -o tuned --simulate fattree --nodes 1,2 --ppn 1,2 -c bcast --msg-sizes 8,1K \
    --root 0,1 --methods bcast/binomial:,bcast/linear
case $output in
*'--features comm_size,msg_bytes,nodes,ppn,root'*'colltune validate '*' --root 0,1'*' --ppn 2'*) ;;
*) echo "FAILED: tuning said $output"; failed=1 ;;
esac
[ "$(cut -d, -f 10 tuned/validation.csv | sort -u | paste -s -d ' ')" = '0 1 root' ] ||
    { echo "FAILED: validated $(cat tuned/validation.csv)"; failed=1; }
case $output in
*'Measure more'*) echo 'FAILED: cells are left'; failed=1 ;;
esac

# wrong WORDS ARGUMENT...
wrong()
{
    words=$1
    shift
    # shellcheck disable=SC2086
    expect 2 "$words" measure $place -o none "$@"
}
wrong '--nodes: expected --ppn, too' --nodes 2
wrong '--nodes: cannot be combined with --comm-sizes' --nodes 2 --ppn 2 --comm-sizes 4
wrong "--ppn: 'x' in the list '1,x' is not a size" --nodes 2 --ppn 1,x
wrong "--nodes: '' in the list '2,' is not a size" --nodes 2, --ppn 1
wrong '--ppn 0,2: expected at least 1 rank on a node' --nodes 2 --ppn 0,2
wrong '--nodes: 0 nodes with 2 ranks each: expected 2 to 1M ranks' --nodes 0 --ppn 2
wrong '--nodes: one node with one rank' --nodes 1 --ppn 1
wrong '400 ranks, 1 on each node, need 400 nodes: the platform fattree has 256' --comm-sizes 400 --ppn 1,2
printf 'node1\nnode2\n' >hosts
expect 2 'cannot be combined with --side-by-side' measure -o none --nodes 2 --ppn 1,2 --hostfile hosts \
    --side-by-side -c bcast
exit $failed
