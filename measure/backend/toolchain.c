/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/toolchain.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 4 };

/* The known MPI libraries, the default first. Plain mpicc may belong to any of them, so the macros of its
 * mpi.h decide. */
static const struct known {
    const char *name;
    const char *package;
    const char *mark; /* macro that its mpi.h defines and no other's */
    const char *compilers[CANDIDATES];
    const char *launchers[CANDIDATES];
} known[] = {
    {"mpich",
     "mpich and libmpich-dev",
     "MPICH_VERSION",
     {"mpicc.mpich", "mpicc"},
     {"mpiexec.mpich", "mpiexec.hydra", "mpiexec"}},
    {"openmpi",
     "openmpi-bin and libopenmpi-dev",
     "OMPI_MAJOR_VERSION",
     {"mpicc.openmpi", "mpicc"},
     {"mpiexec.openmpi", "mpirun.openmpi", "mpiexec"}},
    {"smpi", "libsimgrid-dev", "SMPI_H", {"smpicc"}, {"smpirun"}},
};

enum { KNOWN = sizeof known / sizeof known[0] };

/* The value of a macro in the output of `cc -E -dM`, without quotes; NULL if it is not defined. */
static char *macro_value(const char *macros, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = macros; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        if (strncmp(line, "#define ", 8) != 0 || strncmp(line + 8, name, length) != 0)
            continue;
        const char *value = line + 8 + length;
        if (*value != ' ' && *value != '\n')
            continue;
        value += strspn(value, " \"");
        return strndup(value, strcspn(value, "\"\n"));
    }
    return NULL;
}

/* The macros that a header defines under this compiler; empty text if it does not compile. */
static int macros_of(const char *cc, const char *header, struct ct_error *error, struct ct_text *text)
{
    const char *argv[] = {cc, "-E", "-dM", "-include", header, "-x", "c", "/dev/null", NULL};
    int code;
    int status = ct_command_run(argv, text, error, &code);
    if (status == CT_OK && (code != 0 || text->failed))
        ct_text_free(text);
    return status;
}

static char *version_of(const char *cc, const struct known *mpi, const char *macros)
{
    if (!mpi)
        return strdup("unknown");
    if (strcmp(mpi->name, "openmpi") == 0) {
        char *major = macro_value(macros, "OMPI_MAJOR_VERSION");
        char *minor = macro_value(macros, "OMPI_MINOR_VERSION");
        char *release = macro_value(macros, "OMPI_RELEASE_VERSION");
        char *version =
            ct_format("%s.%s.%s", major ? major : "?", minor ? minor : "?", release ? release : "?");
        free(major);
        free(minor);
        free(release);
        return version;
    }
    if (strcmp(mpi->name, "smpi") == 0) {
        struct ct_text text = {0};
        char *version = NULL;
        if (macros_of(cc, "simgrid/version.h", NULL, &text) == CT_OK && text.length > 0) {
            char *major = macro_value(text.data, "SIMGRID_VERSION_MAJOR");
            char *minor = macro_value(text.data, "SIMGRID_VERSION_MINOR");
            version = ct_format("SimGrid %s.%s", major ? major : "?", minor ? minor : "?");
            free(major);
            free(minor);
        }
        ct_text_free(&text);
        return version ? version : strdup("unknown");
    }
    return macro_value(macros, mpi->mark);
}

/* Which MPI does this wrapper belong to? *ret_known is NULL for an unknown one. CT_E_SYSTEM if its mpi.h
 * cannot be included. */
