/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/learn_options.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/feature_options.h"
#include "learners/c45/c45.h"
#include "models/model_file.h"
#include "models/predict/predicted_times.h"

#include <stdio.h>
#include <string.h>

enum {
    KEY_NO_MERGE = 0x200,
    KEY_THIRD,
    KEY_MIN_CASES,
    KEY_CONFIDENCE,
    KEY_TOGETHER,
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
    {"worst", 'w', "P", 0,
     "split as long as a cell loses more than P percent, however few there are (interpolate, penalty)", 0},
    {"keep-native", KEY_KEEP_NATIVE, NULL, 0,
     "native wherever no method is surely quicker (interpolate, penalty)", 0},
    {"third", KEY_THIRD, "KEY", 0,
     "halve this, too, beside both sizes: nodes or ppn, processes per node (quadtree)", 0},
    {"no-merge", KEY_NO_MERGE, NULL, 0,
     "keep tests whose branches decide the same, as the regions were cut; for looking at them", 0},
    {"min-cases", KEY_MIN_CASES, "M", 0, "two branches of a test have at least M cells (c45; default 2)", 0},
    {"confidence", KEY_CONFIDENCE, "P", 0,
     "keep of the tree what helps with P percent of confidence; less prunes more (c45; default 25)", 0},
    {"together", KEY_TOGETHER, NULL, 0,
     "learn the collectives that have a message size in one tree, as they may be alike (c45)", 0},
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
    *ret_arguments = (struct ct_learn_arguments){.learner = ct_learners[0], .options = ct_learn_standard};
}

void ct_learn_arguments_free(struct ct_learn_arguments *arguments)
{
    ct_learn_features_free(&arguments->features);
    ct_predicted_times_free(arguments->options.prior);
    ct_model_free(&arguments->model);
    arguments->options.prior = NULL;
}

int ct_learn_arguments_read(struct ct_learn_arguments *arguments, struct ct_error *error)
{
    /* as many messages as take some milliseconds: there are tens of thousands of calls to predict */
    enum { MESSAGES_MOST = 1 << 16 };
    const double seconds_most = 1;
    struct ct_prediction prediction = {.model = &arguments->model,
                                       .way = arguments->way,
                                       .segments = CT_SEGMENT_FROM_LIST,
                                       .ppn = 1,
                                       .most_messages = MESSAGES_MOST,
                                       .most_seconds = seconds_most,
                                       .shares_links = arguments->shares_links};
    if (!arguments->model_file)
        return CT_OK;
    prediction.stop = ct_catch_stop(); /* nothing else here looks whether to stop: a signal ends the rest */
    int status = ct_model_read(arguments->model_file, error, &arguments->model);
    if (status != CT_OK)
        return status;
    for (int link = 0; arguments->shares_links && link < CT_LINK_KINDS; link++)
        ct_link_gap_of_overhead(&arguments->model.links[link]);
    int kind = CT_COMMUNICATION_MODELS - 1;
    while (kind > 0 && !arguments->model.links[CT_LINK_NETWORK].known[kind])
        kind--;
    prediction.weights[kind] = 1;
    status = ct_predicted_times_new(&prediction, &arguments->options.prior);
    return status == CT_OK ? CT_OK : ct_fail(error, status, "out of memory");
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

static void parse_third(const char *name, struct ct_learn_arguments *arguments,
                        const struct argp_state *state)
{
    static const enum ct_feature keys[] = {CT_FEATURE_NODES, CT_FEATURE_PPN};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(ct_feature_descriptors[keys[i]]->name, name) == 0)
            arguments->options.third = keys[i];
    if (!arguments->options.third)
        ct_usage(state, "--third '%s': expected nodes or ppn", name);
}

