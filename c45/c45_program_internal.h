/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_C45_C45_PROGRAM_INTERNAL_H
#define CT_C45_C45_PROGRAM_INTERNAL_H

#include "c45/c45_program.h"
#include "learners/c45/c45_engine.h"

/* The parts of the report. */

/* One tree, grown and pruned. */
struct ct_c45_trial {
    struct ct_c45_pool pool;
    struct ct_c45_node *grown;
    struct ct_c45_node *pruned;
    bool changed; /* pruning changed the tree */
};

/* The random numbers of libc's random() without a seed. NULL without memory; caller frees with free(). */
struct ct_c45_random;
struct ct_c45_random *ct_c45_random_make(void);

/* Grows trees from windows, which misclassified cases join, until a tree is right everywhere. Puts the best
 * one into `trial` and appends a table of all. The engine must be an ordered one; the next trial continues
 * from the order of its cases. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_c45_grow_windows(struct ct_c45_engine *engine, const struct ct_c45_program *program,
                        struct ct_c45_random *random, struct ct_c45_trial *trial, struct ct_text *report);

/* Sets the lower and upper bounds of all thresholds; appends a line for each. */
void ct_c45_soften(struct ct_c45_engine *engine, struct ct_c45_node *root, struct ct_text *text);

/* Makes the engine append the output of -v to `text`; none for verbosity 0. `trace` must live as long as the
 * engine. */
struct ct_c45_trace {
    struct ct_text *text;
    size_t verbosity;
};
void ct_c45_trace_begin(struct ct_c45_engine *engine, struct ct_c45_trace *trace);

#endif
