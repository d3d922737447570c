/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_LIBRARY_RULES_H
#define CT_CODEGEN_LIBRARY_RULES_H

#include "codegen/rules.h"
#include "codegen/translation.h"

/* A tree as rules for a library: which communicator and message sizes get which of its algorithms. */
struct ct_library_rules {
    struct ct_translation translation;
    struct ct_rules rules;
    bool says_nothing; /* the library's own choice everywhere */
};

/* Message sizes beyond `most` bytes are not told apart. Appends to `notes` what the library's files cannot
 * say. As ct_rules_make(). Caller frees with ct_library_rules_free(). */
int ct_library_rules_make(const struct ct_decision_tree *tree, const struct ct_translation_rules *rules,
                          size_t most, struct ct_error *error, struct ct_text *notes,
                          struct ct_library_rules *ret_rules);
void ct_library_rules_free(struct ct_library_rules *layout);

#endif
