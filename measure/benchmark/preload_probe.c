/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that `colltune doctor` starts in place of an application. Each rank prints one line: who and
 * where it is, and the libraries that it was loaded with. It needs only MPI and libc. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of the loaded file whose path contains one of the names; empty if there is none. */
static void find_loaded(const char *const *names, char path[PATH_MAX])
{
    char line[PATH_MAX + 128];
    FILE *maps = fopen("/proc/self/maps", "r");
    path[0] = '\0';
    while (maps && !path[0] && fgets(line, sizeof line, maps)) {
        const char *file = strchr(line, '/');
        for (int i = 0; file && names[i] && !path[0]; i++)
            if (strstr(file, names[i]))
                snprintf(path, PATH_MAX, "%.*s", (int)strcspn(file, "\n"), file);
    }
    if (maps)
        fclose(maps);
}

int main(int argc, char **argv)
{
    static const char *const tuned_names[] = {"/libcolltuned", NULL};
    static const char *const mpi_names[] = {"/libmpi.so", "/libmpich.so", "/libmpi_cray.so", NULL};
    static char tuned[PATH_MAX], mpi[PATH_MAX], line[3 * PATH_MAX];
    const char *preload = getenv("LD_PRELOAD");
    char host[256] = "?";
    int rank, size;
    PMPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    gethostname(host, sizeof host - 1);
    find_loaded(tuned_names, tuned);
    find_loaded(mpi_names, mpi);
    int length = snprintf(line, sizeof line, "colltune-probe\t%d\t%d\t%ld\t%s\t%s\t%s\t%s\n", rank, size,
                          sysconf(_SC_NPROCESSORS_ONLN), host, tuned, mpi, preload ? preload : "");
    /* in one piece, so that the lines of ranks do not mix */
    if (length > 0 && write(STDOUT_FILENO, line, (size_t)length) != length)
        return 1;
    PMPI_Finalize();
    return 0;
}
