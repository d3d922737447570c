/* SPDX-License-Identifier: BSD-3-Clause */
/* How much would a node's messages gain if a rank that only sends data on told where they lie, and copied
 * nothing? Counts what is received into temporary memory and only sent on, in the plans of all methods among
 * ranks of one node. Prints CSV. */
#include "algorithms/method.h"
#include "algorithms/routing.h"
#include "plan/nodes.h"
#include "plan/pattern.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tally {
    size_t receives; /* of all ranks */
    size_t units;
    size_t sent_on;   /* units that nothing but sends reads */
    size_t forwarded; /* of these, units that only sends of a part of what was received read */
};

enum { UNITS = 720, MOST = 16 }; /* in a block, ranks */

/* Of what was received: which units are read by sends of nothing else, by other sends, by local work. */
enum { SENT = 1, SENT_WITH_MORE = 2, USED = 4 };

/* Marks the units of the receive that lie in the slice [begin, begin + n) of a buffer. */
static void mark(unsigned char *marks, const struct ct_step *receive, unsigned buffer, size_t begin, size_t n,
                 unsigned char value)
{
    size_t from = begin > receive->offset ? begin - receive->offset : 0, end = begin + n;
    if (buffer != receive->buffer || end <= receive->offset)
        return;
    end = end - receive->offset < receive->n ? end - receive->offset : receive->n;
    for (size_t i = from; i < end; i++)
        marks[i] |= value;
}

static bool writes(const struct ct_step *step, const struct ct_step *receive)
{
    bool is_receive = step->kind == CT_STEP_RECEIVE;
    size_t begin = is_receive ? step->offset : step->other_offset;
    return (is_receive || step->kind == CT_STEP_COPY) &&
           (is_receive ? step->buffer : step->other) == receive->buffer &&
           begin < receive->offset + receive->n && receive->offset < begin + step->n;
}

static void count_receive(const struct ct_plan *plan, const struct ct_step *receive, struct tally *tally)
{
    static unsigned char marks[UNITS * MOST * MOST];
    tally->receives++;
    tally->units += receive->n;
    if (receive->buffer < CT_BUFFER_TEMPORARY)
        return; /* it is a part of the result */
    assert(receive->n <= sizeof marks);
    memset(marks, 0, receive->n);
    for (const struct ct_step *step = receive + 1; step < plan->steps + plan->step_count; step++) {
        bool within =
            step->offset >= receive->offset && step->offset + step->n <= receive->offset + receive->n;
        if (writes(step, receive))
            break;
        if (step->kind == CT_STEP_SEND)
            mark(marks, receive, step->buffer, step->offset, step->n, within ? SENT : SENT_WITH_MORE);
        if (step->kind == CT_STEP_COPY || step->kind == CT_STEP_REDUCE)
            mark(marks, receive, step->buffer, step->offset, step->n, USED);
        if (step->kind == CT_STEP_REDUCE)
            mark(marks, receive, step->other, step->other_offset, step->n, USED);
    }
    for (size_t i = 0; i < receive->n; i++) {
        tally->sent_on += marks[i] && !(marks[i] & USED);
        tally->forwarded += marks[i] == SENT;
    }
}

static int count_method(const struct ct_method *method, const struct ct_call *call, struct tally *tally)
{
    struct ct_error error = {{0}};
    struct ct_plan *plans;
    if (!ct_method_applies(method, call, NULL))
        return CT_OK;
    int status = ct_plans_make(method, call, &error, &plans);
    if (status != CT_OK) {
        fprintf(stderr, "%s\n", error.text);
        return status;
    }
    for (int rank = 0; rank < call->size; rank++)
        for (size_t i = 0; i < plans[rank].step_count; i++)
            if (plans[rank].steps[i].kind == CT_STEP_RECEIVE && plans[rank].steps[i].n > 0)
                count_receive(&plans[rank], &plans[rank].steps[i], tally);
    ct_plans_free_all(plans, call->size);
    return CT_OK;
}

/* All roots, one length. Blocks of sparse collectives go along a random graph. */
static int count_size(const struct ct_method *method, int size, struct tally *tally)
{
    const struct ct_collective_description *about = &ct_collectives[method->algorithm->collective];
    size_t counts[MOST * MOST];
    int labels[MOST] = {0};
    struct ct_nodes nodes;
    struct ct_pattern pattern = {0};
    struct ct_call call = {
        .size = size, .count = UNITS, .unit_bytes = 1, .commutative = true, .nodes = &nodes};
    int status = ct_nodes_make(labels, size, &nodes);
    if (status != CT_OK)
        return status;
    for (int i = 0; i < size * size; i++)
        counts[i] = UNITS;
    if (about->varies && !about->is_sparse) {
        bool parts = about->input[0] == CT_CONTENTS_PARTS || about->result[0] == CT_CONTENTS_PARTS_OF_EACH;
        bool each = about->result[0] == CT_CONTENTS_PARTS_OF_EACH || !parts;
        call.send_counts = parts ? counts : NULL;
        call.recv_counts = each ? counts : NULL;
    }
    if (about->is_sparse) {
        struct ct_error error = {{0}};
        struct ct_edge *edges;
        size_t count;
        status = ct_pattern_edges("random:density=0.5", size, &error, &edges, &count);
        if (status == CT_OK) {
            ct_edges_lengthen(edges, count, UNITS, false);
            status = ct_pattern_make(size, edges, count, about->varies, &pattern);
            free(edges);
        }
        call.neighbors = pattern.ranks;
        call.send_counts = about->varies && about->input[0] == CT_CONTENTS_OWN ? counts : NULL;
    }
    for (call.root = 0; status == CT_OK && call.root < (about->has_root ? size : 1); call.root++)
        status = count_method(method, &call, tally);
    ct_pattern_free(&pattern);
    ct_nodes_free(&nodes);
    return status;
}

int main(void)
{
    static const int sizes[] = {4, 7, 8, 16};
    int status = CT_OK;
    puts("algorithm,receives,units,units sent on,units forwarded");
    for (size_t i = 0; status == CT_OK && i < ct_algorithm_count; i++) {
        struct ct_method *methods = NULL;
        size_t count = 0, capacity = 0;
        struct tally tally = {0};
        if (!ct_has_plan(&ct_algorithms[i]))
            continue;
        status = ct_methods_of(&ct_algorithms[i], &methods, &count, &capacity);
        for (size_t k = 0; status == CT_OK && k < count; k++)
            for (size_t s = 0; status == CT_OK && s < sizeof sizes / sizeof sizes[0]; s++)
                status = count_size(&methods[k], sizes[s], &tally);
        free(methods);
        printf("%s/%s,%zu,%zu,%zu,%zu\n", ct_collectives[ct_algorithms[i].collective].name,
               ct_algorithms[i].name, tally.receives, tally.units, tally.sent_on, tally.forwarded);
    }
    return status == CT_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
