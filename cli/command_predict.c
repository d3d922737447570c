/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "cli/command.h"
#include "cli/prediction_grid.h"
#include "models/evaluate/evaluate.h"
#include "models/model_file.h"
#include "models/predict/predict.h"
#include "samples/element.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum key {
    KEY_COMM_SIZES = 256,
    KEY_MSG_SIZES,
    KEY_METHODS,
    KEY_VOTE,
    KEY_MESSAGES,
    KEY_SECONDS,
    KEY_PPN,
    KEY_SHARE_LINKS,
    KEY_BY,
    KEY_SEGMENTS
};

struct arguments {
    const char *file;
    const char *folder;
    struct ct_prediction_grid grid;
    double weights[CT_COMMUNICATION_MODELS]; /* none above 0: the best model known */
    size_t most_messages;
    double most_seconds;
    size_t ppn;
    bool shares_links;
    enum ct_prediction_way way;
    enum ct_segment_way segments; /* CT_SEGMENT_FROM_LIST: the methods' own, or those of the grid */
};

static const struct argp_option options[] = {
    {"output", 'o', "RUN", 0, "folder to make for the run", 0},
    {NULL, 0, NULL, 0, "What:", 1},
    {"collectives", 'c', "LIST", 0, "collectives (all that have a message size, and barrier)", 1},
    {"comm-sizes", KEY_COMM_SIZES, "LIST", 0, "communicator sizes (2-1K*2)", 1},
    {"msg-sizes", KEY_MSG_SIZES, "LIST", 0,
     "message sizes in bytes (8-512K*4,1M,4M); reductions take multiples of 8", 1},
    {"methods", KEY_METHODS, "LIST", 0,
     "methods (all): ALGORITHM with all the values of its parameters, one METHOD, either with COLLECTIVE/ in "
     "front; -WORD leaves out",
     1},
    {"segments", KEY_SEGMENTS, "WAY", 0,
     "segment sizes: the methods' own (sweep); in each cell the best one by its closed form (formula) or by "
     "trying all (search); or a LIST of sizes",
     1},
    {"ppn", KEY_PPN, "N", 0, "ranks on each node (1)", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"model", 'm', "MODEL", 0, "hockney, loggp or plogp (the last of these that the file has)", 2},
    {"by", KEY_BY, "WAY", 0,
     "plans: what each rank does, message by message, and the closed formula where that takes too much "
     "(standard); formulas: everywhere, methods without one are left out",
     2},
    {"vote", KEY_VOTE, "LIST", 0,
     "several models with weights, hockney=1,loggp=2,plogp=1: in each cell the method that has most votes "
     "wins",
     2},
    {"share-links", KEY_SHARE_LINKS, NULL, 0,
     "messages that a rank sends at once share its link, a transfer begins when its receive is posted, and "
     "the "
     "gap is the overhead: as on simulated platforms",
     2},
    {"messages", KEY_MESSAGES, "N", 0,
     "messages of a prediction at most (16M): where a method takes more its formula counts, or nothing", 2},
    {"seconds", KEY_SECONDS, "TIME", 0, "processor time of a prediction at most (30s): the same", 2},
    {0},
};

static void parse_vote(const struct argp_state *state, char *list, double *weights)
{
    for (char *word; (word = strsep(&list, ",")) != NULL;) {
        size_t length = strcspn(word, "=");
        enum ct_communication_model kind = ct_known_model(state, word, length);
        double weight = 1;
        if (word[length] == '=' && (ct_number_parse(word + length + 1, &weight) != CT_OK || weight <= 0))
            ct_usage(state, "--vote '%s': expected a weight above 0", word);
        if (weights[kind] > 0)
            ct_usage(state, "--vote: %s is given twice", ct_communication_model_names[kind]);
        weights[kind] = weight;
    }
}

static size_t parse_size(const struct argp_state *state, const char *option, const char *word, size_t most)
{
    size_t size;
    if (ct_size_parse(word, &size) != CT_OK || size < 1 || size > most)
        ct_usage(state, "%s '%s': expected a whole number from 1 to %zu", option, word, most);
    return size;
}

