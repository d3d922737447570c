#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_help.sh COLLTUNE TOP: every command explains itself with an example that can be copied: no line is
# wrapped, and what it names of this tree is there. Misspelt names are refused with the right one.
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
    ! grep -n ' $' <<<"$help" || complain "$command: blanks at the end of a line of the help"
    ! grep -q '^Mandatory' <<<"$help" || complain "$command: argp's words on short options"
    examples=$(sed -n '/^Example/,$p' <<<"$help" | tail -n +2)
    grep -q "^  colltune $command " <<<"$examples" || complain "$command: no example"
    while IFS= read -r line; do
        [[ -z $line || $line == '  '* ]] || complain "$command: wrapped at '$line'"
    done <<<"$examples"
    while IFS= read -r name; do
        [ -z "$name" ] || [ -e "$top/$name" ] || complain "$command: there is no $name"
    done <<<"$(grep -oE '(runs|decision-tables|models/systems)/[A-Za-z0-9_.-]+' <<<"$examples")"
done

[ "$("$colltune" help learn)" = "$("$colltune" learn --help)" ] || complain 'help learn is not learn --help'
[ "$("$colltune" learn -h)" = "$("$colltune" learn --help)" ] || complain 'learn -h is not learn --help'

# Whoever asks for help has often typed a part of the command, which may be wrong.
[ "$("$colltune" measure run --help)" = "$("$colltune" measure --help)" ] || complain 'measure run --help'
[ "$("$colltune" learn -l moon --help -o 2>&1)" = "$("$colltune" learn --help)" ] ||
    complain 'learn --help -o'

# says WORDS COMMAND...: refused as wrong usage, with this line.
says() {
    local words=$1 code=0 said
    shift
    said=$("$colltune" "$@" 2>&1) || code=$?
    [ "$code $said" = "2 $words" ] || complain "colltune $*: $code $said"
}
says "colltune: unknown command 'mesure'; did you mean 'measure'? (see colltune --help)" mesure
says "colltune: unknown command 'mesure'; did you mean 'measure'? (see colltune --help)" help mesure
says "colltune: unknown command 'meas'; did you mean 'measure'? (see colltune --help)" meas
says 'colltune: unknown option --verbose; expected a command before options (see colltune --help)' --verbose
says "colltune: unknown command 'frobnicate' (see colltune --help)" frobnicate
says 'colltune learn: unknown option --max-deth; did you mean --max-depth? (see colltune learn --help)' \
    learn run -o table.xml --max-deth=3
says 'colltune learn: unknown option --frobnicate (see colltune learn --help)' learn run --frobnicate
says 'colltune learn: unknown option -q (see colltune learn --help)' learn run -q
says 'colltune learn: an argument is empty (see colltune learn --help)' learn '' -o table.xml
says 'colltune learn: unknown option -qo (see colltune learn --help)' learn run -qo table.xml
says 'colltune learn: --output: a value is missing; expected TABLE.xml (see colltune learn --help)' \
    learn run -o
says 'colltune learn: --output: a value is missing; expected TABLE.xml (see colltune learn --help)' \
    learn run --output
says 'colltune learn: --no-plans takes no value (see colltune learn --help)' learn run --no-plans=3
exit $failed
