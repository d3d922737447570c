/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/toolchain.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 4, VERSION_MACROS = 3 };

static const char mpi_header[] = "mpi.h";

/* The known MPI libraries, the default first. Plain mpicc may belong to any of them, so the macros of its
 * mpi.h decide. */
static const struct known {
    const char *name;
    const char *package;            /* of Debian */
    const char *packages_elsewhere; /* ended by ", "; or empty */
    const char *mark;               /* macro that its mpi.h defines and no other's */
    const char *compilers[CANDIDATES];
    const char *launchers[CANDIDATES];
    const char *header;                  /* that has its version */
    const char *about;                   /* stands before the version */
    const char *version[VERSION_MACROS]; /* the version's parts */
} known[] = {
    {"mpich",
     "mpich and libmpich-dev",
     "RHEL and SLES: mpich-devel, ",
     "MPICH_VERSION",
     {"mpicc.mpich", "mpicc"},
     {"mpiexec.mpich", "mpiexec.hydra", "mpiexec"},
     mpi_header,
     "",
     {"MPICH_VERSION"}},
    {"openmpi",
     "openmpi-bin and libopenmpi-dev",
     "RHEL: openmpi-devel, SLES: openmpi4-devel, ",
     "OMPI_MAJOR_VERSION",
     {"mpicc.openmpi", "mpicc"},
     {"mpiexec.openmpi", "mpirun.openmpi", "mpiexec"},
     mpi_header,
     "",
     {"OMPI_MAJOR_VERSION", "OMPI_MINOR_VERSION", "OMPI_RELEASE_VERSION"}},
    {"smpi",
     "libsimgrid-dev",
     "",
     "SMPI_H",
     {"smpicc"},
     {"smpirun"},
     "simgrid/version.h",
     "SimGrid ",
     {"SIMGRID_VERSION_MAJOR", "SIMGRID_VERSION_MINOR"}},
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

/* What the macros say of the version. The caller frees it; NULL if memory is short. */
static char *read_version(const struct known *mpi, const char *macros)
{
    struct ct_text version = {0};
    ct_text_append(&version, "%s", mpi->about);
    for (int i = 0; i < VERSION_MACROS && mpi->version[i]; i++) {
        char *part = macro_value(macros, mpi->version[i]);
        ct_text_append(&version, "%s%s", i > 0 ? "." : "", part ? part : "?");
        free(part);
    }
    if (version.failed)
        ct_text_free(&version);
    return version.data;
}

/* The version by the macros of mpi.h, or of the header that has it; "unknown" for an unknown MPI. The caller
 * frees it; NULL if memory is short. */
static char *version_of(const char *cc, const struct known *mpi, const char *macros)
{
    struct ct_text own = {0};
    if (!mpi)
        return strdup("unknown");
    if (strcmp(mpi->header, mpi_header) == 0)
        return read_version(mpi, macros);
    const bool is_known = macros_of(cc, mpi->header, NULL, &own) == CT_OK && own.length > 0;
    char *version = is_known ? read_version(mpi, own.data) : strdup("unknown");
    ct_text_free(&own);
    return version;
}

/* Which MPI does this wrapper belong to? *ret_known is NULL for an unknown one. CT_E_SYSTEM if its mpi.h
 * cannot be included. The caller frees its macros. */
static int identify(const char *cc, struct ct_error *error, struct ct_text *macros,
                    const struct known **ret_known)
{
    const struct known *found = NULL;
    int status = macros_of(cc, mpi_header, error, macros);
    if (status == CT_OK && macros->length == 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot compile a program that includes %s", cc, mpi_header);
    for (int i = 0; status == CT_OK && i < KNOWN && !found; i++) {
        char *value = macro_value(macros->data, known[i].mark);
        if (value)
            found = &known[i];
        free(value);
    }
    *ret_known = found;
    return status;
}

/* Does a plain mpiexec belong to the MPI? */
static bool mpiexec_fits(const struct known *mpi)
{
    const char *argv[] = {"mpiexec", "--version", NULL};
    struct ct_text text = {0};
    int code;
    bool answers = ct_command_run(argv, &text, NULL, &code) == CT_OK && text.data;
    bool is_open = answers && (strstr(text.data, "Open MPI") || strstr(text.data, "OpenRTE"));
    ct_text_free(&text);
    return answers && is_open == (strcmp(mpi->name, "openmpi") == 0);
}

/* Names with a suffix are trusted. */
static char *find_launcher(const struct known *mpi)
{
    if (!mpi)
        return ct_program_find("mpiexec");
    for (int i = 0; i < CANDIDATES && mpi->launchers[i]; i++) {
        char *path = ct_program_find(mpi->launchers[i]);
        if (path && (strcmp(mpi->launchers[i], "mpiexec") != 0 || mpiexec_fits(mpi)))
            return path;
        free(path);
    }
    return NULL;
}

/* Does the line begin with a program that can be called? A wrapper may also print notices. */
static bool is_command(const char *line, size_t length)
{
    const size_t word = strcspn(line, " \t\n");
    char *name = strndup(line, word < length ? word : length);
    char *path = name && *name ? ct_program_find(name) : NULL;
    const bool is = path != NULL;
    free(name);
    free(path);
    return is;
}

/* Empty if the wrapper does not know the option; NULL if memory is short. */
static char *compiler_of(const char *cc)
{
    struct ct_text shown = {0};
    int code;
    const bool is_known =
        ct_command_run((const char *const[]){cc, "-show", NULL}, &shown, NULL, &code) == CT_OK && code == 0;
    const char *line = is_known && shown.data ? shown.data : "";
    size_t length = strcspn(line, "\n");
    while (*line && !is_command(line, length)) {
        line += length + (line[length] == '\n');
        length = strcspn(line, "\n");
    }
    char *command = shown.failed ? NULL : strndup(line, length);
    ct_text_free(&shown);
    return command;
}

static int find_by_compiler(const char *name, const char *cc, struct ct_error *error, struct ct_mpi *ret_mpi)
{
    const struct known *mpi;
    struct ct_text macros = {0};
    struct ct_mpi found = {.cc = ct_program_find(cc)};
    if (!found.cc)
        return ct_fail(error, CT_E_SYSTEM, "%s: no such compiler", cc);
    int status = identify(cc, error, &macros, &mpi);
    if (status == CT_OK && name && strcmp(name, mpi ? mpi->name : "mpi") != 0)
        status = ct_fail(error, CT_E_INPUT, "%s: compiles for %s, expected %s", cc,
                         mpi ? mpi->name : "another MPI", name);
    if (status == CT_OK) {
        found.name = strdup(mpi ? mpi->name : "mpi");
        found.version = version_of(cc, mpi, macros.data);
        found.compiler = compiler_of(cc);
        found.launcher = find_launcher(mpi);
        status = found.name && found.version && found.compiler ? CT_OK : CT_E_MEMORY;
    }
    ct_text_free(&macros);
    if (status == CT_OK)
        *ret_mpi = found;
    else
        ct_mpi_free(&found);
    return status;
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
    struct ct_error broken = {""};
    for (int i = 0; i < CANDIDATES && wanted->compilers[i]; i++) {
        struct ct_error why = {""};
        char *path = ct_program_find(wanted->compilers[i]);
        int status = path ? find_by_compiler(wanted->name, path, &why, ret_mpi) : CT_E_SYSTEM;
        free(path);
        if (status == CT_OK)
            return CT_OK;
        broken = status == CT_E_SYSTEM && why.text[0] ? why : broken;
    }
    return ct_fail(error, CT_E_SYSTEM,
                   "%.600s%s%s: install the package%s %s (%sor load its module), or name "
                   "a compiler with --cc",
                   broken.text, broken.text[0] ? "" : "no compiler was found for ",
                   broken.text[0] ? "" : wanted->name, strstr(wanted->package, " and ") ? "s" : "",
                   wanted->package, wanted->packages_elsewhere);
}

const char *ct_mpi_choice(size_t index)
{
    return index < KNOWN ? known[index].name : NULL;
}

void ct_mpi_free(struct ct_mpi *mpi)
{
    free(mpi->name);
    free(mpi->version);
    free(mpi->cc);
    free(mpi->compiler);
    free(mpi->launcher);
    *mpi = (struct ct_mpi){0};
}
