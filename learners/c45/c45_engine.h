/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_ENGINE_H
#define CT_LEARNERS_C45_C45_ENGINE_H

#include "base/text.h"
#include "learners/c45/c45.h"
#include "learners/c45/c45_sort.h"
#include "learners/c45/c45_tree.h"

/* What growing and pruning share: the cases in an order that both change, and room to count in. Ranges of
 * places are from..to - 1.
 *
 * Single precision is part of the method, not a saving: ties between attributes that split alike are settled
 * by the last bit, and with cases of part weights the order of sums decides that bit. So sums run in the
 * order that the cases have, and that order is moved as C4.5 Release 8 moves it. */

/* Gains less than this count as nothing. */
#define CT_C45_EPSILON 0.001

/* In the place of a gain where there is none. */
#define CT_C45_NO_GAIN ((float)-CT_C45_EPSILON)

/* What a test of an attribute would bring. */
struct ct_c45_merit {
    float gain;
    float information; /* of the split itself */
    float low;         /* continuous: the numbers around the best cut */
    float high;
    size_t blocks;     /* subsets: how many */
    bool insufficient; /* too few cases are known */
};

/* A weight times its binary logarithm. */
struct ct_c45_term {
    float weight;
    double product;
};

struct ct_c45_engine {
    const struct ct_c45_names *names;
    const struct ct_c45_cases *cases;
    const struct ct_c45_options *options;
    size_t classes;
    struct ct_c45_pool *pool; /* of the trees that are grown */

    uint32_t *order;  /* case by place */
    float *weights;   /* by place */
    bool all_known;   /* no case here has come down several branches */
    bool many_valued; /* no attribute has few values */

    float **sorted; /* by continuous attribute: its known numbers, rising */
    size_t *sorted_counts;
    unsigned *tested; /* by attribute: tests on the path */

    struct ct_c45_merit *merits; /* by attribute */
    uint16_t **blocks;           /* by discrete attribute: its best subsets: block + 1 by value */
    float *frequencies;          /* by value, then class: room for the attribute of most values */
    float *totals;               /* by value */
    float *entropies;            /* by block of values */
    double *products;            /* likewise */
    struct ct_c45_term *terms;   /* by class: of what lies below a cut, then of what lies above */
    float *votes;                /* by class */
    float *keys;                 /* by place: what is sorted by */
    float *gains;                /* by place: of the cut behind it */
    uint16_t *labels;            /* by place: class, of what is sorted */
    struct ct_c45_item *items;   /* room for a sort, by place */
    uint32_t *spare_order;       /* likewise */

    struct ct_text *trace; /* what -v prints; NULL: nothing */

    struct ct_c45_columns *columns; /* NULL where the order of cases matters */
};

/* Makes room for `cases`, in their own order, and sorts the numbers. `ordered` asks that cases come out of it
 * in the order of C4.5 Release 8 even where no sum depends on that. CT_OK, CT_E_MEMORY. Caller ends it with
 * ct_c45_engine_free(), also after a failure. */
int ct_c45_engine_make(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                       const struct ct_c45_options *options, bool ordered, struct ct_c45_engine *engine);
void ct_c45_engine_free(struct ct_c45_engine *engine);

/* All weights 1, all known. */
void ct_c45_engine_reset(struct ct_c45_engine *engine);

/* --- order (c45_order.c) --- */

float ct_c45_weight(const struct ct_c45_engine *engine, size_t from, size_t to);

/* Sums of weights by class, in the order of the cases. */
void ct_c45_distribute(const struct ct_c45_engine *engine, size_t from, size_t to, float *ret_frequencies);

void ct_c45_swap(struct ct_c45_engine *engine, size_t a, size_t b);

/* Moves the cases whose value there is unknown to the front; returns the place behind them. */
size_t ct_c45_part_unknown(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t from,
                           size_t to);

/* Likewise those that go down this branch; none of them is unknown. */
size_t ct_c45_part_branch(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t branch,
                          size_t from, size_t to);

/* Multiplies weights by `factor`, or divides them. */
void ct_c45_scale(struct ct_c45_engine *engine, size_t from, size_t to, float factor);
void ct_c45_unscale(struct ct_c45_engine *engine, size_t from, size_t to, float factor);

/* Sorts by a continuous attribute, none unknown; leaves the numbers in engine->keys. */
void ct_c45_sort(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);

/* Likewise by the numbers in engine->keys. */
void ct_c45_sort_keys(struct ct_c45_engine *engine, size_t from, size_t to);

/* --- merits --- */

/* Of a continuous attribute (c45_continuous.c): sorts the range. */
void ct_c45_judge_continuous(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);

/* The least weight of either part of a cut, `known` being that of both. */
float ct_c45_least_part(const struct ct_c45_engine *engine, float known);

/* Of a discrete one with a branch a value (c45_discrete.c), or by subsets of values (c45_subset.c). */
void ct_c45_judge_values(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);
void ct_c45_judge_subsets(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);

/* What they begin with: frequencies and totals by value, 0 being unknown. */
struct ct_c45_counts {
    float known;         /* weight */
    float unknown_share; /* of all weight */
    float base;          /* information of the classes of the known */
};
struct ct_c45_counts ct_c45_count_values(struct ct_c45_engine *engine, size_t attribute, size_t from,
                                         size_t to);
/* The last of it, where frequencies and totals are there; `weight` is that of all cases. */
struct ct_c45_counts ct_c45_count_base(const struct ct_c45_engine *engine, size_t values, float weight);

/* The attribute of greatest worth by the merits of all; SIZE_MAX where none has any. */
size_t ct_c45_choose(const struct ct_c45_engine *engine);

/* Turns a leaf into the chosen test of this attribute, its branches yet without children. False without
 * memory. */
bool ct_c45_make_test(struct ct_c45_engine *engine, size_t attribute, struct ct_c45_node *node);

/* Back into a leaf. */
void ct_c45_make_leaf(struct ct_c45_node *node);

/* The first class of the greatest weight. */
uint16_t ct_c45_first_best(const float *frequencies, size_t classes);

/* --- trees --- */

/* Grows a tree over the first `count` places. CT_OK, CT_E_MEMORY; CT_E_LIMIT where it gets too deep. */
int ct_c45_grow(struct ct_c45_engine *engine, size_t count, struct ct_c45_node **ret_root);

/* Prunes a tree in place, over all cases. CT_OK, CT_E_MEMORY. */
int ct_c45_prune(struct ct_c45_engine *engine, struct ct_c45_node *root, bool *ret_changed);

/* Takes out of the last sets what cannot come there (c45_tidy.c). */
int ct_c45_tidy(struct ct_c45_engine *engine, struct ct_c45_node *root);

/* Sets lower and upper bounds of thresholds; appends a line for each test to `text` (c45_soften.c). */
void ct_c45_soften(struct ct_c45_engine *engine, struct ct_c45_node *root, struct ct_text *text);

#endif
