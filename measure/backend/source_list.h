/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_SOURCE_LIST_H
#define CT_MEASURE_BACKEND_SOURCE_LIST_H

#include "base/error.h"

#include <stddef.h>

/* Strings in a NULL-ended array: an argument vector in the making. All zeroes is an empty one. */
struct ct_word_list {
    char **data; /* NULL while there is none */
    size_t count;
    size_t capacity;
    int status; /* the first failure while adding; CT_OK */
};

/* Appends a heap string, which belongs to the list from now on; NULL stands for one that there was no memory
 * for. */
void ct_word_list_add(struct ct_word_list *words, char *word);
/* Leaves all zeroes. */
void ct_word_list_free(struct ct_word_list *words);

/* The sources of what is compiled for the MPI at hand ("benchmark", "library": LIST.list of the build) as
 * full paths; *ret_root is the folder that includes are relative to. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a
 * line in `error`; CT_E_MEMORY. Caller frees both. */
int ct_source_list_read(const char *list, struct ct_error *error, struct ct_word_list *ret_sources,
                        char **ret_root);

#endif
