#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_doctor.sh COLLTUNE MPICC MPIEXEC [MPICC_OF_OPEN_MPI]: a whole installation passes; an MPI that is
# absent or broken, and everything that keeps a library from being preloaded, is found and named.
set -uo pipefail

colltune=$(realpath "$1") mpicc=$2 mpiexec=$3 other_mpicc=${4:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_CACHE_HOME=$work/cache
unset MPICH_CC # the compiler is looked for in folders that have gcc alone
failed=0 path=$PATH

# says CODE WORDS ARGUMENT...: ends with that code, and a line has the words; blanks stand for several.
says() {
    local code=0 expected=$1 words=$2
    shift 2
    PATH=$path "$colltune" doctor "$@" >out 2>&1 || code=$?
    if [ "$code" -ne "$expected" ] || ! tr -s ' ' <out | grep -qF -- "$words"; then
        echo "FAILED: colltune doctor $*: expected $expected and '$words'; it ended with $code and said:"
        cat out
        failed=1
    fi
}

# --- the installation ---

says 0 'LD_PRELOAD reaches all of them' --mpi mpich
says 0 'ok data files' --mpi mpich
says 0 'note CPUs' --mpi mpich --ranks 100000
says 0 'ok CPUs' --mpi mpich --ranks 1
says 0 'ok,mpich,"version' --mpi mpich --format csv
says 2 'expected mpich, openmpi or smpi' --mpi lam
says 2 'expected a launch command' --library tuned
XDG_CACHE_HOME=/dev/null says 1 'set XDG_CACHE_HOME' --mpi mpich
TMPDIR=$work/none says 1 'set TMPDIR' --mpi mpich
COLLTUNE_DATA=$work/none says 1 'FAIL data files' --mpi mpich

# What is wrong comes first.
[[ $(head -n 1 out) == FAIL* ]] || { echo 'FAILED: the first line is no FAIL'; failed=1; }

# --- other folders of programs ---

mkdir bare
path=$work/bare
for name in sh bash env cat rm expr gcc as ld nm ldd dirname basename; do
    ln -s "$(command -v "$name")" "bare/$name"
done
says 1 'FAIL mpich no compiler was found for mpich: install the packages mpich and libmpich-dev'
says 1 'note openmpi no compiler'
says 1 'FAIL ar not in PATH, needed for colltune build: install the package binutils'
says 1 'note gnuplot'
printf '#!/bin/sh\nexit 1\n' >bare/mpicc.mpich
chmod +x bare/mpicc.mpich
says 1 'mpicc.mpich: cannot compile a program that includes mpi.h'
printf '#!/bin/sh\nexec %s "$@"\n' "$mpicc" >bare/mpicc.mpich
says 1 'FAIL mpich launcher: its mpiexec is not in PATH'
printf '#!/bin/sh\necho no licence\nexit 1\n' >bare/mpiexec.mpich
chmod +x bare/mpiexec.mpich
says 1 'the launch says: no licence'
printf '#!/bin/sh\nexec sleep 30\n' >bare/mpiexec.mpich
ln -s "$(command -v sleep)" bare/sleep
says 1 'does not end within 1 s' --timeout 1s

# An MPI in a folder with a blank is started, too.
mkdir 'my programs'
printf '#!/bin/sh\nexec %s "$@"\n' "$mpiexec" >'my programs/mpiexec.mpich'
chmod +x 'my programs/mpiexec.mpich'
path="$work/my programs:$PATH"
says 0 'my programs/mpiexec.mpich: 2 ranks start on 1 host' --mpi mpich

path=$PATH

# --- launches ---

cat >app.c <<'CODE'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    return MPI_Finalize();
}
CODE
printf 'int main(void) { return 0; }\n' >plain.c
"$mpicc" app.c -o app && gcc plain.c -o plain && gcc -static plain.c -o static || exit 1
cp app privileged
chmod u+s privileged
printf '#!/bin/sh\nexec ./app\n' >script
printf '#!/bin/sh\nexec env -u LD_PRELOAD "%s" "$@"\n' "$mpiexec" >clears
# Each rank is alone, as where the launcher is another MPI's.
printf '#!/bin/sh\n"$3" && "$3"\n' >foreign
chmod +x script clears foreign

