/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_TUNING_FILES_TUNING_TABLES_H
#define CT_TESTS_TUNING_FILES_TUNING_TABLES_H

#include "codegen/generator.h"

/* The same random numbers from the same seed. */
size_t random_below(unsigned *seed, size_t below);

/* A tree of random tests on sizes up to `ranks` and 4 MB, and random methods out of all that sweeps try. */
struct ct_decision_tree random_tree(enum ct_collective collective, size_t ranks, unsigned *seed);

/* A table with such a tree of each collective; free with ct_table_free(). */
struct ct_table random_table(size_t ranks, unsigned *seed);

/* A table with the trees of a compact text, likewise. */
struct ct_table table_of(const char *source);

/* The leaf for these sizes. */
const struct ct_tree_node *leaf_at(const struct ct_decision_tree *tree, size_t comm_size, size_t msg_bytes);

/* Message sizes worth a look: both sides of each threshold of the tree, and the ends. Caller frees. */
size_t *sizes_of(const struct ct_decision_tree *tree, size_t *ret_count);

/* What the generator of that format writes; with its notes where `notes` is no NULL. Caller frees the texts.
 */
struct ct_text generated(const char *format, const struct ct_table *table,
                         const struct ct_generator_options *options, struct ct_text *notes);

#endif
