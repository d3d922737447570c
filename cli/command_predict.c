/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/number.h"
#include "cli/command.h"
#include "config.h"
#include "measure/sweep_parts.h"
#include "models/evaluate.h"
#include "models/model_file.h"
#include "models/predict.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum key {
    KEY_COMM_SIZES = 256,
    KEY_MSG_SIZES,
    KEY_METHODS,
    KEY_MODEL,
    KEY_VOTE,
    KEY_MESSAGES,
    KEY_SECONDS,
    KEY_PPN
};

enum { RANKS_MOST = 1 << 20 };

struct arguments {
    const char *file;
    const char *folder;
    const char *collectives;
    const char *comm_sizes;
    const char *msg_sizes;
    const char *methods;
    double weights[CT_COMMUNICATION_MODELS]; /* none above 0: the best model known */
    size_t most_messages;
    double most_seconds;
    size_t ppn;
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
    {"ppn", KEY_PPN, "N", 0, "ranks on each node (1)", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"model", 'm', "MODEL", 0, "hockney, loggp or plogp (the last of these that the file has)", 2},
    {"vote", KEY_VOTE, "LIST", 0,
     "several models with weights, hockney=1,loggp=2,plogp=1: in each cell the method that has most votes "
     "wins",
     2},
    {"messages", KEY_MESSAGES, "N", 0,
     "messages of a prediction at most (16M): a method that takes more is left out of the cell", 2},
    {"seconds", KEY_SECONDS, "TIME", 0, "processor time of a prediction at most (30s): the same", 2},
    {0},
};

static enum ct_communication_model find_model(const struct argp_state *state, const char *name, size_t length)
{
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        if (strlen(ct_communication_model_names[kind]) == length &&
            strncmp(ct_communication_model_names[kind], name, length) == 0)
            return (enum ct_communication_model)kind;
    ct_usage(state, "unknown model '%.*s': expected hockney, loggp or plogp", (int)length, name);
}

static void parse_vote(const struct argp_state *state, char *list, double *weights)
{
    for (char *word; (word = strsep(&list, ",")) != NULL;) {
        size_t length = strcspn(word, "=");
        enum ct_communication_model kind = find_model(state, word, length);
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
        arguments->collectives = argument;
        return 0;
    case KEY_COMM_SIZES:
        arguments->comm_sizes = argument;
        return 0;
    case KEY_MSG_SIZES:
        arguments->msg_sizes = argument;
        return 0;
    case KEY_METHODS:
        arguments->methods = argument;
        return 0;
    case KEY_PPN:
        arguments->ppn = parse_size(state, "--ppn", argument, RANKS_MOST);
        return 0;
    case KEY_MESSAGES:
        arguments->most_messages = parse_size(state, "--messages", argument, UINT32_MAX);
        return 0;
    case KEY_SECONDS:
        if (ct_duration_parse(argument, &arguments->most_seconds) != CT_OK || arguments->most_seconds <= 0)
            ct_usage(state, "--seconds '%s': expected a time such as 90s, 10m or 1.5h", argument);
        return 0;
    case 'm':
        forbid_second(state, arguments->weights);
        arguments->weights[find_model(state, argument, strlen(argument))] = 1;
        return 0;
    case KEY_VOTE:
        forbid_second(state, arguments->weights);
        parse_vote(state, argument, arguments->weights);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            ct_usage(state, "'%s' is one argument too many", argument);
        arguments->file = argument;
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
    "had that nobody measures; docs/evaluation.md has the rules. The MPI library's own methods cannot be "
    "predicted.\n\n"
    "LIST is words or sizes with commas; sizes also 2-32, 2-32/2 (step), 1-1M*2 (factor).\n\n"
    "Examples:\n"
    "  colltune predict models/systems/grig-tcp.xml -o predicted -c bcast\n"
    "  colltune predict model.xml -o large -c bcast --comm-sizes 2-128K*4\n"
    "  colltune predict model.xml -o voted --vote hockney=1,loggp=2,plogp=2\n",
    NULL,
    NULL,
    NULL};

/* --- what is asked --- */

static int choose_collectives(const char *names, struct ct_error *error,
                              struct ct_run_description *description)
{
    char **words = NULL;
    size_t word_count = 0;
    int status = names ? ct_words_split(names, error, &words, &word_count) : CT_OK;
    description->collectives = ct_allocate(CT_COLLECTIVES, sizeof *description->collectives);
    if (!description->collectives)
        status = CT_E_MEMORY;
    bool chosen[CT_COLLECTIVES] = {false};
    for (size_t i = 0; status == CT_OK && i < word_count; i++) {
        enum ct_collective collective = ct_collective_find(words[i]);
        if (collective == CT_COLLECTIVES)
            status = ct_fail(error, CT_E_INPUT, "unknown collective '%s' (see colltune list)", words[i]);
        else if (!ct_prediction_covers(collective))
            status =
                ct_fail(error, CT_E_INPUT,
                        "%s: no message size says what is sent, so that nothing can be predicted", words[i]);
        else
            chosen[collective] = true;
    }
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++)
        if (names ? chosen[i] : ct_prediction_covers((enum ct_collective)i))
            description->collectives[description->collective_count++] = (enum ct_collective)i;
    ct_words_free(words, word_count);
    return status;
}

