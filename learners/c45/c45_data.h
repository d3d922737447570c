/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_DATA_H
#define CT_LEARNERS_C45_C45_DATA_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What C4.5 learns from: classes and attributes, NAME.names, and cases, NAME.data and NAME.test, in the
 * formats of Quinlan 1993, C4.5: Programs for Machine Learning. */

enum {
    CT_C45_UNKNOWN = 0,        /* of a discrete attribute; its values are numbered from 1 */
    CT_C45_WORDS_MAX = 32767,  /* classes, attributes, or values of one */
    CT_C45_CASES_MAX = 1 << 24 /* counts are single precision, exact up to here */
};

/* Different words, numbered in the order they came. */
struct ct_c45_words {
    char **words; /* owned */
    size_t count;
    size_t capacity;
    uint16_t *slots; /* by hash: number of the word + 1 */
    size_t slot_count;
};

enum ct_c45_kind { CT_C45_CONTINUOUS, CT_C45_DISCRETE, CT_C45_IGNORED };

struct ct_c45_attribute {
    char *name; /* owned */
    enum ct_c45_kind kind;
    struct ct_c45_words values; /* value v is words[v - 1] */
    size_t limit;               /* of `discrete N`, whose values the cases bring; 0 otherwise */
    size_t trained;             /* of these, the values that .data brought or .names listed */
};

struct ct_c45_names {
    struct ct_c45_words classes;
    struct ct_c45_attribute *attributes;
    size_t attribute_count;
    size_t attribute_capacity;
};

/* Of one attribute, by case: unknown numbers are NAN, so that every number is a legal one. */
union ct_c45_column {
    float *numbers;   /* continuous */
    uint16_t *values; /* discrete */
};

struct ct_c45_cases {
    size_t count;
    size_t capacity;
    uint16_t *classes;
    union ct_c45_column *columns; /* by attribute; empty for those ignored */
    size_t column_count;
    bool complete; /* no value is unknown */
};

/* The number of the word; SIZE_MAX where it is not there. */
size_t ct_c45_words_find(const struct ct_c45_words *words, const char *word, size_t length);

/* Adds a word and returns CT_OK; CT_E_LIMIT beyond CT_C45_WORDS_MAX, CT_E_MEMORY. It must be new. */
int ct_c45_words_add(struct ct_c45_words *words, const char *word, size_t length);

/* Adds an attribute without values. CT_OK, CT_E_MEMORY. */
int ct_c45_names_add(struct ct_c45_names *names, const char *name, size_t length, enum ct_c45_kind kind);

/* Reads a .names text; `file` is what errors call it. CT_OK; CT_E_INPUT with file, line and what was
 * expected; CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_c45_names_free(). */
int ct_c45_names_parse(const char *text, size_t length, const char *file, struct ct_error *error,
                       struct ct_c45_names *ret_names);
void ct_c45_names_free(struct ct_c45_names *names);

/* Reads a .data text (`training`) or a .test text. Values of `discrete N` attributes that are new are added
 * to `names`, also where it fails. Errors as above: an illegal value or class is one, as are no cases at
 * all. Caller frees with ct_c45_cases_free(). */
int ct_c45_cases_parse(const char *text, size_t length, const char *file, bool training,
                       struct ct_c45_names *names, struct ct_error *error, struct ct_c45_cases *ret_cases);

/* Makes room for another case, and columns for the first: the caller fills what stands at cases->count and
 * adds 1 to that. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_c45_cases_reserve(struct ct_c45_cases *cases, const struct ct_c45_names *names);
void ct_c45_cases_free(struct ct_c45_cases *cases);

#endif
