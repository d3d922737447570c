#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_read_only_tree.sh TOP: an ordinary user builds and installs from a tree that nobody can write, with
# blanks in all paths; uninstalling leaves nothing, and quickstart says in one line what to do there.
set -uo pipefail

top=$(realpath "$1")
git -C "$top" rev-parse HEAD >/dev/null 2>&1 || exit 77
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}

source="$work/read only" build="$work/my build" prefix="$work/my prefix"
mkdir "$source" "$build" "$prefix" "$work/home"
(cd "$top" && git ls-files -z | tar -c --null -T -) | tar -x -C "$source"
chmod -R a-w,a+rX "$source"
chmod a+x "$work"
user=()
if [ "$(id -u)" -eq 0 ]; then
    command -v setpriv >/dev/null || exit 77
    chown -R 65534:65534 "$build" "$prefix" "$work/home"
    user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
fi
as_user() {
    (cd "$work/home" && HOME=$work/home XDG_CACHE_HOME='' "${user[@]}" "$@") >"$work/log" 2>&1 ||
        complain "$*: $(tail -n 5 "$work/log")"
}

# -O0 last, for what is always optimized, too: compiling is quicker.
as_user meson setup "$build" "$source" --prefix "$prefix" -Dtests=false -Doptimization=0 -Dc_args=-O0
as_user ninja -C "$build"
as_user meson install -C "$build" --no-rebuild
colltune=$prefix/bin/colltune
as_user "$colltune" list
as_user "$colltune" verify bcast/binomial
if command -v mpicc.mpich >/dev/null && command -v mpiexec.mpich >/dev/null; then
    as_user "$colltune" doctor --mpi mpich
    as_user "$colltune" measure -o run -c bcast --comm-sizes 2 --msg-sizes 8 --launches 1 --methods linear \
        --max-repetitions 5
    as_user "$colltune" learn run -o table.xml
    as_user "$colltune" build table.xml -o library
fi
as_user ninja -C "$build" uninstall
left=$(find "$prefix" -type f)
[ -z "$left" ] || complain "uninstalling leaves $left"

"${user[@]}" "$source/quickstart" >"$work/log" 2>&1 && complain 'quickstart goes on without write access'
[ "$(wc -l <"$work/log")" -eq 1 ] && grep -q 'copy the tree' "$work/log" ||
    complain "quickstart says: $(cat "$work/log")"
exit $failed
