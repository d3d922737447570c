/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/explain/explain.h"
#include "algorithms/routing.h"
#include "base/memory.h"
#include "plan/explain/explain_picture.h"
#include "plan/node_channel.h"
#include "plan/share_sends.h"
#include "plan/step_text.h"
#include "plan/verify/verifier.h"

#include <stdio.h>

/* Does the message stay within the node of this rank? Not known without nodes. */
static bool stays(const struct ct_nodes *nodes, int rank, const struct ct_step *step)
{
    return nodes && ct_step_is_message(step) && ct_nodes_join(nodes, rank, step->peer);
}

/* `near`: see stays(). */
static void explain_step(const struct ct_step *step, size_t index, bool near,
                         const struct ct_step_notation *notation, struct ct_text *text)
{
    char bytes[CT_SIZE_TEXT], places[CT_STEP_PLACES_TEXT];
    ct_step_places(step, notation, places);
    const char *length = ct_step_is_token(step)       ? "token"
                         : step->kind == CT_STEP_WAIT ? ""
                                                      : ct_size_format(step->n * notation->unit_bytes, bytes);
    ct_text_append(text, "%6zu  %-7s %8s  %s%s", index, ct_step_verb(step), length, places,
                   near ? ", within the node" : "");
    if (step->kind == CT_STEP_SEND && step->other > 0)
        ct_text_append(text, ", shared copy %u", step->other);
    if (ct_step_is_message(step) && step->until == CT_PLAN_END)
        ct_text_append(text, ", waited for at the end");
    else if (ct_step_is_message(step) && step->until != CT_ROUND_END)
        ct_text_append(text, ", held by slot %u", step->until);
    ct_text_append(text, "\n");
}

static void explain_rank(const struct ct_plan *plan, int rank, const struct ct_nodes *nodes,
                         const struct ct_step_notation *notation, struct ct_text *text)
{
    size_t messages = 0, units = 0, held = 0, begin = 0;
    char bytes[CT_SIZE_TEXT], memory[CT_SIZE_TEXT];
    for (size_t i = 0; i < plan->step_count; i++) {
        messages += plan->steps[i].kind == CT_STEP_SEND;
        units += plan->steps[i].kind == CT_STEP_SEND ? plan->steps[i].n : 0;
    }
    for (unsigned i = CT_BUFFER_TEMPORARY; i < plan->buffer_count; i++)
        held += plan->temporary[i];
    ct_text_append(text, "rank %d: %zu round%s, sends %zu message%s, %s bytes, holds %s bytes\n", rank,
                   plan->round_count, plan->round_count == 1 ? "" : "s", messages, messages == 1 ? "" : "s",
                   ct_size_format(units * notation->unit_bytes, bytes),
                   ct_size_format(held * notation->unit_bytes, memory));
    for (size_t round = 0; round < plan->round_count; round++) {
        for (size_t i = begin; i < plan->rounds[round].end; i++) {
            if (i == begin)
                ct_text_append(text, "  round %-4zu", round);
            else
                ct_text_append(text, "  %10s", "");
            explain_step(&plan->steps[i], i - begin, stays(nodes, rank, &plan->steps[i]), notation, text);
        }
        if (plan->rounds[round].window > 0)
            ct_text_append(text, "  %10s        at most %u outstanding\n", "", plan->rounds[round].window);
        begin = plan->rounds[round].end;
    }
}

/* ", 64K bytes"; of v and w forms ", blocks of 1K bytes" or ", blocks of 0 to 3K bytes". */
static void format_size(enum ct_collective collective, const struct ct_call *call, char *text, size_t room)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    const size_t *counts = call->send_counts ? call->send_counts : call->recv_counts;
    size_t size = (size_t)call->size, least = call->count, most = call->count;
    size_t count = about->result[0] == CT_CONTENTS_PARTS_OF_EACH ? size * size : size;
    for (size_t i = 0; counts && i < count; i++) {
        least = i == 0 || counts[i] < least ? counts[i] : least;
        most = i == 0 || counts[i] > most ? counts[i] : most;
    }
    char low[CT_SIZE_TEXT], high[CT_SIZE_TEXT];
    ct_size_format(least * call->unit_bytes, low);
    ct_size_format(most * call->unit_bytes, high);
    snprintf(text, room, ", %s%s%s%s bytes", about->varies ? "blocks of " : "", least < most ? low : "",
             least < most ? " to " : "", high);
}

