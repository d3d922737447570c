/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "cli/command.h"
#include "codegen/generator.h"

#include <stdio.h>

struct arguments {
    const char *table;
    const char *output;
    const struct ct_generator *generator;
};

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0, "what to write: c, table", 0},
    {"output", 'o', "FILE", 0, "the file to write; it must not exist", 0},
    {0},
};

static void parse_format(const char *name, struct arguments *arguments, const struct argp_state *state)
{
    arguments->generator = ct_generator_find(name);
    if (arguments->generator)
        return;
    char names[200] = "";
    for (size_t i = 0, length = 0; ct_generators[i] && length < sizeof names; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                                   ct_generators[i]->name);
    ct_usage(state, "unknown format '%s': expected one of %s", name, names);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'f':
        parse_format(argument, arguments, state);
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
        if (!arguments->generator)
            ct_usage(state, "expected --format FORMAT");
        if (!arguments->output)
            ct_usage(state, "expected -o FILE");
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
        ct_text_append(&help, "  %-8s %s\n", (*each)->name, (*each)->text);
    ct_text_append(&help, "\n%s", text);
    return help.failed ? (char *)text : help.data;
}

static const struct argp argp = {options,
                                 parse,
                                 "TABLE.xml --format FORMAT -o FILE",
                                 "Writes a decision table in a form that other programs use.\v"
                                 "Example:\n  colltune generate ethernet-100.xml --format c -o decisions.h\n",
                                 NULL,
                                 help_filter,
                                 NULL};

static int run_generate(int argc, char **argv)
{
    struct arguments arguments = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_error error = {""};
    struct ct_table table;
    int status = ct_table_read(arguments.table, &error, &table);
    if (status != CT_OK)
        return ct_command_fail("generate", status, &error);
    struct ct_text text = {0};
    status = arguments.generator->generate(&table, &error, &text);
    if (status == CT_OK)
        status = ct_file_create(arguments.output, text.data, text.length, &error);
    ct_text_free(&text);
    ct_table_free(&table);
    return status == CT_OK ? CT_EXIT_OK : ct_command_fail("generate", status, &error);
}

const struct ct_command ct_command_generate = {"generate", "a decision table as C code and other formats",
                                               run_generate};
