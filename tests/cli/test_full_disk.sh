#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_full_disk.sh COLLTUNE: commands that write name a full disk before they work for long: none of them
# even looks at its input, which is missing. On a disk with room they do. Needs user namespaces.
set -uo pipefail

colltune=$(realpath "$1")
unshare -rm true 2>/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir disk
failed=0

# says WORDS...: on a disk of 64 KiB that is full if `fill` is 1.
says() {
    unshare -rm sh -c 'mount -t tmpfs -o size=64k none disk || exit 77
        [ "$0" = 0 ] || head -c 1M /dev/zero >disk/fill 2>/dev/null
        exec "$@"' "$fill" timeout 20 "$colltune" "$@" 2>&1 </dev/null
}

commands=(
    'learn missing -o disk/out'
    'generate missing --for ompi -o disk/out'
    'build missing -o disk/out'
    'report missing -o disk/out'
    'import csv missing -o disk/out'
    'import-c45 missing --stem missing --run missing -o disk/out'
    'export-c45 missing -o disk/out'
    'supplement missing missing.xml -o disk/out'
    'compare missing missing -o disk/out'
    'validate missing -o disk/out'
    'predict missing.xml -o disk/out -c bcast --comm-sizes 2'
)
for command in "${commands[@]}"; do
    read -ra words <<<"$command"
    fill=1
    said=$(says "${words[@]}")
    [ "$said" = "colltune ${words[0]}: disk/out: cannot be written: No space left on device" ] ||
        { echo "FAILED: $command: $said"; failed=1; }
    fill=0
    said=$(says "${words[@]}")
    [[ $said == *missing* && $said != *'No space'* ]] ||
        { echo "FAILED: with room: $command: $said"; failed=1; }
done
for command in 'measure -o disk/out' 'fit -o disk/out' 'fit -o out --samples disk/out' \
    'tune -o disk/out' 'profile -o disk/out -- true'; do
    read -ra words <<<"$command"
    fill=1
    said=$(says "${words[@]}")
    [ "$said" = "colltune ${words[0]}: disk/out: cannot be written: No space left on device" ] ||
        { echo "FAILED: $command: $said"; failed=1; }
done
exit $failed
