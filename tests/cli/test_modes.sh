#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_modes.sh COLLTUNE RUN: map, learn and score say how the calls were made where not all are blocking. The
# runs are copies of a run of broadcasts; in them native is the fastest method of persistent calls.
set -uo pipefail

colltune=$(realpath "$1") run=$(realpath "$2") failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

complain() {
    echo "FAILED: $*" >&2
    failed=1
}

# copy NAME MODES: with as many launches as modes; calls that are not blocking have the columns for overlap.
# All times of 9 ranks in persistent calls are a twentieth.
copy() {
    local launches
    launches=$(tr , '\n' <<<"$2" | wc -l)
    mkdir "$1"
    sed -e "s/ launches=\"1\"/ launches=\"$launches\" mode=\"$2\"/" -e '/<sweep /d' "$run/run.xml" \
        >"$1/run.xml"
    awk -F, -v OFS=, -v list="$2" '
        NR == 1 { print $0, "completion,in_mpi,computation,hidden"; count = split(list, modes, ","); next }
        { rows[NR] = $0 }
        END {
            for (launch = 0; launch < count; launch++)
                for (i = 2; i <= NR; i++) {
                    $0 = rows[i]
                    overlaps = modes[launch + 1] != "blocking" && $NF == "ok"
                    seconds = $(NF - 1)
                    divisor = ($3 == "native" ? 1000 : 1) * ($6 == 9 ? 20 : 1)
                    if (overlaps)
                        $(NF - 1) = sprintf("%.17g", seconds / divisor)
                    $1 = launch
                    print $0, overlaps ? "1,1,1,0.5" : ",,,"
                }
        }' "$run/samples.csv" >"$1/samples.csv"
}
copy both blocking,persistent
copy persistent persistent
cp -r "$run" blocking

# says FILE WORDS...: the file has a line with them.
says() {
    local file=$1
    shift
    grep -qE -- "$*" "$file" || complain "no line with '$*' in $(head -n 30 "$file")"
}

for data in both persistent blocking; do
    "$colltune" map $data >$data.map 2>$data.warned || complain "map $data: $(cat $data.warned)"
    "$colltune" learn $data -o $data.xml --learner quadtree 2>$data.learned || complain "$(cat $data.learned)"
    "$colltune" score $data.xml $data --verbose >$data.scored 2>said || complain "score $data: $(cat said)"
    "$colltune" score $data.xml $data --format csv >$data.csv 2>said || complain "score $data: $(cat said)"
done

says both.map '^blocking calls$'
says both.map '^persistent calls$'
says persistent.map '^persistent calls$'
grep -q 'blocking calls' persistent.map blocking.map && complain 'map names modes that are not there'

says both.learned '^bcast, blocking,persistent: '
says persistent.learned '^bcast, persistent: '
says blocking.learned '^bcast: '
says both.xml '<tree .* modes="blocking,persistent"'
says persistent.xml '<tree .* modes="persistent"'
grep -q 'modes=' blocking.xml && complain 'a table of blocking calls names modes'
says both.xml '<split feature="mode" at-most="0">'

# One score for each mode: native is the best choice for persistent calls, and not for blocking ones.
says both.scored '^blocking calls, on the cells it was learned from: 0.00 % slower .*, [1-9]\.[0-9]* times'
says both.scored '^persistent calls, on the cells it was learned from: 0.00 % slower .*, 1.00 times'
says persistent.scored '^persistent calls, on communicator sizes left out: '
says both.scored '^collective +mode +cells '
says both.scored '^bcast +blocking +[0-9]+ '
says both.scored '^bcast +persistent +[0-9]+ '
says both.scored '^bcast, persistent: '
says blocking.scored '^collective +cells '
says blocking.scored '^on the cells it was learned from: '
# modes FILE: of its lines' native
modes() {
    awk -F, '$2 == "native" { print $NF, ($7 > 0) }' "$1" | paste -s -d ,
}
[ "$(modes both.csv)" = 'blocking 1,persistent 0' ] || complain "both: $(cat both.csv)"
[ "$(modes persistent.csv)" = 'persistent 0' ] || complain "persistent: $(cat persistent.csv)"
[ "$(modes blocking.csv)" = 'blocking 1' ] || complain "blocking: $(cat blocking.csv)"
# What is learned and left out has the same lines; the parts of one mode are as if it were alone.
for data in both persistent; do
    "$colltune" score --cross-validate sizes $data --learner quadtree --format csv >$data.left ||
        complain "$data"
done
[ "$(modes both.left)" = 'blocking 1,persistent 0' ] || complain "left out: $(cat both.left)"
cmp <(awk -F, '/persistent/ { print $4, $7, $8, $23, $24 }' both.left) \
    <(awk -F, '/persistent/ { print $4, $7, $8, $23, $24 }' persistent.left) ||
    complain "persistent calls depend on others: $(cat both.left persistent.left)"

# A size that contradicts its neighbours is found in each mode, and only where it does.
for data in both persistent; do
    says $data.warned 'bcast, persistent, 9 ranks: .* times faster than at the sizes around it.*--without 9$'
    says $data.learned 'bcast, persistent, 9 ranks: '
done
grep -q 'bcast, 9 ranks' both.warned && complain "blocking calls do not contradict: $(cat both.warned)"

[ "$failed" -eq 0 ]
