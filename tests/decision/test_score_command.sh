#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_score_command.sh COLLTUNE RUN: what `colltune score` prints of a table, and of trees learned without
# parts of a run of broadcasts; and what it refuses.
set -euo pipefail

colltune=$1 run=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*"
    exit 1
}

# Columns stay where they were: new ones come behind them.
header=collective,choice,method,cells,unmeasured,min,mean,median,geometric_mean,p95,max,within_5_percent
header+=,leaves,depth,speedup_cells,speedup_geometric_mean,speedup_min,speedup_max,speedup_mean,speedup_median
header+=,speedup_p95,speedup_within_5_percent,mean_low,mean_high,left_out,parts,best,depth_min,depth_mean,mode

# score ARGUMENTS...: as CSV, three lines of as many columns as the header has.
score() {
    "$colltune" score "$@" --format csv >"$work/csv" 2>"$work/errors" ||
        fail "score $*: $(cat "$work/errors")"
    [ "$(head -n 1 "$work/csv")" = "$header" ] || fail "the header is $(head -n 1 "$work/csv")"
    awk -F, 'NF != 30 { exit 1 } END { exit NR != 4 }' "$work/csv" || fail "score $*: $(cat "$work/csv")"
}

# field COLUMN: of the table's line.
field() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
        NR == 2 { print $column }' "$work/csv"
}

# holds EXPRESSION: does awk think so?
holds() {
    awk "BEGIN { exit !($1) }" || fail "$1 does not hold in $(cat "$work/csv")"
}

"$colltune" learn "$run" -o "$work/table.xml" --learner quadtree 2>/dev/null
"$colltune" learn "$run" -o "$work/native.xml" --exclude \
    "$(awk -F, 'NR > 1 && $NF == "ok" { print $3 }' "$run/samples.csv" | tr -d '"' | sed 's/:.*//' | sort -u |
        grep -v native | paste -s -d ,)" 2>/dev/null

score "$work/table.xml" "$run"
holds "$(field mean) == 0 && $(field leaves) > 1 && $(field speedup_geometric_mean) > 1"
holds "$(field best) == 1 && $(field depth_min) > 0 && $(field depth_mean) < $(field depth)"
holds "$(field depth_min) < $(field depth_mean)"
[ -z "$(field left_out)$(field parts)" ] || fail 'nothing was left out'
leaves=$(field leaves)

score "$work/native.xml" "$run"
holds "$(field mean) > 0 && $(field leaves) == 1 && $(field speedup_min) == 1 && $(field speedup_max) == 1"
holds "$(field best) < 1 && $(field depth_min) == 0 && $(field depth_mean) == 0"

# Where nothing can be left out, the reason is told.
"$colltune" learn "$run" -o "$work/one.xml" --without 3-28 2>/dev/null
"$colltune" score "$work/one.xml" "$run" --without 3-28 2>&1 >/dev/null |
    grep -q ': bcast is not cross-validated: expected two communicator sizes' || fail 'no reason is told'

# One cell that makes up most of the mean is named, and only such a one.
outlier='^mean slowdown without the one cell that makes up most of it: bcast [0-9]{1,3}\.[0-9]{2} %$'
"$colltune" score "$work/native.xml" "$run" --cross-validate none >"$work/out" 2>/dev/null
grep -q 'without the one cell' "$work/out" && fail "an outlier is seen: $(cat "$work/out")"
cp -r "$run" "$work/odd"
awk -F, -v OFS=, '!done && $3 == "linear" { $12 *= 1e-6; done = 1 } { print }' "$run/samples.csv" \
    >"$work/odd/samples.csv"
"$colltune" score "$work/native.xml" "$work/odd" --cross-validate none >"$work/out" 2>/dev/null
grep -Eq "$outlier" "$work/out" || fail "no outlier is seen: $(cat "$work/out")"

for parts in sizes messages; do
    score --cross-validate "$parts" "$run" --learner quadtree
    cp "$work/csv" "$work/before"
    holds "$(field mean) > 0 && $(field leaves) == $leaves && $(field parts) > 1"
    holds "$(field mean_low) < $(field mean) && $(field mean) < $(field mean_high)"
    [ "$(field left_out)" = "$parts" ] || fail "left out were $(field left_out)"
    score --cross-validate "$parts" "$run" --learner quadtree --max-depth 1
    holds "$(field leaves) < $leaves"
    score --cross-validate "$parts" "$run" --learner quadtree
    cmp -s "$work/csv" "$work/before" || fail 'the same again gives something else'
