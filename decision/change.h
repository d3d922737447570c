/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_CHANGE_H
#define CT_DECISION_CHANGE_H

#include "decision/map.h"

/* What changed between two runs: each method of each cell compared with itself. */

enum ct_change_kind {
    CT_CHANGE_SAME,       /* significantly within the equivalence margin */
    CT_CHANGE_SLOWER,     /* the second run takes significantly longer, and they are not the same */
    CT_CHANGE_FASTER,     /* or less */
    CT_CHANGE_UNDECIDED,  /* none of these is significant, or a time is not measured but predicted */
    CT_CHANGE_FAILS,      /* it crashed, hung or gave wrong results in the second run alone */
    CT_CHANGE_WORKS,      /* in the first one alone */
    CT_CHANGE_FIRST_ONLY, /* not measured in the second run */
    CT_CHANGE_SECOND_ONLY,
    CT_CHANGES
};

/* By enum: "same", "slower", "faster", "undecided", "fails", "works", "first-only", "second-only". */
extern const char *const ct_change_names[CT_CHANGES];

struct ct_change {
    enum ct_collective collective;
    struct ct_cell_key key;                     /* of the first run, if that has the cell */
    const struct ct_method *method;             /* of a map */
    const struct ct_statistics *before, *after; /* of the maps; NULL where the run does not have it */
    enum ct_change_kind kind;
    double
        p_value; /* of "the times are equal", not corrected for the number of comparisons; NAN: not tested */
};

/* A cell that both runs have. */
struct ct_changed_cell {
    enum ct_collective collective;
    const struct ct_map *maps[2]; /* of the two runs */
    const struct ct_cell *cells[2];
    bool overtaken; /* in the second run the best method of the first is significantly slower than the best */
};

struct ct_changes {
    struct ct_change *items; /* by collective and cell; those of a cell of the second run alone at the end of
                                their collective */
    size_t count;
    struct ct_changed_cell *cells;
    size_t cell_count;
    size_t counts[CT_CHANGES]; /* of the items, by kind */
    size_t only[2];            /* cells that the first, the second run alone has */
    size_t one_launch;         /* tested items that have one job launch in each run */
    size_t by_samples;         /* of these, tested by the samples of these launches */
    bool exact;                /* the times of both are computed and were compared as they are */
};

/* Compares the maps of two runs, which must outlive the changes; of native alone if `only_native`. The margin
 * is that of the maps. CT_OK or CT_E_MEMORY. Caller frees with ct_changes_free().
 *
 * Cells are the same if their keys are equal; they may differ in whether ranks yield, which is a condition of
 * the machine, as long as that leaves no choice. Cells that differ in message size alone are a group of
 * ct_change_test(). A group in which fewer than three methods have several job launches takes the variation
 * between launches from its whole collective, or from all collectives; where these do not know it either,
 * ct_change_order_test() compares samples. Holm's correction over all items keeps the family-wise error rate
 * of all statements "slower" and "faster" together at most CT_ALPHA, and that of all statements "same"
 * likewise. Computed times are compared as they are: same is what differs by at most the margin. */
int ct_changes_find(const struct ct_map *before, size_t before_count, const struct ct_map *after,
                    size_t after_count, bool only_native, struct ct_changes *ret_changes);
void ct_changes_free(struct ct_changes *changes);

/* Of items counted by what became of them, how many changed: are slower, faster, fail, or work again. */
size_t ct_changes_significant(const size_t counts[CT_CHANGES]);

/* t(second) / t(first); NAN if either is not known. */
double ct_change_ratio(const struct ct_change *change);

/* A geometric mean of ratios t(second) / t(first). Starts as all zeroes. */
struct ct_ratio_mean {
    double logs; /* sum */
    size_t count;
};

/* NAN without any ratio. */
double ct_ratio_mean_value(const struct ct_ratio_mean *mean);

/* The items of a collective and a communicator size, of all nodes and modes of calls. */
struct ct_change_group {
    enum ct_collective collective;
    size_t comm_size;
    size_t cells; /* that both runs have */
    size_t counts[CT_CHANGES];
    size_t overtaken;            /* of the cells */
    struct ct_ratio_mean all;    /* of all items measured in both runs */
    struct ct_ratio_mean native; /* of native */
    struct ct_ratio_mean best;   /* of the best method of each run */
};

/* Adds the other group's items to those of a group. */
void ct_change_group_join(struct ct_change_group *group, const struct ct_change_group *other);

/* The groups of the cells that both runs have, by collective and communicator size. CT_OK or CT_E_MEMORY.
 * Caller frees. */
int ct_change_groups_make(const struct ct_changes *changes, struct ct_change_group **ret_groups,
                          size_t *ret_count);

/* Indices of the items that changed, those that fail or work again first, then by falling factor between the
 * times. CT_OK or CT_E_MEMORY. Caller frees. */
int ct_changes_largest(const struct ct_changes *changes, size_t **ret_order, size_t *ret_count);

#endif
