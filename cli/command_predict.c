/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/option_choices.h"
#include "cli/terminal.h"
#include "cli/votes.h"
#include "measure/data_type.h"
#include "measure/operation.h"
#include "measure/sweep/method_list.h"
#include "models/evaluate/evaluate.h"
#include "models/model_file.h"
#include "models/predict/predict.h"
#include "plan/pattern.h"
#include "samples/element.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 1 << 20 };

struct settings {
    const char *output;
    const char *collectives;
    const char *comm_sizes;
    const char *msg_sizes;
    const char *patterns;
    const char *methods; /* NULL: all */
    enum ct_segment_way segments;
    const char *segment_sizes; /* that each segmented method has in turn; NULL: its own */
    int datatype;
    int operation;
    size_t ppn;
    int node_channel; /* CT_NODE_CHANNELS: what the library would use */
    int cost_model;
    double weights[CT_COMMUNICATION_MODELS]; /* of --vote; all 0: none */
    int by;
    bool no_share_links;
    size_t max_messages;
    double max_time;
};

#define AT(member) .offset = offsetof(struct settings, member)

static const char *way_choice(size_t index)
{
    return index < CT_PREDICTION_WAYS ? ct_prediction_way_names[index] : NULL;
}

static const char *segment_choice(size_t index)
{
    return index < CT_SEGMENT_FROM_LIST ? ct_segment_way_names[index] : NULL;
}

static const char *channel_choice(size_t index)
{
    return index < CT_NODE_CHANNELS ? ct_node_channel_names[index] : NULL;
}

/* The types that MPI's operations take. */
static enum ct_data_type reduced_type(size_t index)
{
    size_t type = 0, before = 0;
    for (; type < CT_DATA_TYPES; type++)
        if (ct_data_types[type].reduces && before++ == index)
            break;
    return (enum ct_data_type)type;
}

static const char *reduced_type_choice(size_t index)
{
    return ct_data_type_choice(reduced_type(index));
}

/* "sweep", a way to choose, or a list of sizes. */
static int read_segments(const struct ct_option *option, const char *word, void *given,
                         struct ct_error *error)
{
    struct settings *settings = given;
    size_t *sizes, count, way = 0;
    struct ct_error why = {""};
    while (segment_choice(way) && strcmp(segment_choice(way), word) != 0)
        way++;
    settings->segments = segment_choice(way) ? (enum ct_segment_way)way : CT_SEGMENT_FROM_LIST;
    settings->segment_sizes = NULL;
    if (segment_choice(way) || strcmp(word, "sweep") == 0)
        return CT_OK;
    int status = ct_list_parse(word, &why, &sizes, &count);
    if (status != CT_OK)
        return ct_fail(error, status, "--%s '%.80s': expected sweep, formula, search or sizes: %s",
                       option->name, word, why.text);
    free(sizes);
    settings->segment_sizes = word;
    return CT_OK;
}

