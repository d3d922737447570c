/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_ENGINE_H
#define CT_LEARNERS_C45_C45_ENGINE_H

#include "learners/c45/c45.h"

/* The state of growing and pruning, for the files of this folder and for programs that drive both themselves
 * (c45/c45_report.c). All ranges of places are from..to - 1.
 *
 * Single precision is part of the method: attributes that split the cases alike differ only in the last bit
 * of their gain, and that bit decides. If values are unknown, cases have fractional weights, and the sums
 * depend on the order of the cases. So sums run in the order of the cases, and every step moves the cases as
 * C4.5 Release 8 does. */

/* Smaller gains count as none. */
#define CT_C45_EPSILON 0.001

/* Stands for "no gain". */
#define CT_C45_NO_GAIN ((float)-CT_C45_EPSILON)

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

/* Makes room for the cases, in their given order, and sorts the numbers. `ordered`: the cases must come out
 * in the order of C4.5 Release 8 even if no sum depends on it. CT_OK, CT_E_MEMORY. Caller frees with
 * ct_c45_engine_free(), also after a failure. */
int ct_c45_engine_make(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                       const struct ct_c45_options *options, bool ordered, struct ct_c45_engine *engine);
void ct_c45_engine_free(struct ct_c45_engine *engine);

/* Gives every case its own weight again, which is 1 unless the cases have weights. */
void ct_c45_engine_reset(struct ct_c45_engine *engine);

/* Grows a tree over the first `count` places. CT_OK, CT_E_MEMORY; CT_E_LIMIT if it becomes too deep. */
int ct_c45_grow(struct ct_c45_engine *engine, size_t count, struct ct_c45_node **ret_root);

/* Prunes a tree in place, over all cases. *ret_changed: a test was replaced. CT_OK, CT_E_MEMORY. */
int ct_c45_prune(struct ct_c45_engine *engine, struct ct_c45_node *root, bool *ret_changed);

/* Writes a line of error for a status of the two above and returns it. */
int ct_c45_fail(int status, struct ct_error *error);

static inline void ct_c45_tell(const struct ct_c45_engine *engine, struct ct_c45_event event)
{
    if (engine->tell)
        engine->tell(engine, &event);
}

/* --- the order of cases: c45_order.c --- */

float ct_c45_weight(const struct ct_c45_engine *engine, size_t from, size_t to);

/* Sums of weights by class, in the order of the cases. */
void ct_c45_distribute(const struct ct_c45_engine *engine, size_t from, size_t to, float *ret_frequencies);

/* Multiplies weights by `factor`, or divides them by it. */
void ct_c45_scale(struct ct_c45_engine *engine, size_t from, size_t to, float factor);
void ct_c45_unscale(struct ct_c45_engine *engine, size_t from, size_t to, float factor);

void ct_c45_swap(struct ct_c45_engine *engine, size_t a, size_t b);

/* Moves the cases whose value at this node is unknown to the front; returns the place behind them. */
size_t ct_c45_part_unknown(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t from,
                           size_t to);

/* The same for the cases that go down a branch; no value is unknown. */
size_t ct_c45_part_branch(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t branch,
                          size_t from, size_t to);

/* Sorts by a continuous attribute, of which no value is unknown, and leaves the numbers in engine->keys. */
void ct_c45_sort(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);

/* Sorts by the numbers in engine->keys. */
void ct_c45_sort_keys(struct ct_c45_engine *engine, size_t from, size_t to);

/* --- merits of attributes --- */

/* Of a continuous attribute; sorts the range (c45_continuous.c). */
void ct_c45_judge_continuous(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);

/* The least weight of either part of a cut if both together weigh `known`. */
float ct_c45_least_part(const struct ct_c45_engine *engine, float known);

/* Of a discrete attribute with one branch for each value, or for each of the best subsets (c45_discrete.c).
 */
void ct_c45_judge_values(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);
void ct_c45_judge_subsets(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);

#endif
