/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/contention_text.h"
#include "models/formulas/formula.h"
#include "plan/explain/explain.h"
#include "plan/pattern.h"
#include "plan/verify/verifier_values.h"

#include <stdio.h>
#include <stdlib.h>

enum { RANKS_MAX = 100000, ELEMENT_DEFAULT = 8 };

struct settings {
    size_t size;
    size_t root;
    size_t rank;
    size_t bytes;
    size_t element;      /* 0: not given */
    size_t ppn;          /* 0: nothing is known about nodes */
    const char *pattern; /* NULL: not given */
    const char *network; /* NULL: show the plan itself */
    const char *missing; /* nodes; NULL: none */
    size_t trials;
    bool uneven;
    bool in_place;
    bool ordered;
    bool plain;
    int format; /* enum ct_explain_format */
};

#define AT(member) .offset = offsetof(struct settings, member)

static const char *format_choice(size_t index)
{
    static const char *const names[] = {
        [CT_EXPLAIN_TEXT] = "text", [CT_EXPLAIN_DOT] = "dot", [CT_EXPLAIN_SVG] = "svg", NULL};
    return names[index];
}

static const struct ct_option options[] = {
    {"comm-size", 'p', "P", CT_OPTION_SIZE, AT(size), .least = 1, .most = RANKS_MAX, .required = true,
     .former = "size", .text = "plan for P ranks"},
    {"root", 'r', "RANK", CT_OPTION_SIZE, AT(root), .most = RANKS_MAX, .usual = "0", .text = "use this root"},
    {"rank", 'i', "RANK", CT_OPTION_SIZE, AT(rank), .most = RANKS_MAX, .usual_text = "all ranks",
     .text = "show only this rank"},
    {"msg-size", 'n', "SIZE", CT_OPTION_SIZE, AT(bytes), .most = (double)((size_t)1 << 60), .usual = "1K",
     .former = "bytes", .text = "use this message size; for v and w collectives the size of a block"},
    {"element", 0, "SIZE", CT_OPTION_SIZE, AT(element), .least = 1, .most = 1 << 30, .usual_text = "8",
     .text = "in reductions, use elements of this size"},
    {"ppn", 0, "N", CT_OPTION_SIZE, AT(ppn), .least = 1, .most = RANKS_MAX,
     .usual_text = "the plan does not know the nodes",
     .text = "place N successive ranks on each node, and show which messages stay within nodes"},
    {"pattern", 0, "PATTERN", CT_OPTION_TEXT, AT(pattern),
     .text = "for neighborhood collectives and exchange: who sends to whom, as moore:d=2,r=1, "
             "random:density=0.05, hubs:count=4,degree=20, powerlaw:degree=20,exponent=2.1, edges:0>1,1>2 or "
             "matrix:FILE.mtx, whose rows are divided in blocks (with ,parts=entries in blocks of as many "
             "entries, with ,parts=metis by METIS)"},
    {"uneven", 0, NULL, CT_OPTION_FLAG, AT(uneven),
     .text = "for v and w collectives: use blocks of different sizes near --msg-size, some of them empty"},
    {"in-place", 0, NULL, CT_OPTION_FLAG, AT(in_place), .text = "plan for calls with MPI_IN_PLACE"},
    {"ordered", 0, NULL, CT_OPTION_FLAG, AT(ordered), .text = "plan for an operation that does not commute"},
    {"plain", 0, NULL, CT_OPTION_FLAG, AT(plain),
     .text = "with --ppn, show plans as the algorithm writes them; by default a message within a node and "
             "its reduction are one step where the library reduces data while they arrive"},
    {"network", 0, "NETWORK", CT_OPTION_TEXT, AT(network),
     .text =
         "instead of the plan, show for each round how many messages share a link of this network: "
         "fattree:K,N, a K-ary tree with N levels of switches and routes drawn at random on the way up, or "
         "torus:XxYxZ. Ranks are on successive nodes, one on each unless --ppn says more"},
    {"missing", 0, "LIST", CT_OPTION_TEXT, AT(missing),
     .text = "with --network, put no ranks on these nodes, counted from 0"},
    {"trials", 0, "N", CT_OPTION_SIZE, AT(trials), .least = 1, .most = 1000000, .usual = "100",
     .text = "with --network, draw the routes N times"},
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, AT(format), .choice = format_choice,
     .text = "write in this format"},
    {0},
};

