/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/explain/explain_flow.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

/* One end of a message. */
struct end {
    int from, to;
    size_t order; /* of its step in the plan */
    size_t n;
    size_t posted; /* rounds, numbered through all plans */
    size_t awaited;
};

struct ends {
    struct end *items;
    size_t count;
    size_t capacity;
};

static int by_channel(const void *left, const void *right)
{
    const struct end *a = left, *b = right;
    int order = a->from != b->from ? CT_COMPARE(a->from, b->from) : CT_COMPARE(a->to, b->to);
    return order != 0 ? order : CT_COMPARE(a->order, b->order);
}

/* The round that waits for the step: the next one, that of its WAIT, or the end of the plan. */
static size_t awaiting_round(const struct ct_plan *plan, size_t step, size_t round)
{
    unsigned until = plan->steps[step].until;
    if (until == CT_ROUND_END)
        return round + 1;
    for (size_t i = plan->rounds[round].end; until != CT_PLAN_END && i < plan->step_count; i++) {
        while (plan->rounds[round].end <= i)
            round++;
        if (plan->steps[i].kind == CT_STEP_WAIT && plan->steps[i].until == until)
            return round;
    }
    return plan->round_count;
}

static int collect(const struct ct_plan *plan, int rank, int size, size_t most, size_t first_round,
                   struct ends ends[2])
{
    size_t round = 0;
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct ct_step *step = &plan->steps[i];
        while (plan->rounds[round].end <= i)
            round++;
        if (!ct_step_is_message(step))
            continue;
        bool sends = step->kind == CT_STEP_SEND;
        struct ends *list = &ends[!sends];
        if (list->count == most || step->peer < 0 || step->peer >= size)
            return CT_E_LIMIT;
        int status = ct_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items);
        if (status != CT_OK)
            return status;
        list->items[list->count++] = (struct end){sends ? rank : step->peer,
                                                  sends ? step->peer : rank,
                                                  .order = i,
                                                  .n = step->n,
                                                  .posted = first_round + round,
                                                  .awaited = first_round + awaiting_round(plan, i, round)};
    }
    return CT_OK;
}

/* Keeps the k-th send and the k-th receive of each pair of ranks; both lists then run side by side. */
static void pair(struct ends ends[2])
{
    size_t kept = 0;
    struct end *sends = ends[0].items, *receives = ends[1].items;
    for (size_t i = 0, j = 0; i < ends[0].count && j < ends[1].count;) {
        if (sends[i].from == receives[j].from && sends[i].to == receives[j].to) {
            sends[kept] = sends[i++];
            receives[kept++] = receives[j++];
        } else if (sends[i].from < receives[j].from ||
                   (sends[i].from == receives[j].from && sends[i].to < receives[j].to)) {
            i++;
        } else {
            j++;
        }
    }
    ends[0].count = ends[1].count = kept;
}

static bool raise_to(size_t *value, size_t least)
{
    if (*value >= least)
        return false;
    *value = least;
    return true;
}

/* Finds the band in which each round begins: one after everything it waits for. */
static void find_bands(const struct ct_plan *plans, int size, const size_t *first_round,
                       const struct ends ends[2], size_t *begin)
{
    bool changed = true;
    for (size_t pass = 0; changed && pass <= first_round[size]; pass++) {
        changed = false;
        for (int rank = 0; rank < size; rank++)
            for (size_t i = 0; i < plans[rank].round_count; i++)
                changed |= raise_to(&begin[first_round[rank] + i + 1], begin[first_round[rank] + i] + 1);
        for (size_t i = 0; i < ends[0].count; i++) {
            const struct end *send = &ends[0].items[i], *receive = &ends[1].items[i];
            changed |= raise_to(&begin[receive->awaited], begin[send->posted] + 1);
            changed |= raise_to(&begin[send->awaited], begin[receive->posted] + 1);
        }
    }
}

static int by_band(const void *left, const void *right)
{
    const struct ct_arrow *a = left, *b = right;
    int order = a->band != b->band ? CT_COMPARE(a->band, b->band) : CT_COMPARE(a->from, b->from);
    return order != 0 ? order : CT_COMPARE(a->to, b->to);
}

/* Numbers the bands that have messages from 0. */
static void drop_empty_bands(struct ct_flow *flow)
{
    size_t before = 0;
    for (size_t i = 0; i < flow->count; i++) {
        size_t band = flow->arrows[i].band;
        flow->bands += i == 0 || band != before;
        before = band;
        flow->arrows[i].band = flow->bands - 1;
    }
}

static int make_arrows(const struct ct_plan *plans, int size, const size_t *first_round, struct ends ends[2],
                       struct ct_flow *flow)
{
    size_t *begin = ct_allocate(first_round[size], sizeof *begin);
    flow->arrows = ct_allocate(ends[0].count, sizeof *flow->arrows);
    if (!begin || !flow->arrows) {
        free(begin);
        return CT_E_MEMORY;
    }
    find_bands(plans, size, first_round, ends, begin);
    for (size_t i = 0; i < ends[0].count; i++) {
        const struct end *send = &ends[0].items[i], *receive = &ends[1].items[i];
        size_t sent = begin[send->posted], received = begin[receive->posted];
        flow->arrows[flow->count++] = (struct ct_arrow){
            .from = send->from, .to = send->to, .n = send->n, .band = sent > received ? sent : received};
    }
    free(begin);
    return CT_OK;
}

int ct_flow_of(const struct ct_plan *plans, int size, size_t most, struct ct_flow *ret_flow)
{
    struct ct_flow flow = {0};
    struct ends ends[2] = {{0}, {0}};
    size_t *first_round = ct_allocate((size_t)size + 1, sizeof *first_round);
    int status = first_round ? CT_OK : CT_E_MEMORY;
    for (int rank = 0; status == CT_OK && rank < size; rank++) {
        first_round[rank + 1] = first_round[rank] + plans[rank].round_count + 1;
        status = collect(&plans[rank], rank, size, most, first_round[rank], ends);
    }
    if (status == CT_OK) {
        for (int i = 0; i < 2; i++)
            if (ends[i].count > 0)
                qsort(ends[i].items, ends[i].count, sizeof *ends[i].items, by_channel);
        pair(ends);
        status = make_arrows(plans, size, first_round, ends, &flow);
    }
    free(first_round);
    free(ends[0].items);
    free(ends[1].items);
    if (status != CT_OK) {
        ct_flow_free(&flow);
        return status;
    }
    if (flow.count > 0)
        qsort(flow.arrows, flow.count, sizeof *flow.arrows, by_band);
    drop_empty_bands(&flow);
    *ret_flow = flow;
    return CT_OK;
}

void ct_flow_free(struct ct_flow *flow)
{
    free(flow->arrows);
    *flow = (struct ct_flow){0};
}