static enum ct_prediction_way find_way(const struct argp_state *state, const char *name)
{
    for (int way = 0; way < CT_PREDICTION_WAYS; way++)
        if (strcmp(ct_prediction_way_names[way], name) == 0)
            return (enum ct_prediction_way)way;
    ct_usage(state, "--by '%s': expected plans or formulas", name);
}

static void parse_segments(struct arguments *arguments, const char *word)
{
    arguments->segments = CT_SEGMENT_FROM_LIST;
    arguments->grid.segments = NULL;
    for (int way = 0; way < CT_SEGMENT_WAYS; way++)
        if (way != CT_SEGMENT_FROM_LIST && strcmp(ct_segment_way_names[way], word) == 0) {
            arguments->segments = (enum ct_segment_way)way;
            return;
        }
    if (strcmp(word, "sweep") != 0)
        arguments->grid.segments = word;
}

static void forbid_second(const struct argp_state *state, const double *weights)
{
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        if (weights[kind] > 0)
            ct_usage(state, "expected one --model or one --vote");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->folder = argument;
        return 0;
    case 'c':
        arguments->grid.collectives = argument;
        return 0;
    case KEY_COMM_SIZES:
        arguments->grid.comm_sizes = argument;
        return 0;
    case KEY_MSG_SIZES:
        arguments->grid.msg_sizes = argument;
        return 0;
    case KEY_METHODS:
        arguments->grid.methods = argument;
        return 0;
    case KEY_PPN:
        arguments->ppn = parse_size(state, "--ppn", argument, CT_PREDICTED_RANKS_MOST);
        return 0;
    case KEY_MESSAGES:
        arguments->most_messages = parse_size(state, "--messages", argument, UINT32_MAX);
        return 0;
    case KEY_SECONDS:
        arguments->most_seconds = ct_seconds_of(state, "--seconds", argument);
        return 0;
    case KEY_SHARE_LINKS:
        arguments->shares_links = true;
        return 0;
    case KEY_BY:
        arguments->way = find_way(state, argument);
        return 0;
    case KEY_SEGMENTS:
        parse_segments(arguments, argument);
        return 0;
    case 'm':
        forbid_second(state, arguments->weights);
        arguments->weights[ct_known_model(state, argument, strlen(argument))] = 1;
        return 0;
    case KEY_VOTE:
        forbid_second(state, arguments->weights);
        parse_vote(state, argument, arguments->weights);
        return 0;
    case ARGP_KEY_ARG:
        arguments->file = ct_argument_of(state, argument, 1);
        return 0;
    case ARGP_KEY_NO_ARGS:
        ct_usage(state, "expected a model: MODEL.xml");
    case ARGP_KEY_END:
        if (!arguments->folder)
            ct_usage(state, "expected the folder of the run: -o RUN");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "MODEL.xml",
    "Predicts the methods of collectives over communicator and message sizes from a model of the machine, "
    "into a run that map, learn, score and report take as they take a measured one.\v"
    "All ranks' plans are carried out message by message under Hockney, LogGP or PLogP, so that sizes can be "
    "had that nobody measures, or closed formulas are evaluated; docs/evaluation.md has the rules. The MPI "
    "library's own methods cannot be "
    "predicted.\n\n"
    "LIST is words or sizes with commas; sizes also 2-32, 2-32/2 (step), 1-1M*2 (factor).\n\n"
    "Examples:\n"
    "  colltune predict models/systems/grig-tcp.xml -o predicted -c bcast\n"
    "  colltune predict model.xml -o large -c bcast --comm-sizes 2-128K*4\n"
    "  colltune predict model.xml -o formulas -c bcast --by formulas \\\n      --segments formula\n"
    "  colltune predict model.xml -o voted --vote hockney=1,loggp=2,plogp=2\n",
    NULL,
    NULL,
    NULL};