static int identify(const char *cc, struct ct_error *error, const struct known **ret_known,
                    char **ret_version)
{
    struct ct_text macros = {0};
    int status = macros_of(cc, "mpi.h", error, &macros);
    if (status == CT_OK && macros.length == 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot compile a program that includes mpi.h", cc);
    if (status != CT_OK) {
        ct_text_free(&macros);
        return status;
    }
    const struct known *found = NULL;
    for (int i = 0; i < KNOWN && !found; i++) {
        char *value = macro_value(macros.data, known[i].mark);
        if (value)
            found = &known[i];
        free(value);
    }
    *ret_known = found;
    *ret_version = version_of(cc, found, macros.data);
    ct_text_free(&macros);
    return CT_OK;
}

/* Does this launcher belong to the MPI? A plain mpiexec is asked for its version; names with a suffix are
 * trusted. */
static bool launcher_fits(const struct known *mpi, const char *launcher)
{
    if (strcmp(launcher, "mpiexec") != 0)
        return true;
    const char *argv[] = {launcher, "--version", NULL};
    struct ct_text text = {0};
    int code;
    bool fits = ct_command_run(argv, &text, NULL, &code) == CT_OK && text.data;
    if (fits) {
        bool open = strstr(text.data, "Open MPI") || strstr(text.data, "OpenRTE");
        fits = open == (strcmp(mpi->name, "openmpi") == 0);
    }
    ct_text_free(&text);
    return fits;
}

static char *find_launcher(const struct known *mpi)
{
    for (int i = 0; mpi && i < CANDIDATES && mpi->launchers[i]; i++) {
        char *path = ct_program_find(mpi->launchers[i]);
        if (path && launcher_fits(mpi, mpi->launchers[i]))
            return path;
        free(path);
    }
    return mpi ? NULL : ct_program_find("mpiexec");
}

static int finish(const struct known *mpi, const char *cc, char *version, struct ct_mpi *ret_mpi)
{
    struct ct_mpi found = {.name = strdup(mpi ? mpi->name : "mpi"),
                           .version = version,
                           .cc = ct_program_find(cc),
                           .launcher = find_launcher(mpi)};
    if (!found.name || !found.version || !found.cc) {
        ct_mpi_free(&found);
        return CT_E_MEMORY;
    }
    *ret_mpi = found;
    return CT_OK;
}

static int find_by_compiler(const char *name, const char *cc, struct ct_error *error, struct ct_mpi *ret_mpi)
{
    char *path = ct_program_find(cc);
    free(path);
    if (!path)
        return ct_fail(error, CT_E_SYSTEM, "%s: no such compiler", cc);
    const struct known *mpi;
    char *version;
    int status = identify(cc, error, &mpi, &version);
    if (status != CT_OK)
        return status;
    if (name && strcmp(name, mpi ? mpi->name : "mpi") != 0) {
        free(version);
        return ct_fail(error, CT_E_INPUT, "%s: compiles for %s, expected %s", cc,
                       mpi ? mpi->name : "another MPI", name);
    }
    return finish(mpi, cc, version, ret_mpi);
}

int ct_mpi_find(const char *name, const char *cc, struct ct_error *error, struct ct_mpi *ret_mpi)
{
    const struct known *wanted = cc ? NULL : &known[0];
    for (int i = 0; i < KNOWN && name; i++)
        if (strcmp(known[i].name, name) == 0)
            wanted = &known[i];
    if (name && (!wanted || strcmp(wanted->name, name) != 0) && !(cc && strcmp(name, "mpi") == 0))
        return ct_fail(error, CT_E_INPUT, "unknown MPI '%s': expected mpich, openmpi or smpi", name);
    if (cc)
        return find_by_compiler(name, cc, error, ret_mpi);
    for (int i = 0; i < CANDIDATES && wanted->compilers[i]; i++) {
        char *path = ct_program_find(wanted->compilers[i]);
        free(path);
        if (path && find_by_compiler(wanted->name, wanted->compilers[i], NULL, ret_mpi) == CT_OK)
            return CT_OK;
    }
    return ct_fail(error, CT_E_SYSTEM,
                   "no compiler for %s was found: install the package%s %s, or name one with --cc",
                   wanted->name, strstr(wanted->package, " and ") ? "s" : "", wanted->package);
}

void ct_mpi_free(struct ct_mpi *mpi)
{
    free(mpi->name);
    free(mpi->version);
    free(mpi->cc);
    free(mpi->launcher);
    *mpi = (struct ct_mpi){0};
}
