#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_octree.sh COLLTUNE: a run whose best methods depend on the nodes: what the third key of a quadtree is
# for; and what `learn` refuses.
set -euo pipefail

colltune=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAILED: $*"
    exit 1
}

# Ranks on one node want linear up to 1K, those on more chain; binomial is never the best.
awk 'BEGIN {
    print "method,nodes,ranks,bytes,us"
    for (ranks = 4; ranks <= 16; ranks *= 2)
        for (nodes = 1; nodes <= 4; nodes *= 4)
            for (bytes = 64; bytes <= 65536; bytes *= 4) {
                print "linear," nodes "," ranks "," bytes "," (nodes == 1 && bytes <= 1024 ? 1 : 4)
                print "chain," nodes "," ranks "," bytes "," (nodes > 1 || bytes > 1024 ? 2 : 3)
                print "binomial," nodes "," ranks "," bytes "," 5
            }
}' >times.csv
"$colltune" import csv times.csv -o run --collective bcast \
    --map 'method=method,nodes=nodes,comm_size=ranks,msg_bytes=bytes,seconds=us*us' \
    --methods linear=linear,chain=chain,binomial=binomial >log 2>&1 || fail "$(cat log)"

# learned NAME OPTION...: the table and its tests.
learned() {
    "$colltune" learn run -o "$1.xml" "${@:2}" 2>"$1.log" || fail "learn ${*:2}: $(cat "$1.log")"
    "$colltune" generate "$1.xml" --format table -o "$1.table"
    grep -v -e '^#' -e '^colltune-table' -e '^collective' "$1.table" >"$1.tests"
}

learned flat --learner quadtree
grep -q 'mean slowdown 0.00' flat.log && fail "a quadtree cannot tell nodes apart: $(cat flat.log)"
learned octree --learner quadtree --third nodes
grep -q 'mean slowdown 0.00' octree.log || fail "an octree can: $(cat octree.log)"
diff - octree.tests <<'END' || fail "the octree's tests"
msg_bytes <= 1K
  nodes <= 1
    linear
    chain
  chain
END
grep -q 'options="third=nodes"' octree.xml || fail "the table does not say how it was learned"
learned ppn --learner quadtree --third ppn
grep -q 'mean slowdown 0.00' ppn.log || fail "ranks on a node tell it, too: $(cat ppn.log)"

# refused TEXT OPTION...: with this in one line, and no file.
refused() {
    if "$colltune" learn run -o refused.xml "${@:2}" 2>refused.log; then
        fail "${*:2} is taken"
    fi
    grep -q -- "$1" refused.log || fail "${*:2}: $(cat refused.log)"
    [ ! -e refused.xml ] || fail "${*:2} leaves a file"
}
refused "expected none, nodes or ppn" --learner quadtree --third comm_size
refused "expected the learner quadtree" --learner run_lengths --third nodes
refused "expected the learner quadtree" --learner run_lengths --no-merge
