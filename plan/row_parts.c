/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/row_parts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "plan/metis_parts.h"

#include <stdlib.h>
#include <string.h>

void ct_row_parts_free(struct ct_row_parts *parts)
{
    free(parts->of_row);
    free(parts->of_column);
    *parts = (struct ct_row_parts){0};
}

/* --- ways to divide --- */

/* The block of an element among `count` that are divided into blocks of equal length, up to one. */
static int block_of(size_t element, size_t count, int parts)
{
    return (int)(element * (size_t)parts / count);
}

static int divide_rows(const struct ct_matrix *matrix, int parts, struct ct_error *error, int *of_row)
{
    (void)error;
    for (size_t row = 0; row < matrix->rows; row++)
        of_row[row] = block_of(row, matrix->rows, parts);
    return CT_OK;
}

/* A part ends where it has its share of the entries, but leaves a row for each part behind it. */
static int divide_entries(const struct ct_matrix *matrix, int parts, struct ct_error *error, int *of_row)
{
    const double entries = (double)ct_matrix_entries(matrix);
    size_t row = 0;
    (void)error;
    for (int part = 0; part < parts; part++) {
        const size_t last = matrix->rows - (size_t)(parts - part - 1);
        const double share = entries * (part + 1) / parts;
        do
            of_row[row++] = part;
        while (row < last && (part == parts - 1 || (double)matrix->begins[row + 1] <= share));
    }
    return CT_OK;
}

static const struct way {
    const char *name;
    int (*divide)(const struct ct_matrix *matrix, int parts, struct ct_error *error, int *of_row);
    bool is_square_only;
} ways[] = {
    {"rows", divide_rows, false},
    {"entries", divide_entries, false},
    {"metis", ct_metis_parts, true},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static int find_way(const struct ct_matrix *matrix, const char *name, int parts, struct ct_error *error,
                    const struct way **ret_way)
{
    int i = 0;
    while (i < WAYS && strcmp(ways[i].name, name) != 0)
        i++;
    if (i == WAYS)
        return ct_fail(error, CT_E_INPUT,
                       "unknown parts '%s': expected parts=rows, parts=entries or parts=metis", name);
    if ((size_t)parts > matrix->rows)
        return ct_fail(error, CT_E_INPUT, "%d parts of %zu rows: expected at most one part for each row",
                       parts, matrix->rows);
    if (ways[i].is_square_only && matrix->rows != matrix->columns)
        return ct_fail(error, CT_E_INPUT, "parts=%s of %zu rows and %zu columns: expected a square matrix",
                       name, matrix->rows, matrix->columns);
    *ret_way = &ways[i];
    return CT_OK;
}

int ct_row_parts_make(const struct ct_matrix *matrix, const char *name, int parts, struct ct_error *error,
                      struct ct_row_parts *ret_parts)
{
    const struct way *way = NULL;
    int status = find_way(matrix, name, parts, error, &way);
    if (status != CT_OK)
        return status;
    struct ct_row_parts made = {.parts = parts,
                                .of_row = ct_allocate(matrix->rows, sizeof *made.of_row),
                                .of_column = ct_allocate(matrix->columns, sizeof *made.of_column)};
    status = made.of_row && made.of_column ? way->divide(matrix, parts, error, made.of_row) : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < matrix->columns; i++)
        made.of_column[i] =
            matrix->rows == matrix->columns ? made.of_row[i] : block_of(i, matrix->columns, parts);
    if (status != CT_OK) {
        ct_row_parts_free(&made);
        return status;
    }
    *ret_parts = made;
    return CT_OK;
}

/* --- who sends to whom --- */

struct counting {
    const struct ct_matrix *matrix;
    const struct ct_row_parts *parts;
    size_t *row_begins; /* by part, in `rows` */
    size_t *rows;       /* by part */
    int *seen;          /* by column: one more than the part that was the last to need it */
    size_t *needed;     /* by part that sends: elements that the part in question needs from it */
    int *senders;
    struct ct_edge *edges;
    size_t edge_count, edge_capacity;
};

static void sort_rows(struct counting *all)
{
    const struct ct_matrix *matrix = all->matrix;
    for (size_t row = 0; row < matrix->rows; row++)
        all->row_begins[all->parts->of_row[row] + 1]++;
    for (int part = 0; part < all->parts->parts; part++)
        all->row_begins[part + 1] += all->row_begins[part];
    for (size_t row = matrix->rows; row-- > 0;)
        all->rows[--all->row_begins[all->parts->of_row[row] + 1]] = row;
}

