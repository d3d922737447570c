/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/metis_parts.h"

#ifndef CT_WITH_METIS

int ct_metis_parts(const struct ct_matrix *matrix, int parts, struct ct_error *error, int *of_row)
{
    (void)matrix;
    (void)parts;
    (void)of_row;
    return ct_fail(error, CT_E_INPUT,
                   "parts=metis: colltune was built without METIS; expected parts=rows or parts=entries");
}

#else

#include "base/memory.h"
#include "base/sort.h"

#include <metis.h>
#include <stdlib.h>

/* Rows that have elements of each other: METIS wants each pair on both sides, and no row itself. */
struct graph {
    idx_t *begins, *ends, *weights;
};

static void free_graph(struct graph *graph)
{
    free(graph->begins);
    free(graph->ends);
    free(graph->weights);
}

/* Calls are for each entry outside the diagonal on both of its sides: first they are counted in begins[row +
 * 1], then filled in at begins[row]. */
static void visit(const struct ct_matrix *matrix, struct graph *graph, int fill)
{
    for (size_t row = 0; row < matrix->rows; row++)
        for (size_t i = matrix->begins[row]; i < matrix->begins[row + 1]; i++) {
            size_t column = (size_t)matrix->column_of[i];
            if (column == row)
                continue;
            if (fill) {
                graph->ends[graph->begins[row]++] = (idx_t)column;
                graph->ends[graph->begins[column]++] = (idx_t)row;
            } else {
                graph->begins[row + 1]++;
                graph->begins[column + 1]++;
            }
        }
}

static int compare_ends(const void *a, const void *b)
{
    idx_t left = *(const idx_t *)a, right = *(const idx_t *)b;
    return CT_COMPARE(left, right);
}

/* In a symmetric matrix each pair came twice. */
static void drop_repeated(size_t rows, struct graph *graph)
{
    idx_t kept = 0, from = 0;
    for (size_t row = 0; row < rows; row++) {
        idx_t end = graph->begins[row], first = kept;
        qsort(graph->ends + from, (size_t)(end - from), sizeof *graph->ends, compare_ends);
        for (idx_t i = from; i < end; i++)
            if (kept == first || graph->ends[kept - 1] != graph->ends[i])
                graph->ends[kept++] = graph->ends[i];
        from = end;
        graph->begins[row] = first;
    }
    graph->begins[rows] = kept;
}

static int make_graph(const struct ct_matrix *matrix, struct graph *graph)
{
    size_t rows = matrix->rows, entries = ct_matrix_entries(matrix);
    if (entries > (size_t)IDX_MAX / 2 || rows >= (size_t)IDX_MAX)
        return CT_E_LIMIT;
    graph->begins = ct_allocate(rows + 1, sizeof *graph->begins);
    graph->ends = ct_allocate(2 * entries + 1, sizeof *graph->ends);
    graph->weights = ct_allocate(rows, sizeof *graph->weights);
    if (!graph->begins || !graph->ends || !graph->weights)
        return CT_E_MEMORY;
    visit(matrix, graph, 0);
    for (size_t row = 0; row < rows; row++) {
        graph->begins[row + 1] += graph->begins[row];
        graph->weights[row] = (idx_t)(1 + matrix->begins[row + 1] - matrix->begins[row]);
    }
    visit(matrix, graph, 1);
    drop_repeated(rows, graph);
    return CT_OK;
}

int ct_metis_parts(const struct ct_matrix *matrix, int parts, struct ct_error *error, int *of_row)
{
    struct graph graph = {0};
    idx_t *found = NULL, options[METIS_NOPTIONS], rows = (idx_t)matrix->rows, constraints = 1,
          wanted = (idx_t)parts, cut = 0;
    int status = make_graph(matrix, &graph);
    if (status == CT_OK && !(found = ct_allocate(matrix->rows, sizeof *found)))
        status = CT_E_MEMORY;
    if (status == CT_OK && parts > 1) { /* METIS divides by zero for one part */
        METIS_SetDefaultOptions(options);
        options[METIS_OPTION_OBJTYPE] = METIS_OBJTYPE_VOL;
        options[METIS_OPTION_SEED] = 1;
        int answer = METIS_PartGraphKway(&rows, &constraints, graph.begins, graph.ends, graph.weights, NULL,
                                         NULL, &wanted, NULL, NULL, options, &cut, found);
        if (answer == METIS_ERROR_MEMORY)
            status = CT_E_MEMORY;
        else if (answer != METIS_OK)
            status = ct_fail(error, CT_E_INPUT, "parts=metis: METIS refuses to divide %zu rows into %d parts",
                             matrix->rows, parts);
    }
    for (size_t row = 0; status == CT_OK && row < matrix->rows; row++)
        of_row[row] = (int)found[row];
    free(found);
    free_graph(&graph);
    return status;
}

#endif
