/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_links.h"
#include "base/file.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Between what other traffic and other processes do in the best of some rounds, and a link that drops to a
 * tenth. */
static const double much = 3;

void ct_sweep_links_free(struct ct_sweep_links *links)
{
    free(links->shortest);
    *links = (struct ct_sweep_links){0};
}

void ct_link_cells_free(struct ct_link_cells *cells)
{
    free(cells->ids);
    *cells = (struct ct_link_cells){0};
}

/* Is the word in the list, whose words are separated by blanks? */
static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* Adds a cell to the marked ones: its collective, ranks, bytes and launch. */
static int mark(const struct ct_sweep_cell *cell, struct ct_sweep_state *state)
{
    char *word = ct_format("%s/%u/%zu/%u", ct_collectives[cell->collective].name, cell->key.comm_size,
                           cell->key.msg_bytes, cell->launch);
    if (!word || has_word(state->link_cells, word)) {
        free(word);
        return word ? CT_OK : CT_E_MEMORY;
    }
    char *list = state->link_cells ? ct_format("%s %s", state->link_cells, word) : strdup(word);
    free(word);
    if (!list)
        return CT_E_MEMORY;
    free(state->link_cells);
    state->link_cells = list;
    return CT_OK;
}

int ct_link_cells_add(struct ct_link_cells *cells, const struct ct_sweep_grid *grid, size_t id,
                      struct ct_sweep_state *state)
{
    if (cells->slow)
        return mark(&grid->cells[id], state);
    int status = ct_grow(&cells->ids, &cells->capacity, cells->count + 1, sizeof *cells->ids);
    if (status == CT_OK)
        cells->ids[cells->count++] = id;
    return status;
}

/* All cells that were measured on so many ranks. */
static int mark_ranks(const struct ct_sweep_grid *grid, size_t ranks, struct ct_sweep_state *state)
{
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < grid->cell_count; i++)
        if (grid->cells[i].done && grid->cells[i].key.comm_size == ranks)
            status = mark(&grid->cells[i], state);
    return status;
}

/* The shortest time of communicators like that of `now`, which is the first of its kind if there was none.
 * NULL: out of memory. */
static struct ct_link_time *find_shortest(struct ct_sweep_links *links, const struct ct_link_time *now)
{
    for (size_t i = 0; i < links->count; i++) {
        struct ct_link_time *shortest = &links->shortest[i];
        if (shortest->ranks == now->ranks && shortest->nodes == now->nodes && shortest->ppn == now->ppn)
            return shortest;
    }
    if (ct_grow(&links->shortest, &links->capacity, links->count + 1, sizeof *links->shortest) != CT_OK)
        return NULL;
    links->shortest[links->count] = *now;
    return &links->shortest[links->count++];
}

int ct_sweep_links_take(struct ct_sweep_links *links, const struct ct_link_time *now,
                        const struct ct_sweep_grid *grid, const struct ct_watch *watch,
                        struct ct_link_cells *cells, struct ct_sweep_state *state)
{
    struct ct_link_time *shortest = find_shortest(links, now);
    if (!shortest)
        return CT_E_MEMORY;
    const double longer = now->seconds / shortest->seconds, shorter = shortest->seconds / now->seconds;
    const bool was_slow = cells->slow;
    int status = CT_OK;
    cells->slow = longer > much;
    if (cells->slow && !was_slow)
        ct_watch_notice(watch,
                        "messages between nodes take %.1f times as long as before, on %zu ranks: a link or a "
                        "node is slow; the cells measured meanwhile are marked in run.xml",
                        longer, now->ranks);
    if (shorter > much) {
        ct_watch_notice(watch,
                        "messages between nodes took %.1f times as long before, on %zu ranks: a link or a "
                        "node was slow; the cells measured meanwhile are marked in run.xml",
                        shorter, now->ranks);
        status = mark_ranks(grid, now->ranks, state);
    }
    for (size_t i = 0; cells->slow && status == CT_OK && i < cells->count; i++)
        status = mark(&grid->cells[cells->ids[i]], state);
    cells->count = 0;
    if (longer > much || shorter > much)
        state->link_factor = fmax(state->link_factor, fmax(longer, shorter));
    shortest->seconds = fmin(shortest->seconds, now->seconds);
    return status;
}
