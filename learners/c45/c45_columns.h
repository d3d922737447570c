/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_COLUMNS_H
#define CT_LEARNERS_C45_C45_COLUMNS_H

#include "learners/c45/c45_engine.h"

/* Where every value is known, all cases weigh 1, sums are whole numbers and exact in any order: then cases
 * are sorted once by each continuous attribute, and every node's part of these orders is split as the node
 * is. */

struct ct_c45_place {
    float number;
    uint32_t index; /* case */
    uint16_t class;
};

struct ct_c45_columns {
    struct ct_c45_place **places; /* by continuous attribute: in the order of its numbers */
    struct ct_c45_place *spare;   /* by place */
    uint32_t *spare_order;        /* likewise */
    uint16_t *branches;           /* by case */
    double *products;             /* by whole number n: n times its binary logarithm */
    double *lefts;                /* by place: about what the cut behind it leaves of the information */
    size_t *below;                /* by class: cases below a cut, then cases above it */
    size_t *above;
};

/* The order of numbers, none of them unknown, equal ones in that of their places. CT_OK, CT_E_MEMORY. */
int ct_c45_rank(const float *numbers, const uint32_t *places, size_t count, uint32_t *ret_order);

/* Sorts all cases by each continuous attribute, and fills engine->sorted. CT_OK, CT_E_MEMORY; freed with the
 * engine. */
int ct_c45_columns_make(struct ct_c45_engine *engine);
void ct_c45_columns_free(struct ct_c45_engine *engine);

/* Splits the range of a node as its test says, branch after branch; *ret_ends by branch, room for all. */
void ct_c45_columns_split(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t from,
                          size_t to, size_t *ret_ends);

/* ct_c45_judge_continuous() of the node whose weights by class are `distribution` (c45_cuts.c). */
void ct_c45_judge_column(struct ct_c45_engine *engine, size_t attribute, const float *distribution,
                         size_t from, size_t to);

#endif
