/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"
#include "cli/prefix.h"

struct settings {
    const char *prefix;
    const char *mpi;
    const char *cc;
    bool replace;
};

static const struct ct_option options[] = {
    {"output", 'o', "PREFIX", CT_OPTION_TEXT, offsetof(struct settings, prefix), .required = true,
     .text = "put the library, its header and its pkg-config file into this folder"},
    {"mpi", 0, "NAME", CT_OPTION_TEXT, offsetof(struct settings, mpi), .usual_text = "mpich",
     .text = "build for this MPI: mpich, openmpi or smpi"},
    {"cc", 0, "MPICC", CT_OPTION_TEXT, offsetof(struct settings, cc), .usual_text = "that of the MPI",
     .text = "compile with this compiler wrapper of the MPI"},
    {"replace", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, replace),
     .text = "replace a library that is in the folder already"},
    {0},
};

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct ct_table table = {0};
    struct ct_mpi mpi = {0};
    int status;
    if ((status = ct_table_read(arguments->words[0], error, &table)) == CT_OK &&
        (status = ct_mpi_find(settings->mpi, settings->cc, error, &mpi)) == CT_OK &&
        (status = ct_prefix_build(settings->prefix, &table, &mpi, settings->replace, error)) == CT_OK)
        ct_tell(&ct_command_build, "%s/lib/libcolltuned is built for %s %s", settings->prefix, mpi.name,
                mpi.version);
    ct_mpi_free(&mpi);
    ct_table_free(&table);
    return status;
}

const struct ct_command ct_command_build = {
    .name = "build",
    .text = "build the tuned library from a decision table",
    .usage = "TABLE.xml -o PREFIX",
    .least = 1,
    .about = "Builds the tuned library of collectives that a decision table describes: "
             "PREFIX/lib/libcolltuned.so and .a, PREFIX/include/colltuned.h and "
             "PREFIX/lib/pkgconfig/colltuned.pc. Libraries of different MPIs are not compatible: build one "
             "for each.",
    .notes = "Example:\n"
             "  colltune build table.xml -o tuned --mpi mpich\n"
             "  LD_PRELOAD=tuned/lib/libcolltuned.so mpiexec -n 4 ./app\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