says 0 '3 ranks start on 1 host; LD_PRELOAD reaches all of them' --mpi mpich -- \
    "$mpiexec" -n 3 ./app 1 ./plain
says 0 'ok application ./app' --mpi mpich -- env "$mpiexec" -n 2 env A=b ./app
says 0 'note application ./script: is a script' --mpi mpich -- "$mpiexec" -n 2 ./script
says 1 './plain: is no MPI program' --mpi mpich -- "$mpiexec" -n 2 ./plain
says 1 './static: is linked statically' --mpi mpich -- "$mpiexec" -n 2 ./static
says 1 './privileged: is setuid' --mpi mpich -- "$mpiexec" -n 2 ./privileged
says 1 'LD_PRELOAD does not reach 2 of 2 ranks' --mpi mpich -- ./clears -n 2 ./app
says 1 '2 ranks start, in 2 separate MPI_COMM_WORLDs' --mpi mpich -- ./foreign -n 2 ./app
says 1 'no word of it is a program' --mpi mpich -- "$mpiexec" -n 2 ./missing

# --- libraries, of which only the names are ours ---

# A launch that hangs: progress on a terminal, and nothing is left behind when the user stops it.
printf '#!/bin/sh\necho $$ >launcher.id\nexec sleep 300\n' >hangs
chmod +x hangs
if command -v script >/dev/null; then
    script -qec "$colltune doctor --mpi mpich --timeout 4s -- ./hangs -n 2 ./app" typescript \
        </dev/null >/dev/null
    grep -q 'checking .*1 left' <<<"$(tr '\r' '\n' <typescript)" ||
        { echo 'FAILED: no progress on the terminal'; failed=1; }
fi
rm -f launcher.id
"$colltune" doctor --mpi mpich -- ./hangs -n 2 ./app >out 2>&1 &
doctor=$!
for ((i = 0; i < 1000; i++)); do
    [ ! -s launcher.id ] || break
    sleep 0.05
done
kill -TERM $doctor
wait $doctor
grep -q 'doctor: stopped' out || { echo "FAILED: stopped: $(cat out)"; failed=1; }
! kill -0 "$(cat launcher.id)" 2>/dev/null || { echo 'FAILED: the launch goes on'; failed=1; }

# library FOLDER MPICC: a library that loads that MPI
library() {
    mkdir -p "$1/lib/pkgconfig"
    printf '#include <mpi.h>\nint MPI_Barrier(MPI_Comm comm) { return PMPI_Barrier(comm); }\n' >library.c
    "$2" -shared -fPIC library.c -o "$1/lib/libcolltuned.so" || exit 1
    printf 'mpi=x\nmpicc=%s\n\nName: x\n' "$2" >"$1/lib/pkgconfig/colltuned.pc"
}
library tuned "$mpicc"
library 'with blank' "$mpicc"
mkdir -p broken/lib
echo nothing >broken/lib/libcolltuned.so
says 0 'the library is loaded by all of them' --library tuned -- "$mpiexec" -n 2 ./app
says 0 'LD_PRELOAD takes no path with a blank; set LD_PRELOAD=libcolltuned.so' --library 'with blank' -- \
    "$mpiexec" -n 2 ./app
says 0 'the library is loaded by all of them' --library 'with blank' -- "$mpiexec" -n 2 ./app
cp -r tuned 'with:colon'
says 1 'takes no path with a colon' --library 'with:colon' -- "$mpiexec" -n 2 ./app
says 1 'is no shared library' --library broken -- "$mpiexec" -n 2 ./app
says 1 'there is no such file' --library none -- "$mpiexec" -n 2 ./app
if [ -x "$other_mpicc" ]; then
    library other "$other_mpicc"
    says 1 'is for libmpi.so.40, the application loads libmpich' --library other -- "$mpiexec" -n 2 ./app
    "$other_mpicc" app.c -o other_app || exit 1
    says 1 'the application loads libmpi.so.40; build one with --mpi openmpi' --library tuned -- \
        "$mpiexec" -n 2 ./other_app
fi
exit $failed