/* "bcast/binomial:seg=8K, 5 ranks, root 0, 64K bytes" */
enum { TITLE_TEXT = CT_METHOD_TEXT + 120 };

static void format_title(const struct ct_method *method, const struct ct_call *call, char title[TITLE_TEXT])
{
    char spelling[CT_METHOD_TEXT], root[24] = "", size[80] = "", nodes[24] = "";
    const struct ct_collective_description *description = &ct_collectives[method->algorithm->collective];
    if (description->has_root)
        snprintf(root, sizeof root, ", root %d", call->root);
    if (description->has_data)
        format_size(method->algorithm->collective, call, size, sizeof size);
    if (call->nodes)
        snprintf(nodes, sizeof nodes, " on %d node%s", call->nodes->count,
                 call->nodes->count == 1 ? "" : "s");
    snprintf(title, TITLE_TEXT, "%s, %d rank%s%s%s%s%s%s", ct_method_format(method, true, spelling),
             call->size, call->size == 1 ? "" : "s", nodes, root, size, call->in_place ? ", in place" : "",
             call->commutative ? "" : ", operation does not commute");
}

/* The buffers of a call with counts that are made of blocks; those of reductions lie end to end. */
static unsigned blocks_of(enum ct_collective collective, const struct ct_call *call)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    if (about->is_sparse)
        return !about->varies                       ? 0
               : about->input[0] == CT_CONTENTS_OWN ? 1u << CT_BUFFER_RECV
                                                    : 1u << CT_BUFFER_SEND | 1u << CT_BUFFER_RECV;
    if (about->reduces || !(call->send_counts || call->recv_counts))
        return 0;
    return (ct_contents_are_many(about->input[0]) ? 1u << CT_BUFFER_SEND : 0u) |
           (ct_contents_are_many(about->result[0]) ? 1u << CT_BUFFER_RECV : 0u);
}

/* The rank whose plan is fused, and where the others are. */
struct near {
    const struct ct_nodes *nodes;
    int rank;
};

static bool is_near(const void *context, int peer)
{
    const struct near *near = context;
    return ct_nodes_join(near->nodes, near->rank, peer);
}

/* As the library does with predefined operations, all of which commute. */
static int fuse(const struct ct_method *method, const struct ct_call *call, int rank, struct ct_plan *plan)
{
    const struct near near = {.nodes = call->nodes, .rank = rank};
    struct ct_fusion fusion = {.is_near = is_near,
                               .context = &near,
                               .least = (CT_FUSED_BYTES - 1) / call->unit_bytes + 1,
                               .limit = (CT_COPY_FROM - 1) / call->unit_bytes + 1};
    int status = CT_OK;
    size_t fused;
    if (!call->nodes || !call->commutative)
        return CT_OK;
    if (ct_collectives[method->algorithm->collective].reduces)
        status = ct_plan_fuse(plan, &fusion, &fused);
    fusion.least = (CT_SHARED_BYTES - 1) / call->unit_bytes + 1;
    ct_plan_share_sends(plan, &fusion, &fused);
    return status;
}

/* "within nodes, through shared memory: 6 messages, 6K bytes, 3 of them reduced while they arrive; between
 * nodes, through MPI: 1 message, 1K bytes" */
static void format_ways(const struct ct_plan *plans, const struct ct_call *call, char *note, size_t room)
{
    enum { BETWEEN, WITHIN, WAYS };
    size_t messages[WAYS] = {0}, units[WAYS] = {0}, fused = 0;
    char bytes[WAYS][CT_SIZE_TEXT], reduced[60] = "";
    for (int rank = 0; rank < call->size; rank++)
        for (size_t i = 0; i < plans[rank].step_count; i++) {
            const struct ct_step *step = &plans[rank].steps[i];
            fused += ct_step_is_fused(step);
            if (step->kind != CT_STEP_SEND)
                continue;
            messages[stays(call->nodes, rank, step)]++;
            units[stays(call->nodes, rank, step)] += step->n;
        }
    for (int way = 0; way < WAYS; way++)
        ct_size_format(units[way] * call->unit_bytes, bytes[way]);
    if (fused > 0)
        snprintf(reduced, sizeof reduced, ", %zu of them reduced while they arrive", fused);
    snprintf(note, room,
             "within nodes, through shared memory: %zu message%s, %s bytes%s; "
             "between nodes, through MPI: %zu message%s, %s bytes",
             messages[WITHIN], messages[WITHIN] == 1 ? "" : "s", bytes[WITHIN], reduced, messages[BETWEEN],
             messages[BETWEEN] == 1 ? "" : "s", bytes[BETWEEN]);
}

