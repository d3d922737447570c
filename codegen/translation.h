/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_TRANSLATION_H
#define CT_CODEGEN_TRANSLATION_H

#include "codegen/mapping.h"
#include "codegen/rules.h"
#include "decision/table.h"

/* Trees as rules for an MPI library: which of its algorithms it uses for which communicator and message
 * sizes. */

struct ct_translation {
    const struct ct_library_mapping *library;
    int release;      /* of the library, as in ct_mapping's `since` */
    bool commutative; /* take all operations as commutative */
    size_t most;      /* message sizes beyond this one are treated alike */
};

/* Can the library's files tell it to use the method in all calls that the method applies to? The native
 * method is the library's own choice. */
bool ct_translation_has(const struct ct_translation *translation, const struct ct_method *method);

/* The translation of a leaf. `fallback`, which has no needs, is for calls that do not meet the needs of
 * `method`. Both may leave the choice to the library. */
struct ct_translated {
    struct ct_theirs method;
    struct ct_theirs fallback;
};

enum { CT_OWN_CHOICE = 0 }; /* the library chooses itself; always the first choice */

struct ct_library_rules {
    struct ct_translated *choices; /* without duplicates; the rules refer to them */
    size_t choice_count;
    size_t capacity;
    struct ct_rules rules;
    bool says_nothing; /* the rules leave every choice to the library */
};

/* Translates every leaf of a tree: its method, if the library has it and its files can express its needs;
 * else its fallback; else the library's own choice. Appends a line to `notes` for each decision that the
 * library's files cannot express, and for each method that differs slightly. Status codes as of
 * ct_rules_make(). Caller frees with ct_library_rules_free(). */
int ct_library_rules_make(const struct ct_decision_tree *tree, const struct ct_translation *translation,
                          struct ct_error *error, struct ct_text *notes, struct ct_library_rules *ret_rules);
void ct_library_rules_free(struct ct_library_rules *rules);

/* Appends to `lines` what a library is told of one collective. */
typedef void ct_rules_writer(enum ct_collective collective, const struct ct_library_rules *rules,
                             struct ct_text *lines, struct ct_text *notes);

/* Calls `write` for every tree whose rules say something; *ret_count is how many these are. Status codes as
 * of ct_rules_make(). */
int ct_translate(const struct ct_table *table, const struct ct_translation *translation,
                 ct_rules_writer *write, struct ct_error *error, struct ct_text *lines, struct ct_text *notes,
                 size_t *ret_count);

/* Appends the line "COLLECTIVE: ..." unless `notes` has it already. */
void ct_note(struct ct_text *notes, enum ct_collective collective, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