done
score --cross-validate runs "$run" "$run" --learner quadtree
holds "$(field mean) == 0 && $(field parts) == 2"
validated=$("$colltune" score --cross-validate sizes "$run" --learner penalty --verbose)
grep -q 'without each of' <<<"$validated" ||
    fail 'the text does not say it'
grep -q 'chosen in 100.0 % of the cells' <<<"$("$colltune" score "$work/table.xml" "$run" --verbose)" ||
    fail 'the text does not say how often the best method is chosen'

# On the run that it was learned from, the cross-validated figure comes first.
"$colltune" score "$work/table.xml" "$run" >"$work/text" 2>"$work/errors"
grep -q "table.xml was learned from $run;" "$work/errors" || fail "says $(cat "$work/errors")"
head -n 1 "$work/text" | grep -q '^on communicator sizes left out: 0.49 % slower' ||
    fail "begins with $(head -n 1 "$work/text")"
sed -n 2p "$work/text" | grep -q '^on the cells it was learned from: 0.00 % slower' ||
    fail 'and not with what it gave up'
[ "$(grep -c '^bcast ' "$work/text")" -eq 1 ] || fail 'the table has not one line per collective'
if "$colltune" score "$work/table.xml" "$run" --cross-validate none 2>/dev/null | grep -q 'left out'; then
    fail 'it learned again although it was not to'
fi

# A run that has changed since is named, by score, report, build, show and generate; another run is not.
cp -r "$run" "$work/changing"
"$colltune" learn "$work/changing" -o "$work/early.xml" --learner quadtree 2>/dev/null
last=$(grep -n ',commit$' "$work/changing/samples.csv" | tail -n 2 | head -n 1 | cut -d : -f 1)
head -n "$last" "$work/changing/samples.csv" >"$work/fewer"
mv "$work/fewer" "$work/changing/samples.csv"
# outdated COMMAND...: does it name the table as such? Whether it can do its work is of no interest.
outdated() {
    "$colltune" "$@" >/dev/null 2>"$work/errors" || true
    grep -q '\.xml was learned from an earlier state of .*changing: learn again' "$work/errors"
}
outdated score "$work/early.xml" "$work/changing" || fail 'score does not say it'
outdated report "$work/changing" "$work/early.xml" -o "$work/report" || fail 'report does not say it'
grep -q 'early.xml was learned from an earlier state of this run' "$work/report/index.html" ||
    fail 'the page does not say it'
outdated build "$work/early.xml" -o "$work/library" --cc /nonexistent/mpicc || fail 'build does not say it'
outdated show "$work/early.xml" || fail 'show does not say it'
outdated generate "$work/early.xml" --format c -o "$work/early.h" || fail 'generate does not say it'
if outdated score "$work/table.xml" "$work/changing"; then
    fail 'that is another run'
fi

# refused EXIT WHAT ARGUMENTS...
refused() {
    local expected=$1 what=$2 code=0
    shift 2
    "$colltune" score "$@" >/dev/null 2>"$work/errors" || code=$?
    [ "$code" -eq "$expected" ] || fail "score $*: exit $code, expected $expected"
    grep -q -e "$what" "$work/errors" || fail "score $*: said $(cat "$work/errors"), expected $what"
}

refused 1 'expected two runs or more' --cross-validate runs "$run"
cp -r "$run" "$work/elsewhere"
sed -i 's/<backend kind="simulated"/<backend kind="predicted"/' "$work/elsewhere/run.xml"
refused 2 "the backend is 'predicted', and 'simulated' in" --cross-validate runs "$run" "$work/elsewhere"
refused 2 'expected sizes, messages, runs, auto or none' --cross-validate moons "$run"
refused 2 'an argument is missing' --cross-validate sizes
refused 2 'cannot be combined' --cross-validate sizes --cross-launches "$run"
refused 2 'expected --cross-validate, too' --max-depth 2 "$work/table.xml" "$run"
refused 2 'a run is missing' "$work/table.xml"
refused 2 'one argument too many' "$work/table.xml" "$run" "$run"
refused 2 'not an option of the learner quadtree' --cross-validate sizes --learner quadtree --features even \
    "$run"
refused 2 "unknown feature 'moon'" --cross-validate sizes --feature 'x=moon' "$run"
echo all right