static int check_sizes(const char *what, const size_t *sizes, size_t count, size_t least, size_t most,
                       struct ct_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (sizes[i] < least || sizes[i] > most)
            return ct_fail(error, CT_E_INPUT, "%s %zu: expected %zu to %zu", what, sizes[i], least, most);
    return CT_OK;
}

static int choose_sizes(const struct arguments *arguments, struct ct_error *error,
                        struct ct_run_description *description)
{
    int status = ct_list_parse(arguments->comm_sizes ? arguments->comm_sizes : "2-1K*2", error,
                               &description->comm_sizes, &description->comm_size_count);
    if (status == CT_OK)
        status = ct_list_parse(arguments->msg_sizes ? arguments->msg_sizes : "8-512K*4,1M,4M", error,
                               &description->msg_sizes, &description->msg_size_count);
    if (status == CT_OK)
        status = check_sizes("communicator size", description->comm_sizes, description->comm_size_count, 2,
                             RANKS_MOST, error);
    return status == CT_OK ? check_sizes("message size", description->msg_sizes, description->msg_size_count,
                                         1, SIZE_MAX / RANKS_MOST, error)
                           : status;
}

/* All but the MPI library's own. */
static int choose_methods(const char *list, struct ct_error *error, struct ct_run_description *description)
{
    int status =
        ct_sweep_methods_parse(list ? list : "all", description->collectives, description->collective_count,
                               error, &description->methods, &description->method_count);
    size_t kept = 0;
    for (size_t i = 0; status == CT_OK && i < description->method_count; i++)
        if (description->methods[i].algorithm->build)
            description->methods[kept++] = description->methods[i];
    description->method_count = kept;
    return status == CT_OK && kept == 0
               ? ct_fail(error, CT_E_INPUT, "native cannot be predicted: expected other methods")
               : status;
}

static int describe(const struct arguments *arguments, struct ct_error *error,
                    struct ct_run_description *description)
{
    char created[32];
    time_t now = time(NULL);
    struct tm split;
    strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &split));
    description->created = strdup(created);
    description->tool_version = strdup(CT_VERSION);
    int status = description->created && description->tool_version ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        status = choose_collectives(arguments->collectives, error, description);
    if (status == CT_OK)
        status = choose_sizes(arguments, error, description);
    return status == CT_OK ? choose_methods(arguments->methods, error, description) : status;
}

/* --- */

static void progress(void *context, double done, const char *note)
{
    ct_progress_show(context, done, note);
}

/* PLogP where the file has it, else LogGP, else Hockney; where it has none, reading it has failed. */
static void choose_model(const struct ct_model *model, double *weights)
{
    int kind = CT_COMMUNICATION_MODELS - 1;
    for (int i = 0; i < CT_COMMUNICATION_MODELS; i++)
        if (weights[i] > 0)
            return;
    while (kind > 0 && !model->links[CT_NETWORK].known[kind])
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
                                       .ppn = arguments->ppn,
                                       .most_messages = arguments->most_messages,
                                       .most_seconds = arguments->most_seconds,
                                       .stop = ct_catch_stop(),
                                       .progress = progress,
                                       .context = &bar};
    memcpy(prediction.weights, arguments->weights, sizeof prediction.weights);
    int status = describe(arguments, error, &description);
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

static int run(int argc, char **argv)
{
    struct arguments arguments = {.ppn = 1, .most_messages = CT_MESSAGES_USUAL, .most_seconds = 30};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_prediction_summary summary = {0};
    struct ct_error error = {""};
    struct ct_model model;
    int status = ct_model_read(arguments.file, &error, &model);
    if (status != CT_OK)
        return ct_command_fail("predict", status, &error);
    status = predict(&arguments, &model, &error, &summary);
    ct_model_free(&model);
    if (status != CT_OK)
        return ct_command_fail("predict", status, &error);
    fprintf(stderr, "colltune predict: %s has %zu cells with %zu predictions\n", arguments.folder,
            summary.cells, summary.samples);
    if (summary.beyond > 0)
        fprintf(stderr,
                "colltune predict: %zu predictions were left out, and with them %zu cells: they need more "
                "than %zu messages (--messages) or %g s (--seconds)\n",
                summary.beyond, summary.beyond_cells, arguments.most_messages, arguments.most_seconds);
    return CT_EXIT_OK;
}

const struct ct_command ct_command_predict = {"predict", "predict methods from a model of the machine", run};
