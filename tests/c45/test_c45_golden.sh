#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reports byte for byte as C4.5 Release 8 prints them: test_c45_golden.sh COLLTUNE FOLDER.
colltune=$(realpath "$1")
cd "$2" || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0 compared=0

# The options of a key; nothing, and failure, where it is unknown.
options_of()
{
    case $1 in
    m2c25) echo ;;
    m4) echo -m 4 ;;
    m40c5) echo -m 40 -c 5 ;;
    g) echo -g ;;
    s) echo -s ;;
    sg) echo -s -g ;;
    c75) echo -c 75 ;;
    p) echo -p ;;
    t3) echo -t 3 ;;
    v2) printf '%s\n' '-v 2' ;;
    v1m40) printf '%s\n' '-v 1 -m 40' ;;
    *) return 1 ;;
    esac
}

# same REPORT GOLDEN: from the third line on
same()
{
    tail -n +3 "$1" >"$folder/ours"
    tail -n +3 "$2" | cmp -s - "$folder/ours"
}

for golden in *.out; do
    name=${golden%.*.out}
    key=${golden%.out}
    key=${key##*.}
    unseen=
    [ ! -f "$name.test" ] || unseen=-u
    if ! options=$(options_of "$key"); then
        echo "FAILED: $golden: what is $key?"
        failed=1
        continue
    fi
    # shellcheck disable=SC2086 # words of options
    if ! "$colltune" c45 -f "$name" $unseen $options >"$folder/report"; then
        echo "FAILED: $golden: colltune c45 failed"
        failed=1
    elif ! same "$folder/report" "$golden"; then
        echo "FAILED: $golden:"
        diff "$folder/ours" "$golden" | head -n 20
        failed=1
    fi
    # A report with another digit in its trees must be refused.
    sed '12,$s/([0-9]/(x/' "$golden" >"$folder/spoilt"
    if same "$folder/report" "$folder/spoilt"; then
        echo "FAILED: $golden: the spoilt report is the same"
        failed=1
    fi
    compared=$((compared + 1))
done
echo "$compared reports"
[ $compared = 64 ] || failed=1
exit $failed