static const struct ct_option options[] = {
    {"output", 'o', "RUN", CT_OPTION_TEXT, AT(output), .required = true, .output = CT_OUTPUT_FOLDER,
     .text = "make this folder for the run"},

    CT_HEADING("What to predict"),
    {"collectives", 'c', "LIST", CT_OPTION_TEXT, AT(collectives),
     .usual_text = "barrier and all that have a message size", .text = "predict these collectives"},
    {"comm-sizes", 0, "LIST", CT_OPTION_TEXT, AT(comm_sizes), .usual = "2-1K*2",
     .text = "use these communicator sizes"},
    {"msg-sizes", 0, "LIST", CT_OPTION_TEXT, AT(msg_sizes), .usual = "8-512K*4,1M,4M",
     .text = "use these message sizes in bytes; reductions take only multiples of 8"},
    {"pattern", 0, "LIST", CT_OPTION_TEXT, AT(patterns),
     .text = "predict neighborhood collectives on these patterns, separated by blanks (see colltune measure "
             "--help)"},
    {"methods", 0, "LIST", CT_OPTION_TEXT, AT(methods), .usual_text = "all",
     .text = "predict these methods: an ALGORITHM means all values of its parameters, a METHOD only itself; "
             "both may have COLLECTIVE/ in front; -WORD leaves methods out. A list that only leaves out "
             "begins with all"},
    {"segments", 0, "WAY", CT_OPTION_OTHER, .read = read_segments, .usual = "sweep",
     .text = "choose segment sizes: sweep: those of the methods; formula: the best one of each cell, by its "
             "closed form; search: the best one of each cell, by trying all; a LIST: these sizes"},
    {"datatype", 0, "TYPE", CT_OPTION_CHOICE, AT(datatype), .choice = reduced_type_choice, .usual = "double",
     .text = "predict reductions of elements of this type"},
    {"operation", 0, "NAME", CT_OPTION_CHOICE, AT(operation), .choice = ct_operation_choice, .usual = "sum",
     .text = "predict reductions with this operation, at the speed that colltune fit found for it; ordered "
             "does not commute"},
    {"ppn", 0, "N", CT_OPTION_SIZE, AT(ppn), .least = 1, .most = RANKS_MOST, .usual = "1",
     .text = "place N ranks on each node"},
    {"node-channel", 0, "CHANNEL", CT_OPTION_CHOICE, AT(node_channel), .choice = channel_choice,
     .usual_text = "as the library: shared, if the model has it",
     .text = "send messages within a node through MPI (mpi) or through memory that the ranks share (shared)"},

    CT_HEADING("How to predict"),
    CT_COST_MODEL_OPTION(struct settings),
    {"by", 0, "WAY", CT_OPTION_CHOICE, AT(by), .choice = way_choice,
     .text = "predict by plans (message by message; by the closed formula where this takes too long) or by "
             "formulas alone (methods without one are left out)"},
    {"vote", 0, "LIST", CT_OPTION_OTHER, AT(weights), .read = ct_votes_read,
     .text = "let several models vote for the best method of each cell, with weights, for example "
             "hockney=1,loggp=2,plogp=1"},
    {"no-share-links", 0, NULL, CT_OPTION_FLAG, AT(no_share_links),
     .text = "assume that messages do not slow each other down on a link; by default they share links, and a "
             "transfer begins when its receive is posted (docs/evaluation.md)"},
    {"max-messages", 0, "N", CT_OPTION_SIZE, AT(max_messages), .least = 1, .most = UINT32_MAX, .usual = "16M",
     .text = "use the formula, if there is one, instead of a plan with more than N messages"},
    {"max-time", 0, "TIME", CT_OPTION_TIME, AT(max_time), .usual = "30s",
     .text = "use the formula, if there is one, instead of a plan that takes more processor time than this"},
    {0},
};

static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    return ct_votes_check(settings->weights, arguments, error);
}

/* --- the grid --- */

static int choose_collectives(const char *names, struct ct_error *error,
                              struct ct_run_description *description)
{
    enum ct_collective listed[CT_COLLECTIVES];
    bool chosen[CT_COLLECTIVES] = {false};
    size_t count = 0;
    int status = names ? ct_collective_list_parse(names, error, listed, &count) : CT_OK;
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        if (!ct_prediction_covers(listed[i]))
            return ct_fail(error, CT_E_INPUT,
                           "--collectives: %s cannot be predicted, because it has no single message size",
                           ct_collectives[listed[i]].name);
        chosen[listed[i]] = true;
    }
    description->collectives = ct_allocate(CT_COLLECTIVES, sizeof *description->collectives);
    if (!description->collectives)
        return CT_E_MEMORY;
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (names ? chosen[i] : i < CT_DENSE_COLLECTIVES && ct_prediction_covers((enum ct_collective)i))
            description->collectives[description->collective_count++] = (enum ct_collective)i;
    return CT_OK;
}

