/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/learn_options.h"
#include "cli/command.h"
#include "cli/feature_options.h"

#include <stdio.h>
#include <string.h>

enum {
    KEY_NO_MERGE = 0x200,
    KEY_THIRD,
    KEY_MIN_CASES,
    KEY_CONFIDENCE,
    KEY_JOINT,
    KEY_KEEP_NATIVE,
    KEY_MODEL,
    KEY_BY,
    KEY_SHARE_LINKS
};

const struct argp_option ct_learn_argp_options[] = {
    {"learner", 'l', "NAME", 0, "how to learn: interpolate (default), penalty, quadtree, c45, run_lengths",
     0},
    {"max-depth", 'd', "D", 0,
     "at most so many tests in a row, or levels of a quadtree; less exact, but smaller", 0},
    {"threshold", 't', "T", 0, "do not split where T percent of the points agree (quadtree; default 100)", 0},
    {"max-leaves", 'm', "N", 0, "at most so many leaves, those that save most (interpolate, penalty)", 0},
    {"max-slowdown", 'w', "P", 0,
     "split as long as a cell is more than P percent slower than its best method (interpolate, penalty)", 0},
    {"keep-native", KEY_KEEP_NATIVE, NULL, 0,
     "choose native wherever no method is significantly faster (interpolate, penalty)", 0},
    {"third", KEY_THIRD, "KEY", 0,
     "halve this, too, beside both sizes: nodes or ppn, processes per node (quadtree)", 0},
    {"no-merge", KEY_NO_MERGE, NULL, 0,
     "keep tests whose branches decide the same, as the regions were cut; for looking at them", 0},
    {"min-cases", KEY_MIN_CASES, "M", 0, "two branches of a test have at least M cells (c45; default 2)", 0},
    {"confidence", KEY_CONFIDENCE, "P", 0,
     "C4.5's pruning confidence factor CF in percent: smaller values prune more; it is not a confidence "
     "level (c45; default 25)",
     0},
    {"joint", KEY_JOINT, NULL, 0, "learn all collectives that have a message size in one tree (c45)", 0},
    {"exclude", 'x', "METHODS", 0,
     "never choose these: \"native\", \"bcast/chain:radix=4\", parted by commas", 0},
    CT_FEATURES_OPTION,
    CT_FEATURE_OPTION,
    {"model", KEY_MODEL, "MODEL.xml", 0,
     "between and beyond the measured sizes let times go as this model of the machine says (interpolate)", 0},
    {"by", KEY_BY, "WAY", 0,
     "with --model, its times by plans (standard) or formulas, which are quicker; as colltune predict --by",
     0},
    {"share-links", KEY_SHARE_LINKS, NULL, 0, "with --model, as colltune predict --share-links", 0},
    {0},
};

void ct_learn_arguments_begin(struct ct_learn_arguments *ret_arguments)
{
    *ret_arguments = (struct ct_learn_arguments){.learner = ct_learners[0]};
}

void ct_learn_arguments_free(struct ct_learn_arguments *arguments)
{
    ct_learn_settings_free(arguments->settings);
    arguments->settings = NULL;
}

int ct_learn_arguments_read(struct ct_learn_arguments *arguments, struct ct_error *error)
{
    /* Only predictions look at the stop flag: without a model a signal ends the program. */
    const volatile sig_atomic_t *stop = NULL;
    for (size_t i = 0; i < arguments->count; i++)
        if (strcmp(arguments->words[i].name, "model") == 0)
            stop = ct_catch_stop();
    return ct_learn_settings_new(arguments->learner, arguments->words, arguments->count, stop, error,
                                 &arguments->settings);
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

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct ct_learn_arguments *arguments = state->input;
    const struct argp_option *option = ct_learn_argp_options;
    while (option->name && option->key != key)
        option++;
    if (!option->name)
        return ARGP_ERR_UNKNOWN;
    arguments->given = true;
    if (key == 'l') {
        parse_learner(argument, arguments, state);
        return 0;
    }
    if (arguments->count == sizeof arguments->words / sizeof arguments->words[0])
        ct_usage(state, "too many options");
    arguments->words[arguments->count++] = (struct ct_learn_word){option->name, argument};
    return 0;
}

const struct argp ct_learn_argp = {ct_learn_argp_options, parse, NULL, NULL, NULL, ct_feature_help, NULL};
