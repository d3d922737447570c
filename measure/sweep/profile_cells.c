/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/profile_cells.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/text.h"
#include "samples/element.h"
#include "samples/profile_file.h"

#include <stdlib.h>
#include <string.h>

/* Cells are measured until they make up this part of the time in collectives. */
static const double enough = 0.99;

/* --- choosing --- */

struct weighed {
    struct ct_wanted_cell cell;
    double seconds;
};

static int by_seconds(const void *left, const void *right)
{
    const struct weighed *a = left, *b = right;
    int order = CT_COMPARE(b->seconds, a->seconds);
    order = order ? order : CT_COMPARE(a->cell.collective, b->cell.collective);
    order = order ? order : CT_COMPARE(a->cell.comm_size, b->cell.comm_size);
    return order ? order : CT_COMPARE(a->cell.msg_bytes, b->cell.msg_bytes);
}

/* A profile does not say who the neighbors are in a sparse collective. */
static bool is_measurable(const struct ct_profile_cell *cell)
{
    return !ct_collectives[cell->collective].is_sparse && cell->comm_size > 1 &&
           (cell->msg_bytes > 0 || !ct_collectives[cell->collective].has_size);
}

static struct ct_wanted_cell wanted_of(const struct ct_profile_cell *cell)
{
    size_t bytes = (size_t)(cell->bytes / cell->calls);
    if (ct_collectives[cell->collective].reduces && bytes > 0)
        bytes = bytes < CT_ELEMENT_BYTES ? CT_ELEMENT_BYTES : bytes - bytes % CT_ELEMENT_BYTES;
    return (struct ct_wanted_cell){cell->collective, cell->comm_size, bytes};
}

static bool is_same(const struct ct_wanted_cell *a, const struct ct_wanted_cell *b)
{
    return a->collective == b->collective && a->comm_size == b->comm_size && a->msg_bytes == b->msg_bytes;
}

/* Adds up cells that are measured as one, such as calls that block and others; sorted by their time. Returns
 * how many are worth measuring. */
static size_t weigh(const struct ct_profile_cell *cells, size_t count, struct weighed *weighed,
                    size_t *ret_all)
{
    size_t all = 0, worth = 0;
    double sum = 0, part = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ct_wanted_cell cell = wanted_of(&cells[i]);
        size_t at = 0;
        if (!is_measurable(&cells[i]))
            continue;
        while (at < all && !is_same(&weighed[at].cell, &cell))
            at++;
        if (at == all)
            weighed[all++] = (struct weighed){.cell = cell};
        weighed[at].seconds += cells[i].seconds;
        sum += cells[i].seconds;
    }
    qsort(weighed, all, sizeof *weighed, by_seconds);
    while (worth < all && (worth == 0 || part < enough * sum))
        part += weighed[worth++].seconds;
    *ret_all = all;
    return worth;
}

static void append_sizes(size_t *sizes, size_t count, struct ct_text *text)
{
    count = ct_sort_unique(sizes, count);
    for (size_t i = 0; i < count; i++)
        ct_text_append(text, "%s%zu", i > 0 ? "," : "", sizes[i]);
}

/* Writes the texts. */
static int list(const struct weighed *weighed, size_t count, struct ct_profile_cells *cells)
{
    struct ct_text collectives = {0}, comm_sizes = {0}, msg_sizes = {0}, text = {0};
    size_t *sizes = ct_allocate(count, sizeof *sizes), with_size = 0;
    bool used[CT_COLLECTIVES] = {false};
    if (!sizes)
        return CT_E_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const struct ct_wanted_cell *cell = &weighed[i].cell;
        const char *name = ct_collectives[cell->collective].name;
        ct_text_append(&text, "%s%s/%zu/%zu", i > 0 ? " " : "", name, cell->comm_size, cell->msg_bytes);
        if (!used[cell->collective])
            ct_text_append(&collectives, "%s%s", i > 0 ? "," : "", name);
        used[cell->collective] = true;
        sizes[i] = cell->comm_size;
    }
    append_sizes(sizes, count, &comm_sizes);
    for (size_t i = 0; i < count; i++)
        if (weighed[i].cell.msg_bytes > 0)
            sizes[with_size++] = weighed[i].cell.msg_bytes;
    append_sizes(sizes, with_size, &msg_sizes);
    free(sizes);
    *cells = (struct ct_profile_cells){.collectives = collectives.data,
                                       .comm_sizes = comm_sizes.data,
                                       .msg_sizes = msg_sizes.data, /* NULL if no cell has a size */
                                       .cells = text.data,
                                       .count = count};
    return collectives.failed || comm_sizes.failed || msg_sizes.failed || text.failed ? CT_E_MEMORY : CT_OK;
}

