#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_manual_pages.sh COLLTUNE TOP: the manual page of each command has each option of its help, with its
# text.
set -euo pipefail

colltune=$(realpath "$1") top=$(realpath "$2")
failed=0 checked=0
complain() {
    echo "FAILED: $*" >&2
    failed=1
}

commands=$("$colltune" --help | sed -n 's/^  \([a-z0-9-]*\)  *.*/\1/p' | grep -v '^colltune$')
for command in $commands; do
    page=$("$top/packaging/command_man" "$colltune" /pages "$command")
    # each option on a line, then its text on one line: NAME|TEXT
    options=$(awk '/^\.B / { name = substr($0, 4); getline; print name "|" $0 }' <<<"$page" | sed 's/\\//g')
    # long lines, so that the beginning of a text stands behind its option
    help=$(ARGP_HELP_FMT=no-dup-args-note,rmargin=30000,opt-doc-col=60 "$colltune" "$command" --help |
        grep -E '^ +-.*[^ ]  +[^ ]' | grep -vE -- '-\?, --help|--usage ')
    while read -r line; do
        name=${line%%  *}
        text=${line#"$name"}
        text=${text#"${text%%[! ]*}"}
        checked=$((checked + 1))
        grep -qF -- "$name|${text:0:30}" <<<"$options" || complain "$command: $name is not followed by: $text"
    done <<<"$help"
done
[ $checked -ge 200 ] || complain "only $checked options were compared"
exit $failed
