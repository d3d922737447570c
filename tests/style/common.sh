# SPDX-License-Identifier: BSD-3-Clause
# What the checks share; sourced after `set -euo pipefail`. The tree to check is the first argument.
# shellcheck shell=bash

root=${1:?expected the folder of the sources}
cd "$root" || exit
found=0

# complain PLACE WHAT: one line a flaw.
complain() {
    echo "$1: $2"
    found=$((found + 1))
}

# All files of the project, one a line: what git knows or would add; in an unpacked archive all but builds.
project_files() {
    if [ "$(git rev-parse --show-toplevel 2>/dev/null || true)" = "$(pwd -P)" ]; then
        git ls-files --cached --others --exclude-standard | sort -u | while IFS= read -r file; do
            if [ -f "$file" ]; then
                printf '%s\n' "$file"
            fi
        done
    else
        find . -path './build*' -prune -o -path ./.git -prune -o -type f -print | sed 's|^\./||' | sort
    fi
}

# includes FILE...: lines "FILE LINE FORM NAME", FORM being < or ".
includes() {
    [ $# -gt 0 ] || return 0
    awk '/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
        form = index($0, "<") && (!index($0, "\"") || index($0, "<") < index($0, "\"")) ? "<" : "\""
        name = $0
        sub(/^[^<"]*[<"]/, "", name)
        sub(/[>"].*$/, "", name)
        print FILENAME, FNR, form, name
    }' "$@"
}

# Ends the check.
conclude() {
    if [ "$found" -gt 0 ]; then
        echo "$found found"
        exit 1
    fi
}
