#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_package.sh COLLTUNE MPICC: programs are built by pkg-config with tuned libraries in folders whose names
# have blanks, quotation marks and other signs; slashes behind a folder's name are not printed. A table whose
# run names no MPI library is named, the default one is not.
set -uo pipefail

colltune=$(realpath "$1") mpicc=$2
command -v pkg-config >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_CACHE_HOME=$work/cache
failed=0

cat >app.c <<'CODE'
#include <colltune_decisions.h>
#include <colltuned.h>
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    return MPI_Finalize();
}
CODE

for name in plain 'a blank' 'q"uote' "q'uote" 'both "of '"'them" 'back\slash' 'ha#sh' 'com,ma' '\"#'; do
    said=$("$colltune" build --default --cc "$mpicc" -o "$name//" 2>&1) && [[ $said == *" $name/lib/"* ]] ||
        { echo "FAILED: build -o $name//: $said"; failed=1; }
    export PKG_CONFIG_PATH=$work/$name/lib/pkgconfig
    [ "$(pkg-config --variable=prefix colltuned)" = "$work/$name" ] ||
        { echo "FAILED: $name: prefix is $(pkg-config --variable=prefix colltuned)"; failed=1; }
    rm -f app
    eval "'$mpicc' app.c -o app $(pkg-config --cflags --libs colltuned)" && [ -x app ] ||
        { echo "FAILED: $name: $(pkg-config --cflags --libs colltuned)"; failed=1; }
    [ "$name" != plain ] || grep -qF "$work/plain/lib/libcolltuned.so" <<<"$(ldd ./app)" ||
        { echo 'FAILED: the program does not find the library'; failed=1; }
done

cat >times.csv <<'TIMES'
method,ranks,bytes,seconds
linear,4,8,1e-5
binomial,4,8,5e-6
native,4,8,9e-6
TIMES
"$colltune" import csv times.csv -o unknown -c bcast --map \
    method=method,comm_size=ranks,msg_bytes=bytes,seconds=seconds >log 2>&1 &&
    "$colltune" learn unknown -o unknown.xml >log 2>&1 || { echo "FAILED: $(cat log)"; failed=1; }
said=$("$colltune" build unknown.xml --cc "$mpicc" -o unknown-library 2>&1)
grep -q '^colltune build: run unknown names no MPI library: .*may be slower than native' <<<"$said" ||
    { echo "FAILED: a table of unknown origin: $said"; failed=1; }
said=$("$colltune" build --default --cc "$mpicc" -o standard 2>&1)
! grep -q 'may be slower' <<<"$said" || { echo "FAILED: the default table: $said"; failed=1; }

# A full disk is named, also where the compiler cannot even write what is wrong.
if unshare -rm true 2>/dev/null; then
    mkdir small
    on_full() { # VARIABLE...: builds with these
        unshare -rm sh -c 'mount -t tmpfs -o size=64k none small && exec env "$@"' sh "$@" \
            "$colltune" build --default --cc "$mpicc" -o full 2>&1
    }
    said=$(on_full "TMPDIR=$work/small" XDG_CACHE_HOME="$work/new")
    [[ $said == *'No space left on device'* ]] || { echo "FAILED: a full TMPDIR: $said"; failed=1; }
    said=$(on_full "XDG_CACHE_HOME=$work/small")
    [[ $said == *'No space left on device'* ]] || { echo "FAILED: a full cache: $said"; failed=1; }
fi
exit $failed
