/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_TRANSLATION_H
#define CT_CODEGEN_TRANSLATION_H

#include "base/text.h"
#include "codegen/mapping.h"
#include "decision/tree/tree.h"

/* A tree's leaves as a library's algorithms. */

/* What stands for a leaf. Where `method` needs something that the library does not see to itself, and a call
 * has not, `fallback` is meant, which needs nothing. Both may be the library's own choice. */
struct ct_translated {
    struct ct_theirs method;
    struct ct_theirs fallback;
};

enum { CT_OWN_CHOICE = 0 }; /* the library's own, always the first of them */

struct ct_translation {
    struct ct_translated *items; /* without duplicates */
    size_t count;
    size_t capacity;
    size_t *of_node; /* by node of the tree: its place among the items, CT_OWN_CHOICE where it is no leaf */
};

struct ct_translation_rules {
    const struct ct_library_mapping *library;
    int release;      /* of the library, as in ct_mapping's `since` */
    bool commutative; /* all operations may be taken to commute */
};

/* Finds what stands for each leaf: its method; where the library has none such, or cannot tell where it
 * applies, its `fallback`; else the library's own choice. Appends a line to `notes` for each method that was
 * not found, or stands for something a little different. CT_OK, CT_E_MEMORY. Caller frees with
 * ct_translation_free(). */
int ct_translate(const struct ct_decision_tree *tree, const struct ct_translation_rules *rules,
                 struct ct_error *error, struct ct_text *notes, struct ct_translation *ret_translation);
void ct_translation_free(struct ct_translation *choices);

/* Appends the line "COLLECTIVE: ..." unless it is there already. */
void ct_note(struct ct_text *notes, enum ct_collective collective, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
