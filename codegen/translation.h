/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_TRANSLATION_H
#define CT_CODEGEN_TRANSLATION_H

#include "base/text.h"
#include "codegen/mapping.h"
#include "decision/tree/tree.h"

/* The leaves of a tree as algorithms of an MPI library. */

/* The translation of a leaf. `fallback`, which has no needs, is for calls that do not meet the needs of
 * `method`. Both may leave the choice to the library. */
struct ct_translated {
    struct ct_theirs method;
    struct ct_theirs fallback;
};

enum { CT_OWN_CHOICE = 0 }; /* the library chooses itself; always the first item */

struct ct_translation {
    struct ct_translated *items; /* without duplicates */
    size_t count;
    size_t capacity;
    size_t *of_node; /* by node of the tree: its place among the items, CT_OWN_CHOICE for inner nodes */
};

struct ct_translation_rules {
    const struct ct_library_mapping *library;
    int release;      /* of the library, as in ct_mapping's `since` */
    bool commutative; /* take all operations as commutative */
};

/* Translates every leaf: its method, if the library has it and its files can express its needs; else its
 * fallback; else the library's own choice. Appends a line to `notes` for each method that was not found or
 * that differs slightly. CT_OK, CT_E_MEMORY. Caller frees with ct_translation_free(). */
int ct_translate(const struct ct_decision_tree *tree, const struct ct_translation_rules *rules,
                 struct ct_error *error, struct ct_text *notes, struct ct_translation *ret_translation);
void ct_translation_free(struct ct_translation *choices);

/* Appends the line "COLLECTIVE: ..." unless `notes` has it already. */
void ct_note(struct ct_text *notes, enum ct_collective collective, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
