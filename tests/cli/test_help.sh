#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_help.sh COLLTUNE TOP: every command explains itself with an example that can be copied: no line is
# wrapped, and what it names of this tree is there.
set -uo pipefail

colltune=$(realpath "$1") top=$2
failed=0

complain() {
    echo "test_help.sh: $*" >&2
    failed=1
}

commands=$("$colltune" --help | sed -n 's/^  \([a-z0-9-]*\)  *.*/\1/p' | grep -v '^colltune$')
[ "$(wc -w <<<"$commands")" -ge 15 ] || complain "hardly a command: $commands"
for command in $commands; do
    help=$("$colltune" "$command" --help) || complain "$command: --help ends with $?"
    examples=$(sed -n '/^Example/,$p' <<<"$help" | tail -n +2)
    grep -q "^  colltune $command " <<<"$examples" || complain "$command: no example"
    while IFS= read -r line; do
        [[ -z $line || $line == '  '* ]] || complain "$command: wrapped at '$line'"
    done <<<"$examples"
    while IFS= read -r name; do
        [ -z "$name" ] || [ -e "$top/$name" ] || complain "$command: there is no $name"
    done <<<"$(grep -oE '(runs|decision-tables|models/systems)/[A-Za-z0-9_.-]+' <<<"$examples")"
done
exit $failed
