/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_RULES_H
#define CT_CODEGEN_RULES_H

#include "codegen/mapping.h"
#include "decision/tree/tree.h"

/* A decision tree laid out as MPI libraries want it: for each communicator size from which on something
 * changes, the message sizes from which on something changes. The tree is asked, not walked, so that it may
 * test whatever the two sizes determine. */

struct ct_rule {
    size_t at_least; /* message size, in bytes as the library counts them */
    size_t choice;
};

struct ct_rule_row {
    size_t comm_size; /* from this one to the next row's */
    size_t first;     /* rule, for messages of 0 bytes and more; `count` of them, rising */
    size_t count;
};

struct ct_rules {
    struct ct_rule_row *rows; /* rising, the first for one rank; neighbours differ */
    size_t row_count;
    size_t row_capacity;
    struct ct_rule *rules;
    size_t rule_count;
    size_t rule_capacity;
    size_t exact;   /* up to this communicator size; beyond it a row stands for the next sizes up to an eighth
                       larger */
    bool ends_lost; /* the tree chooses otherwise for messages that are too large for the library to tell */
    bool sizes_lost; /* the tree looks at the message size where the library does not: `own` there */
};

enum {
    CT_RULES_EXACT = 128,  /* where not every communicator size can have a row, these have */
    CT_RULES_MAX = 1000000 /* deep trees have more, in files that nobody reads */
};

/* `choices` has one for each node of the tree; `own` is that of the library itself. Message sizes beyond
 * `most` bytes are no longer told apart. CT_OK; CT_E_LIMIT with a line in `error` where the tree tests what
 * the two sizes do not determine, or what may both rise and fall as messages grow, or where there would be
 * more than CT_RULES_MAX rules; CT_E_MEMORY. Caller frees with ct_rules_free(). */
int ct_rules_make(const struct ct_decision_tree *tree, const size_t *choices, size_t own,
                  enum ct_size_meaning meaning, size_t most, struct ct_error *error,
                  struct ct_rules *ret_rules);
void ct_rules_free(struct ct_rules *rules);

#endif
