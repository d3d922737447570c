#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_validate.sh COLLTUNE MPICC TABLE: a validation gives its points as they come; it names the side that
# hangs and goes on without that point; when it is interrupted, it keeps the points so far; after an earlier
# validation it measures what has changed; what a run makes doubtful comes first. TABLE decides about bcast.
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

# Preloaded, it lets native broadcasts of 1024 bytes hang, and those of 2048 bytes take long.
cat >hang.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>
int PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int (*real)(void *, int, MPI_Datatype, int, MPI_Comm);
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Bcast");
    while (count == 1024 && type == MPI_BYTE)
        sleep(1);
    if (count == 2048 && type == MPI_BYTE)
        usleep(600 * 1000);
    return real(buffer, count, type, root, comm);
}
C
"$mpicc" -shared -fPIC hang.c -o hang.so -ldl || exit 1
# A compiler wrapper may print notices before what it is asked for.
printf '#!/bin/sh\necho site: licence found\nexec %s "$@"\n' "$mpicc" >notices
chmod +x notices
"$colltune" build "$table" -o library --cc "$work/notices" 2>said ||
    { complain "building: $(cat said)"; exit 1; }
validate=("$colltune" validate library -c bcast --comm-sizes 2 --seconds 0.01s
    --launcher "mpiexec.mpich -n {np} env COLLTUNE_BCAST=binomial LD_PRELOAD=$work/hang.so {cmd}")

"${validate[@]}" --msg-sizes 8,1K,4K --timeout 10s -o points.csv >told 2>said ||
    complain "with a point that hangs: $(cat said)"
grep -q 'bcast of 1024 bytes on 2 ranks: the native call hangs; this point is left out' said ||
    complain "the side that hangs is not named: $(cat said)"
[ "$(cut -d, -f1-3 points.csv | tr '\n' ' ')" = 'collective,comm_size,msg_bytes bcast,2,8 bcast,2,4096 ' ] ||
    complain "the points are: $(cat points.csv)"
[ "$(grep -c '^bcast  ' told)" -eq 2 ] || complain "printed is: $(cat told)"
[ ! -e points.csv.part ] || complain 'points.csv.part is left behind'

# A point whose calls are long does not take the time of those that follow it.
"${validate[@]}" --msg-sizes 8,2K,4K --budget 3s -o short.csv >told 2>said ||
    complain "with a long point: $(cat said)"
[ "$(tail -n +2 short.csv | cut -d, -f3 | tr '\n' ' ')" = '8 4096 ' ] ||
    complain "with a long point, the points are: $(cat short.csv)"
grep -q 'the budget is used up: 1 point was not validated' said || complain "with a long point: $(cat said)"
"${validate[@]}" --msg-sizes 2K --budget 0.1s -o first.csv >told 2>said ||
    complain "a long point alone: $(cat said)"
[ "$(tail -n +2 first.csv | cut -d, -f3)" = 2048 ] || complain "a long point alone: $(cat first.csv)"

# The second point would hang for minutes; the first is there already.
"${validate[@]}" --msg-sizes 8,1K --timeout 10m -o more.csv >told 2>said &
validation=$!
for ((i = 0; i < 600; i++)); do
    [ -e more.csv.part ] && [ "$(wc -l <more.csv.part)" = 2 ] && break
    sleep 0.1
done
kill -INT $validation
wait $validation && complain 'an interrupted validation succeeds'
grep -q 'the 1 point so far is in more.csv.part' said || complain "interrupted it says: $(cat said)"
grep -q '^bcast,2,8,' more.csv.part || complain "it keeps: $(cat more.csv.part)"
grep -q '^bcast  ' told || complain "it has printed: $(cat told)"
[ ! -e more.csv ] || complain 'the part has the name of the whole'

# Of an earlier validation, the point with another method now is measured, and the one that was slower.
again=("$colltune" validate library --seconds 0.01s --again earlier.csv)
"$colltune" validate library -c bcast --comm-sizes 2 --msg-sizes 8,1K,16K --seconds 0.01s -o new.csv >told \
    2>said || complain "anew: $(cat said)"
sed -E -e '/^bcast,2,1024,/s/,"[^"]*"/,"chain:seg=64"/' \
    -e '/^bcast,2,16384,/s/"(,[^,]*){4}/",2,1,0.5,0.5/' \
    -e '/^bcast,2,8,/s/"(,[^,]*){4}/",1,4,4,4/' new.csv >earlier.csv
