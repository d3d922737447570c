/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_RULES_H
#define CT_CODEGEN_RULES_H

#include "codegen/mapping.h"
#include "decision/tree/tree.h"

/* A decision tree as rows of rules, as MPI libraries want it: a row for each communicator size at which
 * decisions change, in it a rule for each message size at which they change. The tree is evaluated, not
 * traversed, so it may test any feature that the two sizes determine. */

struct ct_rule {
    size_t at_least; /* message size, in bytes as the library counts them */
    size_t choice;
};

struct ct_rule_row {
    size_t comm_size; /* from this size up to that of the next row */
    size_t first;     /* index of the row's first rule, for messages from 0 bytes on */
    size_t count;
};

struct ct_rules {
    struct ct_rule_row *rows; /* rising, the first for one rank; adjacent rows differ */
    size_t row_count;
    size_t row_capacity;
    struct ct_rule *rules;
    size_t rule_count;
    size_t rule_capacity;
    size_t exact;   /* rows are exact up to this communicator size; beyond it a row also covers sizes up to an
                       eighth larger */
    bool ends_lost; /* decisions change at sizes that are too large for the library */
    bool sizes_lost; /* decisions depend on the message size where the library ignores it: `own` there */
};

enum {
    CT_RULES_EXACT = 128,  /* if not every communicator size can have a row, these have */
    CT_RULES_MAX = 1000000 /* deep trees would give files that nobody can use */
};

/* `choices` has one choice for each node of the tree; `own` leaves the choice to the library. Message sizes
 * beyond `most` bytes are treated alike. CT_OK; CT_E_LIMIT with a line in `error` if the tree tests a feature
 * that the two sizes do not determine or that may both rise and fall as messages grow, or needs more than
 * CT_RULES_MAX rules; CT_E_MEMORY. Caller frees with ct_rules_free(). */
int ct_rules_make(const struct ct_decision_tree *tree, const size_t *choices, size_t own,
                  enum ct_size_meaning meaning, size_t most, struct ct_error *error,
                  struct ct_rules *ret_rules);
void ct_rules_free(struct ct_rules *rules);

#endif