static int draw(const struct ct_plan *plans, const struct ct_call *call, int rank,
                enum ct_explain_format format, const char *title, const char *note, struct ct_error *error,
                struct ct_text *text)
{
    struct ct_flow flow;
    int status = ct_flow_of(plans, call->size, CT_ARROWS_MAX, &flow);
    if (status != CT_OK)
        return status == CT_E_LIMIT
                   ? ct_fail(error, status, "too many messages to draw: more than %d", CT_ARROWS_MAX)
                   : status;
    for (size_t i = 0; call->nodes && i < flow.count; i++)
        flow.arrows[i].leaves = !ct_nodes_join(call->nodes, flow.arrows[i].from, flow.arrows[i].to);
    (format == CT_EXPLAIN_DOT ? ct_picture_dot : ct_picture_svg)(&flow, call->size, rank, call->unit_bytes,
                                                                 title, note, text);
    ct_flow_free(&flow);
    return CT_OK;
}

static int check_method(const struct ct_method *method, const struct ct_call *call, const char *title,
                        struct ct_error *error)
{
    char name[CT_METHOD_TEXT];
    const struct ct_constraint_description *failed;
    if (!ct_has_plan(method->algorithm))
        return ct_fail(error, CT_E_ANSWER, "%s has no plan: the MPI library carries it out",
                       ct_method_format(method, true, name));
    if (!ct_method_applies(method, call, &failed))
        return ct_fail(error, CT_E_INPUT, "%s: needs %s", title, failed->name);
    return CT_OK;
}

/* Writes the title, and the plans of all ranks. */
static int begin(const struct ct_method *method, const struct ct_call *call, char title[TITLE_TEXT],
                 struct ct_error *error, struct ct_plan **ret_plans)
{
    format_title(method, call, title);
    int status = check_method(method, call, title, error);
    return status == CT_OK ? ct_plans_make(method, call, error, ret_plans) : status;
}

int ct_explain_flow(const struct ct_method *method, const struct ct_call *call, size_t most,
                    struct ct_error *error, struct ct_flow *ret_flow)
{
    char title[TITLE_TEXT];
    struct ct_plan *plans;
    int status = begin(method, call, title, error, &plans);
    if (status != CT_OK)
        return status;
    status = ct_flow_of(plans, call->size, most, ret_flow);
    if (status == CT_E_LIMIT)
        ct_fail(error, status, "%s: more than %zu messages; expected fewer", title, most);
    ct_plans_free_all(plans, call->size);
    return status;
}

int ct_explain(const struct ct_method *method, const struct ct_call *call, int rank,
               enum ct_explain_format format, bool plain, struct ct_error *error, struct ct_text *text)
{
    char title[TITLE_TEXT], note[240] = "";
    struct ct_plan *plans;
    int status = begin(method, call, title, error, &plans);
    if (status != CT_OK)
        return status;
    for (int i = 0; status == CT_OK && !plain && i < call->size; i++)
        status = fuse(method, call, i, &plans[i]);
    if (status == CT_OK && call->nodes)
        format_ways(plans, call, note, sizeof note);
    if (status == CT_OK && format != CT_EXPLAIN_TEXT)
        status = draw(plans, call, rank, format, title, note, error, text);
    if (status == CT_OK && format == CT_EXPLAIN_TEXT) {
        const struct ct_step_notation notation = {.unit_bytes = call->unit_bytes,
                                                  .blocks = blocks_of(method->algorithm->collective, call)};
        ct_text_append(text, "%s\n%s%s", title, note, *note ? "\n" : "");
        for (int i = 0; i < call->size; i++)
            if (rank < 0 || rank == i)
                explain_rank(&plans[i], i, call->nodes, &notation, text);
    }
    ct_plans_free_all(plans, call->size);
    return status == CT_OK && text->failed ? CT_E_MEMORY : status;
}
