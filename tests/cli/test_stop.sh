#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_stop.sh COLLTUNE TOP: a signal ends a compiler at once, with everything it started, and nothing is left
# behind; a cache folder that cannot be written names the variable that moves it; a program that cannot run
# where it is kept is named.
set -uo pipefail

colltune=$(realpath "$1") top=$(realpath "$2") failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache TMPDIR=$work/tmp
mkdir "$TMPDIR"

complain() {
    echo "$*" >&2
    failed=1
}

# A compiler wrapper that says it is MPICH's, and never comes back from compiling.
cat >"$work/sleepy" <<END
#!/bin/sh
case " \$* " in
*" -c "*) echo \$\$ >>$work/compiling; sleep 600 ;;
*" -E "*) echo '#define MPICH_VERSION "4.0"' ;;
esac
END
mkdir "$work/bin"
ln -s /bin/true "$work/bin/mpiexec.mpich"
chmod +x "$work/sleepy"
export PATH=$work/bin:$PATH

# stops COMMAND WORD...: it compiles, is told to stop, says so with exit code 1, and leaves nothing.
stops() {
    rm -f "$work/compiling"
    (cd "$work" && exec "$colltune" "$@") >"$work/out" 2>"$work/err" &
    local id=$! status=0 i
    for ((i = 0; i < 600 && $(wc -l 2>/dev/null <"$work/compiling" || echo 0) == 0; i++)); do
        sleep 0.1
    done
    [ -s "$work/compiling" ] || complain "$1: does not compile: $(cat "$work/err")"
    kill -TERM "$id"
    wait "$id" || status=$?
    [ "$status" -eq 1 ] || complain "$1: ended with $status"
    grep -q "stopped while compiling" "$work/err" || complain "$1: said: $(cat "$work/err")"
    while read -r compiler; do
        ! kill -0 "$compiler" 2>"$work/none" || complain "$1: its compiler is still there"
    done <"$work/compiling"
    left=$(cd "$work" && find . -mindepth 1 ! -path ./cache ! -path ./cache/colltune ! -path ./tmp \
        ! -path './bin*' ! -name sleepy ! -name compiling ! -name out ! -name err ! -name none \
        ! -path './tune*')
    [ -z "$left" ] || complain "$1: left behind: $left"
}

stops measure -o run --cc "$work/sleepy" -c bcast --comm-sizes 2 --msg-sizes 8
grep -q "getting ready: compiling" "$work/err" || complain "measure: did not say what it does"
stops fit -o model.xml --cc "$work/sleepy"
stops build "$top/decision-tables/ethernet100-bcast.xml" -o library --cc "$work/sleepy"
stops tune -o tune --cc "$work/sleepy" -c bcast --comm-sizes 2 --msg-sizes 8
[ ! -e "$work/tune/run" ] || complain "tune: left a run"

# The cache folder.
: >"$work/file"
XDG_CACHE_HOME=$work/file "$colltune" measure -o run --cc "$work/sleepy" -c bcast --comm-sizes 2 \
    --msg-sizes 8 2>"$work/err" && complain "measured without a cache folder"
grep -q "XDG_CACHE_HOME" "$work/err" || complain "cache folder: said: $(cat "$work/err")"

# What this compiler makes cannot be run, as on a file system that is mounted noexec.
cat >"$work/inert" <<END
#!/bin/sh
case " \$* " in
*" -E "*) echo '#define MPICH_VERSION "4.0"' ;;
*)
    for word; do
        [ "\$before" != -o ] || cc -c -x c /dev/null -o "\$word"
        before=\$word
    done
    ;;
esac
END
chmod +x "$work/inert"
"$colltune" measure -o "$work/run" --cc "$work/inert" -c bcast --comm-sizes 2 --msg-sizes 8 2>"$work/err" &&
    complain "measured with a program that cannot run"
grep -q "no program can run in that folder; is its file system mounted noexec?" "$work/err" ||
    complain "inert program: said: $(cat "$work/err")"
[ -z "$(find "$work/cache" -name "benchmark*")" ] || complain "inert program: it was kept"

[ "$failed" -eq 0 ]
