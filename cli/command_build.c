/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/checksum.h"
#include "base/data.h"
#include "cli/learning.h"
#include "cli/option_choices.h"
#include "cli/prefix.h"
#include "cli/terminal.h"
#include "cli/votes.h"
#include "models/model_file.h"

#include <stdlib.h>
#include <string.h>

struct settings {
    const char *prefix;
    const char *mpi;
    const char *cc;
    bool standard;
    bool replace;
    int cost_model;
    double weights[CT_COMMUNICATION_MODELS]; /* of --vote; all 0: none */
};

static const struct ct_option options[] = {
    {"output", 'o', "PREFIX", CT_OPTION_TEXT, offsetof(struct settings, prefix), .required = true,
     .output = CT_OUTPUT_FOLDER,
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

    CT_HEADING("From a model"),
    CT_COST_MODEL_OPTION(struct settings),
    {"vote", 0, "LIST", CT_OPTION_OTHER, offsetof(struct settings, weights), .read = ct_votes_read,
     .text = "let several models vote in each call, with weights, as in `colltune predict`, for example "
             "hockney=1,loggp=2,plogp=2"},
    {0},
};

static int read_table(const struct settings *settings, const struct ct_arguments *arguments,
                      struct ct_error *error, struct ct_table *ret_table)
{
    char *shipped = NULL;
    int status = settings->standard ? ct_data_path("decision-tables/default.xml", error, &shipped) : CT_OK;
    if (status == CT_OK)
        status = ct_table_read(shipped ? shipped : arguments->words[0], error, ret_table);
    free(shipped);
    return status == CT_OK && !settings->standard ? ct_table_check_own(ret_table, arguments->words[0], error)
                                                  : status;
}

/* Says so if the table was learned with another MPI, or with one that is not known, as imported times are. */
static void compare_mpi(const struct ct_table *table, const struct ct_mpi *mpi)
{
    for (size_t i = 0; i < table->run_count; i++) {
        const struct ct_table_run *run = &table->runs[i];
        const char *name = ct_property_find(run->properties, run->property_count, "mpi.name");
        if (!name)
            ct_tell(&ct_command_build,
                    "run %s names no MPI library: decisions of its table may be slower than native here; "
                    "`colltune validate` shows it",
                    run->name);
        else if (strcmp(name, mpi->name) != 0)
            ct_tell(&ct_command_build,
                    "the table was learned with %s, the library is for %s: its decisions may be slower than "
                    "native",
                    name, mpi->name);
        else
            continue;
        return;
    }
}

static void tell_built(const struct settings *settings, const struct ct_mpi *mpi)
{
    ct_tell(&ct_command_build, "%s/lib/libcolltuned is built for %s %s", settings->prefix, mpi->name,
            mpi->version);
}

/* What is read is looked at before the MPI is. */
static int build_by_table(const struct settings *settings, const struct ct_arguments *arguments,
                          const struct ct_watch *watch, struct ct_error *error, struct ct_mpi *mpi)
{
    struct ct_table table = {0};
    int status = read_table(settings, arguments, error, &table);
    if (status == CT_OK && arguments->count > 0)
        status = ct_outdated_tell(&ct_command_build, &table, arguments->words[0]);
    if (status == CT_OK)
        status = ct_mpi_find(settings->mpi, settings->cc, error, mpi);
    if (status == CT_OK)
        status = ct_prefix_build(settings->prefix, &table, mpi, settings->replace, watch, error);
    if (status == CT_OK) {
        tell_built(settings, mpi);
        if (!settings->standard) /* which was learned with several */
            compare_mpi(&table, mpi);
    }
    ct_table_free(&table);
    return status;
}

static int build_by_model(const struct settings *settings, const char *file, const struct ct_watch *watch,
                          struct ct_error *error, struct ct_mpi *mpi)
{
    struct ct_voting_model voting;
    int status = ct_voting_model_read(file, settings->weights, settings->cost_model, error, &voting);
    if (status != CT_OK)
        return status;
    status = ct_mpi_find(settings->mpi, settings->cc, error, mpi);
    if (status == CT_OK)
        status =
            ct_prefix_build_model(settings->prefix, &voting.origin, mpi, settings->replace, watch, error);
    if (status == CT_OK)
        tell_built(settings, mpi);
    ct_model_free(&voting.model);
    return status;
}

static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    static const char *const of_models[] = {"cost-model", "vote"};
    if (settings->standard == (arguments->count > 0))
        return ct_fail(error, CT_E_INPUT, "expected either a TABLE.xml, a MODEL.xml or --default");
    const bool by_model = arguments->count > 0 && ct_model_is_file(arguments->words[0]);
    for (size_t i = 0; !by_model && i < sizeof of_models / sizeof of_models[0]; i++)
        if (ct_is_given(arguments, of_models[i]))
            return ct_fail(error, CT_E_INPUT, "--%s: expected a MODEL.xml", of_models[i]);
    return ct_votes_check(settings->weights, arguments, error);
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const char *file = arguments->count > 0 ? arguments->words[0] : NULL;
    struct ct_mpi mpi = {0};
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_watch(&bar, &ct_command_build);
    int status = file && ct_model_is_file(file) ? build_by_model(settings, file, &watch, error, &mpi)
                                                : build_by_table(settings, arguments, &watch, error, &mpi);
    ct_mpi_free(&mpi);
    return status;
}

const struct ct_command ct_command_build = {
    .name = "build",
    .text = "build the tuned library from a decision table or a model",
    .usage = "TABLE.xml|MODEL.xml|--default -o PREFIX",
    .most = 1,
    .about = "Builds the tuned library of collectives that a decision table describes: "
             "PREFIX/lib/libcolltuned.so and .a, PREFIX/include/colltuned.h and "
             "PREFIX/lib/pkgconfig/colltuned.pc. Libraries of different MPIs are not compatible: build one "
             "for each. --default needs no table and no measurement. A library that is built from a model "
             "evaluates the closed formulas in each call; it decides the collectives that have formulas.",
    .notes = "Examples:\n"
             "  colltune build table.xml -o tuned --mpi mpich\n"
             "  colltune build --default -o standard\n"
             "  colltune build model.xml -o by-model --vote hockney=1,loggp=2,plogp=2\n"
             "  LD_PRELOAD=tuned/lib/libcolltuned.so mpiexec -n 4 ./app\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .check = check,
    .run = run,
};
