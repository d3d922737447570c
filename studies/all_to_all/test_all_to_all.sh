#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_all_to_all.sh COLLTUNE: a small study from end to end. Simulated times are exact.
here=$(dirname "$(realpath "$0")")
colltune=$(realpath "$1")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
XDG_CACHE_HOME=$folder/cache
export XDG_CACHE_HOME
failed=0

fail()
{
    echo "FAILED: $*"
    failed=1
}

printf 'first\n## Tables\nold\n' >page.md
PAGE=page.md "$here/all_to_all" "$colltune" work fattree10 7,16 64,16K >tables.md 2>log || fail "$(cat log)"
for line in '^\| 7 \| 64 \|' '^\| 16 \| 16384 \|' \
    '^- 16 ranks: .* up to 64 bytes, and slower from 16384 bytes' '^\| fattree10 \| 16 \|'; do
    grep -qE "$line" tables.md || fail "expected $line in: $(cat tables.md)"
done
[ "$(grep -c old page.md)" = 0 ] || fail "the page: $(cat page.md)"
touch mark
"$here/all_to_all" "$colltune" work fattree10 7,16 64,16K 2>log | cmp - tables.md ||
    fail "begun again: $(cat log)"
[ -z "$(find work -name run.xml -newer mark)" ] || fail "what was there is measured again"
"$here/all_to_all" "$colltune" other no-such-platform 4 64 >/dev/null 2>log && fail "an unknown platform"
grep -q no-such-platform log || fail "expected the platform's name in: $(cat log)"
exit $failed
