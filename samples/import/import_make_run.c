/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import_make_run.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* A row, and which method of the run it is of. */
struct entry {
    const struct ct_import_row *row;
    uint32_t method;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    int order = ct_run_cell_compare(&left->row->cell, &right->row->cell);
    if (order != 0)
        return order;
    if (left->method != right->method)
        return CT_COMPARE(left->method, right->method);
    order = CT_COMPARE(left->row->source, right->row->source);
    return order != 0 ? order : CT_COMPARE(left->row->line, right->row->line);
}

/* --- launches --- */

/* Ranks are mapped in one way within a launch. Where mappings are known, launches are numbered by mapping and
 * by their numbers in the files, without gaps. */
struct launches {
    size_t *keys; /* rising: both in one number */
    size_t count; /* 0: launches keep their numbers */
};

enum { LAUNCH_BITS = 32 };

static size_t launch_key(const struct ct_run_cell *cell)
{
    return (size_t)cell->key.by << LAUNCH_BITS | cell->launch;
}

static int number_launches(struct ct_import_results *results, struct launches *ret_launches)
{
    struct launches launches = {.keys = ct_allocate(results->count, sizeof *launches.keys)};
    bool known = false;
    if (!launches.keys)
        return CT_E_MEMORY;
    for (size_t i = 0; i < results->count; i++) {
        launches.keys[i] = launch_key(&results->rows[i].cell);
        known |= results->rows[i].cell.key.by != CT_MAPPED_BY_UNKNOWN;
    }
    if (known)
        launches.count = ct_sort_unique(launches.keys, results->count);
    for (size_t i = 0; known && i < results->count; i++) {
        struct ct_run_cell *cell = &results->rows[i].cell;
        const size_t key = launch_key(cell);
        const size_t *found = bsearch(&key, launches.keys, launches.count, sizeof key, ct_compare_sizes);
        cell->launch = (uint32_t)(found - launches.keys);
    }
    *ret_launches = launches;
    return CT_OK;
}

static int take_mappings(const struct launches *launches, struct ct_run_description *description)
{
    if (launches->count == 0)
        return CT_OK;
    size_t *mappings = ct_allocate(description->launches, sizeof *mappings);
    if (!mappings)
        return CT_E_MEMORY;
    for (size_t i = 0; i < description->launches; i++)
        mappings[i] = launches->keys[i] >> LAUNCH_BITS;
    int status = ct_run_set_mappings(description, mappings, description->launches);
    free(mappings);
    return status;
}

/* --- the grid --- */

/* The sizes, collectives and launches that occur. */
static int take_grid(const struct entry *entries, size_t count, struct ct_run_description *description)
{
    description->collectives = ct_allocate(CT_COLLECTIVES, sizeof *description->collectives);
    description->comm_sizes = ct_allocate(count, sizeof *description->comm_sizes);
    description->msg_sizes = ct_allocate(count, sizeof *description->msg_sizes);
    if (!description->collectives || !description->comm_sizes || !description->msg_sizes)
        return CT_E_MEMORY;
    bool occurs[CT_COLLECTIVES] = {false};
    size_t sized = 0;
    description->launches = 1;
    for (size_t i = 0; i < count; i++) {
        const struct ct_run_cell *cell = &entries[i].row->cell;
        occurs[cell->collective] = true;
        description->comm_sizes[i] = cell->key.comm_size;
        if (ct_collectives[cell->collective].has_size)
            description->msg_sizes[sized++] = cell->key.msg_bytes;
        if (cell->launch >= description->launches)
            description->launches = (size_t)cell->launch + 1;
    }
    description->comm_size_count = ct_sort_unique(description->comm_sizes, count);
    description->msg_size_count = ct_sort_unique(description->msg_sizes, sized);
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (occurs[i])
            description->collectives[description->collective_count++] = (enum ct_collective)i;
    return CT_OK;
}

/* The index of a method among those of the description, where it is appended if it is new. */
static int find_method(const struct ct_method *method, struct ct_run_description *description,
                       size_t *capacity, uint32_t *ret_index)
{
    const size_t i = ct_method_index(method, description->methods, description->method_count);
    if (i == description->method_count) {
        int status = ct_grow(&description->methods, capacity, i + 1, sizeof *method);
        if (status != CT_OK)
            return status;
        description->methods[description->method_count++] = *method;
    }
    *ret_index = (uint32_t)i;
    return CT_OK;
}

static int sort_rows(const struct ct_import_results *results, struct ct_run_description *description,
                     struct entry *entries)
{
    size_t capacity = 0;
    for (size_t i = 0; i < results->count; i++) {
        entries[i].row = &results->rows[i];
        int status = find_method(&results->rows[i].method, description, &capacity, &entries[i].method);
        if (status != CT_OK)
            return status;
    }
    qsort(entries, results->count, sizeof *entries, compare_entries);
    return CT_OK;
}

