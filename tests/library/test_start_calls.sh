#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_start_calls.sh MPIEXEC PROGRAM PREFIX NO_MEMORY_FILE: in MPI_Init the tuned library below PREFIX calls
# only those native collectives that have no non-blocking form: in others, MPICH's ranks that share a CPU wait
# for time slices. Where one rank has no memory file, all ranks make a window.
set -euo pipefail
mpiexec=$1 program=$2 library=$3/lib/libcolltuned.so no_memory_file=$4

# expect CALLS OPTION...: the program counts these.
expect() {
    local expected=$1 found
    shift
    found=$(timeout -k 5 60 "$mpiexec" "$@" -n 3 "$program" </dev/null | xargs)
    [ "$found" = "$expected" ] || {
        echo "FAILED: $*: '$found', expected '$expected'"
        exit 1
    }
}

expect ''
expect '' -genv LD_PRELOAD "$library"
expect 'split_type 1' -genv LD_PRELOAD "$library" -genv MPIR_CVAR_NUM_CLIQUES 2
expect '' -genv LD_PRELOAD "$library" -genv COLLTUNE_NODE mpi
expect 'create 1' -genv LD_PRELOAD "$library" -genv COLLTUNE_NONBLOCKING 1
for refused in make find; do
    expect 'win_allocate_shared 1' -genv LD_PRELOAD "$no_memory_file $library" -genv NO_MEMORY_FILE $refused
done
# One rank's messages are traced: all ranks make the communicator alike.
expect 'create 1' -genv LD_PRELOAD "$library" -n 2 "$program" : -env COLLTUNE_TRACE 1
