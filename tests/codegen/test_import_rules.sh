#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Open MPI's rules as tables: test_import_rules.sh COLLTUNE RUNS, the folder of the shipped runs.
colltune=$(realpath "$1")
runs=$(realpath "$2")
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../expect.sh"
cd "$folder" || exit 1

# What a table for Open MPI says is what its rules say when they come back, but for fallbacks, which are
# native, and beyond 100 ranks, where rules are coarser.
list()
{
    "$colltune" show "$1" | sed -n '/^ranks/,$p' | sed 's/, fallback.*//; /^#/d' |
        awk '$1 + 0 > 99 {exit} {print}'
}
for form in ompi ompi-json; do
    for run in ethernet100-bcast fattree-allgather; do
        name=$form-$run
        expect 0 '' learn "$runs/$run" -o "$name.xml" --for $form -l penalty
        expect 0 '' generate "$name.xml" --format $form -o "$name.rules"
        expect 0 '' import-rules "$name.rules" -o "$name-back.xml"
        list "$name.xml" >wanted
        list "$name-back.xml" | diff - wanted || { echo "FAILED: $name"; failed=1; }
        [ "$(wc -l <wanted)" -gt 5 ] || { echo "FAILED: $name says nothing"; failed=1; }
    done
done

# By hand: two rules of bcast, the second with a segment; 1 of allgather goes by the bytes of all ranks.
printf '2\n7\n1\n8\n2\n0 1 0 0\n8192 3 0 4096 # a remark\n0\n1\n2\n2\n0 2 0 0\n4096 4 0 0\n' >hand
expect 0 'allgather: ' import-rules hand -o hand.xml
expect 0 'pipeline:seg=4K' show hand.xml -c bcast
expect 0 'up to 8191' show hand.xml -c bcast
grep -q 'name="total_bytes"\|feature="total_bytes"' hand.xml || { echo 'FAILED: total_bytes'; failed=1; }
expect 0 'mean slowdown' import-rules hand -o scored.xml --run "$runs/ethernet100-bcast"
[ "$(grep -c '<tree ' scored.xml)" = 1 ] || { echo 'FAILED: expected the tree of bcast alone'; failed=1; }
expect 0 'bcast' score hand.xml "$runs/ethernet100-bcast"
# Algorithms that are none of ours, and what is left to Open MPI, are native.
printf '1\n3\n1\n2\n1\n0 0 0 0\n' >own
printf '1\n0\n1\n2\n2\n0 6 0 0\n64 1 0 0\n' >two_procs
expect 0 '1 rule of algorithms' import-rules two_procs -o two.xml
expect 0 native show two.xml

# What is refused, with the line.
flaw() # WORDS SED-COMMAND
{
    sed "$2" hand >flawed
    expect 2 "$1" import-rules flawed -o flawed.xml
    [ ! -e flawed.xml ] || failed=1
}
flaw 'flawed:6: Open MPI 4.1 has no algorithm 99' 's/^0 1 0 0/0 99 0 0/'
flaw 'flawed:6: the first message size is 5' 's/^0 1 0 0/5 1 0 0/'
flaw 'has no rules in Open MPI' 's/^7$/99/'
flaw 'expected a' '$d'
expect 2 'has rules of none' import-rules hand -o none.xml --run "$runs/ethernet100-reduce"
expect 1 'nowhere' import-rules nowhere -o none.xml
expect 2 'exists already' import-rules hand -o hand.xml
exit $failed
