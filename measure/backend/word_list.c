/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/word_list.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void ct_word_list_add(struct ct_word_list *words, char *word)
{
    if (words->status == CT_OK)
        words->status = word ? ct_grow(&words->data, &words->capacity, words->count + 2, sizeof *words->data)
                             : CT_E_MEMORY;
    if (words->status != CT_OK) {
        free(word);
        return;
    }
    words->data[words->count++] = word;
    words->data[words->count] = NULL;
}

void ct_word_list_add_all(struct ct_word_list *words, const char *const *more)
{
    for (; more && *more; more++)
        ct_word_list_add(words, strdup(*more));
}

void ct_word_list_free(struct ct_word_list *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->data[i]);
    free(words->data);
    *words = (struct ct_word_list){0};
}
