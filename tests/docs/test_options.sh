#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_options.sh COLLTUNE TOP: every command and long option that a page names beside `colltune` exists. What
# pages show is executed by test_commands.sh, but not all pages are: studies take hours.
set -euo pipefail
colltune=$(realpath "$1") top=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top"

"$colltune" help | sed -nE '/^Commands:/,/^$/s/^  ([a-z][a-z0-9-]*) .*/\1/p' >"$work/commands"
while read -r command; do
    "$colltune" "$command" --help | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u >"$work/$command"
done <"$work/commands"

# check PAGE...: prints what does not exist. Commands go on over a backslash at the end of a line.
check() {
    local page line command option
    for page; do
        while read -r line; do
            read -r command line <<<"$line"
            [ -f "$work/$command" ] || continue # prose
            # What follows `--` is another command.
            for option in $(grep -oE -- '(^| )--[a-z][a-z0-9-]*' <<<"${line%% -- *}" || true); do
                grep -qxe "$option" "$work/$command" || echo "$page: colltune $command has no $option"
            done
        done < <(sed -e ':more' -e '/\\$/{N;s/\\\n *//;bmore}' "$page" |
            grep -oE 'colltune [a-z][a-z0-9-]* [^`|;]*' | sed 's/^colltune //')
    done
}

# The check can fail.
printf 'try `colltune predict MODEL.xml \\\n   --second 1` now\n' >"$work/page"
[ "$(check "$work/page")" = "$work/page: colltune predict has no --second" ]

mapfile -t pages < <(find . -name '*.md' -not -path './build*' -not -path './.git/*')
[ "${#pages[@]}" -gt 40 ]
check "${pages[@]}" | tee "$work/found"
[ ! -s "$work/found" ]
