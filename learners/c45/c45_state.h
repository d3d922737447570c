/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_STATE_H
#define CT_LEARNERS_C45_C45_STATE_H

#include "learners/c45/c45.h"

/* The state of growing and pruning, for the files of this folder and for programs that drive both themselves
 * (c45/c45_report.c). All ranges of places are from..to - 1.
 *
 * Single precision is part of the method: attributes that split the cases alike differ only in the last bit
 * of their gain, and that bit decides. If values are unknown, cases have fractional weights, and the sums
 * depend on the order of the cases. So sums run in the order of the cases, and every step moves the cases as
 * C4.5 Release 8 does. */

/* The merit of a test of an attribute. */
struct ct_c45_merit {
    float gain;
    float information; /* of the split itself */
    float low;         /* continuous: the numbers on both sides of the best cut */
    float high;
    size_t blocks;     /* subsets: how many; 0: a branch for each value */
    bool insufficient; /* too few cases have a known value */
};

/* Pessimistic errors of a node that has a test. */
struct ct_c45_estimates {
    float leaf;     /* if it were a leaf */
    float tree;     /* as it is */
    float branch;   /* if its largest branch took its place */
    size_t largest; /* that branch */
};

/* A number, and the place in a range that it comes from. */
struct ct_c45_item {
    float key;
    uint32_t place;
};

/* A weight times its binary logarithm. */
struct ct_c45_term {
    float weight;
    double product;
};

/* Events while a tree grows and is pruned. */
enum ct_c45_event_kind {
    CT_C45_EVENT_NODE,     /* a node that may get a test: items, number = weight */
    CT_C45_EVENT_MERIT,    /* engine->merits[attribute] is known */
    CT_C45_EVENT_AVERAGE,  /* number = average gain */
    CT_C45_EVENT_BEST,     /* attribute is chosen, number = its worth */
    CT_C45_EVENT_NONE,     /* node stays a leaf: no attribute is worth a test */
    CT_C45_EVENT_UNKNOWN,  /* node has got a test, number = weight of the cases whose value is known */
    CT_C45_EVENT_COLLAPSE, /* node with so many items becomes a leaf: its branches are no better */
    CT_C45_EVENT_LEAF,     /* pruning: a leaf at this level */
    CT_C45_EVENT_TEST      /* pruning: a test at this level, and its estimates */
};

struct ct_c45_event {
    enum ct_c45_event_kind kind;
    const struct ct_c45_node *node;
    size_t items;
    size_t attribute;
    float number;
    size_t level;
    const struct ct_c45_estimates *estimates;
};

struct ct_c45_engine {
    const struct ct_c45_names *names;
    const struct ct_c45_cases *cases;
    const struct ct_c45_options *options;
    size_t classes;
    struct ct_c45_pool *pool; /* for trees; the caller sets it */
    struct ct_c45_pool room;  /* for everything below */

    uint32_t *order; /* case by place */
    float *weights;  /* by place */
    bool all_known;  /* no case here has gone down several branches, nor has a weight of its own: all are 1 */
    bool many_valued; /* no attribute has few values */

    float **sorted; /* by continuous attribute: its known numbers, ascending */
    size_t *sorted_counts;
    unsigned *tested; /* by attribute: tests on the path */

    struct ct_c45_merit *merits; /* by attribute */
    uint16_t **blocks;           /* by discrete attribute, then value: block + 1 in the best subsets */
    float *frequencies;          /* by value, then class; room for the attribute with most values */
    float *totals;               /* by value */
    float *entropies;            /* by block of values */
    double *products;            /* by block of values */
    struct ct_c45_term *terms;   /* by class: below a cut, then above it */
    float *votes;                /* by class */
    float *keys;                 /* by place: the number that is sorted by */
    float *gains;                /* by place: gain of the cut behind it */
    uint16_t *labels;            /* by place: class */
    struct ct_c45_item *items;   /* by place */
    struct ct_c45_item *spare;   /* by place */
    uint32_t *spare_order;       /* by place */

    struct ct_c45_columns *columns; /* NULL if the order of cases matters (c45_columns.h) */

    /* Called for every event; may be NULL. An engine with columns does not call it for pruning. */
    void (*tell)(const struct ct_c45_engine *engine, const struct ct_c45_event *event);
    void *told; /* for tell() */
};

static inline void ct_c45_tell(const struct ct_c45_engine *engine, struct ct_c45_event event)
{
    if (engine->tell)
        engine->tell(engine, &event);
}

#endif
