/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "cli/command.h"
#include "models/formulas/formula.h"
#include "plan/explain/explain.h"
#include "plan/verify/verifier_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 100000, BYTES_STANDARD = 1024, ELEMENT_STANDARD = 8 };

struct arguments {
    const char *method;
    size_t size;
    size_t root;
    size_t rank;
    bool has_rank;
    size_t bytes;
    size_t element; /* 0: not given */
    size_t ppn;     /* 0: nothing is known of nodes */
    bool uneven;
    bool in_place;
    bool ordered;
    enum ct_explain_format format;
};

enum { OPTION_ELEMENT = 256, OPTION_PPN, OPTION_UNEVEN, OPTION_IN_PLACE, OPTION_ORDERED };

static const struct argp_option options[] = {
    {"size", 'p', "P", 0, "number of ranks", 0},
    {"root", 'r', "RANK", 0, "the root (0)", 0},
    {"rank", 'i', "RANK", 0, "just this rank (all)", 0},
    {"bytes", 'n', "SIZE", 0, "message size, in v and w forms that of a block (1K)", 0},
    {"element", OPTION_ELEMENT, "SIZE", 0, "bytes of an element in reductions (8)", 0},
    {"ppn", OPTION_PPN, "N", 0, "ranks on a node, those that follow one another (nodes not known)", 0},
    {"uneven", OPTION_UNEVEN, NULL, 0, "v and w forms: blocks around --bytes, some of them empty (all alike)",
     0},
    {"in-place", OPTION_IN_PLACE, NULL, 0, "called in place", 0},
    {"ordered", OPTION_ORDERED, NULL, 0, "the operation does not commute", 0},
    {"format", 'f', "FORMAT", 0, "text (default), dot or svg", 0},
    {0},
};

static const char *const formats[] = {
    [CT_EXPLAIN_TEXT] = "text", [CT_EXPLAIN_DOT] = "dot", [CT_EXPLAIN_SVG] = "svg"};

static size_t number(const struct argp_state *state, const char *option, const char *word, size_t least,
                     size_t most)
{
    size_t value;
    if (ct_size_parse(word, &value) != CT_OK || value < least || value > most)
        ct_usage(state, "'%s' for --%s: expected a number from %zu to %zu", word, option, least, most);
    return value;
}

static void check(const struct argp_state *state, const struct arguments *arguments)
{
    if (!arguments->method)
        ct_usage(state, "which method? expected COLLECTIVE/ALGORITHM[:PARAMETER=NUMBER,...]");
    if (arguments->size == 0)
        ct_usage(state, "for how many ranks? expected --size P");
    if (arguments->root >= arguments->size)
        ct_usage(state, "there is no root %zu among %zu ranks", arguments->root, arguments->size);
    if (arguments->has_rank && arguments->rank >= arguments->size)
        ct_usage(state, "there is no rank %zu among %zu ranks", arguments->rank, arguments->size);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'p':
        arguments->size = number(state, "size", argument, 1, RANKS_MAX);
        return 0;
    case 'r':
        arguments->root = number(state, "root", argument, 0, RANKS_MAX);
        return 0;
    case 'i':
        arguments->rank = number(state, "rank", argument, 0, RANKS_MAX);
        arguments->has_rank = true;
        return 0;
    case 'n':
        arguments->bytes = number(state, "bytes", argument, 0, (size_t)1 << 60);
        return 0;
    case OPTION_ELEMENT:
        arguments->element = number(state, "element", argument, 1, (size_t)1 << 30);
        return 0;
    case OPTION_PPN:
        arguments->ppn = number(state, "ppn", argument, 1, RANKS_MAX);
        return 0;
    case OPTION_UNEVEN:
        arguments->uneven = true;
        return 0;
    case OPTION_IN_PLACE:
        arguments->in_place = true;
        return 0;
    case OPTION_ORDERED:
        arguments->ordered = true;
        return 0;
    case 'f':
        for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
            if (strcmp(argument, formats[i]) == 0) {
                arguments->format = (enum ct_explain_format)i;
                return 0;
            }
        }
        ct_usage(state, "unknown format '%s': expected text, dot or svg", argument);
    case ARGP_KEY_ARG:
        arguments->method = ct_argument_of(state, argument, 1);
        return 0;
    case ARGP_KEY_END:
        check(state, arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "METHOD",
    "Shows the plan of a method: what each rank sends, receives, copies and reduces, round by round. Steps "
    "named "
    "in one round go on at the same time; rounds, steps and ranks are counted from 0. Where there is a "
    "published formula for its time, the text says whether plans on so many ranks take as long under each "
    "model, or whether it is a bound (studies/formulas/formula-classes.md).\v"
    "Examples:\n"
    "  colltune explain bcast/binomial --size 8\n"
    "  colltune explain bcast/split_binary:seg=8K --size 7 --bytes 64K \\\n      --format svg > split.svg\n"
    "  colltune explain allgatherv/ring --size 4 --uneven\n"
    "  colltune explain bcast/two_level --size 8 --ppn 4\n",
    NULL,
    NULL,
    NULL};

