/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/placements.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 1 << 20 };

size_t ct_placement_nodes(const struct ct_placement *placement)
{
    return placement->ranks / placement->ppn + (placement->ranks % placement->ppn > 0);
}

size_t ct_placement_ppn(const struct ct_placement *placement)
{
    return placement->ranks < placement->ppn ? placement->ranks : placement->ppn;
}

void ct_placements_free(struct ct_placements *placements)
{
    free(placements->items);
    *placements = (struct ct_placements){0};
}

static int compare(const void *a, const void *b)
{
    const struct ct_placement *left = a, *right = b;
    const int order = CT_COMPARE(right->ppn, left->ppn);
    return order != 0 ? order : CT_COMPARE(right->ranks, left->ranks);
}

/* Sorts them and drops those that come twice. */
static void settle(struct ct_placements *placements)
{
    size_t kept = 0;
    if (placements->count > 1)
        qsort(placements->items, placements->count, sizeof *placements->items, compare);
    for (size_t i = 0; i < placements->count; i++)
        if (i == 0 || compare(&placements->items[i], &placements->items[kept - 1]) != 0)
            placements->items[kept++] = placements->items[i];
    placements->count = kept;
}

int ct_placements_of_nodes(const size_t *nodes, size_t node_count, const size_t *ppns, size_t ppn_count,
                           struct ct_error *error, struct ct_placements *ret_placements)
{
    struct ct_placements placements = {0};
    size_t room;
    if (!ct_multiply(node_count, ppn_count, &room) ||
        !(placements.items = ct_allocate(room + 1, sizeof *placements.items)))
        return CT_E_MEMORY;
    for (size_t n = 0; n < node_count; n++)
        for (size_t p = 0; p < ppn_count; p++) {
            size_t ranks;
            if (nodes[n] == 0 || ppns[p] == 0 || !ct_multiply(nodes[n], ppns[p], &ranks) ||
                ranks > RANKS_MOST) {
                ct_placements_free(&placements);
                return ct_fail(error, CT_E_INPUT, "%zu nodes with %zu ranks each: expected 2 to 1M ranks",
                               nodes[n], ppns[p]);
            }
            if (ranks > 1)
                placements.items[placements.count++] = (struct ct_placement){ranks, ppns[p]};
        }
    if (placements.count == 0) {
        ct_placements_free(&placements);
        return ct_fail(error, CT_E_INPUT, "one node with one rank: expected at least 2 ranks");
    }
    settle(&placements);
    *ret_placements = placements;
    return CT_OK;
}

/* Does a smaller number of ranks on a node put these ranks on one node, too? */
static bool fits_otherwise(size_t ranks, size_t ppn, const size_t *ppns, size_t ppn_count)
{
    for (size_t i = 0; i < ppn_count; i++)
        if (ppns[i] >= ranks && ppns[i] < ppn)
            return true;
    return false;
}

int ct_placements_of_sizes(const size_t *ranks, size_t rank_count, const size_t *ppns, size_t ppn_count,
                           struct ct_placements *ret_placements)
{
    struct ct_placements placements = {0};
    size_t room;
    if (!ct_multiply(rank_count, ppn_count, &room) ||
        !(placements.items = ct_allocate(room + 1, sizeof *placements.items)))
        return CT_E_MEMORY;
    for (size_t r = 0; r < rank_count; r++)
        for (size_t p = 0; p < ppn_count; p++)
            if (!fits_otherwise(ranks[r], ppns[p], ppns, ppn_count))
                placements.items[placements.count++] = (struct ct_placement){ranks[r], ppns[p]};
    settle(&placements);
    *ret_placements = placements;
    return CT_OK;
}

int ct_placements_sizes(const struct ct_placements *placements, size_t **ret_sizes, size_t *ret_count)
{
    size_t *sizes = ct_allocate(placements->count + 1, sizeof *sizes);
    if (!sizes)
        return CT_E_MEMORY;
    for (size_t i = 0; i < placements->count; i++)
        sizes[i] = placements->items[i].ranks;
    *ret_sizes = sizes;
    *ret_count = ct_sort_unique(sizes, placements->count);
    return CT_OK;
}

size_t ct_placements_run(const struct ct_placements *placements, size_t first)
{
    size_t end = first;
    while (end < placements->count && placements->items[end].ppn == placements->items[first].ppn)
        end++;
    return end - first;
}

char *ct_placements_format(const struct ct_placements *placements)
{
    struct ct_text text = {0};
    for (size_t i = 0; i < placements->count; i++)
        ct_text_append(&text, "%s%zu/%zu", i > 0 ? "," : "", placements->items[i].ranks,
                       placements->items[i].ppn);
    if (text.failed)
        ct_text_free(&text);
    return text.data;
}

static bool read_item(char *word, struct ct_placement *ret_placement)
{
    char *slash = strchr(word, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return ct_whole_parse(word, RANKS_MOST, &ret_placement->ranks) == CT_OK && ret_placement->ranks > 1 &&
           ct_whole_parse(slash + 1, RANKS_MOST, &ret_placement->ppn) == CT_OK && ret_placement->ppn > 0;
}

int ct_placements_parse(const char *text, struct ct_error *error, struct ct_placements *ret_placements)
{
    struct ct_placements placements = {0};
    size_t capacity = 0;
    char *copy = strdup(text), *rest = copy;
    int status = copy ? CT_OK : CT_E_MEMORY;
    for (char *word = strsep(&rest, ","); status == CT_OK && word; word = strsep(&rest, ",")) {
        struct ct_placement item;
        if (!read_item(word, &item))
            status = ct_fail(error, CT_E_INPUT, "placements '%.80s': expected a list of RANKS/PPN", text);
        else if ((status = ct_grow(&placements.items, &capacity, placements.count + 1,
                                   sizeof *placements.items)) == CT_OK)
            placements.items[placements.count++] = item;
    }
    free(copy);
    if (status != CT_OK) {
        ct_placements_free(&placements);
        return status;
    }
    settle(&placements);
    *ret_placements = placements;
    return CT_OK;
}
