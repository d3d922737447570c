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
        awk '$1 + 0 > 99 {exit} {print}' | join_equal
}
# Joins lines of the same ranks that differ by their fallbacks alone.
join_equal()
{
    awk '/^ / && $NF == method { line = substr(line, 1, 16) substr($0, 17); next }
         NR > 1 { print line }
         { line = $0; method = $NF }
         END { print line }'
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
# MPICH's selections: a small file of all collectives, and what we wrote into such a file for it.
{
    printf '{\n'
    for collective in barrier bcast scatter scatterv gather gatherv allgather allgatherv alltoall \
        alltoallv alltoallw reduce reduce_scatter_block reduce_scatter allreduce scan exscan; do
        printf ' "collective=%s": {"algorithm=MPIR_X_intra_recursive_doubling": {}},\n' $collective
    done | sed '/=bcast/s/{"al.*/{"comm_size<4": {"algorithm=MPIR_Bcast_intra_binomial": {}},\
        "comm_size=any": {"avg_msg_size<=100": {"algorithm=MPIR_Bcast_intra_binomial": {}},\
        "avg_msg_size=any": {\
        "algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}}},/; $s/,$/\n}/'
} >selections.json
expect 0 '11 rules of algorithms' import-rules selections.json -o selections.xml
expect 0 'up to 100' show selections.xml -c bcast
expect 0 'bcast: 3 leaves' import-rules selections.json -o scored-mpich.xml --run "$runs/ethernet100-bcast"
sed 's/"comm_size=any"/"comm_size=odd"/' selections.json >flawed.json
expect 2 'unknown test "comm_size=odd"' import-rules flawed.json -o none.xml
printf '\177ELF' >library.so
expect 2 'no selections in this library' import-rules library.so -o none.xml

# What Open MPI decides by itself is shipped, and can be seen as a map.
shipped=$runs/../decision-tables/openmpi-4.1.4.xml
expect 0 'chain:radix=1' map "$runs/ethernet100-bcast" --table "$shipped"
expect 0 'allgather ' score "$shipped" "$runs/fattree-allgather"
expect 2 'cannot be combined' map "$runs/ethernet100-bcast" --table "$shipped" --format csv
expect 0 '' import-rules selections.json -o of-allgather.xml --run "$runs/fattree-allgather"
expect 2 'has no tree of bcast' map "$runs/ethernet100-bcast" --table of-allgather.xml -c bcast
"$colltune" show "$shipped" -c alltoallv | awk '/^ranks/,0' >shown
grep -q '^4 to 63  *linear' shown && grep -q '^1024 and more  *linear' shown || failed=1

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
echo hello >words
for file in words /dev/null hand.xml; do
    expect 2 "$file: no file of rules: expected Open MPI's dynamic rules" import-rules $file -o none.xml
done
expect 2 'exists already' import-rules hand -o hand.xml
exit $failed