static int compare_ranks(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;
    return CT_COMPARE(left, right);
}

/* The rows of a part: sort_rows() has moved each begin one place up. */
static size_t rows_begin(const struct counting *all, int part)
{
    return all->row_begins[part + 1];
}

static size_t rows_end(const struct counting *all, int part)
{
    return part + 1 < all->parts->parts ? all->row_begins[part + 2] : all->matrix->rows;
}

static int add_edges_to(struct counting *all, int part)
{
    const struct ct_matrix *matrix = all->matrix;
    size_t sender_count = 0;
    for (size_t r = rows_begin(all, part); r < rows_end(all, part); r++)
        for (size_t i = matrix->begins[all->rows[r]]; i < matrix->begins[all->rows[r] + 1]; i++) {
            int column = matrix->column_of[i], from = all->parts->of_column[column];
            if (from == part || all->seen[column] == part + 1)
                continue;
            all->seen[column] = part + 1;
            if (all->needed[from]++ == 0)
                all->senders[sender_count++] = from;
        }
    qsort(all->senders, sender_count, sizeof *all->senders, compare_ranks);
    int status =
        ct_grow(&all->edges, &all->edge_capacity, all->edge_count + sender_count + 1, sizeof *all->edges);
    for (size_t i = 0; status == CT_OK && i < sender_count; i++) {
        int from = all->senders[i];
        all->edges[all->edge_count++] = (struct ct_edge){from, part, all->needed[from]};
        all->needed[from] = 0;
    }
    return status;
}

int ct_row_parts_edges(const struct ct_matrix *matrix, const struct ct_row_parts *parts,
                       struct ct_edge **ret_edges, size_t *ret_count)
{
    size_t n = (size_t)parts->parts;
    struct counting all = {.matrix = matrix,
                           .parts = parts,
                           .row_begins = ct_allocate(n + 1, sizeof *all.row_begins),
                           .rows = ct_allocate(matrix->rows, sizeof *all.rows),
                           .seen = ct_allocate(matrix->columns, sizeof *all.seen),
                           .needed = ct_allocate(n, sizeof *all.needed),
                           .senders = ct_allocate(n, sizeof *all.senders)};
    int status = all.row_begins && all.rows && all.seen && all.needed && all.senders ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        sort_rows(&all);
    for (int part = 0; status == CT_OK && part < parts->parts; part++)
        status = add_edges_to(&all, part);
    free(all.row_begins);
    free(all.rows);
    free(all.seen);
    free(all.needed);
    free(all.senders);
    if (status != CT_OK) {
        free(all.edges);
        return status;
    }
    *ret_edges = all.edges;
    *ret_count = all.edge_count;
    return CT_OK;
}

/* --- the kind of patterns --- */

static const char way_mark[] = ",parts=";

/* The place of the last way_mark in the text, or its end: names of files may have commas. */
static size_t find_mark(const char *text)
{
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, way_mark)); at++)
        last = at;
    return last ? (size_t)(last - text) : strlen(text);
}

int ct_matrix_pattern(const char *text, int size, struct ct_error *error, struct ct_edge **ret_edges,
                      size_t *ret_count)
{
    size_t length = find_mark(text);
    const char *way = text[length] ? text + length + strlen(way_mark) : "rows";
    struct ct_matrix matrix = {0};
    struct ct_row_parts parts = {0};
    if (length == 0)
        return ct_fail(error, CT_E_INPUT, "pattern matrix: expected matrix:FILE.mtx");
    char *file = strndup(text, length);
    int status = file ? ct_matrix_read(file, error, &matrix) : CT_E_MEMORY;
    if (status == CT_OK) {
        status = ct_row_parts_make(&matrix, way, size, error, &parts);
        status = status == CT_E_INPUT ? ct_fail_in(error, status, "pattern matrix") : status;
    }
    if (status == CT_OK)
        status = ct_row_parts_edges(&matrix, &parts, ret_edges, ret_count);
    ct_row_parts_free(&parts);
    ct_matrix_free(&matrix);
    free(file);
    return status;
}
