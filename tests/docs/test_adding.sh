#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_adding.sh TOP BUILD PAGE COLLTUNE WRONG HOW: is the page on how to add an algorithm right? COLLTUNE has
# the page's algorithm, WRONG the one with the page's mistake. HOW is `verified`, for all but the measurement,
# or `measured`, for that alone.
set -euo pipefail
top=$(realpath "$1") build=$(realpath "$2") page=$(realpath "$3")
colltune=$(realpath "$4") wrong=$(realpath "$5") how=$6

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# A copy of the tree to which the page has been applied.
mkdir tree
cp -r "$top"/{algorithms,base,decision,library,measure,plan,samples} tree
"$top/tests/docs/extract_algorithm" "$page" source.c line.def wrong.c row.def
# shellcheck disable=SC2016 # the page's quotes
path=$(sed -n 's|^`\(algorithms/[a-z_/]*\.c\)`.*|\1|p' "$page")
before=$(awk '/^```registry$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$page" | head -n 1)

apply() {
    grep -qxF "$before" tree/algorithms/registry.def || fail "registry.def has no line $before"
    sed -i "s/^$before\$/&\n$(<line.def)/" tree/algorithms/registry.def
    cp source.c "tree/$path"
    # A tree that is built again has both in its core; here the registry's object comes before the archive's.
    { cat "$build/benchmark.list" && printf '%s\n' algorithms/registry.c "$path"; } >tree/benchmark.list
}

check_files() {
    lines=$(cat source.c line.def | wc -l)
    [ "$lines" -le 60 ] || fail "the algorithm has $lines lines"
    cp source.c "tree/$path"
    ! "$top/tests/style/check_registry" tree >log || fail 'a file without its line passes check_registry'
    rm "tree/$path"
    apply
    "$top/tests/style/check_registry" tree >log || fail "check_registry: $(<log)"
    mkdir alone
    cp source.c "alone/$(basename "$path")"
    cp "$top/.clang-format" alone
    "$top/tests/style/check_style" alone >log || fail "check_style: $(<log)"
}

# Words alone, and of times no figures.
plain() {
    sed -E 's/[0-9]+\.[0-9]+/#/g' "$1" | tr -s '[:space:]' '\n'
}

# check PROGRAM COMMAND: its output is what the page has.
check() {
    local words=${2#colltune }
    (
        set +o pipefail
        # shellcheck disable=SC2317 # called by eval
        tuned() { COLLTUNE_DATA=$work/tree XDG_CACHE_HOME=$work/cache "$program" "$@"; }
        program=$1
        eval "tuned $words"
    ) >output 2>&1 || true
    commands=$((commands + 1))
    cmp -s <(plain expected) <(grep -v ": getting ready: " output | plain -) && return
    fail "$2"
    diff expected output || true
}

# A page with an error must fail.
check_false_page() {
    local before=$failures page=$work/false.md
    sed 's/  verified$/  doubtful/' "$1" >"$page"
    walk >log
    if [ "$failures" -eq "$before" ]; then
        fail 'a page with a false output passes'
    else
        failures=$before
    fi
}

# Every command of the page's consoles, as far as it is our turn.
walk() {
    local program=$colltune command='' turn=verified
    : >expected
    while IFS= read -r line; do
        case $line in
        '## '*) program=$colltune ;;
        'Without `'*) program=$wrong ;;
        '```console') inside=1 ;;
        '$ '* | '```')
            [ -z "$command" ] || [ "$turn" != "$how" ] || check "$program" "$command"
            command=${line#'$ '}
            [[ $command != '```' ]] || { command='' inside=0; }
            [[ $command != 'colltune measure'* ]] || turn=measured
            : >expected
            ;;
        *) [ "$inside" -eq 0 ] || printf '%s\n' "$line" >>expected ;;
        esac
    done <"$page"
}

inside=0 commands=0
if [ "$how" = verified ]; then
    check_files
else
    apply
fi
walk
echo "$commands commands"
[ "$commands" -ge 2 ] || fail 'the page has no commands'
[ "$how" = measured ] || check_false_page "$page"
[ "$failures" -eq 0 ]
