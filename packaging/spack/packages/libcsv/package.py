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