int ct_profile_cells_read(const char *path, struct ct_error *error, struct ct_profile_cells *ret_cells)
{
    struct ct_profile_file profile;
    struct ct_profile_cell *cells = NULL;
    struct weighed *weighed = NULL;
    struct ct_profile_cells chosen = {0};
    size_t count = 0, all = 0;
    int status = ct_profile_file_read(path, error, &profile);
    if (status != CT_OK)
        return status;
    if ((status = ct_profile_cells(&profile, &cells, &count)) == CT_OK &&
        !(weighed = ct_allocate(count + 1, sizeof *weighed)))
        status = CT_E_MEMORY;
    size_t worth = status == CT_OK ? weigh(cells, count, weighed, &all) : 0;
    if (status == CT_OK && worth == 0)
        status = ct_fail(error, CT_E_INPUT,
                         "%s: expected a collective of two ranks or more that sends something", path);
    if (status == CT_OK)
        status = list(weighed, worth, &chosen);
    chosen.left_out = all - worth;
    if (status == CT_OK)
        *ret_cells = chosen;
    else
        ct_profile_cells_free(&chosen);
    free(weighed);
    free(cells);
    ct_profile_file_free(&profile);
    return status;
}

void ct_profile_cells_free(struct ct_profile_cells *cells)
{
    free(cells->collectives);
    free(cells->comm_sizes);
    free(cells->msg_sizes);
    free(cells->cells);
    *cells = (struct ct_profile_cells){0};
}

/* --- the text --- */

/* Reads COLLECTIVE/RANKS/BYTES, which is cut into pieces. */
static int parse_cell(char *word, struct ct_wanted_cell *ret_cell)
{
    struct ct_wanted_cell cell = {.collective = CT_COLLECTIVES};
    char *size = strchr(word, '/'), *bytes = size ? strchr(size + 1, '/') : NULL;
    if (!bytes)
        return CT_E_INPUT;
    *size++ = *bytes++ = '\0';
    cell.collective = ct_collective_find(word);
    if (cell.collective == CT_COLLECTIVES || ct_whole_parse(size, UINT32_MAX, &cell.comm_size) != CT_OK ||
        ct_whole_parse(bytes, SIZE_MAX, &cell.msg_bytes) != CT_OK || cell.comm_size < 2 ||
        (cell.msg_bytes > 0) != ct_collectives[cell.collective].has_size)
        return CT_E_INPUT;
    *ret_cell = cell;
    return CT_OK;
}

int ct_wanted_cells_parse(const char *text, struct ct_error *error, struct ct_wanted_cell **ret_wanted,
                          size_t *ret_count)
{
    char *copy = strdup(text), *rest = copy;
    struct ct_wanted_cell *wanted = NULL;
    size_t count = 0, capacity = 0;
    int status = copy ? CT_OK : CT_E_MEMORY;
    for (char *word; status == CT_OK && (word = strsep(&rest, " "));) {
        if ((status = ct_grow(&wanted, &capacity, count + 1, sizeof *wanted)) == CT_OK &&
            (status = parse_cell(word, &wanted[count++])) != CT_OK)
            status =
                ct_fail(error, status, "cell %zu of '%.60s': expected COLLECTIVE/RANKS/BYTES", count, text);
    }
    free(copy);
    if (status != CT_OK) {
        free(wanted);
        return status;
    }
    *ret_wanted = wanted;
    *ret_count = count;
    return CT_OK;
}
