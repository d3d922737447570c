/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/checksum.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/learning.h"
#include "cli/option_choices.h"
#include "cli/votes.h"
#include "codegen/generator.h"
#include "codegen/generators.h"
#include "codegen/model_code.h"
#include "models/model_file.h"
#include "samples/run_folder.h"

#include <stdio.h>
#include <string.h>

struct settings {
    int format; /* in ct_generators[]; the number of them: a model as C code */
    const char *output;
    struct ct_generator_options options;
    int collective;
    int cost_model;
    double weights[CT_COMMUNICATION_MODELS]; /* of --vote; all 0: none */
};

static const char model_format[] = "model-c";

static const char *generator_choice(size_t index)
{
    size_t count = 0;
    while (ct_generators[count])
        count++;
    return index < count ? ct_generators[index]->name : index == count ? model_format : NULL;
}

static const struct ct_option options[] = {
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, offsetof(struct settings, format), .required = true,
     .choice = generator_choice, .text = "write in this format"},
    {"output", 'o', "FILE", CT_OPTION_TEXT, offsetof(struct settings, output), .required = true,
     .output = CT_OUTPUT_FILE, .text = "write to this file, which must not exist"},
    {"base", 0, "FILE", CT_OPTION_TEXT, offsetof(struct settings, options.base),
     .usual_text = "those of the MPICH in use",
     .text = "mpich: complete the selections by those of a release, from its JSON file or from a libmpich"},
    {"commutative-only", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, options.commutative),
     .text = "also use methods that need commutative operations; for applications that reduce with no "
             "other operations"},
    {"collective", 'c', "COLLECTIVE", CT_OPTION_CHOICE, offsetof(struct settings, collective), .usual = "all",
     .choice = ct_collective_choice, .text = "model-c: decide for this collective"},
    CT_COST_MODEL_OPTION(struct settings),
    {"vote", 0, "LIST", CT_OPTION_OTHER, offsetof(struct settings, weights), .read = ct_votes_read,
     .text = "model-c: let several models vote in each call, with weights, as in `colltune predict`, for "
             "example hockney=1,loggp=2,plogp=2"},
    {0},
};

static void list(struct ct_text *text)
{
    ct_text_append(text, "Formats:\n");
    for (const struct ct_generator *const *each = ct_generators; *each; each++)
        ct_help_item((*each)->name, 11, (*each)->text, text);
    ct_help_item(model_format, 11,
                 "C99 code of a model of the machine, which evaluates its formulas in each call", text);
    ct_text_append(text, "\n");
}

static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const struct ct_generator *generator = ct_generators[settings->format];
    if (!generator && settings->collective == CT_COLLECTIVES)
        return ct_fail(error, CT_E_INPUT, "--format model-c: expected --collective COLLECTIVE, too");
    static const char *const of_models[] = {"collective", "cost-model", "vote"};
    for (size_t i = 0; generator && i < sizeof of_models / sizeof of_models[0]; i++)
        if (ct_is_given(arguments, of_models[i]))
            return ct_fail(error, CT_E_INPUT, "--%s: only --format model-c has this option", of_models[i]);
    if (settings->options.base && !(generator && generator->takes_base))
        return ct_fail(error, CT_E_INPUT, "--base: only --format mpich has this option");
    return ct_votes_check(settings->weights, arguments, error);
}

static int write_model(const struct settings *settings, const char *file, struct ct_error *error,
                       struct ct_text *text)
{
    struct ct_voting_model voting;
    int status = ct_voting_model_read(file, settings->weights, settings->cost_model, error, &voting);
    if (status != CT_OK)
        return status;
    status = ct_model_code_write(&voting.origin, (enum ct_collective)settings->collective, error, text);
    ct_model_free(&voting.model);
    return status;
}

/* A run stands in the place of the table, which is learned first: for a library, of what it can express. */
static int refuse_run(const struct ct_generator *generator, const char *path, struct ct_error *error)
{
    const char *target = generator->target ? " --for " : "", *name = generator->target ? generator->name : "";
    return ct_run_check(path, NULL) == CT_OK
               ? ct_fail(error, CT_E_INPUT,
                         "%s is a run: expected a table, as of colltune learn %s%s%s -o TABLE.xml", path,
                         path, target, name)
               : CT_OK;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const struct ct_generator *generator = ct_generators[settings->format];
    struct ct_text text = {0}, notes = {0};
    struct ct_table table = {0};
    int status = generator ? refuse_run(generator, arguments->words[0], error)
                           : write_model(settings, arguments->words[0], error, &text);
    if (status == CT_OK && generator)
        status = ct_table_read(arguments->words[0], error, &table);
    if (status == CT_OK && generator)
        status = ct_table_check_own(&table, arguments->words[0], error);
    if (status == CT_OK && generator)
        status = ct_outdated_tell(&ct_command_generate, &table, arguments->words[0]);
    if (status == CT_OK && generator)
        status = generator->generate(&table, &settings->options, error, &text, &notes);
    if (status == CT_OK)
        status = ct_file_create(settings->output, text.data, text.length, error);
    if (status == CT_OK && notes.data)
        fputs(notes.data, stderr);
    if (status == CT_OK && generator && generator->target && notes.data && strstr(notes.data, "replaced by"))
        ct_tell(&ct_command_generate, "colltune learn --for %s learns with what these files can express",
                generator->name);
    ct_table_free(&table);
    ct_text_free(&text);
    ct_text_free(&notes);
    return status;
}

const struct ct_command ct_command_generate = {
    .name = "generate",
    .text = "write a decision table as C code or for other programs",
    .usage = "TABLE.xml --format FORMAT -o FILE\nMODEL.xml --format model-c -c COLLECTIVE -o FILE",
    .least = 1,
    .about = "Writes a decision table, or a model of the machine, in a format that other programs use.",
    .notes =
        "Decisions that a format cannot express are listed on standard error, and in the file if it may have "
        "comments. docs/tuning-files.md says how to use each.\n\n"
        "Examples:\n"
        "  colltune generate my-table.xml --format c -o decisions.h\n"
        "  colltune generate my-table.xml --format ompi -o rules.txt\n"
        "  mpiexec --mca coll_tuned_use_dynamic_rules 1 \\\n"
        "      --mca coll_tuned_dynamic_rules_filename rules.txt ...\n"
        "  colltune generate my-table.xml --format mpich -o selections.json\n"
        "  MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=selections.json \\\n"
        "      MPIR_CVAR_DEVICE_COLLECTIVES=none mpiexec.mpich ...\n"
        "  colltune generate model.xml --format model-c -c bcast -o decide_bcast.c\n"
        "  colltune generate model.xml --format model-c -c bcast -o voted_bcast.c \\\n"
        "      --vote hockney=1,loggp=2,plogp=2\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .list = list,
    .check = check,
    .run = run,
};