"${again[@]}" -o after.csv >told 2>said || complain "--again: $(cat said)"
grep -q 'taken over: 1 of 3 points' said || complain "--again says: $(cat said)"
[ "$(wc -l <after.csv)" -eq 4 ] || complain "--again: the points are $(cat after.csv)"
[ "$(grep '^bcast,2,8,' after.csv)" = "$(grep '^bcast,2,8,' earlier.csv)" ] ||
    complain "--again: an equal point is measured: $(cat after.csv)"
grep -q 'chain:seg=64\|,2,1,0.5,0.5' after.csv &&
    complain "--again: a changed point is taken over: $(cat after.csv)"
grep -Eq '^bcast +2 +8 .* 1000000.00 +4000000.00 +4.00 ' told || complain "--again prints: $(cat told)"

# Points that have kept their method need no budget, and come before the one that has another.
sed -E 's/"(,[^,]*){4}/",1,4,4,4/' new.csv | sed '/^bcast,2,8,/s/,"[^"]*"/,"chain:seg=64"/' >earlier.csv
"${again[@]}" --budget 0.001s -o kept.csv >told 2>said || complain "--again with no time: $(cat said)"
grep -q 'taken over: 2 of [23] points' said || complain "--again with no time says: $(cat said)"
[ "$(sed -n 2,3p kept.csv)" = "$(grep -v '^bcast,2,8,' earlier.csv | tail -n +2)" ] ||
    complain "--again with no time: the points are $(cat kept.csv)"
"${again[@]}" -o order.csv >told 2>said || complain "--again, order: $(cat said)"
[ "$(tail -n +2 order.csv | cut -d, -f3 | tr '\n' ' ')" = '1024 16384 8 ' ] ||
    complain "--again, order: $(cat order.csv)"
"${again[@]}" --msg-sizes 8 >told 2>said
[ $? -eq 2 ] || complain "--again with a list: $(cat said)"
grep -q -- '--msg-sizes: cannot be combined with --again' said || complain "with a list it says: $(cat said)"
"${again[@]}" -c reduce >told 2>said && complain '--again without a point succeeds'
grep -q 'earlier.csv: no point of the collectives' said || complain "without a point it says: $(cat said)"

# If there is time for one point only, it is that at which native was faster in the run than what the library
# chooses; the smallest if there is none.
chosen=$(sed -n 's/^bcast,2,16384,"\([^"]*\)".*/\1/p' new.csv)
for native in 1 9; do
    printf '%s\n' ranks,bytes,method,us "2,16384,native,$native" "2,16384,\"$chosen\",5" >times.csv
    rm -rf run one.csv
    "$colltune" import csv times.csv -c bcast --time local -o run 2>said \
        --map 'comm_size=ranks,msg_bytes=bytes,method=method,seconds=us*us' || complain "import: $(cat said)"
    "$colltune" validate library -c bcast --comm-sizes 2 --msg-sizes 8,1K,16K --points 1 --run run \
        --seconds 0.01s -o one.csv >told 2>said || complain "--run: $(cat said)"
    [ "$(tail -n +2 one.csv | cut -d, -f3)" = "$([ $native = 1 ] && echo 16384 || echo 8)" ] ||
        complain "--run: native takes $native us, $chosen 5, but the point is $(tail -n 1 one.csv)"
done

# Each root is called where a communicator has that rank. It is said where a table tests the root and others
# than 0 are not asked for.
said=$("$colltune" validate library -c bcast --comm-sizes 64K 2>&1) && complain '64K ranks are validated'
[[ $said == *'expected --oversubscribe, too'* ]] || complain "64K ranks: $said"
roots=("$colltune" validate library -c bcast --comm-sizes 2,3 --msg-sizes 8 --seconds 0.01s)
"${roots[@]}" --root 0,2 -o roots.csv >told 2>said || complain "--root: $(cat said)"
[ "$(tail -n +2 roots.csv | cut -d, -f 2,10 | sort | tr '\n' ' ')" = '2,0 3,0 3,2 ' ] ||
    complain "the roots are: $(cat roots.csv)"
grep -q '^bcast .*root 2$' told || complain "printed is: $(cat told)"
"${roots[@]}" --root 3 >told 2>said && complain 'a root that no communicator has is taken'
grep -q -e '--root 3: the largest communicator has 3 ranks; expected a rank below that' said ||
    complain "a root that no communicator has: $(cat said)"
sed -i '0,/feature="[a-z_]*" at-most="[^"]*"/s//feature="root" at-most="0"/' library/share/colltuned/table.xml
"$colltune" validate library --comm-sizes 2 --msg-sizes 8 --seconds 0.01s >told 2>said ||
    complain "a table that tests the root: $(cat said)"
grep -q 'the table tests the root, and all calls have root 0: --root LIST' said ||
    complain "a table that tests the root: $(cat said)"

ls -A library | grep -q validation && complain 'files of the job are left behind'
exit $failed
