# SPDX-License-Identifier: BSD-3-Clause
# The folder packaging/spack is a Spack repository: spack repo add packaging/spack
from spack.package import *


class Colltune(MesonPackage):
    """Measures the collective algorithms of MPI on a machine, learns which one is fastest where, and builds
    these decisions into a library that applications link or preload."""

    # The tree that the recipe lies in: spack dev-build colltune@main
    version("main", branch="main")

    license("BSD-3-Clause")

    variant("simulator", default=False, description="Measure simulated machines, too")
    variant("gnuplot", default=True, description="Draw curves in reports")
    variant("metis", default=True, description="Divide the rows of matrices by METIS")

    depends_on("c", type="build")
    depends_on("meson@1.0.0:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("gsl")
    depends_on("hwloc@2:")
    depends_on("json-c")
    depends_on("libcsv")
    depends_on("libxml2")
    depends_on("openssl")
    depends_on("metis", when="+metis")
    depends_on("mpi", type=("build", "run"))
    depends_on("simgrid +smpi", when="+simulator", type="run")
    depends_on("gnuplot", when="+gnuplot", type="run")

    def meson_args(self):
        # A METIS of the system is not taken unasked.
        metis = "enabled" if self.spec.satisfies("+metis") else "disabled"
        return ["-Dtests=false", f"-Dmetis={metis}"]
