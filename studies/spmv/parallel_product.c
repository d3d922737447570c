/* SPDX-License-Identifier: BSD-3-Clause */
#include "studies/spmv/parallel_product.h"
#include "algorithms/routing.h"
#include "base/memory.h"
#include "studies/spmv/block_begins.h"
#include "studies/spmv/plan_carrier.h"

#include <stdlib.h>

void ct_product_free(struct ct_product *product)
{
    for (int rank = 0; rank < product->pattern.size; rank++) {
        if (product->needed)
            free(product->needed[rank]);
        if (product->in_begins)
            free(product->in_begins[rank]);
        if (product->out_begins)
            free(product->out_begins[rank]);
    }
    free(product->needed);
    free(product->in_begins);
    free(product->out_begins);
    ct_pattern_free(&product->pattern);
}

/* Lists the elements that each rank needs: element by element, so those of a source rise. `seen` is zero for
 * each rank and element, and `filled` for each rank. */
static void list_needed(const struct ct_product *product, int rank, bool *is_needed, size_t *filled)
{
    const struct ct_matrix *matrix = product->matrix;
    const struct ct_neighbors *own = &product->pattern.ranks[rank];
    for (size_t row = 0; row < matrix->rows; row++)
        for (size_t i = matrix->begins[row]; i < matrix->begins[row + 1]; i++)
            if (product->parts->of_row[row] == rank)
                is_needed[matrix->column_of[i]] = true;
    for (size_t column = 0; column < matrix->columns; column++) {
        size_t source = 0;
        if (!is_needed[column])
            continue;
        is_needed[column] = false;
        while (source < own->in_count && own->in[source] != product->parts->of_column[column])
            source++;
        if (source < own->in_count)
            product->needed[rank][product->in_begins[rank][source] + filled[source]++] = (int)column;
    }
    for (size_t source = 0; source < own->in_count; source++)
        filled[source] = 0;
}

static int make_rank(struct ct_product *product, int rank, bool *is_needed, size_t *filled)
{
    const struct ct_neighbors *own = &product->pattern.ranks[rank];
    product->in_begins[rank] = ct_block_begins(own->in_lengths, own->in_count);
    product->out_begins[rank] = ct_block_begins(own->out_lengths, own->out_count);
    if (!product->in_begins[rank] || !product->out_begins[rank])
        return CT_E_MEMORY;
    product->needed[rank] =
        ct_allocate(product->in_begins[rank][own->in_count] + 1, sizeof *product->needed[rank]);
    if (!product->needed[rank])
        return CT_E_MEMORY;
    list_needed(product, rank, is_needed, filled);
    return CT_OK;
}

int ct_product_make(const struct ct_matrix *matrix, const struct ct_row_parts *parts,
                    struct ct_product *ret_product)
{
    struct ct_product product = {.matrix = matrix, .parts = parts};
    struct ct_edge *edges = NULL;
    size_t count = 0, size = (size_t)parts->parts;
    bool *is_needed = ct_allocate(matrix->columns, sizeof *is_needed);
    size_t *filled = ct_allocate(size, sizeof *filled);
    int status = is_needed && filled ? ct_row_parts_edges(matrix, parts, &edges, &count) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_pattern_make(parts->parts, edges, count, true, &product.pattern);
    free(edges);
    if (status == CT_OK) {
        product.needed = ct_allocate(size, sizeof *product.needed);
        product.in_begins = ct_allocate(size, sizeof *product.in_begins);
        product.out_begins = ct_allocate(size, sizeof *product.out_begins);
        status = product.needed && product.in_begins && product.out_begins ? CT_OK : CT_E_MEMORY;
    }
    for (int rank = 0; status == CT_OK && rank < parts->parts; rank++)
        status = make_rank(&product, rank, is_needed, filled);
    free(is_needed);
    free(filled);
    if (status != CT_OK) {
        ct_product_free(&product);
        return status;
    }
    *ret_product = product;
    return CT_OK;
}

/* --- plans --- */

static int make_nodes(int size, int ppn, struct ct_nodes *ret_nodes)
{
    int *labels = ct_allocate((size_t)size, sizeof *labels);
    for (int rank = 0; labels && rank < size; rank++)
        labels[rank] = rank / ppn;
    int status = labels ? ct_nodes_make(labels, size, ret_nodes) : CT_E_MEMORY;
    free(labels);
    return status;
}

