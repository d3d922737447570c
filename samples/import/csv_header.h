/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_CSV_HEADER_H
#define CT_SAMPLES_IMPORT_CSV_HEADER_H

#include "samples/import/csv_map.h"
#include "samples/import/csv_table.h"
#include "samples/import/fact_pattern.h"

/* The header of a foreign table: which of its columns the map means, which hold results, and which ones the
 * source's condition is on. */

/* A column of results. */
struct ct_csv_results {
    size_t place;
    struct ct_facts facts; /* that its name says */
};

struct ct_csv_header {
    struct ct_csv_table *table;
    struct ct_csv_map map;
    struct ct_fact_pattern pattern;    /* of the columns of results; no pieces: the map names one */
    enum ct_fact facts[CT_CSV_FIELDS]; /* what such a name says of each field; CT_FACTS: nothing */
    char **where; /* the source's condition in words: "COLUMN=VALUE", then further values of it */
    size_t where_count;
    size_t *where_places;         /* the column of each word */
    size_t columns;               /* how many there are */
    size_t places[CT_CSV_FIELDS]; /* the columns that the map names */
    struct ct_csv_results *results;
    size_t result_count;
    size_t needed; /* columns of each row; those behind may be missing */
};

/* Reads the map and the condition of the source of the table's file, which is not read yet. Caller frees with
 * ct_csv_header_free(), after an error too. CT_OK, CT_E_INPUT, CT_E_MEMORY. */
int ct_csv_header_prepare(struct ct_csv_table *table, struct ct_csv_header *ret_header);
void ct_csv_header_free(struct ct_csv_header *header);

/* Cuts `line`, the first that is no comment, and takes it or the comment before it (NULL: there is none) as
 * the header. Sets *ret_is_row if the line is a row. CT_OK, CT_E_INPUT, CT_E_MEMORY. */
int ct_csv_header_read(struct ct_csv_header *header, char *line, char *comment, bool *ret_is_row);

/* Does each row have a word of its own for the field? */
bool ct_csv_header_has(const struct ct_csv_header *header, int field);

/* That word in the line that was cut last, for one of the columns of results. */
const char *ct_csv_header_word(const struct ct_csv_header *header, const struct ct_csv_results *results,
                               int field);

#endif