static bool share_cell(const struct entry *a, const struct entry *b)
{
    return ct_run_cell_compare(&a->row->cell, &b->row->cell) == 0;
}

/* How many entries from `begin` on are of its cell; and of its method in that. */
static size_t cell_length(const struct entry *entries, size_t begin, size_t count)
{
    size_t end = begin + 1;
    while (end < count && share_cell(&entries[begin], &entries[end]))
        end++;
    return end - begin;
}

static size_t method_length(const struct entry *entries, size_t begin, size_t end)
{
    size_t next = begin + 1;
    while (next < end && entries[next].method == entries[begin].method)
        next++;
    return next - begin;
}

/* Leaves out the cells that hold one method alone; returns how many rows stay. */
static size_t keep_comparable(struct entry *entries, size_t count)
{
    size_t kept = 0;
    for (size_t begin = 0; begin < count;) {
        size_t length = cell_length(entries, begin, count);
        bool stays = method_length(entries, begin, begin + length) < length;
        for (size_t i = 0; stays && i < length; i++)
            entries[kept++] = entries[begin + i];
        begin += length;
    }
    return kept;
}

/* The samples of one method in one cell, numbered from 0. */
static void take_samples(const struct entry *entries, size_t count, struct ct_run *run,
                         struct ct_import_summary *summary)
{
    const struct ct_import_row *least = entries[0].row, *most = least;
    for (size_t i = 0; i < count; i++) {
        const struct ct_import_row *row = entries[i].row;
        run->samples[run->sample_count++] = (struct ct_sample){
            .launch = row->cell.launch,
            .method = entries[i].method,
            .key = row->cell.key,
            .rep = (uint32_t)i,
            .seconds = row->seconds,
        };
        least = row->seconds < least->seconds ? row : least;
        most = row->seconds > most->seconds ? row : most;
    }
    const double ratio = most->seconds / least->seconds;
    if (count > run->description.most_repetitions)
        run->description.most_repetitions = count;
    summary->least_seconds =
        least->seconds < summary->least_seconds ? least->seconds : summary->least_seconds;
    summary->repeated += count > 1;
    summary->disagreeing += ratio > CT_IMPORT_AGREES;
    if (ratio <= summary->most_ratio)
        return;
    summary->most_ratio = ratio;
    summary->shortest = (struct ct_import_place){least->source, least->line};
    summary->longest = (struct ct_import_place){most->source, most->line};
}

/* The samples of the sorted rows, and their cells. */
static void take_cells(const struct entry *entries, size_t count, struct ct_run *run,
                       struct ct_import_summary *summary)
{
    for (size_t begin = 0; begin < count;) {
        size_t end = begin + cell_length(entries, begin, count);
        run->cells[run->cell_count++] = entries[begin].row->cell;
        summary->lonely += method_length(entries, begin, end) == end - begin;
        while (begin < end) {
            size_t length = method_length(entries, begin, end);
            take_samples(&entries[begin], length, run, summary);
            begin += length;
        }
    }
    summary->cells = run->cell_count;
    summary->samples = run->sample_count;
}

int ct_import_make_run(struct ct_import_results *results, bool comparable, struct ct_error *error,
                       struct ct_import_summary *ret_summary, struct ct_run *ret_run)
{
    struct ct_run run = {.description = {.least_repetitions = 1, .most_repetitions = 1}};
    struct ct_import_summary summary = {.least_seconds = INFINITY, .most_ratio = 1};
    size_t count = results->count;
    struct launches launches = {0};
    struct entry *entries = ct_allocate(count, sizeof *entries);
    run.samples = ct_allocate(count, sizeof *run.samples);
    run.cells = ct_allocate(count, sizeof *run.cells);
    int status = entries && run.samples && run.cells ? number_launches(results, &launches) : CT_E_MEMORY;
    if (status == CT_OK)
        status = sort_rows(results, &run.description, entries);
    if (status == CT_OK && comparable)
        count = keep_comparable(entries, count);
    if (status == CT_OK && count == 0)
        status = ct_fail(error, CT_E_INPUT, "no cell has results of more than one method");
    else if (status == CT_OK)
        status = take_grid(entries, count, &run.description);
    if (status == CT_OK)
        status = take_mappings(&launches, &run.description);
    if (status == CT_E_MEMORY || status == CT_E_LIMIT)
        ct_fail(error, status, "out of memory for the run");
    run.methods = run.description.methods;
    run.method_count = run.description.method_count;
    if (status == CT_OK) {
        take_cells(entries, count, &run, &summary);
        *ret_summary = summary;
        *ret_run = run;
    } else {
        ct_run_free(&run);
    }
    free(launches.keys);
    free(entries);
    return status;
}
