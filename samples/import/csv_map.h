/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_CSV_MAP_H
#define CT_SAMPLES_IMPORT_CSV_MAP_H

#include "algorithms/method.h"
#include "plan/cell_key.h"

/* The meaning of the columns of a foreign table. */

/* What a row can hold. */
enum ct_csv_field {
    CT_CSV_COLLECTIVE,
    CT_CSV_METHOD,
    CT_CSV_BY,
    CT_CSV_LAUNCH,
    CT_CSV_KEYS, /* the first key of a cell; enum ct_key up to CT_KEY_COLUMNS counts on from here */
    CT_CSV_ROOT = CT_CSV_KEYS + CT_KEY_COLUMNS,
    CT_CSV_SECONDS,
    CT_CSV_REPETITIONS,
    CT_CSV_FIELDS
};

/* As a map writes it. */
const char *ct_csv_field_name(int field);

/* Is it a word, and not a number? */
static inline bool ct_csv_is_word(enum ct_csv_field field)
{
    return field == CT_CSV_COLLECTIVE || field == CT_CSV_METHOD || field == CT_CSV_BY;
}

enum { CT_CSV_NAME = 80 };

/* Where a field's values come from. */
struct ct_csv_value {
    bool is_given;
    char column[CT_CSV_NAME]; /* "" where it is the same in all rows: */
    double constant;
    double factor;  /* what stands in the column, times this, */
    double divisor; /* divided by this, is the value */
    bool is_total;  /* of a message size: it counts the blocks of all ranks together */
};

struct ct_csv_map {
    struct ct_csv_value values[CT_CSV_FIELDS];
};

/* Reads a map: items separated by commas, each FIELD=COLUMN, FIELD=COLUMN*FACTOR or FIELD=NUMBER, and
 * msg_bytes=COLUMN/ranks. A factor is a number, or of seconds one of the units s, ms, us, ns. Seconds are
 * needed. What a column is called is up to the reader: it may be a number (#3) or a pattern of names. CT_OK,
 * or CT_E_INPUT saying what is wrong and what there is. */
int ct_csv_map_parse(const char *map, struct ct_error *error, struct ct_csv_map *ret_map);

/* Turns a number with a unit, as a cell of a column holds it, into the field's value. The map must have no
 * factor for that column, or the same unit. CT_OK, or CT_E_INPUT without a line. */
int ct_csv_value_of_unit(const struct ct_csv_value *value, enum ct_csv_field field, const char *unit,
                         double number, double *ret_value);

/* The units of a field, for messages; NULL if it has none. */
const char *ct_csv_units_text(enum ct_csv_field field);

/* The meaning of the words in a column of methods. */
struct ct_csv_methods {
    struct ct_csv_method {
        char word[CT_CSV_NAME];
        char spelling[CT_METHOD_TEXT]; /* as ct_method_parse() takes it; "-" leaves such rows out */
    } * list;
    size_t count;
};

/* Reads a list: items WORD=METHOD separated by commas; METHOD may hold commas of its own between its
 * algorithm's parameters. Methods are checked where `collective` is not CT_COLLECTIVES. Caller frees with
 * ct_csv_methods_free(). CT_OK, CT_E_INPUT, CT_E_MEMORY. */
int ct_csv_methods_parse(const char *list, enum ct_collective collective, struct ct_error *error,
                         struct ct_csv_methods *ret_methods);
void ct_csv_methods_free(struct ct_csv_methods *methods);

/* The meaning of a word; NULL if the list does not have it. */
const char *ct_csv_methods_find(const struct ct_csv_methods *methods, const char *word);

#endif