/* PLogP where the file has it, else LogGP, else Hockney; where it has none, reading it has failed. */
static void choose_model(const struct ct_model *model, double *weights)
{
    int kind = CT_COMMUNICATION_MODELS - 1;
    for (int i = 0; i < CT_COMMUNICATION_MODELS; i++)
        if (weights[i] > 0)
            return;
    while (kind > 0 && !model->links[CT_LINK_NETWORK].known[kind])
        kind--;
    weights[kind] = 1;
}

static int predict(struct arguments *arguments, const struct ct_model *model, struct ct_error *error,
                   struct ct_prediction_summary *ret_summary)
{
    struct ct_run_description description = {0};
    struct ct_progress bar;
    choose_model(model, arguments->weights);
    struct ct_prediction prediction = {.model = model,
                                       .way = arguments->way,
                                       .segments = arguments->segments,
                                       .ppn = arguments->ppn,
                                       .most_messages = arguments->most_messages,
                                       .most_seconds = arguments->most_seconds,
                                       .shares_links = arguments->shares_links,
                                       .stop = ct_catch_stop(),
                                       .progress = ct_progress_take,
                                       .context = &bar};
    memcpy(prediction.weights, arguments->weights, sizeof prediction.weights);
    int status = ct_prediction_grid_read(&arguments->grid, error, &description);
    if (status == CT_OK)
        status = ct_prediction_describe(&prediction, arguments->file, error, &description);
    if (status == CT_OK) {
        ct_progress_begin(&bar, "predicting");
        status = ct_predict(arguments->folder, &description, &prediction, error, ret_summary);
        ct_progress_end(&bar);
    }
    ct_run_description_free(&description);
    return status;
}

/* Ranks of a node that the model does not tell from others. */
static void tell_node(const struct arguments *arguments, const struct ct_model *model)
{
    const struct ct_link *node = &model->links[CT_LINK_NODE];
    for (int kind = 0; arguments->ppn > 1 && kind < CT_COMMUNICATION_MODELS; kind++)
        if (arguments->weights[kind] > 0 && !node->known[kind])
            fprintf(
                stderr,
                "colltune predict: %s has no %s parameters of the link 'node': messages within a node cost "
                "what they do over the network\n",
                arguments->file, ct_communication_model_names[kind]);
}

/* What came out, and what did not. */
static void tell(const struct arguments *arguments, const struct ct_prediction_summary *summary)
{
    fprintf(stderr,
            "colltune predict: %s has %zu cells with %zu predictions: %zu by plans, %zu by formulas\n",
            arguments->folder, summary->cells, summary->samples, summary->samples - summary->by_formula,
            summary->by_formula);
    if (summary->uneven > 0)
        fprintf(stderr, "colltune predict: %zu cells were left out: %s\n", summary->uneven, ct_uneven_text);
    if (summary->without > 0)
        fprintf(stderr, "colltune predict: %zu methods were left out: they have no formula\n",
                summary->without);
    if (summary->beyond > 0)
        fprintf(stderr,
                "colltune predict: %zu predictions were left out, and with them %zu cells: they need more "
                "than %zu messages (--messages) or %g s (--seconds), and have no formula\n",
                summary->beyond, summary->beyond_cells, arguments->most_messages, arguments->most_seconds);
}

static int run(int argc, char **argv)
{
    struct arguments arguments = {
        .segments = CT_SEGMENT_FROM_LIST, .ppn = 1, .most_messages = CT_MESSAGES_USUAL, .most_seconds = 30};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_prediction_summary summary = {0};
    struct ct_error error = {""};
    struct ct_model model;
    int status = ct_model_read(arguments.file, &error, &model);
    if (status != CT_OK)
        return ct_command_fail("predict", status, &error);
    for (int link = 0; arguments.shares_links && link < CT_LINK_KINDS; link++)
        ct_link_gap_of_overhead(&model.links[link]);
    status = predict(&arguments, &model, &error, &summary);
    if (status == CT_OK) {
        tell(&arguments, &summary);
        tell_node(&arguments, &model);
    }
    ct_model_free(&model);
    return ct_command_end("predict", status, &error);
}

const struct ct_command ct_command_predict = {"predict", "predict methods from a model of the machine", run,
                                              options};
