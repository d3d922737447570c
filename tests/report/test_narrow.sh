#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_narrow.sh COLLTUNE TOP: in a window of 800 px no table of a report has columns out of sight, and the
# report prints on at most 20 pages; a page without its rules for narrow windows is noticed. Needs Chromium.
set -uo pipefail

colltune=$(realpath "$1") top=$(realpath "$2")
command -v chromium >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}

browse() {
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" \
        --window-size=800,1000 "$@" 2>/dev/null
}

# hidden FILE: tables with columns out of sight; the page's script marks them.
hidden() {
    browse --dump-dom "file://$work/$1" >dom
    grep -q '</html>' dom || complain "$1 was not opened: $(head -n 3 dom)"
    grep -c 'class="table wide"' dom
}

"$colltune" report "$top/runs/ethernet100-bcast" "$top/decision-tables/ethernet100-bcast.xml" -o report \
    >/dev/null || complain 'report'
[ "$(hidden report/index.html)" = 0 ] || complain 'columns are out of sight'

sed 's/(max-width: [0-9]*rem)/(max-width: 1rem)/; s/^table {/& letter-spacing: 1rem;/' report/index.html \
    >wide.html
[ "$(hidden wide.html)" != 0 ] || complain 'a page whose tables are too wide is not noticed'

browse --print-to-pdf="$work/report.pdf" "file://$work/report/index.html"
pages=$(grep -ac '/Type */Page\b' report.pdf)
{ [ "$pages" -ge 1 ] && [ "$pages" -le 20 ]; } || complain "$pages pages"
exit $failed
