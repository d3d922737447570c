#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_simulated_program.sh SMPIRUN PLATFORM RANKS NAME=VALUE... -- PROGRAM ARGUMENT...: runs a program on
# simulated ranks, each of which must print ALL RIGHT.
set -euo pipefail
smpirun=$1 platform=$2 ranks=$3
shift 3
while [ "$1" != -- ]; do
    export "${1?}"
    shift
done
shift
hosts=$(mktemp)
trap 'rm -f "$hosts"' EXIT
prefix=$(sed -n 's/.*prefix="\([^"]*\)".*/\1/p' "$platform" | head -n 1)
seq 0 255 | sed "s/^/$prefix/" >"$hosts"
output=$(timeout -k 5 600 "$smpirun" -np "$ranks" -platform "$platform" -hostfile "$hosts" \
    --cfg=smpi/simulate-computation:no --cfg=smpi/iprobe:1e-6 --cfg=smpi/test:1e-6 \
    --log=root.thres:error "$@" 2>&1) && [ "$(grep -o 'ALL RIGHT' <<<"$output" | wc -l)" -eq "$ranks" ] || {
    echo "FAILED: $output"
    exit 1
}
