# SPDX-License-Identifier: BSD-3-Clause
# Spack itself has no recipe of libcsv.
from spack.package import *


class Libcsv(AutotoolsPackage):
    """A small and fast library that reads and writes CSV."""

    homepage = "https://github.com/rgamble/libcsv"
    git = "https://github.com/rgamble/libcsv.git"

    license("LGPL-2.1-or-later")

    version("3.0.3", commit="6e750805f54f81a26470486d6ed79efaf7d13805")

    depends_on("c", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("libtool", type="build")
    depends_on("m4", type="build")

    # The repository holds a configure script, but a clone gives all files the same time: make would call the
    # versions of aclocal and automake that made it.
    force_autoreconf = True
