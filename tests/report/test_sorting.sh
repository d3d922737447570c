#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_sorting.sh TOP: clicks on headings sort tables of reports by size and by time, whatever the units, and
# by name. Needs Chromium.
set -uo pipefail

top=$(realpath "$1")
command -v chromium >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# page SCRIPT: a table whose headings the script clicks.
page() {
    echo '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><table class="sorts">
<thead><tr><th class="t">name</th><th>bytes</th><th>time</th><th>ratio</th></tr></thead><tbody>
<tr><td>c</td><td>16K</td><td>90.5 µs</td><td>1.5e+03 ×</td></tr>
<tr><td>a</td><td>512</td><td>1.20 s</td><td>12.0 ×</td></tr>
<tr><td>d</td><td>1M</td><td>3.1 ms</td><td>–</td></tr>
<tr><td>b</td><td>2K</td><td>700 ns</td><td>2.00 ×</td></tr></tbody></table><script>'
    cat "$top/report/page.js"
    echo "$1</script></body></html>"
}

# sorts HEADING CLICKS ORDER: what is in the first column then.
sorts() {
    page "for (let i = 0; i < $2; i++) document.querySelectorAll('th')[$1].click();
        const lines = [...document.querySelectorAll('tbody tr')];
        document.title = lines.map(line => line.cells[0].textContent).join('');" >page.html
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --dump-dom \
        "file://$work/page.html" >dom 2>/dev/null
    grep -q "<title>$3</title>" dom || {
        echo "FAILED: heading $1, $2 clicks: expected $3: $(grep -o '<title>.*</title>' dom)"
        failed=1
    }
}

sorts 0 0 cadb
sorts 0 1 abcd
sorts 1 1 dcba
sorts 1 2 abcd
sorts 2 1 adcb
sorts 2 2 bcda
sorts 3 1 cabd
exit $failed