static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const struct {
        const char *name;
        size_t rank;
    } ranks[] = {{"root", settings->root}, {"rank", settings->rank}};
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++)
        if (ct_is_given(arguments, ranks[i].name) && ranks[i].rank >= settings->size)
            return ct_fail(error, CT_E_INPUT, "--%s %zu: expected a rank below --comm-size %zu",
                           ranks[i].name, ranks[i].rank, settings->size);
    if (!settings->network && (ct_is_given(arguments, "missing") || ct_is_given(arguments, "trials")))
        return ct_fail(error, CT_E_INPUT, "--missing, --trials: expected --network, too");
    if (settings->network && (ct_is_given(arguments, "rank") || settings->format != CT_EXPLAIN_TEXT))
        return ct_fail(error, CT_E_INPUT,
                       "--network: counts the messages of all ranks as text; expected neither --rank nor "
                       "--format");
    return CT_OK;
}

/* The call that the options describe. */
static int call_of(const struct settings *settings, const struct ct_method *method, struct ct_error *error,
                   struct ct_call *ret_call)
{
    const struct ct_collective_description *description = &ct_collectives[method->algorithm->collective];
    if (!description->has_root && settings->root > 0)
        return ct_fail(error, CT_E_INPUT, "--root: %s has no root", description->name);
    if (!description->reduces && (settings->ordered || settings->element))
        return ct_fail(error, CT_E_INPUT, "--ordered, --element: %s has no operation", description->name);
    if (description->is_sparse != (settings->pattern != NULL))
        return description->is_sparse
                   ? ct_fail(error, CT_E_INPUT,
                             "%s needs a pattern; expected --pattern, such as moore:d=2,r=1",
                             description->name)
                   : ct_fail(error, CT_E_INPUT, "--pattern: %s has no neighbors", description->name);
    if (!description->varies && settings->uneven)
        return ct_fail(error, CT_E_INPUT, "--uneven: %s has no blocks of different lengths",
                       description->name);
    size_t element = settings->element ? settings->element : ELEMENT_DEFAULT;
    size_t unit = description->reduces ? element : 1, bytes = description->has_data ? settings->bytes : 0;
    if (bytes % unit != 0)
        return ct_fail(error, CT_E_INPUT,
                       "--msg-size: %zu byte%s are not a whole number of elements of %zu bytes", bytes,
                       ct_s(bytes), unit);
    *ret_call = (struct ct_call){.size = (int)settings->size,
                                 .root = (int)settings->root,
                                 .count = bytes / unit,
                                 .unit_bytes = unit,
                                 .in_place = settings->in_place,
                                 .commutative = !settings->ordered};
    return CT_OK;
}

/* Gives calls of v and w collectives their counts, which the caller frees. */
static int make_counts(enum ct_collective collective, struct ct_call *call, bool uneven, size_t **ret_tables)
{
    const struct ct_collective_description *description = &ct_collectives[collective];
    size_t size = (size_t)call->size;
    if (!description->varies || description->is_sparse)
        return CT_OK;
    *ret_tables = ct_allocate(description->result[0] == CT_CONTENTS_PARTS_OF_EACH ? 2 * size * size : size,
                              sizeof **ret_tables);
    if (*ret_tables)
        ct_block_counts(collective, call, uneven, *ret_tables);
    return *ret_tables ? CT_OK : CT_E_MEMORY;
}

/* Gives calls of sparse collectives their neighbors. Each edge has a length of its own, or, where a rank has
 * one block for all, all edges from it. */
static int make_pattern(enum ct_collective collective, const struct settings *settings, struct ct_call *call,
                        struct ct_error *error, struct ct_pattern *ret_pattern, size_t **ret_lengths)
{
    const struct ct_collective_description *description = &ct_collectives[collective];
    bool one_for_all = description->input[0] == CT_CONTENTS_OWN;
    struct ct_edge *edges = NULL;
    size_t count;
    if (!description->is_sparse)
        return CT_OK;
    int status = ct_pattern_edges(settings->pattern, call->size, error, &edges, &count);
    if (status != CT_OK)
        return status;
    ct_edges_lengthen(edges, count, call->count, settings->uneven && !one_for_all);
    if (description->varies && one_for_all) {
        size_t *lengths = *ret_lengths = ct_allocate((size_t)call->size, sizeof *lengths);
        for (int rank = 0; lengths && rank < call->size; rank++)
            lengths[rank] = settings->uneven && rank % 3 == 0 ? 0 : call->count;
        for (size_t i = 0; lengths && i < count; i++)
            edges[i].length = lengths[edges[i].from];
        call->send_counts = lengths;
        status = lengths ? CT_OK : CT_E_MEMORY;
    }
    if (status == CT_OK)
        status = ct_pattern_make(call->size, edges, count, description->varies, ret_pattern);
    if (status == CT_OK)
        call->neighbors = ret_pattern->ranks;
    free(edges);
    return status;
}

