#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_narrow.sh COLLTUNE TOP: in a window of 800 px no table of a report has columns out of sight, names of
# methods break between their words alone, and the report prints on at most 20 pages; pages without the rules
# for narrow windows are noticed. Needs Chromium.
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

width=800
browse() {
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" \
        --window-size=$width,1000 "$@" 2>/dev/null
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

# times: of several collectives on 2 to 8 ranks; the fastest method has a long name, another one at each size.
times() {
    echo 'collective,ranks,bytes,method,us'
    while read -r collective methods; do
        for bytes in 8 4096 1048576; do
            fastest=${methods%% *}
            methods="${methods#* } $fastest"
            for ranks in 2 3 4 5 6 7 8; do
                for method in $methods native; do
                    us=30
                    [ "$method" != "$fastest" ] || us=10
                    echo "$collective,$ranks,$bytes,\"$method\",$us"
                done
            done
        done
    done <<'EOF'
bcast scatter_allgather_ring split_binary:seg=64K knomial:seg=256K,radix=8
allreduce reduce_bcast:seg=128K,bcast=knomial recursive_multiplying:radix=8 ring_segmented:seg=64K
alltoall hypercube linear_sync:reqs=16 bruck:radix=4
allgather neighbor_exchange hypercube recursive_doubling
reduce_scatter_block recursive_halving pairwise recursive_doubling
EOF
}

# broken FILE: names of methods in cells of which a word is divided, or extends beyond its cell.
broken() {
    cp "$1" broken.html
    cat >>broken.html <<'EOF'
<script>
const words = [...document.querySelectorAll('td.t code')].flatMap(code => [...code.childNodes].map(node => {
  const range = document.createRange();
  range.selectNodeContents(node);
  const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;
  return node.nodeType === Node.TEXT_NODE && (lines > 1 || range.getBoundingClientRect().right >
    code.closest('td').getBoundingClientRect().right + 1);
}));
document.title = `${words.filter(Boolean).length} of ${words.length > 50 ? 'many' : words.length}`;
</script>
EOF
    browse --dump-dom "file://$work/broken.html" | grep -o '<title>[0-9]* of [a-z0-9]*</title>'
}

times >times.csv
columns='collective=collective,comm_size=ranks,msg_bytes=bytes,method=method,seconds=us*us'
"$colltune" import csv times.csv --map "$columns" -o run 2>/dev/null &&
    "$colltune" learn run -o table.xml 2>/dev/null && "$colltune" report run table.xml -o names >/dev/null ||
    complain 'a report with long names'
for width in 800 900; do
    [ "$(hidden names/index.html)" = 0 ] || complain "$width px: columns with long names are out of sight"
    found=$(broken names/index.html)
    [ "$found" = '<title>0 of many</title>' ] || complain "$width px: names of methods are broken: $found"
done
width=800
sed 's/ td.t code {/& overflow-wrap: anywhere;/' names/index.html >anywhere.html
case $(broken anywhere.html) in
    '<title>0 '* | '') complain 'names that break within words are not noticed' ;;
esac

browse --print-to-pdf="$work/report.pdf" "file://$work/report/index.html"
pages=$(grep -ac '/Type */Page\b' report.pdf)
{ [ "$pages" -ge 1 ] && [ "$pages" -le 20 ]; } || complain "$pages pages"
exit $failed
