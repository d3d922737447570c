#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_debian_package.sh TOP: the Debian package is built, and what it holds works where it is unpacked.
set -uo pipefail

top=$(realpath "$1")
command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null &&
    git -C "$top" rev-parse HEAD >/dev/null 2>&1 || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}

# Nothing here depends on how fast the program is, and compiling is quicker.
export DEB_BUILD_OPTIONS=noopt
export DEBFULLNAME='A. Packager' DEBEMAIL=packager@example.org
"$top/packaging/make_debian_package" "$work" || { complain 'make_debian_package'; exit 1; }
package=$(echo "$work"/colltune_*.deb)
version=$(sed -n "s/^ *version: '\(.*\)',\$/\1/p" "$top/meson.build")
[ "$(dpkg-deb -f "$package" Version)" = "$version" ] || complain "version $(dpkg-deb -f "$package" Version)"
[ "$(dpkg-deb -f "$package" Maintainer)" = 'A. Packager <packager@example.org>' ] ||
    complain "maintainer $(dpkg-deb -f "$package" Maintainer)"
dpkg-deb -f "$package" Depends | grep -q 'libgsl.*libxml2' || complain 'it does not depend on its libraries'
dpkg-deb -x "$package" "$work/unpacked"
colltune=$work/unpacked/usr/bin/colltune
[ "$("$colltune" --version)" = "colltune $version" ] || complain '--version'
"$colltune" list bcast >"$work/log" && grep -q binomial "$work/log" || complain 'list'
[ -s "$work/unpacked/usr/share/man/man1/colltune-doctor.1.gz" ] || complain 'there is no manual page'

export XDG_CACHE_HOME=$work/cache
if command -v mpicc.mpich >/dev/null && command -v mpiexec.mpich >/dev/null; then
    "$colltune" doctor --mpi mpich >"$work/log" 2>&1 || complain "doctor: $(cat "$work/log")"
    "$colltune" measure -o "$work/run" -c bcast --comm-sizes 2 --msg-sizes 8 --launches 1 --methods linear \
        --max-repetitions 5 >"$work/log" 2>&1 || complain "measure: $(tail -n 3 "$work/log")"
fi

if command -v lintian >/dev/null; then
    tags=$(lintian --allow-root --fail-on error "$package" 2>&1) || complain "lintian: $tags"
fi
exit $failed
