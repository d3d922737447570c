/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/learn_options.h"
#include "base/number.h"
#include "cli/command.h"

#include <stdio.h>

enum { KEY_FEATURES = 0x200, KEY_FEATURE };

static const struct argp_option options[] = {
    {"learner", 'l', "NAME", 0, "how to learn: quadtree (default), run_lengths", 0},
    {"max-depth", 'd', "D", 0,
     "at most so many levels, each of which halves both sizes; less exact, but smaller", 0},
    {"threshold", 't', "T", 0, "do not split where T percent of the points agree (default 100)", 0},
    {"exclude", 'x', "METHODS", 0,
     "never choose these: \"native\", \"bcast/chain:radix=4\", parted by commas", 0},
    {"features", KEY_FEATURES, "LIST", 0, "what to test (default " CT_LEARN_FEATURES "): ", 0},
    {"feature", KEY_FEATURE, "NAME=FORMULA", 0,
     "test this, too, computed of the others: \"blocks=msg_bytes/8K\"; + - * / %, parentheses, min, max, "
     "log2 "
     "and is_power_of_two, in whole numbers",
     0},
    {0},
};

void ct_learn_arguments_begin(struct ct_learn_arguments *ret_arguments)
{
    *ret_arguments = (struct ct_learn_arguments){.learner = ct_learners[0], .options = ct_learn_standard};
}

void ct_learn_arguments_free(struct ct_learn_arguments *arguments)
{
    ct_learn_features_free(&arguments->features);
}

static void parse_learner(const char *name, struct ct_learn_arguments *arguments,
                          const struct argp_state *state)
{
    arguments->learner = ct_learner_find(name);
    if (arguments->learner)
        return;
    char names[200] = "";
    for (size_t i = 0, length = 0; ct_learners[i] && length < sizeof names; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                                   ct_learners[i]->name);
    ct_usage(state, "unknown learner '%s': expected %s", name, names);
}

static void parse_features(const char *argument, bool is_list, struct ct_learn_arguments *arguments,
                           const struct argp_state *state)
{
    struct ct_error error = {""};
    int status = is_list ? ct_learn_features_list(&arguments->features, argument, &error)
                         : ct_learn_features_define(&arguments->features, argument, &error);
    if (status != CT_OK)
        ct_usage(state, "%s: %s", is_list ? "--features" : "--feature", error.text);
    arguments->lists_features |= is_list;
    arguments->options.features = &arguments->features;
}

/* Features of the user's own come beside the usual ones, unless others were listed. */
static void add_usual(struct ct_learn_arguments *arguments, const struct argp_state *state)
{
    struct ct_error error = {""};
    if (arguments->features.count > 0 && !arguments->lists_features &&
        ct_learn_features_list(&arguments->features, CT_LEARN_FEATURES, &error) != CT_OK)
        ct_usage(state, "%s", error.text);
}

static error_t parse_option(int key, char *argument, const struct argp_state *state)
{
    struct ct_learn_arguments *arguments = state->input;
    switch (key) {
    case 'l':
        parse_learner(argument, arguments, state);
        return 0;
    case 'd':
        if (ct_whole_parse(argument, SIZE_MAX - 1, &arguments->options.max_depth) != CT_OK)
            ct_usage(state, "--max-depth '%s': expected a whole number", argument);
        return 0;
    case 't':
        if (ct_number_parse(argument, &arguments->options.threshold) != CT_OK ||
            !(arguments->options.threshold > 0 && arguments->options.threshold <= 100))
            ct_usage(state, "--threshold '%s': expected a percentage, more than 0 and at most 100", argument);
        return 0;
    case 'x':
        arguments->options.exclude = argument;
        return 0;
    case KEY_FEATURES:
    case KEY_FEATURE:
        parse_features(argument, key == KEY_FEATURES, arguments, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct ct_learn_arguments *arguments = state->input;
    if (key == ARGP_KEY_END) {
        add_usual(arguments, state);
        return 0;
    }
    error_t result = parse_option(key, argument, state);
    arguments->given |= result == 0;
    return result;
}

/* The names of the features, behind what their option says. */
static char *help_filter(int key, const char *text, void *input)
{
    (void)input;
    if (key != KEY_FEATURES)
        return (char *)text;
    struct ct_text help = {0};
    ct_text_append(&help, "%s", text);
    for (int i = 0; i < CT_FEATURES; i++)
        ct_text_append(&help, "%s, ", ct_feature_descriptions[i].name);
    for (const struct ct_known_composite *known = ct_known_composites; known->name; known++)
        ct_text_append(&help, "%s%s", known->name, known[1].name ? ", " : "");
    return help.failed ? (char *)text : help.data;
}

const struct argp ct_learn_argp = {options, parse, NULL, NULL, NULL, help_filter, NULL};
