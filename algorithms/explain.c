/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/explain.h"
#include "algorithms/explain_picture.h"
#include "algorithms/prover.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

char *ct_buffer_format(unsigned buffer, char text[CT_BUFFER_TEXT])
{
    if (buffer < CT_TEMPORARY)
        snprintf(text, CT_BUFFER_TEXT, "%s", buffer == CT_SEND ? "SEND" : "RECV");
    else
        snprintf(text, CT_BUFFER_TEXT, "TEMP%u", buffer - CT_TEMPORARY);
    return text;
}

enum { SLICE_TEXT = 80, PLACES_TEXT = 192 };

/* How slices are written. */
struct notation {
    size_t unit_bytes; /* lengths and offsets are in bytes */
    unsigned blocks;   /* the buffers that are made of blocks: 1 << CT_SEND, 1 << CT_RECV */
};

/* "RECV[0..8)"; in a buffer made of blocks "RECV#3[0..8)". */
static char *format_slice(const struct notation *notation, unsigned buffer, size_t block, size_t offset,
                          size_t n, char text[SLICE_TEXT])
{
    char name[CT_BUFFER_TEXT], number[24] = "";
    offset *= notation->unit_bytes;
    n *= notation->unit_bytes;
    if (buffer < CT_TEMPORARY && notation->blocks & 1u << buffer)
        snprintf(number, sizeof number, "#%zu", block);
    snprintf(text, SLICE_TEXT, "%s%s[%zu..%zu)", ct_buffer_format(buffer, name), number, offset, offset + n);
    return text;
}

static bool is_message(const struct ct_step *step)
{
    return step->kind == CT_STEP_SEND || step->kind == CT_STEP_RECEIVE;
}

/* The step but for its length: where from, where to. */
static void format_places(const struct ct_step *step, const struct notation *notation, char text[PLACES_TEXT])
{
    char from[SLICE_TEXT], to[SLICE_TEXT];
    size_t n = step->n, block = is_message(step) ? step->block : (size_t)step->peer;
    format_slice(notation, step->buffer, block, step->offset, n, from);
    format_slice(notation, step->other, block, step->other_offset, n, to);
    if (is_message(step) && n == 0)
        from[0] = '\0';
    switch (step->kind) {
    case CT_STEP_SEND:
        snprintf(text, PLACES_TEXT, "%s%sto rank %d", from, n ? " " : "", step->peer);
        break;
    case CT_STEP_RECEIVE:
        snprintf(text, PLACES_TEXT, "%s%s%sfrom rank %d", n ? "into " : "", from, n ? " " : "", step->peer);
        break;
    case CT_STEP_COPY:
        snprintf(text, PLACES_TEXT, "%s to %s", from, to);
        break;
    case CT_STEP_REDUCE:
        snprintf(text, PLACES_TEXT, "%s op %s into the latter", from, to);
        break;
    case CT_STEP_WAIT:
        snprintf(text, PLACES_TEXT, "for what slot %u holds", step->until);
        break;
    default:
        text[0] = '\0';
        break;
    }
}

static const char *verb(const struct ct_step *step)
{
    static const char *const verbs[] = {
        [CT_STEP_SEND] = "send",     [CT_STEP_RECEIVE] = "receive", [CT_STEP_COPY] = "copy",
        [CT_STEP_REDUCE] = "reduce", [CT_STEP_WAIT] = "wait",
    };
    return step->kind < sizeof verbs / sizeof verbs[0] ? verbs[step->kind] : "unknown";
}

static bool is_token(const struct ct_step *step)
{
    return step->n == 0 && is_message(step);
}

char *ct_step_format(const struct ct_step *step, char text[CT_STEP_TEXT])
{
    char places[PLACES_TEXT], length[32] = "";
    bool in_block = (is_message(step) ? step->block : (size_t)step->peer) > 0;
    const struct notation notation = {.unit_bytes = 1, .blocks = in_block ? ~0u : 0};
    format_places(step, &notation, places);
    if (is_token(step))
        snprintf(length, sizeof length, " a token");
    else if (step->kind != CT_STEP_WAIT)
        snprintf(length, sizeof length, " %zu", step->n);
    int written = snprintf(text, CT_STEP_TEXT, "%s%s", verb(step), length);
    snprintf(text + written, CT_STEP_TEXT - (size_t)written, " %s", places);
    return text;
}

