#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Feeds run_applications libraries that are broken, each in one way, and a sound one: only that may pass.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mpicc=${MPICC:-mpicc.mpich}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/lib/pkgconfig"
"$mpicc" -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -fPIC -shared "$here/broken_library.c" \
    -o "$work/lib/libcolltuned.so"
cat >"$work/lib/pkgconfig/colltuned.pc" <<END
Name: colltuned
Description: a broken library
Version: 0
Libs: -Wl,--no-as-needed -L$work/lib -lcolltuned
END

failures=0
# expect OUTCOME HOW APPLICATION WORDS: with the library broken so, the outcome, and words of what is said.
expect() {
    local outcome=pass seconds=60
    [ "$1" = pass ] || seconds=8 # it may hang
    BROKEN=$2 "$here/run_applications" --ranks 4 --repetitions 2 --seconds "$seconds" --only "$3" "$work" \
        >"$work/output" 2>&1 || outcome=fail
    if [ "$outcome" = "$1" ] && grep -q "$4" "$work/output"; then
        echo "ok: $3 with a library that is $2: $1"
    else
        echo "FAILED: $3 with a library that is $2: expected it to $1 and to say '$4'; it said:"
        sed 's/^/    /' "$work/output"
        failures=$((failures + 1))
    fi
}

expect pass sound mix_bcast,mix_allreduce '0 failed'
expect fail silent stencil 'did not say'
expect fail leak mix_bcast 'exit code'
expect fail early mix_barrier 'nobody_leaves_early no'
expect fail order mix_reduce 'differs from native'
expect fail last mix_allreduce 'no$'

if "$here/run_applications" "$work/nowhere" >"$work/output" 2>&1 ||
    ! grep -q 'no .*libcolltuned.so' "$work/output"; then
    echo "FAILED: a folder without a library is taken"
    failures=$((failures + 1))
fi
[ "$failures" -eq 0 ]
