#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_made_types.sh MPIEXEC MADE_TYPES PREFIX: data of types that were made in many ways arrives, by a method
# that packs and by one that sends pieces.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so
for method in linear chain:seg=8K; do
    if ! output=$(timeout -k 5 60 "$mpiexec" -n 2 -genv LD_PRELOAD "$library" -genv COLLTUNE_BCAST $method \
        -genv COLLTUNE_VERBOSE 1 "$program" 2>&1 </dev/null) ||
        [[ $output != *'all right'* || $output != *"bcast/${method%%:*}"* ]]; then
        echo "FAILED: $method: $output"
        exit 1
    fi
done