/* Places `ppn` ranks in a row on each node. */
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

/* Says how close the published formula, if there is one, is for this number of ranks. It assumes equal
 * blocks. */
static void add_formula(const struct settings *settings, const struct ct_method *method, struct ct_text *text)
{
    const struct ct_formula *formula = ct_formula_find(method);
    if (settings->format != CT_EXPLAIN_TEXT || settings->uneven || settings->size < 2 || !formula)
        return;
    ct_text_append(text, "published formula compared with the time of such plans, %s:",
                   (settings->size & (settings->size - 1)) == 0 ? "powers of two"
                                                                : "ranks that are no power of two");
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
        ct_text_append(text, "%s %s %s", model > 0 ? "," : "", ct_communication_model_names[model],
                       ct_formula_class(formula, (enum ct_communication_model)model, settings->size));
    ct_text_append(text, "\n");
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct ct_method method;
    struct ct_call call;
    struct ct_nodes nodes = {0};
    struct ct_text text = {0};
    struct ct_pattern pattern = {0};
    size_t *counts = NULL;
    int status;
    if ((status = ct_method_parse(arguments->words[0], CT_COLLECTIVES, error, &method)) != CT_OK ||
        (status = call_of(settings, &method, error, &call)) != CT_OK ||
        (status = make_counts(method.algorithm->collective, &call, settings->uneven, &counts)) != CT_OK ||
        (status = make_pattern(method.algorithm->collective, settings, &call, error, &pattern, &counts)) !=
            CT_OK ||
        (settings->ppn > 0 && (status = make_nodes(settings->size, settings->ppn, &nodes)) != CT_OK))
        goto done;
    call.nodes = settings->ppn > 0 ? &nodes : NULL;
    if (settings->network) {
        const struct ct_contention_case about = {settings->network, settings->missing,
                                                 settings->ppn > 0 ? settings->ppn : 1, settings->trials};
        status = ct_contention_text(&method, &call, &about, error, &text);
    } else {
        status = ct_explain(&method, &call, ct_is_given(arguments, "rank") ? (int)settings->rank : -1,
                            (enum ct_explain_format)settings->format, settings->plain, error, &text);
        if (status == CT_OK)
            add_formula(settings, &method, &text);
    }
    if (status != CT_OK)
        goto done;
    status = text.failed ? CT_E_MEMORY : CT_OK;
    if (status == CT_OK)
        fwrite(text.data, 1, text.length, stdout);
done:
    ct_text_free(&text);
    free(counts);
    ct_pattern_free(&pattern);
    ct_nodes_free(&nodes);
    return status;
}

const struct ct_command ct_command_explain = {
    .name = "explain",
    .text = "show the plan of a method, in words or as a picture",
    .usage = "METHOD --comm-size P",
    .least = 1,
    .about = "Shows the plan of a method: what each rank sends, receives, copies and reduces in each round. "
             "Steps of one round run at the same time. Rounds, steps and ranks are counted from 0. If there "
             "is a published formula for the time of the method, the text says for each model whether it "
             "equals the time of plans for this number of ranks or is a bound "
             "(studies/formulas/formula-classes.md).",
    .notes =
        "Examples:\n"
        "  colltune explain bcast/binomial --comm-size 8\n"
        "  colltune explain bcast/split_binary:seg=8K --comm-size 7 --msg-size 64K \\\n      --format svg > "
        "split.svg\n"
        "  colltune explain allgatherv/ring --comm-size 4 --uneven\n"
        "  colltune explain bcast/two_level --comm-size 8 --ppn 4\n"
        "  colltune explain neighbor_alltoall/grid --comm-size 16 \\\n      --pattern moore:d=2,r=1\n"
        "  colltune explain allgather/k_shift:k=8 --comm-size 64 --missing 21 \\\n      --network "
        "fattree:4,4\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .check = check,
    .run = run,
};
