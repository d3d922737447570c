/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_DATA_H
#define CT_LEARNERS_C45_C45_DATA_H

#include "base/error.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The input of C4.5 in memory: classes, attributes and cases. c45/c45_files.h reads them from files. */

enum {
    CT_C45_UNKNOWN = 0,        /* value of a discrete attribute; known values are numbered from 1 */
    CT_C45_WORDS_MAX = 32767,  /* classes, attributes, or values of one attribute */
    CT_C45_CASES_MAX = 1 << 24 /* counts are in single precision, which is exact up to here */
};

/* Different words, numbered in the order in which they were added. Starts as all zeroes. */
struct ct_c45_words {
    char **words; /* owned */
    size_t count;
    size_t capacity;
    struct ct_hash_table numbers; /* by hash of the word */
};

enum ct_c45_kind { CT_C45_CONTINUOUS, CT_C45_DISCRETE, CT_C45_IGNORED };

struct ct_c45_attribute {
    char *name; /* owned */
    enum ct_c45_kind kind;
    struct ct_c45_words values; /* value v is words[v - 1] */
    size_t limit;               /* `discrete N`: N, the values are found in the cases; 0: they are listed */
    size_t trained;             /* how many of the values are listed or occur in the training cases */
};

struct ct_c45_names {
    struct ct_c45_words classes;
    struct ct_c45_attribute *attributes;
    size_t attribute_count;
    size_t attribute_capacity;
};

/* The values of one attribute, by case. An unknown number is NAN: every finite number is a legal value. */
union ct_c45_column {
    float *numbers;   /* continuous */
    uint16_t *values; /* discrete */
};

struct ct_c45_cases {
    size_t count;
    size_t capacity;
    uint16_t *classes;
    union ct_c45_column *columns; /* by attribute; empty for ignored ones */
    size_t column_count;
    const float *weights; /* by case, positive, borrowed; NULL: all are 1 */
    bool complete;        /* no value is unknown; the caller sets it */
};

/* The number of the word; SIZE_MAX if it is not there. */
size_t ct_c45_words_find(const struct ct_c45_words *words, const char *word, size_t length);

/* Adds a word that is not there yet. CT_OK; CT_E_LIMIT beyond CT_C45_WORDS_MAX; CT_E_MEMORY. */
int ct_c45_words_add(struct ct_c45_words *words, const char *word, size_t length);

/* The number of the word, which is added if it is new. Errors as above. */
int ct_c45_words_number(struct ct_c45_words *words, const char *word, uint16_t *ret_number);

void ct_c45_words_free(struct ct_c45_words *words);

/* Adds an attribute without values. CT_OK, CT_E_MEMORY. */
int ct_c45_names_add(struct ct_c45_names *names, const char *name, size_t length, enum ct_c45_kind kind);
void ct_c45_names_free(struct ct_c45_names *names);

/* Makes room for another case, and makes the columns for the first one. The caller fills in the values at
 * cases->count and adds 1 to it. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_c45_cases_reserve(struct ct_c45_cases *cases, const struct ct_c45_names *names);
void ct_c45_cases_free(struct ct_c45_cases *cases);

#endif
