/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_C_INTERNAL_H
#define CT_CODEGEN_C_INTERNAL_H

#include "decision/tree/tree_index.h"

/* The parts of generated decision functions. */

enum { CT_C_CONSTANT_TEXT = CT_METHOD_TEXT + 16 };

/* The constant of a method in C: "bcast/split_binary:seg=8K" is COLLTUNE_BCAST_SPLIT_BINARY_SEG_8K. Returns
 * `name`. */
char *ct_c_constant(const struct ct_method *method, char name[CT_C_CONSTANT_TEXT]);

/* The choices of a tree, without duplicates, in the order of its leaves. */
struct ct_c_choices {
    const struct ct_decision_tree *tree;
    struct ct_tree_choice *choices;
    size_t count;
};

/* CT_OK, CT_E_MEMORY. Caller frees choices. */
int ct_c_choices_find(const struct ct_decision_tree *tree, struct ct_c_choices *ret_choices);
/* The place of a choice among them. */
size_t ct_c_choices_place(const struct ct_c_choices *choices, struct ct_tree_choice choice);
/* Appends the array `choices`; with letters, each stands at the place of its letter: ct_c_letter(). */
void ct_c_choices_write(const struct ct_c_choices *choices, bool with_letters, struct ct_text *text);

enum { CT_C_LETTERS = 62 };
/* The letter of a place below CT_C_LETTERS. */
char ct_c_letter(size_t place);

/* The body as a matrix of decisions; the index has cells and at least one side. CT_OK, CT_E_MEMORY. */
int ct_c_map_write(const struct ct_tree_index *index, struct ct_text *text);
/* The function that such bodies call; it stands before them. */
extern const char ct_c_map_helpers[];

#endif
