/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/nodes.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct labelled {
    int label;
    int rank;
};

static int by_label(const void *left, const void *right)
{
    const struct labelled *a = left, *b = right;
    return a->label != b->label ? CT_COMPARE(a->label, b->label) : CT_COMPARE(a->rank, b->rank);
}

/* first[rank]: the lowest rank of the same label. */
static int find_first(const int *labels, int size, int *first)
{
    struct labelled *sorted = ct_allocate((size_t)size, sizeof *sorted);
    if (!sorted)
        return CT_E_MEMORY;
    for (int i = 0; i < size; i++)
        sorted[i] = (struct labelled){labels[i], i};
    qsort(sorted, (size_t)size, sizeof *sorted, by_label);
    for (int i = 0, leader = 0; i < size; i++) {
        if (i == 0 || sorted[i].label != sorted[i - 1].label)
            leader = sorted[i].rank;
        first[sorted[i].rank] = leader;
    }
    free(sorted);
    return CT_OK;
}

int ct_nodes_make(const int *labels, int size, struct ct_nodes *ret_nodes)
{
    size_t n = (size_t)size;
    int *memory = ct_allocate(4 * n + 1, sizeof *memory);
    if (!memory)
        return CT_E_MEMORY;
    int *node_of = memory, *place = memory + n, *members = memory + 2 * n, *begin = memory + 3 * n;
    int status = find_first(labels, size, place), count = 0;
    if (status != CT_OK) {
        free(memory);
        return status;
    }
    for (int i = 0; i < size; i++)
        node_of[i] = place[i] == i ? count++ : node_of[place[i]];
    memset(begin, 0, ((size_t)count + 1) * sizeof *begin);
    for (int i = 0; i < size; i++)
        place[i] = begin[node_of[i] + 1]++;
    int fullest = 0;
    for (int node = 0; node < count; node++) {
        fullest = begin[node + 1] > fullest ? begin[node + 1] : fullest;
        begin[node + 1] += begin[node];
    }
    bool in_order = true;
    for (int i = 0; i < size; i++) {
        int at = begin[node_of[i]] + place[i];
        members[at] = i;
        in_order = in_order && at == i;
    }
    *ret_nodes = (struct ct_nodes){size, count, node_of, place, members, begin, in_order, fullest};
    return CT_OK;
}

void ct_nodes_free(struct ct_nodes *nodes)
{
    free((void *)nodes->node_of);
    *nodes = (struct ct_nodes){0};
}

char *ct_nodes_format(const struct ct_nodes *nodes, char text[CT_NODES_TEXT])
{
    enum { LONGEST = 16 }; /* a number and what may follow it */
    size_t length = 0;
    text[0] = '\0';
    for (int rank = 0; rank < nodes->size; rank++) {
        const char *gap = rank == 0 ? "" : " ";
        if (length + LONGEST > CT_NODES_TEXT) {
            snprintf(text + length, CT_NODES_TEXT - length, " ...");
            break;
        }
        length += (size_t)snprintf(text + length, CT_NODES_TEXT - length, "%s%d", gap, nodes->node_of[rank]);
    }
    return text;
}

int ct_nodes_run(const struct ct_nodes *nodes, int i)
{
    const int *members = nodes->members;
    for (i++; i < nodes->size && members[i] == members[i - 1] + 1;)
        i++;
    return i;
}