/* Sparse collectives need patterns, others have none. */
static int choose_patterns(const char *list, struct ct_error *error, struct ct_run_description *description)
{
    char **words = NULL;
    size_t count = 0;
    const char *sparse = NULL;
    for (size_t i = 0; i < description->collective_count; i++)
        if (ct_collectives[description->collectives[i]].is_sparse)
            sparse = ct_collectives[description->collectives[i]].name;
    if (!list && !sparse)
        return CT_OK;
    if (!list)
        return ct_fail(error, CT_E_INPUT, "--collectives: %s needs a pattern; expected --pattern, too",
                       sparse);
    if (!sparse)
        return ct_fail(error, CT_E_INPUT,
                       "--pattern: none of the collectives has a pattern; expected --collectives with "
                       "neighbor_alltoall or others");
    int status = ct_patterns_split(list, error, &words, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = ct_run_add_pattern(description, words[i]);
    ct_words_free(words, count);
    return status;
}

/* All methods except native. */
static int choose_methods(const char *list, struct ct_error *error, struct ct_run_description *description)
{
    int status =
        ct_method_list_parse(list ? list : "all", description->collectives, description->collective_count,
                             error, &description->methods, &description->method_count);
    size_t kept = 0;
    if (status != CT_OK)
        return ct_fail_in(error, status, "--methods");
    for (size_t i = 0; i < description->method_count; i++)
        if (!ct_is_native(description->methods[i].algorithm))
            description->methods[kept++] = description->methods[i];
    description->method_count = kept;
    return status == CT_OK && kept == 0
               ? ct_fail(error, CT_E_INPUT, "--methods: native cannot be predicted; expected other methods")
               : status;
}

/* Replaces each segmented method by one method for each of the sizes. */
static int choose_segments(const char *list, struct ct_error *error, struct ct_run_description *description)
{
    size_t *sizes = NULL, size_count = 0, count = description->method_count, room;
    struct ct_method *before = description->methods;
    int status = ct_list_parse(list, error, &sizes, &size_count);
    if (status != CT_OK)
        return status;
    struct ct_method *methods =
        ct_multiply(count, size_count + 1, &room) ? ct_allocate(room, sizeof *methods) : NULL;
    if (!methods) {
        free(sizes);
        return CT_E_MEMORY;
    }
    description->methods = methods;
    description->method_count = 0;
    for (size_t m = 0; m < count; m++) {
        struct ct_method method = before[m];
        for (size_t i = 0; i < (ct_method_segment(&method) ? size_count : 1); i++) {
            if (ct_method_segment(&method))
                *ct_method_segment(&method) = sizes[i];
            if (ct_method_index(&method, methods, description->method_count) == description->method_count)
                methods[description->method_count++] = method;
        }
    }
    free(before);
    free(sizes);
    return CT_OK;
}

static int describe(const struct settings *settings, struct ct_error *error,
                    struct ct_run_description *description)
{
    int status;
    if ((status = choose_collectives(settings->collectives, error, description)) != CT_OK ||
        (status = ct_sizes_read("comm-sizes", settings->comm_sizes, 2, RANKS_MOST, error,
                                &description->comm_sizes, &description->comm_size_count)) != CT_OK ||
        (status = ct_sizes_read("msg-sizes", settings->msg_sizes, 1, SIZE_MAX / RANKS_MOST, error,
                                &description->msg_sizes, &description->msg_size_count)) != CT_OK ||
        (status = choose_patterns(settings->patterns, error, description)) != CT_OK ||
        (status = choose_methods(settings->methods, error, description)) != CT_OK || !settings->segment_sizes)
        return status;
    return choose_segments(settings->segment_sizes, error, description);
}

/* --- predicting --- */

/* Chooses the communication models, and checks that the machine's parameters suffice for all sizes. */
static int choose_model(const struct settings *settings, const char *file,
                        const struct ct_run_description *description, struct ct_prediction *prediction,
                        struct ct_error *error)
{
    struct ct_error why = {""};
    size_t most_ranks = 0;
    for (size_t i = 0; i < description->comm_size_count; i++)
        if (description->comm_sizes[i] > most_ranks)
            most_ranks = description->comm_sizes[i];
    const bool one_node = most_ranks <= settings->ppn;
    memcpy(prediction->weights, settings->weights, sizeof prediction->weights);
    if (!ct_votes_are_given(settings->weights))
        prediction->weights[ct_cost_model(settings->cost_model, prediction->model, one_node)] = 1;
    int status = ct_prediction_check(prediction, most_ranks, file, &why);
    if (status == CT_OK || one_node)
        return status == CT_OK ? CT_OK : ct_fail(error, status, "%s", why.text);
    return ct_fail(error, status, "%s, or pass --ppn %zu to predict within one node", why.text, most_ranks);
}

/* The model is read with the channel that the library would use. */
static int choose_channel(const struct settings *settings, const struct ct_arguments *arguments,
                          const char *file, struct ct_model *model, struct ct_error *error)
{
    const enum ct_node_channel channel = (enum ct_node_channel)settings->node_channel;
    if (!ct_is_given(arguments, "node-channel"))
        return CT_OK;
    if (settings->ppn == 1)
        return ct_fail(error, CT_E_INPUT, "--node-channel: expected --ppn above 1, too");
    if (!ct_link_is_known(ct_model_node_link(model, channel)))
        return ct_fail(
            error, CT_E_INPUT,
            "%s: no parameters for messages within a node through %s; measure them with colltune fit", file,
            ct_node_channel_titles[channel]);
    return ct_model_use_channel(model, channel, file, error);
}

/* Reductions of other operations and types than sums of doubles. */
static int choose_operands(const struct settings *settings, const struct ct_arguments *arguments,
                           const char *file, struct ct_model *model, struct ct_prediction *prediction,
                           struct ct_error *error)
{
    const struct ct_data_type_description *type = &ct_data_types[reduced_type((size_t)settings->datatype)];
    const struct ct_operation_description *operation = &ct_operations[settings->operation];
    if (!ct_is_given(arguments, "datatype") && !ct_is_given(arguments, "operation"))
        return CT_OK;
    if (!ct_model_use_work(model, operation->name, type->name))
        return ct_fail(error, CT_E_INPUT, "%s: no time of %s of %s; measure it with colltune fit", file,
                       operation->name, type->name);
    prediction->datatype = type->name;
    prediction->operation = operation->name;
    prediction->element = type->bytes;
    prediction->is_ordered = !operation->commutes;
    return CT_OK;
}

/* Notes if messages on one node are priced as messages between nodes. */
static void tell_node(const struct settings *settings, const char *file, const struct ct_model *model,
                      const double *weights)
{
    const struct ct_link *node = &model->links[CT_LINK_NODE];
    for (int kind = 0; settings->ppn > 1 && kind < CT_COMMUNICATION_MODELS; kind++)
        if (weights[kind] > 0 && !node->known[kind])
            ct_tell(&ct_command_predict,
                    "%s has no %s parameters for messages within a node: they cost as much as "
                    "messages between nodes",
                    file, ct_communication_model_titles[kind]);
}

static void tell(const struct settings *settings, const struct ct_prediction_summary *summary)
{
    const struct ct_command *command = &ct_command_predict;
    ct_tell(command, "%s has %zu cell%s with %zu prediction%s: %zu by plans, %zu by formulas",
            settings->output, summary->cells, ct_s(summary->cells), summary->samples, ct_s(summary->samples),
            summary->samples - summary->by_formula, summary->by_formula);
    if (summary->uneven > 0)
        ct_tell(command, "%zu cell%s left out: %s", summary->uneven, ct_were(summary->uneven),
                ct_uneven_text);
    if (summary->without > 0)
        ct_tell(command, "%zu method%s left out: no formula", summary->without, ct_were(summary->without));
    if (summary->beyond > 0)
        ct_tell(command,
                "%zu prediction%s left out, and %zu cell%s: more than %zu messages "
                "(--max-messages) or %g s (--max-time) would be needed, and there is no formula",
                summary->beyond, ct_were(summary->beyond), summary->beyond_cells, ct_s(summary->beyond_cells),
                settings->max_messages, settings->max_time);
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const char *file = arguments->words[0];
    struct ct_run_description description = {0};
    struct ct_prediction_summary summary = {0};
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_watch(&bar, &ct_command_predict);
    struct ct_model model;
    struct ct_prediction prediction = {.model = &model,
                                       .way = (enum ct_prediction_way)settings->by,
                                       .segments = settings->segments,
                                       .ppn = settings->ppn,
                                       .most_messages = settings->max_messages,
                                       .most_seconds = settings->max_time,
                                       .shares_links = !settings->no_share_links,
                                       .watch = &watch};
    int status = ct_model_read(file, error, &model);
    if (status != CT_OK)
        return status;
    if ((status = choose_channel(settings, arguments, file, &model, error)) != CT_OK ||
        (status = choose_operands(settings, arguments, file, &model, &prediction, error)) != CT_OK ||
        (status = describe(settings, error, &description)) != CT_OK ||
        (status = choose_model(settings, file, &description, &prediction, error)) != CT_OK ||
        (status = ct_prediction_describe(&prediction, file, error, &description)) != CT_OK)
        goto done;
    status = ct_predict(settings->output, &description, &prediction, error, &summary);
    ct_bar_end(&bar);
    if (status == CT_OK) {
        tell(settings, &summary);
        tell_node(settings, file, &model, prediction.weights);
    }
done:
    ct_run_description_free(&description);
    ct_model_free(&model);
    return status;
}

const struct ct_command ct_command_predict = {
    .name = "predict",
    .text = "predict methods from a model of the machine",
    .usage = "MODEL.xml -o RUN",
    .least = 1,
    .about = "Predicts the times of methods for communicator and message sizes from a model of the machine, "
             "into a run. map, learn, score and report take it like a measured run.",
    .notes = "The plans of all ranks are evaluated message by message under Hockney, LogGP or PLogP, or "
             "closed formulas are used; docs/evaluation.md has the rules. This works for sizes that cannot "
             "be measured. Native methods cannot be predicted.\n\n" CT_LISTS_TEXT "\n\n"
             "Examples:\n"
             "  colltune predict models/systems/grig-tcp.xml -o predicted -c bcast\n"
             "  colltune predict model.xml -o large -c bcast --comm-sizes 2-128K*4\n"
             "  colltune predict model.xml -o formulas -c bcast --by formulas \\\n      --segments formula\n"
             "  colltune predict model.xml -o neighbors -c neighbor_alltoall \\\n      --comm-sizes 64 "
             "--pattern 'random:density=0.1 moore:d=2,r=1'\n"
             "  colltune predict model.xml -o nodes --ppn 4 --node-channel mpi\n"
             "  colltune predict model.xml -o voted --vote hockney=1,loggp=2,plogp=2\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .check = check,
    .run = run,
};
