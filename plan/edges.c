/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/edges.h"
#include "base/memory.h"

#include <stdint.h>

double ct_edges_mean(const struct ct_edge *edges, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)edges[i].length;
    return sum > 0 ? sum / (double)count : 1;
}

size_t ct_edge_bytes(enum ct_collective collective, const struct ct_edge *edge, double mean, size_t msg_bytes)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    if (!about->varies)
        return msg_bytes;
    if (about->input[0] == CT_CONTENTS_OWN)
        return edge->from % 2 == 0 ? msg_bytes - msg_bytes / 2 : msg_bytes + msg_bytes / 2;
    return (size_t)((double)msg_bytes * (double)edge->length / mean + 0.5);
}

void ct_edges_lengthen(struct ct_edge *edges, size_t count, size_t length, bool uneven)
{
    for (size_t i = 0; i < count; i++)
        if (uneven)
            edges[i].length = i % 3 == 0 ? 0 : length / 2 * (i % 4) + i % 5;
        else if (!ct_multiply(edges[i].length, length, &edges[i].length))
            edges[i].length = SIZE_MAX;
}