int ct_product_plan(const struct ct_product *product, const struct ct_method *method, int ppn,
                    struct ct_error *error, struct ct_plan **ret_plans)
{
    const int size = product->pattern.size;
    const struct ct_constraint_description *failed;
    struct ct_nodes nodes = {0};
    int status = make_nodes(size, ppn, &nodes);
    if (status == CT_OK) {
        const struct ct_call call = {.size = size,
                                     .unit_bytes = sizeof(double),
                                     .commutative = true,
                                     .neighbors = product->pattern.ranks,
                                     .nodes = &nodes};
        status = ct_method_applies(method, &call, &failed)
                     ? ct_plans_make(method, &call, error, ret_plans)
                     : ct_fail(error, CT_E_INPUT, "needs %s", failed->name);
    }
    ct_nodes_free(&nodes);
    return status;
}

/* --- the product --- */

void ct_product_serial(const struct ct_matrix *matrix, const double *x, double *y)
{
    for (size_t row = 0; row < matrix->rows; row++) {
        y[row] = 0;
        for (size_t i = matrix->begins[row]; i < matrix->begins[row + 1]; i++)
            y[row] += matrix->values[i] * x[matrix->column_of[i]];
    }
}

/* A product that is carried out. */
struct carried {
    const struct ct_product *product;
    const double *x;
    double *y;
    double *own_x; /* what a rank has of x; 0 between ranks */
};

static struct ct_carried_buffers buffers_of(void *context, int rank)
{
    const struct ct_product *product = ((struct carried *)context)->product;
    const struct ct_neighbors *own = &product->pattern.ranks[rank];
    return (struct ct_carried_buffers){product->out_begins[rank], product->out_begins[rank][own->out_count],
                                       product->in_begins[rank], product->in_begins[rank][own->in_count]};
}

/* The input of a rank: for each destination what that needs from it. */
static void fill_input(void *context, int rank, double *input)
{
    const struct carried *carried = context;
    const struct ct_product *product = carried->product;
    const struct ct_neighbors *own = &product->pattern.ranks[rank];
    for (size_t d = 0; d < own->out_count; d++) {
        const int to = own->out[d];
        const struct ct_neighbors *other = &product->pattern.ranks[to];
        size_t source = 0;
        while (other->in[source] != rank)
            source++;
        const int *elements = product->needed[to] + product->in_begins[to][source];
        for (size_t i = 0; i < own->out_lengths[d]; i++)
            *input++ = carried->x[elements[i]];
    }
}

/* Multiplies the rows of a rank with what it has of x. */
static void multiply(void *context, int rank, const double *received)
{
    const struct carried *carried = context;
    const struct ct_product *product = carried->product;
    const struct ct_matrix *matrix = product->matrix;
    const size_t count = product->in_begins[rank][product->pattern.ranks[rank].in_count];
    double *own_x = carried->own_x;
    for (size_t column = 0; column < matrix->columns; column++)
        if (product->parts->of_column[column] == rank)
            own_x[column] = carried->x[column];
    for (size_t i = 0; i < count; i++)
        own_x[product->needed[rank][i]] = received[i];
    for (size_t row = 0; row < matrix->rows; row++) {
        if (product->parts->of_row[row] != rank)
            continue;
        carried->y[row] = 0;
        for (size_t i = matrix->begins[row]; i < matrix->begins[row + 1]; i++)
            carried->y[row] += matrix->values[i] * own_x[matrix->column_of[i]];
    }
    for (size_t column = 0; column < matrix->columns; column++)
        own_x[column] = 0;
}

int ct_product_carry(const struct ct_product *product, const struct ct_plan *plans, const double *x,
                     struct ct_error *error, double *y)
{
    struct carried carried = {product, x, y, ct_allocate(product->matrix->columns, sizeof *carried.own_x)};
    const struct ct_carried_data data = {&carried, buffers_of, fill_input, multiply};
    int status = carried.own_x ? ct_carry_plans(plans, product->pattern.size, &data, error) : CT_E_MEMORY;
    free(carried.own_x);
    return status;
}
