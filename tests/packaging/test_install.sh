#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_install.sh TOP BUILD: installs into a folder with a blank in its name; what is there measures, learns,
# builds, validates, fits and reports while the source tree and the build are out of sight.
set -uo pipefail

top=$(realpath "$1") build=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}

meson install -C "$build" --no-rebuild --destdir "$work/in stalled" >"$work/install.log" 2>&1 ||
    complain "meson install: $(tail -n 3 "$work/install.log")"
prefix=$(find "$work/in stalled" -type d -name bin -exec dirname {} \;)
colltune=$prefix/bin/colltune

cat >"$work/use" <<'END'
set -eu
colltune=$1
shift
for hidden in "$@"; do
    mount -t tmpfs none "$hidden"
done
cd "$(dirname "$0")"
export XDG_CACHE_HOME=$PWD/cache
"$colltune" measure -o run -c bcast --comm-sizes 2 --msg-sizes 8 --launches 1 \
    --max-repetitions 20 --methods linear,chain
"$colltune" learn run -o table.xml
"$colltune" build table.xml -o library
"$colltune" validate library -c bcast --comm-sizes 2 --msg-sizes 8 --seconds 0.01s -o validation.csv
"$colltune" fit -o model.xml --max-repetitions 5
"$colltune" report run table.xml -o report
"$colltune" measure -o simulated --simulate ethernet100 -c bcast --comm-sizes 4 --msg-sizes 8 --methods linear
END
hide=()
if unshare -rm true 2>/dev/null; then
    hide=(unshare -rm)
fi
folders=()
[ ${#hide[@]} -eq 0 ] || folders=("$build" "$top")
# The test itself may lie in what is hidden: so the shell reads a copy elsewhere.
"${hide[@]}" sh "$work/use" "$colltune" "${folders[@]}" >"$work/use.log" 2>&1 ||
    complain "the installed colltune: $(tail -n 5 "$work/use.log")"
[ -s "$work/report/index.html" ] || complain 'there is no report'

# --- what comes with it ---

for command in '' $("$colltune" --help |
     sed -n 's/^  \([a-z][a-z0-9-]*\)  *[a-z].*/-\1/p' | grep -v '^-colltune$'); do
    page=$prefix/share/man/man1/colltune$command.1
    grep -q '^\.SH SYNOPSIS' "$page" || complain "colltune$command.1 has no synopsis"
    [ -z "$command" ] || grep -qF '\-\-help' "$page" || complain "colltune$command.1 does not have --help"
    while IFS= read -r named; do
        [ -z "$named" ] || [ -s "$work/in stalled$named" ] ||
            complain "colltune$command.1 names $named, which is not installed"
    done <<<"$(sed 's/\\-/-/g' "$page" | grep -oE '/[^ ]*docs/[a-z-]*\.md')"
done
grep -q 'COLLTUNE_VERBOSE' "$prefix/share/man/man3/libcolltuned.3" || complain 'libcolltuned.3'
if command -v groff >/dev/null; then
    for page in "$prefix"/share/man/man?/*; do
        said=$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)
        [ -z "$said" ] || complain "$page: $said"
    done
fi

# offers LAST WORD...: does bash complete the words to something that has the last, with nothing twice, as an
# option and as examples write it?
offers() {
    (
        PATH=$prefix/bin:$PATH
        # shellcheck source=packaging/colltune.bash disable=SC1091
        . "$prefix/share/bash-completion/completions/colltune"
        COMP_WORDS=(colltune "${@:2}") COMP_CWORD=$(($# - 1))
        _colltune 2>/dev/null
        [[ " ${COMPREPLY[*]} " == *" $1 "* ]] &&
            [ -z "$(printf '%s\n' "${COMPREPLY[@]%=}" | sort | uniq -d)" ]
    )
}
completes() {
    offers "$@" || complain "colltune ${*:2} is not completed to $1"
}
COMP_CWORD=0
completes measure mea
completes learn help le
completes --msg-sizes= measure --m
completes --comm-sizes= measure --comm-s
completes allreduce learn -c all
completes bcast measure --collectives = b
completes ompi-json generate --format = omp
completes quadtree learn --model model.xml --learner q
completes openmpi tune --mpi o
completes csv import c
completes bcast/chain explain bcast/c
offers parameters learn -c par && complain 'parameters is offered as a collective'

grep -q "^Version: $("$colltune" --version | cut -d ' ' -f 2)$" "$prefix/share/pkgconfig/colltune.pc" ||
    complain 'colltune.pc'
[ -n "$(find "$prefix/share/modulefiles/colltune" -type f)" ] || complain 'there is no module file'
if command -v tclsh >/dev/null; then # a prefix may have blanks and quotation marks
    # shellcheck disable=SC2016 # Tcl expands it
    { echo 'foreach word {module-whatis conflict append-path} { proc $word args {} }'
        echo 'proc prepend-path {name path} { puts "$name=$path" }'
        sed "s|@PREFIX@|/opt/pre fix's \"q\"|" "$top/packaging/modulefile.in"; } >"$work/module.tcl"
    tclsh "$work/module.tcl" >"$work/module.out" 2>&1
    grep -qx "PATH=/opt/pre fix's \"q\"/bin" "$work/module.out" ||
        complain 'quotes in the module file'
fi

for recipe in "$top"/packaging/spack/packages/*/package.py; do
    # meson runs on Python
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$recipe" || complain "$recipe"
done
# A package gives Meson options that there are, and says whether METIS is taken: a METIS of the system is no
# accident of the build.
for recipe in "$top/packaging/spack/packages/colltune/package.py" "$top/packaging/debian/rules"; do
    given=$(grep -oE -- '-D[a-z_]+' "$recipe" | sort -u)
    [[ $given == *-Dmetis* ]] || complain "$recipe does not say whether METIS is taken"
    for option in $given; do
        grep -q "^option('${option#-D}'" "$top/meson_options.txt" || complain "$recipe gives $option"
    done
done

DESTDIR="$work/in stalled" ninja -C "$build" uninstall >"$work/uninstall.log" 2>&1 ||
    complain 'ninja uninstall'
[ -z "$(find "$work/in stalled" -type f 2>/dev/null)" ] ||
    complain "ninja uninstall leaves $(find "$work/in stalled" -type f | head -n 3)"
exit $failed
