#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_options.sh COLLTUNE TOP WHAT: every command and long option that a page names beside `colltune` exists,
# and if WHAT is tests, every test and suite beside `meson test`. test_commands.sh executes commands, but not
# those of all pages: studies take hours.
set -euo pipefail
colltune=$(realpath "$1") top=$2 what=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top"

"$colltune" help | sed -nE '/^Commands:/,/^$/s/^  ([a-z][a-z0-9-]*) .*/\1/p' >"$work/commands"
while read -r command; do
    "$colltune" "$command" --help | grep -oE -- '--[a-z][a-z0-9-]*' | sed "s/^/$command /"
done <"$work/commands" >"$work/options"

# check PAGE...: prints what does not exist. Commands go on over a backslash at the end of a line. Words
# behind `--` are another command.
check() {
    awk 'FILENAME == ARGV[1] { commands[$1]; options[$1, $2]; next }
        FNR == 1 { line = "" }
        {
            line = line $0
            if (sub(/\\$/, "", line))
                next
            for (; match(line, /colltune [a-z][a-z0-9-]* [^`|;]*/); line = rest) {
                rest = substr(line, RSTART + RLENGTH)
                call = substr(line, RSTART, RLENGTH)
                sub(/ -- .*/, "", call)
                count = split(call, words, " ")
                for (i = 3; words[2] in commands && i <= count; i++)
                    if (match(words[i], /^--[a-z][a-z0-9-]*/) &&
                        !((words[2], option = substr(words[i], 1, RLENGTH)) in options))
                        print FILENAME ": colltune " words[2] " has no " option
            }
            line = ""
        }' "$work/options" "$@"
}

# The check can fail.
printf 'try `colltune predict MODEL.xml \\\n   --second 1` now\n' >"$work/page"
[ "$(check "$work/page")" = "$work/page: colltune predict has no --second" ]

# --- tests ---

info=$(dirname "$(dirname "$colltune")")/meson-info
jsons=("$info/intro-tests.json" "$info/intro-benchmarks.json")
grep -ohE '"name": "[^"]*"' "${jsons[@]}" | cut -d '"' -f 4 >"$work/tests"
grep -ohE '"suite": \["[^]]*\]' "${jsons[@]}" | grep -oE '"[^"]*"' | tr -d '"' | sed 's/.*://' >"$work/suites"

# check_tests PAGE...: commands stand in a line of their own, or between backquotes.
check_tests() {
    local page words word list
    for page in $(grep -l 'meson test' "$@"); do
        while read -r words; do
            list=tests
            while read -r word; do
                case $word in
                -C | build* | --benchmark | --verbose | --list | -t | [0-9]* | '#'*) continue ;;
                --suite) list=suites && continue ;;
                esac
                grep -qxF -- "$word" "$work/$list" || echo "$page: meson has no ${list%s} '$word'"
                list=tests
            done < <(xargs -n 1 <<<"$words")
        done < <(
            sed -n 's/^    meson test //p' "$page"
            tr '\n' ' ' <"$page" | sed 's/`meson test [^`]*`/\n&\n/g' |
                sed -n 's/^`meson test \(.*\)`$/\1/p'
        )
    done
}

{
    echo '    meson test -C build --suite unit help'
    printf '`meson test\n-C build --suite none`, `meson test %s`\n' "'no such test'"
} >"$work/page"
check_tests "$work/page" | sed 's/.*meson has no //' >"$work/found"
[ "$(<"$work/found")" = "suite 'none'"$'\n'"test 'no such test'" ]

mapfile -t pages < <(find . -name '*.md' -not -path './build*' -not -path './.git/*')
[ "${#pages[@]}" -gt 40 ]
{
    check "${pages[@]}"
    [ "$what" != tests ] || check_tests "${pages[@]}"
} | tee "$work/found"
[ ! -s "$work/found" ]
