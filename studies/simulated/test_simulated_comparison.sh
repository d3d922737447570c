#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_simulated_comparison.sh [COLLTUNE]: the tables from samples that are made up; with COLLTUNE, a small
# comparison from end to end.
here=$(dirname "$(realpath "$0")")
colltune=${1:+$(realpath "$1")}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

fail()
{
    echo "FAILED: $*"
    failed=1
}

expect()
{
    grep -qE "$1" tables.md || fail "expected $1 in: $(cat tables.md)"
}

# Two sizes: 4 and 1 times as slow make 2 in the mean; the best is 0.99, which is not lost, and 0.5. Runs
# of others are passed over.
cat >samples <<'END'
ours,flat,4,bcast,8,chain:radix=2;seg=8K,2e-6,ok
ours,flat,4,bcast,8,linear:radix=3,1e-6,ok
ours,flat,4,bcast,8,linear,1e-6,ok
ours,flat,4,bcast,1048576,linear,1e-2,ok
ours,flat,4,bcast,1048576,chain:seg=8K;radix=2,4e-3,ok
ours,flat,4,bcast,1048576,pipeline,,wrong
charged,flat,4,bcast,8,linear,1e-6,ok
charged,flat,4,bcast,1048576,linear,16e-3,ok
native,flat,4,bcast,8,coll-selector=red,4e-6,ok
native,flat,4,bcast,1048576,coll-selector=red,4e-3,ok
native,flat,4,bcast,8,bcast=tree,0.99e-6,ok
native,flat,4,bcast,1048576,coll-selector=green,2e-3,ok
native,flat,4,bcast,1048576,bcast=tree,2e-3,ok
native,flat,4,bcast,1048576,bcast=bush,,crashed
native,flat,8,bcast,8,bcast=tree,1e-9,ok
native,hilly,4,bcast,8,bcast=tree,1e-9,ok
END
tables()
{
    awk -v points=points.csv -v platforms=flat -v ranks="$1" -v collectives=bcast -v selectors=red,blue \
        -f "$here/simulated_comparison.awk" samples >tables.md
}
tables 4 || fail "the tables"
expect '^\| flat +\| bcast +\| +4 \| +2\.00 \| +- \| +0\.70 \| +2\.00 \|$'
expect '^\| all +\| +\| +\| +2\.00 \| +- \| +0\.70 \| +2\.00 \|$'
expect 'at 1 of 2 points'
expect '^\| flat +\| bcast +\| tree +\| chain:seg=8K,radix=2 +\| +4 \| +1M \| +2000\.0 \| +4000\.0 \| +0\.50'
expect '^\| bcast +\| bush +\| crashed +\| 4 +\| +1 \|$'
expect '^\| bcast +\| pipeline +\| wrong +\| 4 +\| +1 \|$'
grep -qx 'flat,4,bcast,8,"linear",1e-6,1e-6,4e-6,,tree,0.99e-6' points.csv || fail "$(cat points.csv)"
[ "$(wc -l <points.csv)" = 3 ] || fail "$(cat points.csv)"
awk '!/^\|/ { width = 0 } /^\|/ { bad = bad || (width && length($0) != width); width = length($0) }
     END { exit bad }' tables.md || fail "not aligned: $(cat tables.md)"
tables 16 2>/dev/null && fail "no samples, no tables"

if [ -n "$colltune" ]; then
    XDG_CACHE_HOME=$folder/cache
    export XDG_CACHE_HOME
    printf 'first\n## Tables\nold\n' >page.md
    PAGE=page.md "$here/simulated_comparison" "$colltune" work gigabit 4 bcast,gather >tables.md 2>log ||
        fail "$(cat log)"
    expect '^\| gigabit +\| bcast +\| +4 \|'
    expect '^\| gigabit +\| gather +\| +4 \|'
    [ "$(wc -l <work/comparison.csv)" = 8 ] || fail "4 and 3 points: $(cat work/comparison.csv)"
    grep -q flattree work/samples.csv || fail "the simulator's algorithms are not all measured"
    { printf 'first\n## Tables\n\n' && cat tables.md; } | cmp - page.md || fail "the page: $(cat page.md)"

    # Begun again, only what is missing is measured.
    rm -r work/native/gigabit.bcast.4.coll-selector=ompi
    touch mark
    "$here/simulated_comparison" "$colltune" work gigabit 4 bcast,gather 2>log | cmp - tables.md ||
        fail "begun again: $(cat log)"
    [ "$(find work/native -name run.xml -newer mark | wc -l)" = 1 ] || fail "what was there is measured again"
    flock work/lock "$here/simulated_comparison" "$colltune" work gigabit 4 bcast >/dev/null 2>log
    grep -q 'another comparison' log || fail "two at a time: $(cat log)"
fi
exit $failed
