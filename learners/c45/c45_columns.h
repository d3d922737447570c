/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_COLUMNS_H
#define CT_LEARNERS_C45_C45_COLUMNS_H

#include "learners/c45/c45_state.h"

/* The quick way to grow a tree if every value is known. Then all cases weigh 1 and sums are whole numbers,
 * which are exact in any order. So the cases are sorted once by each continuous attribute, and each node
 * splits its part of these columns as it splits its cases. */

struct ct_c45_place {
    float number;
    uint32_t index; /* case */
    uint16_t class;
};

struct ct_c45_columns {
    struct ct_c45_place **places; /* by continuous attribute, ascending numbers */
    struct ct_c45_place *spare;   /* by place */
    uint16_t *branches;           /* by case */
    double *products;             /* by whole number n: n times its binary logarithm */
    double *lefts;                /* by place: approximate information that the cut behind it leaves */
    size_t *below;                /* by class: cases below a cut */
    size_t *above;                /* by class: cases above it */
};

/* Sorts places by their numbers, none of which is unknown; equal numbers keep their order. `ret_order` may be
 * `places`. CT_OK, CT_E_MEMORY. */
int ct_c45_rank(const float *numbers, const uint32_t *places, size_t count, uint32_t *ret_order);

/* Makes engine->columns, and fills that of a continuous attribute from the cases sorted by it. CT_OK,
 * CT_E_MEMORY; freed with the engine. */
int ct_c45_columns_make(struct ct_c45_engine *engine);
int ct_c45_columns_fill(struct ct_c45_engine *engine, size_t attribute, const uint32_t *order);

/* Splits the range of a node by its test, branch after branch; ret_ends has the end of each branch. */
void ct_c45_columns_split(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t from,
                          size_t to, size_t *ret_ends);

/* Does the same as ct_c45_judge_continuous(); `distribution` are the node's weights by class. */
void ct_c45_judge_column(struct ct_c45_engine *engine, size_t attribute, const float *distribution,
                         size_t from, size_t to);

#endif