/* Features of the user's own come beside the usual ones, unless others were listed. */
static void add_usual(struct ct_learn_arguments *arguments, const struct argp_state *state)
{
    struct ct_error error = {""};
    if (arguments->features.count > 0 && !arguments->lists_features &&
        ct_learn_features_list(&arguments->features, CT_LEARN_FEATURES, &error) != CT_OK)
        ct_usage(state, "%s", error.text);
}

static void parse_way(const char *name, struct ct_learn_arguments *arguments, const struct argp_state *state)
{
    for (int way = 0; way < CT_PREDICTION_WAYS; way++)
        if (strcmp(ct_prediction_way_names[way], name) == 0) {
            arguments->way = (enum ct_prediction_way)way;
            return;
        }
    ct_usage(state, "--by '%s': expected plans or formulas", name);
}

static error_t parse_model(int key, const char *argument, struct ct_learn_arguments *arguments,
                           const struct argp_state *state)
{
    switch (key) {
    case KEY_MODEL:
        arguments->model_file = argument;
        return 0;
    case KEY_BY:
        parse_way(argument, arguments, state);
        return 0;
    case KEY_SHARE_LINKS:
        arguments->shares_links = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_c45(int key, const char *argument, struct ct_learn_options *options,
                         const struct argp_state *state)
{
    switch (key) {
    case KEY_MIN_CASES:
        if (ct_whole_parse(argument, CT_C45_LEAST_MAX, &options->min_cases) != CT_OK ||
            options->min_cases == 0)
            ct_usage(state, "--min-cases '%s': expected a whole number from 1 to %d", argument,
                     CT_C45_LEAST_MAX);
        return 0;
    case KEY_CONFIDENCE:
        if (ct_number_parse(argument, &options->confidence) != CT_OK ||
            !(options->confidence >= 0.001 && options->confidence <= 100))
            ct_usage(state, "--confidence '%s': expected a number of percent from 0.001 to 100", argument);
        return 0;
    case KEY_TOGETHER:
        options->together = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_bound(int key, const char *argument, struct ct_learn_options *options,
                           const struct argp_state *state)
{
    switch (key) {
    case 'm':
        if (ct_whole_parse(argument, SIZE_MAX, &options->max_leaves) != CT_OK || options->max_leaves == 0)
            ct_usage(state, "--max-leaves '%s': expected a whole number from 1 on", argument);
        return 0;
    case 'w':
        if (ct_number_parse(argument, &options->worst) != CT_OK || !(options->worst > 0))
            ct_usage(state, "--worst '%s': expected a percentage, more than 0", argument);
        options->worst /= 100;
        return 0;
    case KEY_KEEP_NATIVE:
        options->keep_native = true;
        return 0;
    default:
        return parse_c45(key, argument, options, state);
    }
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
    case KEY_THIRD:
        parse_third(argument, arguments, state);
        return 0;
    case KEY_NO_MERGE:
        arguments->options.keep_equal = true;
        return 0;
    case 'x':
        arguments->options.exclude = argument;
        return 0;
    case CT_KEY_FEATURES:
    case CT_KEY_FEATURE:
        arguments->lists_features |= key == CT_KEY_FEATURES;
        arguments->options.features = &arguments->features;
        return ct_feature_parse(key, argument, &arguments->features, state);
    case KEY_MODEL:
    case KEY_BY:
    case KEY_SHARE_LINKS:
        return parse_model(key, argument, arguments, state);
    default:
        return parse_bound(key, argument, &arguments->options, state);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct ct_learn_arguments *arguments = state->input;
    if (key == ARGP_KEY_END) {
        add_usual(arguments, state);
        if (!arguments->model_file && (arguments->way != CT_PREDICTION_BY_PLANS || arguments->shares_links))
            ct_usage(state, "--by and --share-links: expected --model, too");
        return 0;
    }
    error_t result = parse_option(key, argument, state);
    arguments->given |= result == 0;
    return result;
}

const struct argp ct_learn_argp = {ct_learn_argp_options, parse, NULL, NULL, NULL, ct_feature_help, NULL};
