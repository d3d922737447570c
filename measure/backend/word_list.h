/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_WORD_LIST_H
#define CT_MEASURE_BACKEND_WORD_LIST_H

#include <stddef.h>

/* Strings in a NULL-ended array: an argument vector that is being built. All zeroes is an empty one. */
struct ct_word_list {
    char **data; /* NULL as long as it is empty */
    size_t count;
    size_t capacity;
    int status; /* the first failure while adding, else CT_OK */
};

/* Appends a heap string, which belongs to the list from now on; NULL stands for a string for which there was
 * no memory. */
void ct_word_list_add(struct ct_word_list *words, char *word);
/* Appends copies of a NULL-ended array; NULL is an empty one. */
void ct_word_list_add_all(struct ct_word_list *words, const char *const *more);
/* Leaves all zeroes. */
void ct_word_list_free(struct ct_word_list *words);

#endif
