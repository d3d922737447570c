#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_wrong_values.sh COLLTUNE TOP: every option of every command that takes a value, as --help lists them,
# refuses a wrong one with one line that names the option, and exit code 2.
set -uo pipefail

# shellcheck disable=SC2034 # bad_input.sh reads them
colltune=$(realpath "$1") top=$(realpath "$2")
# shellcheck source=bad_input.sh disable=SC1091
. "$top/tests/cli/bad_input.sh"

# What each command needs besides.
declare -A words_of=(
    [list]='' [explain]='bcast/linear --comm-size 4' [verify]='' [measure]='-o out'
    [import]="csv ../times.csv -o out -c bcast --map $map" [fit]='-o out' [predict]='../model.xml -o out'
    [supplement]='../run ../model.xml -o out' [map]='../run' [learn]='../run -o out'
    [score]='../table.xml ../run' [compare]='../run ../run' [show]='../table.xml'
    [generate]='../table.xml --format c -o out' [build]='../table.xml -o out'
    [validate]='../prefix' [report]='../run -o out' [tune]='-o out' [try]='../prefix true' [doctor]=''
    [profile]='true' [c45]='-f ../cases' [export-c45]='../run -o out'
    [import-c45]='../report --stem ../cases --run ../run -o out'
    [import-rules]='../table.xml -o out'
)

commands=$("$colltune" --help | sed -n 's/^  \([a-z][a-z0-9-]*\)  *.*/\1/p' | grep -v '^colltune$')
for command in $commands; do
    [ -n "${words_of[$command]+given}" ] || complain "$command: this test does not know what it needs"
    IFS=' ' read -ra words <<<"${words_of[$command]}"
    while read -r option; do
        refuses 2 "$option" "$command" "${words[@]}" "$option="
        # A text can be any other word; nothing else can be this.
        [[ $(<said) == *'expected at least one character'* ]] ||
            refuses 2 "$option" "$command" "${words[@]}" "$option=no such thing"
    done < <("$colltune" "$command" --help |
        grep -oE '^ {2,6}(-[a-zA-Z], +)?--[a-z0-9-]+\[?=' | grep -oE -- '--[a-z0-9-]+')
done

# Lists of sizes: the line says what is wrong with them, also where they are long.
refuses 2 "--msg-sizes: '1-4M+2' in the list '8,1-4M+2' is not a size" measure -o out --msg-sizes 8,1-4M+2
refuses 1 "--msg-sizes: '8-4M' in the list '8-4M' is more than 1000000 sizes: expected a step or a factor" \
    measure -o out --msg-sizes 8-4M
[ "$checked" -ge 200 ] || complain "only $checked values were tried"
[ "$failed" -eq 0 ]
