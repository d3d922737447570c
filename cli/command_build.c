/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/data.h"
#include "cli/learning.h"
#include "cli/prefix.h"

#include <stdlib.h>
#include <string.h>

struct settings {
    const char *prefix;
    const char *mpi;
    const char *cc;
    bool standard;
    bool replace;
};

static const struct ct_option options[] = {
    {"output", 'o', "PREFIX", CT_OPTION_TEXT, offsetof(struct settings, prefix), .required = true,
     .text = "put the library, its header and its pkg-config file into this folder"},
    {"mpi", 0, "NAME", CT_OPTION_TEXT, offsetof(struct settings, mpi), .usual_text = "mpich",
     .text = "build for this MPI: mpich, openmpi or smpi"},
    {"cc", 0, "MPICC", CT_OPTION_TEXT, offsetof(struct settings, cc), .usual_text = "that of the MPI",
     .text = "compile with this compiler wrapper of the MPI"},
    {"default", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, standard),
     .text =
         "build from the shipped table, without any measurement: native unless ranks outnumber CPUs, then "
         "methods that do not spin"},
    {"replace", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, replace),
     .text = "replace a library that is in the folder already"},
    {0},
};

static int read_table(const struct settings *settings, const struct ct_arguments *arguments,
                      struct ct_error *error, struct ct_table *ret_table)
{
    char *shipped = NULL;
    if (settings->standard == (arguments->count > 0))
        return ct_fail(error, CT_E_INPUT, "expected either a TABLE.xml or --default");
    int status = settings->standard ? ct_data_path("decision-tables/default.xml", error, &shipped) : CT_OK;
    if (status == CT_OK)
        status = ct_table_read(shipped ? shipped : arguments->words[0], error, ret_table);
    free(shipped);
    return status == CT_OK && !settings->standard ? ct_table_check_own(ret_table, arguments->words[0], error)
                                                  : status;
}

/* Says so if the table was learned with another MPI. */
static void compare_mpi(const struct ct_table *table, const struct ct_mpi *mpi)
{
    for (size_t i = 0; i < table->run_count; i++)
        for (size_t p = 0; p < table->runs[i].property_count; p++) {
            const struct ct_property *property = &table->runs[i].properties[p];
            if (strcmp(property->name, "mpi.name") != 0 || strcmp(property->value, mpi->name) == 0)
                continue;
            ct_tell(&ct_command_build,
                    "the table was learned with %s, the library is for %s: its decisions may be slower than "
                    "native",
                    property->value, mpi->name);
            return;
        }
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct ct_table table = {0};
    struct ct_mpi mpi = {0};
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_watch(&bar, &ct_command_build);
    int status;
    if ((status = read_table(settings, arguments, error, &table)) == CT_OK &&
        (arguments->count == 0 ||
         (status = ct_outdated_tell(&ct_command_build, &table, arguments->words[0])) == CT_OK) &&
        (status = ct_mpi_find(settings->mpi, settings->cc, error, &mpi)) == CT_OK &&
        (status = ct_prefix_build(settings->prefix, &table, &mpi, settings->replace, &watch, error)) ==
            CT_OK) {
        ct_tell(&ct_command_build, "%s/lib/libcolltuned is built for %s %s", settings->prefix, mpi.name,
                mpi.version);
        compare_mpi(&table, &mpi);
    }
    ct_mpi_free(&mpi);
    ct_table_free(&table);
    return status;
}

const struct ct_command ct_command_build = {
    .name = "build",
    .text = "build the tuned library from a decision table",
    .usage = "TABLE.xml|--default -o PREFIX",
    .most = 1,
    .about = "Builds the tuned library of collectives that a decision table describes: "
             "PREFIX/lib/libcolltuned.so and .a, PREFIX/include/colltuned.h and "
             "PREFIX/lib/pkgconfig/colltuned.pc. Libraries of different MPIs are not compatible: build one "
             "for each. --default needs no table and no measurement.",
    .notes = "Example:\n"
             "  colltune build table.xml -o tuned --mpi mpich\n"
             "  colltune build --default -o standard\n"
             "  LD_PRELOAD=tuned/lib/libcolltuned.so mpiexec -n 4 ./app\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
