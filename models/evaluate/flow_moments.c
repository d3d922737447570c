/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/flow_moments.h"
#include "base/memory.h"

#include <stdlib.h>

void ct_flow_moments_free(struct ct_flow_moments *moments)
{
    free(moments->heap);
    free(moments->places);
    *moments = (struct ct_flow_moments){0};
}

int ct_flow_moments_reserve(struct ct_flow_moments *moments, size_t flows)
{
    int status = ct_grow(&moments->places, &moments->place_capacity, flows, sizeof *moments->places);
    if (status == CT_OK)
        moments->places[flows - 1] = CT_NO_MOMENT;
    return status;
}

static bool is_before(const struct ct_flow_moment *a, const struct ct_flow_moment *b)
{
    return a->time < b->time || (a->time == b->time && a->message < b->message);
}

static void put(struct ct_flow_moments *moments, size_t place, struct ct_flow_moment moment)
{
    moments->heap[place] = moment;
    moments->places[moment.flow] = (uint32_t)place;
}

static void rise(struct ct_flow_moments *moments, size_t place, struct ct_flow_moment moment)
{
    for (; place > 0 && is_before(&moment, &moments->heap[(place - 1) / 2]); place = (place - 1) / 2)
        put(moments, place, moments->heap[(place - 1) / 2]);
    put(moments, place, moment);
}

static void sink(struct ct_flow_moments *moments, size_t place, struct ct_flow_moment moment)
{
    for (size_t child; (child = 2 * place + 1) < moments->count; place = child) {
        if (child + 1 < moments->count && is_before(&moments->heap[child + 1], &moments->heap[child]))
            child++;
        if (!is_before(&moments->heap[child], &moment))
            break;
        put(moments, place, moments->heap[child]);
    }
    put(moments, place, moment);
}

int ct_flow_moments_set(struct ct_flow_moments *moments, uint32_t flow, uint32_t message, double time)
{
    const struct ct_flow_moment moment = {time, message, flow};
    const size_t place = moments->places[flow];
    if (place == CT_NO_MOMENT) {
        int status = ct_grow(&moments->heap, &moments->capacity, moments->count + 1, sizeof *moments->heap);
        if (status != CT_OK)
            return status;
        rise(moments, moments->count++, moment);
    } else if (is_before(&moment, &moments->heap[place])) {
        rise(moments, place, moment);
    } else {
        sink(moments, place, moment);
    }
    return CT_OK;
}

struct ct_flow_moment ct_flow_moments_take(struct ct_flow_moments *moments)
{
    const struct ct_flow_moment first = moments->heap[0], last = moments->heap[--moments->count];
    moments->places[first.flow] = CT_NO_MOMENT;
    if (moments->count > 0)
        sink(moments, 0, last);
    return first;
}
