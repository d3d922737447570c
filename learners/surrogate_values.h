/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_SURROGATE_VALUES_H
#define CT_LEARNERS_SURROGATE_VALUES_H

#include "learners/place.h"
#include "learners/surrogate_base.h"
#include "learners/surrogate_process.h"

/* What a surrogate (surrogate.h) holds, and the values that its processes learn from. */

/* What a process describes: the times, their ratios to those of the base, or their ratios to what the methods
 * of the cell have in common. */
enum ct_surrogate_form { CT_SURROGATE_PLAIN, CT_SURROGATE_BASED, CT_SURROGATE_RELATIVE, CT_SURROGATE_FORMS };

/* The time to learn grows with the cube of the number of cells. If there are more cells than a box takes,
 * space is divided into boxes, each of which learns from so many cells in and around it. */
struct ct_surrogate_extent {
    size_t box_cells, search_cells, search_methods;
};

enum { CT_SURROGATE_LEAF = -1 };

/* The extent of some cells. */
struct ct_surrogate_range {
    double low[CT_PLACE_AXES], high[CT_PLACE_AXES];
};

/* A part of the space. Children are stored after their parents. */
struct ct_surrogate_box {
    int axis; /* CT_SURROGATE_LEAF: it has processes */
    double threshold;
    size_t low, high;
    struct ct_surrogate_range range;
    struct ct_process **processes; /* by form and method; NULL: not fitted so far */
};

struct ct_surrogate {
    const struct ct_map *map;
    const bool *allowed;
    const volatile sig_atomic_t *stop;
    struct ct_surrogate_extent extent;
    size_t axes;
    double (*places)[CT_PLACE_AXES]; /* by cell */
    double sampling;                 /* variance of a single sample's logarithm within a job; 0: unknown */
    struct ct_surrogate_base *base;  /* or NULL */
    double *base_logs;               /* by cell and method */
    bool *is_based;                  /* by method */
    double *levels;                  /* by cell: what its methods have in common; NAN: it has one or none */
    struct ct_process_scales scales[CT_SURROGATE_FORMS];
    struct ct_surrogate_box *boxes;
    size_t box_count, box_capacity;
    struct ct_process_value *values;        /* room for those of a process */
    double *relative, *relative_deviations; /* by method: room for estimates in a call */
};

bool ct_surrogate_measured(const struct ct_map *map, size_t cell, size_t method);

/* Does a process of this form learn from the method in the cell? */
bool ct_surrogate_has_value(const struct ct_surrogate *surrogate, enum ct_surrogate_form form, size_t cell,
                            size_t method);

/* What it learns there. */
struct ct_process_value ct_surrogate_value(const struct ct_surrogate *surrogate, enum ct_surrogate_form form,
                                           size_t cell, size_t method);

/* A number that the cells of one job share. Cells are sorted by key, message size last. */
size_t ct_surrogate_group(const struct ct_map *map, size_t cell);

#endif
