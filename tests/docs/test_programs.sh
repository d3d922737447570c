#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_programs.sh COLLTUNE PAGE...: the C program of each page, built and run by the commands that the page
# has, prints what the page says. In a block "output" a line is a regular expression.
set -uo pipefail
colltune=$(realpath "$1")
shift
mapfile -t pages < <(realpath -e "$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$colltune" "$work/bin/colltune"
export PATH=$work/bin:$PATH
failures=0

# fenced PAGE LANGUAGE: the text of the blocks in that language.
fenced() {
    awk -v open="\`\`\`$2" '$0 == open { inside = 1; next } /^```/ { inside = 0 } inside' "$1"
}

# commands PAGE: those before the first output.
commands() {
    awk '/^```output/ { exit } /^```/ { inside = !inside } !inside && /^    / { print substr($0, 5) }' "$1"
}

# lacking EXPECTED OUTPUT: the lines of EXPECTED that OUTPUT does not have.
lacking() {
    while IFS= read -r line; do
        grep -qx -- "$line" "$2" || printf '%s\n' "$line"
    done <"$1"
}

for page in "${pages[@]}"; do
    name=$(basename "$page" .md)
    mkdir "$work/$name"
    cd "$work/$name" || exit 1
    commands "$page" >commands
    source=$(grep -om 1 '[a-z_]*\.c\b' commands) || source=none.c
    fenced "$page" c >"$source"
    fenced "$page" output >expected
    if ! [ -s "$source" ] || ! [ -s expected ]; then
        echo "FAILED: $page has no program, or no output"
        failures=$((failures + 1))
        continue
    fi
    timeout 300 bash -euo pipefail commands >output 2>log </dev/null || {
        echo "FAILED: $page: $(tail -n 5 log)"
        failures=$((failures + 1))
        continue
    }
    missing=$(lacking expected output)
    [ -z "$missing" ] || {
        echo "FAILED: $page: expected '$missing', not: $(<output)"
        failures=$((failures + 1))
    }
    # The comparison must be able to see a difference.
    sed 's/ [a-z]/ x&/' expected >other
    [ -n "$(lacking other output)" ] || failures=$((failures + 1))
done
[ "$failures" -eq 0 ]
