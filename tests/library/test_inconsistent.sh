#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_inconsistent.sh MPIEXEC INCONSISTENT PREFIX: with COLLTUNE_CHECK=1 the tuned library below PREFIX names
# what ranks call differently, all ranks get an error, and the next call works. Also where it is native.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so

# run N [NAME=VALUE]...: mistake N on 4 ranks; the output, in $output.
run() {
    local mistake=$1
    shift
    output=$(timeout -k 5 60 "$mpiexec" -n 4 env LD_PRELOAD="$library" "$@" "$program" "$mistake" 2>&1 \
        </dev/null) || fail "$mistake"
}
fail() {
    echo "FAILED: $1: $output"
    exit 1
}

# By mistake: what is said, as far as it does not depend on the method.
said=('ranks 0-1, 3: bcast, root 0, 8 bytes, by bcast/[^ ]*; rank 2: barrier, by '
    '3: reduce, root 0, 8 bytes in elements of 4, by reduce/[^ ]*; rank 2: reduce, root 1, 8 bytes'
    '3: allreduce, 8 bytes in elements of 4, by allreduce/[^ ]*; rank 2: allreduce, 12 bytes in elements of 4'
    '3: allreduce, 8 bytes in elements of 4, by allreduce/[^ ]*; rank 2: allreduce, 8 bytes in elements of 8'
    '3: bcast, root 0, 8 bytes, by bcast/[^ ]*; rank 2: bcast with wrong arguments$'
    ': rank 0: gatherv of 8 bytes from rank 2, which sends 4$'
    ': rank 0: reduce_scatter of 2 elements from rank 2, which sends 1$'
    ': rank 0: alltoallv of 8 bytes from rank 2, which sends 4$'
    '' # no mistake
    'a path differ.*: ranks 1, 3: neighbor_alltoall of 8 bytes from rank 2, which sends 4$'
    'a path differ.*: rank 2: neighbor_alltoallw of 4 bytes from rank 1, which sends 8$')

# expect MISTAKE [NAME=VALUE]...: what is said of such a run.
expect() {
    local mistake=$1
    run "$mistake" COLLTUNE_CHECK=1 "${@:2}"
    local line='^colltune: the 4 ranks of (MPI_COMM_WORLD|a path) differ in call 1: '
    [ "$(grep -cE "$line" <<<"$output")" = 1 ] ||
        fail "mistake $mistake: one line"
    grep -qE "${said[mistake]}" <<<"$output" || fail "mistake $mistake"
    grep -q 'differ: 4 errors' <<<"$output" || fail "mistake $mistake: errors at all ranks"
    grep -q 'agree: 0 errors' <<<"$output" || fail "mistake $mistake: the next call works"
}
for mistake in "${!said[@]}"; do
    [ -z "${said[mistake]}" ] || expect "$mistake"
done
for method in linear grid; do
    expect 9 COLLTUNE_NEIGHBOR_ALLTOALL=$method
    expect 10 COLLTUNE_NEIGHBOR_ALLTOALLW=$method
done
run 8 COLLTUNE_CHECK=1
grep -q 'differ: 0 errors' <<<"$output" || fail 'calls that agree'

run 2 COLLTUNE_CHECK=1 COLLTUNE_ALLREDUCE=native
grep -q 'by allreduce/native; rank 2: allreduce, 12 bytes' <<<"$output" || fail 'native calls are compared'
run 4 COLLTUNE_CHECK=2
grep -q 'COLLTUNE_CHECK is ignored: expected 0 or 1' <<<"$output" || fail 'a wrong level'

# Where the settings of the ranks differ, none counts.
output=$(timeout -k 5 60 "$mpiexec" -n 2 env LD_PRELOAD="$library" COLLTUNE_CHECK=1 "$program" 8 : \
    -n 2 env LD_PRELOAD="$library" "$program" 8 2>&1 </dev/null) || fail 'settings that differ'
grep -q 'variables differ between ranks and are ignored' <<<"$output" || fail 'settings that differ are told'
grep -q 'agree: 0 errors' <<<"$output" || fail 'settings that differ: calls work'
