/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_GENERATOR_H
#define CT_CODEGEN_GENERATOR_H

#include "decision/table.h"

/* Writes a decision table in a form that something else uses. */

struct ct_generator_options {
    const char
        *base; /* the file whose decisions are replaced in part; NULL: the format knows where to look */
    bool commutative; /* all operations may be taken to commute */
};

struct ct_generator {
    const char *name; /* of the format */
    const char *text; /* one line */
    bool takes_base;  /* options.base */
    /* Appends to `text`; the same table gives the same text always. Appends to `notes`, a line each, what of
     * the table the format cannot say, and what it says instead. CT_OK; CT_E_LIMIT with a line in `error`
     * where the format cannot hold the table; CT_E_INPUT, CT_E_SYSTEM where the base is wrong or cannot be
     * read; CT_E_MEMORY. */
    int (*generate)(const struct ct_table *table, const struct ct_generator_options *options,
                    struct ct_error *error, struct ct_text *text, struct ct_text *notes);
};

/* All formats, ended by NULL. */
extern const struct ct_generator *const ct_generators[];

/* The generator of that format; NULL where there is none. */
const struct ct_generator *ct_generator_find(const char *name);

/* A C header: an enum of methods, their spellings, and an inline function per collective. */
extern const struct ct_generator ct_c_generator;
/* The same with decisions in maps, which take the same few nanoseconds for any call: what the tuned library
 * is built with. */
extern const struct ct_generator ct_c_map_generator;
/* A C file: the same, and a function per collective that is no inline one. */
extern const struct ct_generator ct_c_source_generator;
/* The compact text that the tuned library reads at run time; see decision/tree/tree.h. */
extern const struct ct_generator ct_table_generator;

/* Files that MPI libraries choose by; docs/tuning-files.md. */
extern const struct ct_generator ct_ompi_generator;
extern const struct ct_generator ct_ompi_json_generator;
extern const struct ct_generator ct_mpich_generator;
extern const struct ct_generator ct_mpich_cvar_generator;
extern const struct ct_generator ct_intel_generator;
/* An aligned table for people. */
extern const struct ct_generator ct_plain_generator;

/* Appends words of others: printable ASCII only, and so that no C comment ends or opens and no trigraph
 * arises. */
void ct_harmless_append(const char *words, struct ct_text *text);

/* Appends a name in capitals, as variables of the environment have it. */
void ct_capitals_append(const char *name, struct ct_text *text);

/* Appends where the table comes from, line by line, each after `prefix`: runs with checksums, learners and
 * penalties; printable ASCII alone, and nothing that would end or open a C comment. */
void ct_provenance_write(const struct ct_table *table, const char *prefix, struct ct_text *text);

/* Appends the lines of `lines`, each after `prefix`, likewise harmless; nothing of none. */
void ct_lines_write(const struct ct_text *lines, const char *prefix, struct ct_text *text);

#endif
