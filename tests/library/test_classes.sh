#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_classes.sh MPICC PREFIX: each MPI function that the mpi.h of this compiler declares is either taken
# over by the library below PREFIX, and tried by blocking.c, or is of a class of function_classes.txt. So a
# function that another version of the MPI library adds makes this test fail until somebody has thought about
# it. The classes of limits are those that docs/environment.md tells users of.
set -euo pipefail
mpicc=$1 library=$2/lib/libcolltuned.so
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# declared FILE: the functions that a C file declares under their MPI or PMPI names. An attribute may come
# before the type, and arguments may be functions, too: the first name behind a type counts.
declared() {
    "$mpicc" -E -P -x c "$1" | tr '\n' ' ' | tr ';' '\n' | grep -v '^ *typedef' |
        sed -nE 's/^([^(]*|.*__attribute__ *\(\([^;]*\)\)[^(]*)\bP?(MPIX?_[A-Z][A-Za-z0-9_]*) *\(.*/\2/p' |
        sort -u
}

# classed CLASS...: the names and patterns of these classes.
classed() {
    awk -v classes=" $* " '/^\[/ {
        match($0, /^\[[^]]*/)
        is_wanted = index(classes, " " substr($0, 2, RLENGTH - 1) " ") > 0
    } is_wanted && /^MPI/' "$here/function_classes.txt" | tr ' ' '\n'
}

# is_classed FILE NAME: does the file hold the name, a pattern that it fits, or the small form of either?
is_classed() {
    local pattern
    while IFS= read -r pattern; do
        # shellcheck disable=SC2053 # patterns
        [[ $2 != $pattern && ${2%_c} != $pattern ]] || return 0
    done <"$1"
    return 1
}

# unclassed FILE: what is neither taken over nor classed of the functions that the file declares.
unclassed() {
    local name
    declared "$1" | comm -23 - "$work/taken" >"$work/rest"
    while IFS= read -r name; do
        is_classed "$work/passed_on" "$name" || echo "$name"
    done <"$work/rest"
}

nm -DP --defined-only "$library" | awk '$1 ~ /^MPIX?_[A-Z][a-z]/ { print $1 }' | sort -u >"$work/taken"
classed local begins alone limits >"$work/passed_on"
classed returns 'other ranks' >"$work/taken_over"
[ "$(wc -l <"$work/taken")" -gt 100 ] || { echo 'FAILED: the library takes over few functions'; exit 1; }
[ "$(wc -l <"$work/passed_on")" -gt 200 ] || { echo 'FAILED: few functions are classed'; exit 1; }

printf '#include <mpi.h>\n' >"$work/mpi.c"
# To a file: grep -q closes a pipe when it has found the name, which would end the writer with an error.
declared "$work/mpi.c" >"$work/declared"
for name in MPI_Send MPI_Wtime MPI_Win_attach MPI_Comm_create_keyval MPI_T_init_thread; do
    grep -qx $name "$work/declared" || { echo "FAILED: no $name is found in mpi.h"; exit 1; }
done
unclassed "$work/mpi.c" >"$work/unclassed"
[ ! -s "$work/unclassed" ] || {
    echo "FAILED: neither taken over nor classed: $(xargs <"$work/unclassed")"
    exit 1
}

# Of those that are taken over, blocking.c tries what may block, in the large-count form, too.
grep -oE '\bMPIX?_[A-Za-z_0-9]+' "$here/blocking"*.c "$here/large_forms.h" -h | sort -u >"$work/tried"
is_tried() {
    grep -qx "$1" "$work/tried" || is_classed "$work/taken_over" "$1"
}
while IFS= read -r name; do
    is_tried "$name" || { echo "FAILED: $name is taken over, but not tried by blocking.c"; exit 1; }
    ! is_classed "$work/passed_on" "$name" ||
        { echo "FAILED: $name is taken over, but classed as passed on"; exit 1; }
done <"$work/taken"
while IFS= read -r name; do
    grep -qw "$name" "$here/../../docs/environment.md" ||
        { echo "FAILED: docs/environment.md does not tell of $name"; exit 1; }
done < <(classed limits 'other ranks')

# What an MPI library might add is found, in any form of declaration, and what is not tried.
cat >"$work/made_up.c" <<'END'
#include <mpi.h>
int MPI_Comm_await(MPI_Comm comm);
int MPI_Recv_d(void *buffer, MPI_Count count) __attribute__((nonnull(1)));
__attribute__((visibility("default"))) __attribute__((deprecated("no"))) double MPI_Wait_time(void);
int PMPIX_Win_hold(MPI_Win window, int (*until)(void *)),
    MPI_Send_later;
extern int MPI_Type_size_c(MPI_Datatype type, MPI_Count *size);
typedef int(MPI_Awaited_function)(MPI_Comm);
END
[ "$(unclassed "$work/made_up.c" | xargs)" = 'MPIX_Win_hold MPI_Comm_await MPI_Recv_d MPI_Wait_time' ] ||
    { echo "FAILED: of the made-up functions are found: $(unclassed "$work/made_up.c" | xargs)"; exit 1; }
! is_tried MPI_Win_await || { echo 'FAILED: a function that is not tried passes'; exit 1; }
sed -i '/^MPI_Send$/d' "$work/taken"
[ "$(unclassed "$work/mpi.c" | xargs)" = MPI_Send ] ||
    { echo 'FAILED: a function that is no longer taken over passes'; exit 1; }