/* The call that the arguments describe; whoever gives an odd size of elements gets a line. */
static int call_of(const struct arguments *arguments, const struct ct_method *method, struct ct_error *error,
                   struct ct_call *ret_call)
{
    const struct ct_collective_description *description = &ct_collectives[method->algorithm->collective];
    if (!description->has_root && arguments->root > 0)
        return ct_fail(error, CT_E_INPUT, "%s has no root", description->name);
    if (!description->reduces && (arguments->ordered || arguments->element))
        return ct_fail(error, CT_E_INPUT, "%s has no operation: neither --ordered nor --element apply",
                       description->name);
    if (!description->varies && arguments->uneven)
        return ct_fail(error, CT_E_INPUT, "%s has no blocks of different lengths: --uneven does not apply",
                       description->name);
    size_t element = arguments->element ? arguments->element : ELEMENT_STANDARD;
    size_t unit = description->reduces ? element : 1, bytes = description->has_data ? arguments->bytes : 0;
    if (bytes % unit != 0)
        return ct_fail(error, CT_E_INPUT, "%zu bytes are not a whole number of elements of %zu bytes", bytes,
                       unit);
    *ret_call = (struct ct_call){.size = (int)arguments->size,
                                 .root = (int)arguments->root,
                                 .count = bytes / unit,
                                 .unit_bytes = unit,
                                 .in_place = arguments->in_place,
                                 .commutative = !arguments->ordered};
    return CT_OK;
}

/* Gives v and w forms counts, which the caller frees. */
static int make_counts(enum ct_collective collective, struct ct_call *call, bool uneven, size_t **ret_tables)
{
    const struct ct_collective_description *description = &ct_collectives[collective];
    size_t size = (size_t)call->size;
    if (!description->varies)
        return CT_OK;
    *ret_tables = ct_allocate(description->result[0] == CT_CONTENTS_PARTS_OF_EACH ? 2 * size * size : size,
                              sizeof **ret_tables);
    if (*ret_tables)
        ct_block_counts(collective, call, uneven, *ret_tables);
    return *ret_tables ? CT_OK : CT_E_MEMORY;
}

/* Blocks of `ppn` ranks, each on a node. */
static int make_nodes(size_t size, size_t ppn, struct ct_nodes *ret_nodes)
{
    int *labels = ct_allocate(size, sizeof *labels), status = CT_E_MEMORY;
    for (size_t rank = 0; labels && rank < size; rank++)
        labels[rank] = (int)(rank / ppn);
    if (labels)
        status = ct_nodes_make(labels, (int)size, ret_nodes);
    free(labels);
    return status;
}

/* What the published formula, where there is one, is worth for so many ranks. It presupposes equal blocks. */
static void add_formula(const struct arguments *arguments, const struct ct_method *method,
                        struct ct_text *text)
{
    const struct ct_formula *formula = ct_formula_find(method);
    if (arguments->format != CT_EXPLAIN_TEXT || arguments->uneven || arguments->size < 2 || !formula)
        return;
    ct_text_append(text, "published formula against the time of such plans, %s:",
                   (arguments->size & (arguments->size - 1)) == 0 ? "powers of two"
                                                                  : "ranks no power of two");
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
        ct_text_append(text, "%s %s %s", model > 0 ? "," : "", ct_communication_model_names[model],
                       ct_formula_class(formula, (enum ct_communication_model)model, arguments->size));
    ct_text_append(text, "\n");
}

static int run(int argc, char **argv)
{
    struct arguments arguments = {.bytes = BYTES_STANDARD};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_error error = {{0}};
    struct ct_method method;
    struct ct_call call;
    struct ct_nodes nodes = {0};
    struct ct_text text = {0};
    size_t *counts = NULL;
    int status = ct_method_parse(arguments.method, CT_COLLECTIVES, &error, &method);
    if (status == CT_OK)
        status = call_of(&arguments, &method, &error, &call);
    if (status == CT_OK)
        status = make_counts(method.algorithm->collective, &call, arguments.uneven, &counts);
    if (status == CT_OK && arguments.ppn > 0) {
        status = make_nodes(arguments.size, arguments.ppn, &nodes);
        call.nodes = &nodes;
    }
    if (status == CT_OK)
        status = ct_explain(&method, &call, arguments.has_rank ? (int)arguments.rank : -1, arguments.format,
                            &error, &text);
    if (status == CT_OK)
        add_formula(&arguments, &method, &text);
    if (status == CT_OK && text.failed)
        status = CT_E_MEMORY;
    if (status == CT_OK)
        fwrite(text.data, 1, text.length, stdout);
    ct_text_free(&text);
    free(counts);
    ct_nodes_free(&nodes);
    return ct_command_end("explain", status, &error);
}

const struct ct_command ct_command_explain = {"explain", "the plan of a method, in words or as a picture",
                                              run, options};
