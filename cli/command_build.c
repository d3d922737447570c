/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"
#include "cli/prefix.h"

#include <stdio.h>

struct arguments {
    const char *table;
    const char *prefix;
    const char *mpi;
    const char *cc;
    bool replace;
};

enum { KEY_MPI = 0x100, KEY_CC, KEY_REPLACE };

static const struct argp_option options[] = {
    {"output", 'o', "PREFIX", 0, "folder for the library, its header and its pkg-config file", 0},
    {"mpi", KEY_MPI, "NAME", 0, "MPI to build for: mpich (default), openmpi, smpi", 0},
    {"cc", KEY_CC, "MPICC", 0, "its compiler wrapper, where it is not the usual one", 0},
    {"replace", KEY_REPLACE, NULL, 0, "replace a library that is there already", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->prefix = argument;
        return 0;
    case KEY_MPI:
        arguments->mpi = argument;
        return 0;
    case KEY_CC:
        arguments->cc = argument;
        return 0;
    case KEY_REPLACE:
        arguments->replace = true;
        return 0;
    case ARGP_KEY_ARG:
        arguments->table = ct_argument_of(state, argument, 1);
        return 0;
    case ARGP_KEY_NO_ARGS:
        ct_usage(state, "expected a decision table");
    case ARGP_KEY_END:
        if (!arguments->prefix)
            ct_usage(state, "expected -o PREFIX");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "TABLE.xml",
    "Builds the tuned collectives library that a decision table describes: PREFIX/lib/libcolltuned.so and "
    ".a, "
    "PREFIX/include/colltuned.h and PREFIX/lib/pkgconfig/colltuned.pc. Libraries of different MPIs are not "
    "compatible: build one for each.\v"
    "Example:\n  colltune build table.xml -o tuned --mpi mpich\n"
    "  LD_PRELOAD=tuned/lib/libcolltuned.so mpiexec -n 4 ./app\n",
    NULL,
    NULL,
    NULL};

static int run(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ct_error error = {0};
    struct ct_table table;
    struct ct_mpi mpi;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    int status = ct_table_read(arguments.table, &error, &table);
    if (status != CT_OK)
        return ct_command_fail("build", status, &error);
    status = ct_mpi_find(arguments.mpi, arguments.cc, &error, &mpi);
    if (status == CT_OK) {
        status = ct_prefix_build(arguments.prefix, &table, &mpi, arguments.replace, &error);
        if (status == CT_OK)
            fprintf(stderr, "built %s/lib/libcolltuned for %s %s\n", arguments.prefix, mpi.name, mpi.version);
        ct_mpi_free(&mpi);
    }
    ct_table_free(&table);
    return ct_command_end("build", status, &error);
}

const struct ct_command ct_command_build = {"build", "the tuned library, from a decision table", run,
                                            options};
