#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_list.sh COLLTUNE: `colltune list` has each algorithm, and says whose a parameter is where several have
# its name.
set -uo pipefail

colltune=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

complain() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

"$colltune" list bcast >bcast.txt || complain 'list bcast'
grep -q '^  radix  number of chains; .*; used by chain$' bcast.txt || complain "$(grep '^  radix' bcast.txt)"
grep -q '^  seg .*; used by chain, pipeline, ' bcast.txt || complain "$(grep '^  seg' bcast.txt)"
grep -q '^  intra .*used by' bcast.txt && complain "one parameter of the name: $(grep '^  intra' bcast.txt)"

"$colltune" list >all || complain 'list'
"$colltune" list --format csv >list.csv || complain 'list --format csv'
while IFS=, read -r collective algorithm _; do
    sed -n "/^$collective: /,/^[a-z]/p" all | grep -q "^  $algorithm " || complain "$collective/$algorithm"
done < <(sed 1d list.csv)
[ "$(grep -c '^  [a-z]' all)" -gt "$(($(wc -l <list.csv) - 1))" ] || complain 'no parameters'

"$colltune" list bcst >none 2>said
status=$?
[ "$status" = 2 ] || complain "list bcst: exit $status"
grep -q "did you mean 'bcast'" said || complain "list bcst: $(cat said)"
exit $failed
