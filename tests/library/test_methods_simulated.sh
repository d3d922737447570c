#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_methods on simulated ranks: test_methods_simulated.sh SMPIRUN PLATFORM PROGRAM RANKS. In parts: the
# simulator gets slower with every message that was ever sent.
parts=8
hosts=$(mktemp) || exit 1
trap 'rm -f "$hosts"' EXIT
sed -n 's/.*prefix="\([^"]*\)".*/\1/p' "$2" | head -n 1 | {
    read -r prefix
    seq 0 255 | sed "s/^/$prefix/"
} >"$hosts"
part=0
while [ $part -lt $parts ]; do
    "$1" -np "$4" -platform "$2" -hostfile "$hosts" --cfg=smpi/simulate-computation:no \
        --log=root.thres:error "$3" "$4" 1 $part $parts || exit 1
    part=$((part + 1))
done
