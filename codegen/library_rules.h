/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_LIBRARY_RULES_H
#define CT_CODEGEN_LIBRARY_RULES_H

#include "codegen/rules.h"
#include "codegen/translation.h"

/* A tree as rules for an MPI library: which of its algorithms it uses for which communicator and message
 * sizes. */
struct ct_library_rules {
    struct ct_translation translation;
    struct ct_rules rules;
    bool says_nothing; /* the rules leave every choice to the library */
};

/* Message sizes beyond `most` bytes are treated alike. Appends a line to `notes` for each decision that the
 * library's files cannot express. Status codes as of ct_rules_make(). Caller frees with
 * ct_library_rules_free(). */
int ct_library_rules_make(const struct ct_decision_tree *tree, const struct ct_translation_rules *rules,
                          size_t most, struct ct_error *error, struct ct_text *notes,
                          struct ct_library_rules *ret_rules);
void ct_library_rules_free(struct ct_library_rules *layout);

#endif
