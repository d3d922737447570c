#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_without.sh COLLTUNE RUN: --without leaves communicator sizes out of map, learn and score; the table
# says so; a size that the run does not have is refused. A size that contradicts its neighbours is named.
set -uo pipefail

colltune=$(realpath "$1") run=$(realpath "$2") failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

complain() {
    echo "$*" >&2
    failed=1
}

"$colltune" map "$run" --without 2,5 --format csv >some.csv 2>said || complain "map: $(cat said)"
"$colltune" map "$run" --format csv >all.csv 2>said || complain "map: $(cat said)"
[ ! -s said ] || complain "map warns of a simulated run: $(cat said)"
cut -d, -f1-12 all.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "comm_size") at = i; next }
    { print $at }' | sort -un >sizes
cut -d, -f1-12 some.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "comm_size") at = i; next }
    { print $at }' | sort -un >left
cmp -s <(grep -vxE '2|5' sizes) left || complain "map: sizes are $(tr '\n' ' ' <left)"

"$colltune" learn "$run" -o table.xml --learner quadtree --without 5 2>said || complain "learn: $(cat said)"
grep -q 'without.comm-sizes' table.xml || complain "the table does not say what was left out"
"$colltune" score table.xml "$run" --without 5 >/dev/null 2>said || complain "score: $(cat said)"
for command in "map $run" "learn $run -o none.xml" "score table.xml $run"; do
    # shellcheck disable=SC2086 # words of a command
    "$colltune" $command --without 999 >/dev/null 2>said && complain "$command: accepts 999"
    grep -q '999' said || complain "$command: said: $(cat said)"
done

# All times of one size a twentieth: a copy of the run, whose CSV has seconds.
cp -r "$run" odd
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
    $at["comm_size"] == 9 && $at["seconds"] != "" { $at["seconds"] = sprintf("%.17g", $at["seconds"] / 20) }
    { print }' "$run/samples.csv" >odd/samples.csv
"$colltune" map odd >/dev/null 2>said || complain "map: $(cat said)"
grep -qE ' 9 ranks: .* times faster than at the sizes around it.*--without 9$' said ||
    complain "map does not name the size: $(cat said)"
"$colltune" learn odd -o odd.xml --learner quadtree 2>said || complain "learn: $(cat said)"
grep -q -- '--without 9$' said || complain "learn does not name the size: $(cat said)"

[ "$failed" -eq 0 ]
