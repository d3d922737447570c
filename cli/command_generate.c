/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/checksum.h"
#include "base/file.h"
#include "cli/command.h"
#include "codegen/generator.h"
#include "codegen/model_code.h"
#include "models/model_file.h"

#include <stdio.h>
#include <string.h>

struct arguments {
    const char *table;
    const char *output;
    const struct ct_generator *generator;
    struct ct_generator_options options;
    bool of_model;
    enum ct_collective collective;
    enum ct_communication_model kind; /* CT_COMMUNICATION_MODELS: the last one that the file has */
};

static const char model_format[] = "model-c";

enum { BASE = 0x100, COMMUTATIVE };

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0, "what to write, one of the formats below", 0},
    {"output", 'o', "FILE", 0, "the file to write; it must not exist", 0},
    {"base", BASE, "FILE", 0,
     "mpich: the release's own selections, in JSON or in a libmpich (that of the MPICH in use)", 0},
    {"commutative-only", COMMUTATIVE, NULL, 0,
     "no application reduces by operations that do not commute: use what is right for others alone", 0},
    {"collective", 'c', "COLLECTIVE", 0, "model-c: of which the decision is", 0},
    {"model", 'm', "MODEL", 0, "model-c: hockney, loggp or plogp (the last of these that the file has)", 0},
    {0},
};

static void parse_format(const char *name, struct arguments *arguments, const struct argp_state *state)
{
    arguments->generator = ct_generator_find(name);
    arguments->of_model = strcmp(name, model_format) == 0;
    if (arguments->generator || arguments->of_model)
        return;
    char names[200] = "";
    for (size_t i = 0, length = 0; ct_generators[i] && length < sizeof names; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                                   ct_generators[i]->name);
    ct_usage(state, "unknown format '%s': expected one of %s, %s", name, names, model_format);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'f':
        parse_format(argument, arguments, state);
        return 0;
    case 'c':
        arguments->collective = ct_known_collective(state, argument);
        return 0;
    case 'm':
        arguments->kind = ct_known_model(state, argument, strlen(argument));
        return 0;
    case BASE:
        arguments->options.base = argument;
        return 0;
    case COMMUTATIVE:
        arguments->options.commutative = true;
        return 0;
    case 'o':
        arguments->output = argument;
        return 0;
    case ARGP_KEY_ARG:
        arguments->table = ct_argument_of(state, argument, 1);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->table)
            ct_usage(state, "expected a decision table");
        if (arguments->of_model && arguments->collective == CT_COLLECTIVES)
            ct_usage(state, "expected --collective COLLECTIVE");
        if (!arguments->generator && !arguments->of_model)
            ct_usage(state, "expected --format FORMAT");
        if (!arguments->output)
            ct_usage(state, "expected -o FILE");
        if (!arguments->of_model && arguments->collective != CT_COLLECTIVES)
            ct_usage(state, "--collective is for --format model-c: others hold all of the table");
        if (!arguments->of_model && arguments->kind != CT_COMMUNICATION_MODELS)
            ct_usage(state, "--model is for --format model-c");
        if (arguments->options.base && !(arguments->generator && arguments->generator->takes_base))
            ct_usage(state, "--base is for --format mpich");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The formats with their descriptions, below the options. */
static char *help_filter(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    struct ct_text help = {0};
    ct_text_append(&help, "Formats:\n");
    for (const struct ct_generator *const *each = ct_generators; *each; each++)
        ct_text_append(&help, "  %-11s %s\n", (*each)->name, (*each)->text);
    ct_text_append(&help,
                   "  %-11s of a model of the machine: a C99 file that asks its formulas in each call\n\n%s",
                   model_format, text);
    return help.failed ? (char *)text : help.data;
}

static const struct argp argp = {
    options,
    parse,
    "TABLE.xml --format FORMAT -o FILE\nMODEL.xml --format model-c -c COLLECTIVE -o FILE",
    "Writes a decision table, or a model of the machine, in a form that other programs "
    "use.\v"
    "What a format cannot say is listed on standard error, and in the file where it may have comments; "
    "docs/tuning-files.md says how to use each.\n\n"
    "Examples:\n  colltune generate my-table.xml --format c -o decisions.h\n"
    "  colltune generate my-table.xml --format ompi -o rules.txt\n"
    "  mpiexec --mca coll_tuned_use_dynamic_rules 1 \\\n"
    "      --mca coll_tuned_dynamic_rules_filename rules.txt ...\n"
    "  colltune generate my-table.xml --format mpich -o selections.json\n"
    "  MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=selections.json \\\n"
    "      MPIR_CVAR_DEVICE_COLLECTIVES=none mpiexec.mpich ...\n"
    "  colltune generate model.xml --format model-c -c bcast -o decide_bcast.c\n",
    NULL,
    help_filter,
    NULL};

static int write_model(const struct arguments *arguments, struct ct_error *error)
{
    char checksum[CT_CHECKSUM_TEXT];
    struct ct_model model;
    struct ct_text text = {0};
    int status = ct_model_read(arguments->table, error, &model);
    if (status != CT_OK)
        return status;
    int kind = arguments->kind < CT_COMMUNICATION_MODELS ? (int)arguments->kind : CT_COMMUNICATION_MODELS - 1;
    while (arguments->kind == CT_COMMUNICATION_MODELS && kind > 0 &&
           !model.links[CT_LINK_NETWORK].known[kind])
        kind--;
    status = ct_file_checksum(arguments->table, error, checksum);
    if (status == CT_OK)
        status = ct_model_code_write(&model, arguments->table, checksum, (enum ct_communication_model)kind,
                                     arguments->collective, error, &text);
    if (status == CT_OK)
        status = ct_file_create(arguments->output, text.data, text.length, error);
    ct_text_free(&text);
    ct_model_free(&model);
    return status;
}

static int run_generate(int argc, char **argv)
{
    struct arguments arguments = {.collective = CT_COLLECTIVES, .kind = CT_COMMUNICATION_MODELS};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_error error = {""};
    struct ct_table table;
    if (arguments.of_model) {
        int written = write_model(&arguments, &error);
        return written == CT_OK ? CT_EXIT_OK : ct_command_fail("generate", written, &error);
    }
    int status = ct_table_read(arguments.table, &error, &table);
    if (status != CT_OK)
        return ct_command_fail("generate", status, &error);
    struct ct_text text = {0}, notes = {0};
    status = arguments.generator->generate(&table, &arguments.options, &error, &text, &notes);
    if (status == CT_OK)
        status = ct_file_create(arguments.output, text.data, text.length, &error);
    if (status == CT_OK && notes.data)
        fprintf(stderr, "%s", notes.data);
    ct_text_free(&text);
    ct_text_free(&notes);
    ct_table_free(&table);
    return ct_command_end("generate", status, &error);
}

const struct ct_command ct_command_generate = {"generate", "a decision table as C code and other formats",
                                               run_generate, options};
