/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_GENERATOR_H
#define CT_CODEGEN_GENERATOR_H

#include "decision/table.h"

/* Writes a decision table in a form that something else uses. */

struct ct_generator {
    const char *name; /* of the format */
    const char *text; /* one line */
    /* Appends to `text`; the same table gives the same text always. CT_OK; CT_E_LIMIT with a line in `error`
     * where the format cannot hold the table; CT_E_MEMORY. */
    int (*generate)(const struct ct_table *table, struct ct_error *error, struct ct_text *text);
};

/* All formats, ended by NULL. */
extern const struct ct_generator *const ct_generators[];

/* The generator of that format; NULL where there is none. */
const struct ct_generator *ct_generator_find(const char *name);

/* A C header: an enum of methods, their spellings, and an inline function per collective. */
extern const struct ct_generator ct_c_generator;
/* The compact text that the tuned library reads at run time; see decision/tree.h. */
extern const struct ct_generator ct_table_generator;
/* Lists for people, of trees that test communicator and message size alone. */
extern const struct ct_generator ct_run_lengths_generator;

/* Appends words of others: printable ASCII only, and so that no C comment ends or opens and no trigraph
 * arises. */
void ct_harmless_append(const char *words, struct ct_text *text);

/* Appends where the table comes from, line by line, each after `prefix`: runs with checksums, learners and
 * penalties; printable ASCII alone, and nothing that would end or open a C comment. */
void ct_provenance_write(const struct ct_table *table, const char *prefix, struct ct_text *text);

#endif