static void explain_step(const struct ct_step *step, size_t index, const struct notation *notation,
                         struct ct_text *text)
{
    char bytes[CT_SIZE_TEXT], places[PLACES_TEXT];
    format_places(step, notation, places);
    const char *length = is_token(step)               ? "token"
                         : step->kind == CT_STEP_WAIT ? ""
                                                      : ct_size_format(step->n * notation->unit_bytes, bytes);
    ct_text_append(text, "%6zu  %-7s %8s  %s", index, verb(step), length, places);
    if (step->kind <= CT_STEP_RECEIVE && step->until == CT_PLAN_END)
        ct_text_append(text, ", waited for at the end");
    else if (step->kind <= CT_STEP_RECEIVE && step->until != CT_ROUND_END)
        ct_text_append(text, ", held by slot %u", step->until);
    ct_text_append(text, "\n");
}

static void explain_rank(const struct ct_plan *plan, int rank, const struct notation *notation,
                         struct ct_text *text)
{
    size_t messages = 0, units = 0, held = 0, begin = 0;
    char bytes[CT_SIZE_TEXT], memory[CT_SIZE_TEXT];
    for (size_t i = 0; i < plan->step_count; i++) {
        messages += plan->steps[i].kind == CT_STEP_SEND;
        units += plan->steps[i].kind == CT_STEP_SEND ? plan->steps[i].n : 0;
    }
    for (unsigned i = CT_TEMPORARY; i < plan->buffer_count; i++)
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
            explain_step(&plan->steps[i], i - begin, notation, text);
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
    size_t count = about->result[0] == CT_PARTS_OF_EACH ? size * size : size;
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
static void format_title(const struct ct_method *method, const struct ct_call *call, char *title, size_t room)
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
    snprintf(title, room, "%s, %d rank%s%s%s%s%s%s", ct_method_format(method, true, spelling), call->size,
             call->size == 1 ? "" : "s", nodes, root, size, call->in_place ? ", in place" : "",
             call->commutative ? "" : ", operation does not commute");
}

/* The buffers of a call with counts that are made of blocks; those of reductions lie end to end. */
static unsigned blocks_of(enum ct_collective collective, const struct ct_call *call)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    if (about->reduces || !(call->send_counts || call->recv_counts))
        return 0;
    return (ct_contents_are_many(about->input[0]) ? 1u << CT_SEND : 0u) |
           (ct_contents_are_many(about->result[0]) ? 1u << CT_RECV : 0u);
}

static int build_all(const struct ct_method *method, const struct ct_call *call, struct ct_plan *plans)
{
    int status = CT_OK;
    for (int rank = 0; status == CT_OK && rank < call->size; rank++) {
        struct ct_call own = ct_call_of_rank(method->algorithm->collective, call, rank);
        ct_plan_reset(&plans[rank]);
        status = ct_method_build(method, &plans[rank], &own);
    }
    return status;
}

static int draw(const struct ct_plan *plans, const struct ct_call *call, int rank,
                enum ct_explain_format format, const char *title, struct ct_error *error,
                struct ct_text *text)
{
    struct ct_flow flow;
    int status = ct_flow_of(plans, call->size, &flow);
    if (status != CT_OK)
        return status == CT_E_LIMIT
                   ? ct_fail(error, status, "too many messages to draw: more than %d", CT_ARROWS_MAX)
                   : status;
    (format == CT_EXPLAIN_DOT ? ct_picture_dot : ct_picture_svg)(&flow, call->size, rank, call->unit_bytes,
                                                                 title, text);
    ct_flow_free(&flow);
    return CT_OK;
}

int ct_explain(const struct ct_method *method, const struct ct_call *call, int rank,
               enum ct_explain_format format, struct ct_error *error, struct ct_text *text)
{
    char title[CT_METHOD_TEXT + 120];
    const struct ct_constraint_description *failed;
    format_title(method, call, title, sizeof title);
    if (ct_is_native(method->algorithm))
        return ct_fail(error, CT_E_ANSWER, "%s has no plan: the MPI library carries it out",
                       ct_method_format(method, true, title));
    if (!ct_method_applies(method, call, &failed))
        return ct_fail(error, CT_E_INPUT, "%s: needs %s", title, failed->name);

    struct ct_plan *plans = ct_allocate((size_t)call->size, sizeof *plans);
    if (!plans)
        return CT_E_MEMORY;
    int status = build_all(method, call, plans);
    if (status == CT_OK && format != CT_EXPLAIN_TEXT)
        status = draw(plans, call, rank, format, title, error, text);
    if (status == CT_OK && format == CT_EXPLAIN_TEXT) {
        const struct notation notation = {.unit_bytes = call->unit_bytes,
                                          .blocks = blocks_of(method->algorithm->collective, call)};
        ct_text_append(text, "%s\n", title);
        for (int i = 0; i < call->size; i++)
            if (rank < 0 || rank == i)
                explain_rank(&plans[i], i, &notation, text);
    }
    for (int i = 0; i < call->size; i++)
        ct_plan_free(&plans[i]);
    free(plans);
    return status == CT_OK && text->failed ? CT_E_MEMORY : status;
}
