/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/executable.h"
#include "base/process.h"
#include "base/text.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* The MPI libraries by the names that programs ask for. MPICH's relatives share its names. */
static const struct soname {
    const char *start;
    const char *mpi;
} sonames[] = {{"libmpich.so.", "mpich"},
               {"libmpi.so.12", "mpich"},
               {"libmpi_cray.so.", "mpich"},
               {"libmpi.so.", "openmpi"}};

static const struct soname *find_soname(const char *name)
{
    for (size_t i = 0; i < sizeof sonames / sizeof sonames[0]; i++)
        if (strncmp(name, sonames[i].start, strlen(sonames[i].start)) == 0)
            return &sonames[i];
    return NULL;
}

static bool is_elf(const char *path)
{
    char begin[SELFMAG] = "";
    FILE *file = fopen(path, "rb");
    bool is = file && fread(begin, sizeof begin, 1, file) == 1 && memcmp(begin, ELFMAG, SELFMAG) == 0;
    if (file)
        fclose(file);
    return is;
}

/* Takes a line of ldd: "\tNAME => PATH (0xADDRESS)", "\tNAME => not found", "\tPATH (0xADDRESS)". */
static int take_library(const char *line, struct ct_executable *executable)
{
    static const char arrow[] = " => ";
    const char *name = line + strspn(line, " \t"), *points = strstr(name, arrow);
    const char *path = points ? points + sizeof arrow - 1 : name, *address = strstr(line, " (0x");
    const char *end = points ? points : address;
    executable->kind = address ? CT_EXECUTABLE_DYNAMIC : executable->kind;
    executable->is_tuned |= strstr(line, "libcolltuned") && address;
    if (end && !address && !executable->missing)
        return (executable->missing = strndup(name, (size_t)(end - name))) ? CT_OK : CT_E_MEMORY;
    const struct soname *known = find_soname(name);
    if (!address || executable->mpi || !known)
        return CT_OK;
    char *found = strndup(path, (size_t)(address - path));
    executable->mpi = found ? realpath(found, NULL) : NULL;
    executable->mpi_soname = strndup(name, (size_t)(end - name));
    executable->mpi_name = known->mpi;
    free(found);
    return executable->mpi && executable->mpi_soname ? CT_OK : CT_E_MEMORY;
}

static int read_libraries(const char *path, struct ct_error *error, struct ct_executable *executable)
{
    const char *const argv[] = {"ldd", path, NULL};
    struct ct_text text = {0};
    int code;
    int status = ct_command_run(argv, &text, error, &code);
    char *rest = text.data;
    for (char *line; status == CT_OK && (line = strsep(&rest, "\n"));)
        status = take_library(line, executable);
    ct_text_free(&text);
    return status;
}

/* Without nm nothing is known of what the file calls. */
static void read_calls(const char *path, struct ct_executable *executable)
{
    const char *const argv[] = {"nm", "-D", "--undefined-only", path, NULL};
    struct ct_text text = {0};
    int code;
    if (ct_command_run(argv, &text, NULL, &code) == CT_OK && code == 0 && text.data)
        executable->loads_later = strstr(text.data, " U dlopen");
    ct_text_free(&text);
}

int ct_executable_read(const char *path, struct ct_error *error, struct ct_executable *ret_executable)
{
    struct ct_executable executable = {.kind = CT_EXECUTABLE_SCRIPT};
    struct stat about;
    if (stat(path, &about) != 0)
        return ct_fail(error, CT_E_INPUT, "%s: there is no such file", path);
    if (!S_ISREG(about.st_mode) || access(path, R_OK) != 0)
        return ct_fail(error, CT_E_INPUT, "%s: is no file that can be read", path);
    executable.is_privileged =
        (about.st_mode & (S_ISUID | S_ISGID)) || getxattr(path, "security.capability", NULL, 0) > 0;
    if (is_elf(path)) {
        executable.kind = CT_EXECUTABLE_STATIC;
        int status = read_libraries(path, error, &executable);
        if (status != CT_OK) {
            ct_executable_free(&executable);
            return status;
        }
        read_calls(path, &executable);
    }
    *ret_executable = executable;
    return CT_OK;
}

void ct_executable_free(struct ct_executable *executable)
{
    free(executable->missing);
    free(executable->mpi);
    free(executable->mpi_soname);
    *executable = (struct ct_executable){0};
}
