/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TABLE_H
#define CT_DECISION_TABLE_H

#include "base/checksum.h"
#include "decision/score.h"
#include "decision/tree/tree.h"
#include "samples/run.h"

/* A decision table, NAME.xml: decision trees and their origin. table.rng is the schema; the format's version
 * is 2. */

/* A run that trees were learned from. All strings are owned. */
struct ct_table_run {
    char *name; /* unique in the table: the run's folder without the path */
    char *tool_version;
    char *created;
    char *backend;
    char *launcher;
    char *samples_checksum;     /* SHA-256 of samples.csv */
    char *description_checksum; /* and of run.xml */
    struct ct_property *properties;
    size_t property_count;
};

/* The description of a tree. */
struct ct_table_tree {
    size_t run; /* index into the table's runs */
    char *learner;
    char *modes;   /* of the calls that it was learned from: "nonblocking,persistent"; NULL: blocking alone */
    char *options; /* as the learner spells them: "max-depth=3 threshold=90"; "" where all are standard */
    struct ct_penalty penalty; /* on the run it was learned from */
    struct ct_penalty native;  /* of choosing native everywhere on that run; cells 0 if it was not measured */
};

struct ct_table {
    char *tool_version; /* that wrote it */
    struct ct_table_run *runs;
    size_t run_count;
    struct ct_decisions decisions;
    struct ct_table_tree *trees; /* one for each of decisions.trees */
};

/* The modes of the calls that a tree was learned from, a bit 1 << MODE for each. */
unsigned ct_table_modes(const struct ct_table_tree *about);

/* Frees what the description owns. */
void ct_table_tree_free(struct ct_table_tree *about);

/* An empty table of this tool's version. CT_OK, CT_E_MEMORY. Caller frees with ct_table_free(). */
int ct_table_begin(struct ct_table *ret_table);

/* Adds a run: takes its description and the checksums of its files. CT_OK; CT_E_SYSTEM where these cannot be
 * read; CT_E_MEMORY. */
int ct_table_add_run(struct ct_table *table, const struct ct_run *run, struct ct_error *error,
                     size_t *ret_index);

/* Was any of its trees learned from a run with these samples, byte for byte? CT_OK; CT_E_SYSTEM where they
 * cannot be read; CT_E_MEMORY. */
int ct_table_learned_from(const struct ct_table *table, const struct ct_run *run, struct ct_error *error,
                          bool *ret_learned_from);

/* Was any of its trees learned from an earlier state of this run: one of the same name and time of creation,
 * with other samples? As ct_table_learned_from(). */
int ct_table_is_outdated(const struct ct_table *table, const struct ct_run *run, struct ct_error *error,
                         bool *ret_outdated);

/* Adds a tree; *tree moves into the table and is left empty. `score` is its score on run `run`. CT_OK;
 * CT_E_INPUT where there is one of that collective; CT_E_MEMORY. */
int ct_table_add_tree(struct ct_table *table, struct ct_decision_tree *tree, size_t run, const char *learner,
                      const char *options, const struct ct_score *score, struct ct_error *error);

/* Appends a tree with its description; both move into the table and are left empty. CT_OK, CT_E_MEMORY. */
int ct_table_append(struct ct_table *table, struct ct_decision_tree *tree, struct ct_table_tree *about);

/* Reads a table. CT_E_INPUT with file, line and what was expected; CT_E_SYSTEM, CT_E_MEMORY.
 * Caller frees with ct_table_free(). */
int ct_table_read(const char *path, struct ct_error *error, struct ct_table *ret_table);

/* The same from text that is there already; `name` is what errors call it. */
int ct_table_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                   struct ct_table *ret_table);

/* Appends the XML. */
void ct_table_write(const struct ct_table *table, struct ct_text *text);

/* Refuses a table with foreign methods, which nothing but their own program can carry out: CT_E_INPUT with a
 * line in `error` that names the first, else CT_OK. */
int ct_table_check_own(const struct ct_table *table, const char *path, struct ct_error *error);

/* Writes it to a file that must not exist. CT_E_INPUT where it does; CT_E_SYSTEM, CT_E_MEMORY. */
int ct_table_create(const struct ct_table *table, const char *path, struct ct_error *error);

void ct_table_free(struct ct_table *table);

#endif
