/* SPDX-License-Identifier: BSD-3-Clause */
#include "studies/neighborhoods/column_products.h"
#include "algorithms/routing.h"
#include "base/memory.h"
#include "studies/spmv/block_begins.h"
#include "studies/spmv/plan_carrier.h"

#include <stdlib.h>

void ct_column_products_free(struct ct_column_products *products)
{
    for (int rank = 0; products->in_begins && rank < products->parts->parts; rank++)
        free(products->in_begins[rank]);
    free(products->in_begins);
    free(products->rows);
    ct_pattern_free(&products->pattern);
}

/* All of a part goes along each edge. */
static int make_pattern(struct ct_column_products *products)
{
    const struct ct_row_parts *parts = products->parts;
    struct ct_edge *edges = NULL;
    size_t count = 0;
    int status = ct_row_parts_edges(products->matrix, parts, &edges, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        edges[i].length = products->rows[edges[i].from];
    if (status == CT_OK)
        status = ct_pattern_make(parts->parts, edges, count, true, &products->pattern);
    free(edges);
    return status;
}

int ct_column_products_make(const struct ct_matrix *matrix, const struct ct_row_parts *parts,
                            struct ct_column_products *ret_products)
{
    const size_t size = (size_t)parts->parts;
    struct ct_column_products products = {.matrix = matrix,
                                          .parts = parts,
                                          .rows = ct_allocate(size, sizeof *products.rows),
                                          .in_begins = ct_allocate(size, sizeof *products.in_begins)};
    int status = products.rows && products.in_begins ? CT_OK : CT_E_MEMORY;
    for (size_t column = 0; status == CT_OK && column < matrix->columns; column++)
        products.rows[parts->of_column[column]]++;
    if (status == CT_OK)
        status = make_pattern(&products);
    for (size_t rank = 0; status == CT_OK && rank < size; rank++) {
        const struct ct_neighbors *own = &products.pattern.ranks[rank];
        products.in_begins[rank] = ct_block_begins(own->in_lengths, own->in_count);
        status = products.in_begins[rank] ? CT_OK : CT_E_MEMORY;
    }
    if (status != CT_OK) {
        ct_column_products_free(&products);
        return status;
    }
    *ret_products = products;
    return CT_OK;
}

/* --- plans --- */

int ct_column_products_plan(const struct ct_column_products *products, const struct ct_method *method,
                            int ppn, struct ct_error *error, struct ct_plan **ret_plans)
{
    const int size = products->pattern.size;
    const struct ct_constraint_description *failed;
    struct ct_nodes nodes = {0};
    int *labels = ct_allocate((size_t)size, sizeof *labels);
    for (int rank = 0; labels && rank < size; rank++)
        labels[rank] = rank / ppn;
    int status = labels ? ct_nodes_make(labels, size, &nodes) : CT_E_MEMORY;
    free(labels);
    if (status == CT_OK) {
        const struct ct_call call = {.size = size,
                                     .unit_bytes = sizeof(double),
                                     .commutative = true,
                                     .send_counts = products->rows,
                                     .neighbors = products->pattern.ranks,
                                     .nodes = &nodes};
        status = ct_method_applies(method, &call, &failed)
                     ? ct_plans_make(method, &call, error, ret_plans)
                     : ct_fail(error, CT_E_INPUT, "needs %s", failed->name);
    }
    ct_nodes_free(&nodes);
    return status;
}

/* --- the product --- */

/* A column that is multiplied. */
struct carried {
    const struct ct_column_products *products;
    const double *column;
    double *result;
    double *known;       /* what a rank has of the column; 0 between ranks */
    size_t (*begins)[2]; /* by rank: of its only block, and its end */
};

static struct ct_carried_buffers buffers_of(void *context, int rank)
{
    const struct carried *carried = context;
    const struct ct_column_products *products = carried->products;
    carried->begins[rank][1] = products->rows[rank];
    return (struct ct_carried_buffers){carried->begins[rank], products->rows[rank], products->in_begins[rank],
                                       products->in_begins[rank][products->pattern.ranks[rank].in_count]};
}

/* The elements of a rank's part, in their order. */
static void fill_input(void *context, int rank, double *input)
{
    const struct carried *carried = context;
    const struct ct_column_products *products = carried->products;
    for (size_t row = 0; row < products->matrix->columns; row++)
        if (products->parts->of_column[row] == rank)
            *input++ = carried->column[row];
}

/* Multiplies the rows of a rank with what it has of the column. */
static void multiply(void *context, int rank, const double *received)
{
    const struct carried *carried = context;
    const struct ct_column_products *products = carried->products;
    const struct ct_matrix *matrix = products->matrix;
    const struct ct_neighbors *own = &products->pattern.ranks[rank];
    double *known = carried->known;
    for (size_t source = 0; source <= own->in_count; source++) { /* the last one is the rank itself */
        const bool is_own = source == own->in_count;
        const double *next = is_own ? NULL : received + products->in_begins[rank][source];
        for (size_t row = 0; row < matrix->columns; row++)
            if (products->parts->of_column[row] == (is_own ? rank : own->in[source]))
                known[row] = is_own ? carried->column[row] : *next++;
    }
    for (size_t row = 0; row < matrix->rows; row++) {
        if (products->parts->of_row[row] != rank)
            continue;
        carried->result[row] = 0;
        for (size_t i = matrix->begins[row]; i < matrix->begins[row + 1]; i++)
            carried->result[row] += matrix->values[i] * known[matrix->column_of[i]];
    }
    for (size_t row = 0; row < matrix->columns; row++)
        known[row] = 0;
}

int ct_column_products_carry(const struct ct_column_products *products, const struct ct_plan *plans,
                             const double *column, struct ct_error *error, double *ret_column)
{
    const int size = products->pattern.size;
    struct carried carried = {products, column, ret_column,
                              ct_allocate(products->matrix->columns, sizeof *carried.known),
                              ct_allocate((size_t)size, sizeof *carried.begins)};
    const struct ct_carried_data data = {&carried, buffers_of, fill_input, multiply};
    int status = carried.known && carried.begins ? ct_carry_plans(plans, size, &data, error) : CT_E_MEMORY;
    free(carried.known);
    free(carried.begins);
    return status;
}
