#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_show.sh COLLTUNE TOP: `colltune show` says of every call what the table decides.
set -uo pipefail

colltune=$(realpath "$1") top=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

complain() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# A table that tests nodes, ranks per node and the sizes.
awk '/<split|<leaf|<\/split/ { next } /<\/tree>/ {
    print "<split feature=\"nodes\" at-most=\"1\"><split feature=\"msg_bytes\" at-most=\"1000\">"
    print "<leaf method=\"linear\"/><leaf method=\"pipeline\"/></split>"
    print "<split feature=\"comm_size\" at-most=\"8\"><split feature=\"nodes\" at-most=\"4\">"
    print "<leaf method=\"binary\"/><leaf method=\"split_binary:seg=8K\"/></split>"
    print "<split feature=\"ppn\" at-most=\"2\"><split feature=\"msg_bytes\" at-most=\"4096\">"
    print "<leaf method=\"binomial\"/><leaf method=\"native\"/></split>"
    print "<leaf method=\"chain:seg=8K,radix=2\"/></split></split></split>"
} { print }' "$top/decision-tables/ethernet100-bcast-depth3.xml" >nodes.xml
"$colltune" show nodes.xml >printed 2>said || complain "nodes.xml: $(cat said)"
for words in 'bcast, nodes up to 1' 'bcast, nodes 2 to 4, ppn up to 2' \
    'bcast, nodes 5 and more, ppn 3 and more' 'run ethernet100-bcast: simulated, smpi SimGrid 3.32' \
    'from run ethernet100-bcast; mean slowdown there 1.73 %'; do
    grep -qF "$words" printed || complain "no '$words' in $(cat printed)"
done

# agree TABLE OPTION...: the ranges of the CSV hold each call in one line, with the method that the tree
# decides, as `compare` evaluates it call by call. Ranks do not yield there.
agree() {
    local table=$1
    shift
    "$colltune" compare "$table" "$table" --format csv --comm-sizes "$sizes" --msg-sizes \
        0,1,8,999-1001,4K,4097,5791-5794,8K,1M "$@" >calls 2>said || complain "$table: $(cat said)"
    "$colltune" show "$table" --format csv >ranges 2>said || complain "$table: $(cat said)"
    # methods with commas are quoted: without the quotes, and with blanks
    sed -i ':again; s/\("[^",]*\),\([^"]*"\)/\1 \2/; t again; s/"//g' calls ranges
    awk -F, '
        FNR == 1 { file++; next }
        file == 1 { range[++ranges] = $0; next }
        {
            values[2] = $4; values[4] = $5; values[6] = $2; values[8] = $3; found = 0
            for (i = 1; i <= ranges; i++) {
                split(range[i], r, ",")
                holds = r[1] == $1 && r[10] == 0 && r[14] == 0
                for (k in values)
                    holds = holds && values[k] + 0 >= r[k] + 0 &&
                        (r[k + 1] == "" || values[k] + 0 <= r[k + 1] + 0)
                if (!holds)
                    continue
                found++
                if (r[18] != $8 && r[19] != $8)
                    found = -1000
            }
            if (found != 1) { print "a call in " found " ranges: " $0; exit 1 }
            calls++
        }
        END { if (calls < 100) { print calls " calls"; exit 1 } }' ranges calls >why ||
        complain "$table: $(cat why)"
}
for table in "$top"/decision-tables/*.xml nodes.xml; do
    # the shipped rules of Open MPI test sizes of all ranks, whose ranges are coarser beyond 128 ranks
    sizes=1-130/3,128
    [ "${table##*/}" != openmpi-4.1.4.xml ] || sizes=1-127/3,128
    agree "$table"
done
agree nodes.xml --ppn 1
agree nodes.xml --ppn 2
agree nodes.xml --ppn 4

# The lists are those that generate writes.
table=$top/decision-tables/default.xml
"$colltune" generate "$table" --format text -o generated || complain 'generate'
"$colltune" show "$table" | sed '1,/^$/d' | diff - <(sed '/^#/d' generated | tail -n +2) >why ||
    complain "generate and show differ: $(head -5 why)"
"$colltune" show "$table" -c bcast | grep -q '^barrier' && complain 'a collective that was not asked for'

code=0
said=$("$colltune" show nodes.xml -c barrier 2>&1) || code=$?
[ "$code $said" = '2 colltune show: nodes.xml: does not decide barrier' ] || complain "$code $said"
[ $failed -eq 0 ]
