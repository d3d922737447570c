#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Roots other than 0, from the sweep to the decisions: test_roots.sh COLLTUNE simulated|real. Results are
# checked on the way, so failures in a run are wrong results.
colltune=$(realpath "$1")
model=$(dirname "$(realpath "$0")")/../../models/systems/simulated-gigabit.xml
if [ "$2" = simulated ]; then
    place='--simulate gigabit'
else
    place='--launches 1 --max-repetitions 2'
fi
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../expect.sh"
cd "$folder" || exit 1

# measure CODE WORDS ARGUMENT...
measure()
{
    code=$1 words=$2
    shift 2
    # shellcheck disable=SC2086
    expect "$code" "$words" measure $place "$@"
}

# Each root is measured where a communicator has that rank, and once where a collective has none.
rooted=bcast,reduce,gather,gatherv,scatter,scatterv
measure 0 'and 0 failures' -c $rooted,barrier --comm-sizes 3,4 --msg-sizes 1000 --root 0,3 --exhaustive -o run
cells=$(awk -F, -v OFS=, '{gsub(/"[^"]*"/, "x")} $13 == "commit" && ($2 == "scatter" || $2 == "barrier") \
    {print $2, $6, $7}' run/samples.csv | sort | paste -s -d ' ')
[ "$cells" = 'barrier,3, barrier,4, scatter,3, scatter,4, scatter,4,3' ] ||
    { echo "FAILED: cells are $cells"; failed=1; }
roots=$(awk -F, '{gsub(/"[^"]*"/, "x")} $2 == "reduce" && $6 == 4 && $13 == "ok" {print $7}' run/samples.csv |
    sort -u | paste -s -d ' ')
[ "$roots" = '0 3' ] || { echo "FAILED: roots are $roots"; failed=1; }
grep -q ' root="0,3"' run/run.xml || { echo 'FAILED: run.xml'; failed=1; }
measure 0 '0 samples' --resume -o run
measure 2 "was begun with root '0,3', not ''" --resume --root 0 -o run

# Wrong lists.
measure 2 'rank 4 is in no communicator: expected at most 3' -c bcast --comm-sizes 3,4 --root 0,4 -o none
measure 2 'communicators of 3 ranks have none of the roots' -c bcast --comm-sizes 3,4 --root 3 -o none
measure 2 'none of the collectives has a root' -c barrier,allreduce --root 1 -o none
measure 2 '--root: ' -c bcast --root 1,x -o none
measure 2 'a guided sweep has one root' -c bcast --root 0,1 --comm-sizes 4 --guided -o none

# Decisions test the root where times depend on it: here binomial is best for root 0, chain for 3.
awk -F, -v OFS=, '
    $2 == "bcast" && $13 == "ok" { $12 = $3 == ($7 == 0 ? "binomial" : "native") ? "1e-6" : "1e-3" }
    { print }' run/samples.csv >samples && mv samples run/samples.csv
expect 0 '' learn run -c bcast -l penalty --features comm_size,root -o table.xml
grep -q '<split feature="root" at-most="' table.xml ||
    { echo 'FAILED: the tree does not test the root'; failed=1; }
expect 0 '' generate table.xml --format c -o table.c
grep -q 'root' table.c || { echo 'FAILED: the function lacks the root'; failed=1; }
expect 1 'tests root, which communicator and message size do not determine' generate table.xml --format ompi \
    -o table.ompi
expect 2 'has calls with root 3' supplement run "$model" -o none
expect 0 'root 3' map run -c bcast
output=$("$colltune" map run -c bcast --format csv | awk -F, 'NR > 1 && $NF == 3' | wc -l)
[ "$output" -gt 0 ] || { echo 'FAILED: the map has no root'; failed=1; }
exit $failed
