#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_validate_modes.sh COLLTUNE MPICC TABLE: calls that are not blocking are validated beside a computation;
# a wrong result of such a call is found, and a library that does not take it over. TABLE decides about bcast.
set -uo pipefail
colltune=$(realpath "$1")
mpicc=$2
table=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}

# Preloaded with FLAW=wrong, it spoils messages of 64 bytes that are not sent by a blocking function; with
# FLAW=deaf the program cannot set COLLTUNE_NONBLOCKING.
cat >flaw.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
static int has_flaw(const char *name)
{
    const char *flaw = getenv("FLAW");
    return flaw && strcmp(flaw, name) == 0;
}
int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    static char spoilt[64];
    int (*real)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Isend");
    if (count == sizeof spoilt && type == MPI_BYTE && has_flaw("wrong")) {
        memcpy(spoilt, buffer, sizeof spoilt);
        spoilt[7] ^= 1;
        buffer = spoilt;
    }
    return real(buffer, count, type, to, tag, comm, request);
}
int setenv(const char *name, const char *value, int overwrite)
{
    int (*real)(const char *, const char *, int);
    *(void **)&real = dlsym(RTLD_NEXT, "setenv");
    if (strcmp(name, "COLLTUNE_NONBLOCKING") == 0 && has_flaw("deaf"))
        return 0;
    return real(name, value, overwrite);
}
C
"$mpicc" -shared -fPIC flaw.c -o flaw.so -ldl || exit 1
"$colltune" build "$table" -o library --cc "$mpicc" 2>said ||
    { complain "building: $(cat said)"; exit 1; }

tuned='COLLTUNE_BCAST=linear COLLTUNE_NODE=mpi'
# validate FLAW OPTION...: broadcasts on 2 ranks by messages of MPI
validate() {
    local flaw=$1
    shift
    "$colltune" validate library -c bcast --comm-sizes 2 --seconds 0.01s \
        --launcher "mpiexec.mpich -n {np} env $tuned FLAW=$flaw LD_PRELOAD=$work/flaw.so {cmd}" \
        "$@" >told 2>said
}

validate none --mode persistent,blocking,nonblocking --msg-sizes 8,64 --compute 20us --tests 2 \
    -o points.csv || complain "all modes: $(cat said)"
[ "$(cut -d, -f3,9 points.csv | xargs)" = \
    'msg_bytes,mode 8,blocking 64,blocking 8,nonblocking 64,nonblocking 8,persistent 64,persistent' ] ||
    complain "the points are: $(cat points.csv)"
# What holds of times however long they are. The time of a blocking call is all there is of it.
awk -F, 'NR == 1 { next }
    NF != 16 { exit 2 }
    $9 == "blocking" && $10 $11 $12 $13 $14 $15 $16 != "" { exit 3 }
    $4 != "\"linear\"" || !($5 > 0 && $6 > 0) { exit 4 }
    $9 != "blocking" && !($10 > 0 && $11 > 0 && $12 > 0 && $14 > 0 && $15 > 0) { exit 5 }
    $9 != "blocking" && !($13 >= 0 && $13 <= 1 && $16 >= 0 && $16 <= 1) { exit 6 }' points.csv ||
    complain "the points ($?): $(cat points.csv)"
[ "$(awk '$2 == "bcast" { print $1 }' told | uniq -c | xargs)" = '2 blocking 2 nonblocking 2 persistent' ] ||
    complain "printed is: $(cat told)"
grep -q 'every call was tuned and sent exactly the messages of its plan' said || complain "$(cat said)"

# --points counts the points of all modes, and blocking points have no columns that would be empty
validate none --mode blocking,persistent --msg-sizes 8,64,1K,4K --points 4 --format csv ||
    complain "$(cat said)"
[ "$(cut -d, -f9 told | sort | uniq -c | xargs)" = '2 blocking 1 mode 2 persistent' ] ||
    complain "four points are: $(cat told)"
validate none --msg-sizes 8 --format csv || complain "the modes of the table: $(cat said)"
[ "$(cut -d, -f9- told | xargs)" = 'mode blocking' ] || complain "the modes of the table: $(cat told)"

for mode in nonblocking persistent; do
    validate wrong --mode blocking,$mode --msg-sizes 8,64 --compute 20us -o $mode.csv &&
        complain "$mode: a wrong result passes: $(cat told)"
    grep -q '^colltune validate: bcast of 64 bytes on 2 ranks, rank 1: the result is wrong' said ||
        complain "$mode: a wrong result is told as: $(cat said)"
    grep -q 'the tuned library is wrong at 1 point,' said || complain "$mode: $(cat said)"
    [ "$(cut -d, -f3,9 $mode.csv | xargs)" = "msg_bytes,mode 8,blocking 64,blocking 8,$mode" ] ||
        complain "$mode: the other points: $(cat $mode.csv)"

    validate deaf --mode $mode --msg-sizes 8 --compute 20us -o deaf.csv &&
        complain "$mode: calls that are not taken over pass: $(cat told)"
    grep -q 'no call was counted: the tuned library did not take it over' said ||
        complain "$mode: calls that are not taken over are told as: $(cat said)"
    [ ! -e deaf.csv ] || complain "$mode: there are points of calls that are not taken over"
done

# refuse TEXT OPTION...: the validation is refused with that text
refuse() {
    local text=$1
    shift
    validate none "$@" && complain "validate $* is taken"
    grep -q -e "$text" said || complain "validate $*: $(cat said)"
}
refuse '--compute has no meaning for blocking calls' --compute 20us
refuse '--tests has no meaning for blocking calls' --mode blocking --tests 2
refuse 'counts as hung after 3 s' --mode nonblocking --compute 3s --timeout 3s
refuse "--mode 'blocking,often': expected blocking, nonblocking or persistent, or several" \
    --mode blocking,often
refuse "--mode 'blocking,blocking': expected" --mode blocking,blocking
exit $failed
