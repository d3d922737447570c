/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_data.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- words --- */

struct sought {
    const struct ct_c45_words *words;
    const char *word;
    size_t length;
};

static bool is_word(const void *data, size_t number)
{
    const struct sought *sought = data;
    const char *word = sought->words->words[number];
    return strncmp(word, sought->word, sought->length) == 0 && word[sought->length] == '\0';
}

size_t ct_c45_words_find(const struct ct_c45_words *words, const char *word, size_t length)
{
    const struct sought sought = {words, word, length};
    return ct_hash_find(&words->numbers, ct_hash(0, word, length), is_word, &sought);
}

int ct_c45_words_add(struct ct_c45_words *words, const char *word, size_t length)
{
    if (words->count == CT_C45_WORDS_MAX)
        return CT_E_LIMIT;
    int status = ct_grow(&words->words, &words->capacity, words->count + 1, sizeof *words->words);
    if (status != CT_OK)
        return status;
    char *copy = strndup(word, length);
    if (!copy)
        return CT_E_MEMORY;
    status = ct_hash_add(&words->numbers, ct_hash(0, word, length), words->count);
    if (status == CT_OK)
        words->words[words->count++] = copy;
    else
        free(copy);
    return status;
}

int ct_c45_words_number(struct ct_c45_words *words, const char *word, uint16_t *ret_number)
{
    size_t number = ct_c45_words_find(words, word, strlen(word));
    if (number == SIZE_MAX) {
        number = words->count;
        int status = ct_c45_words_add(words, word, strlen(word));
        if (status != CT_OK)
            return status;
    }
    *ret_number = (uint16_t)number;
    return CT_OK;
}

void ct_c45_words_free(struct ct_c45_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->words[i]);
    free(words->words);
    ct_hash_free(&words->numbers);
    *words = (struct ct_c45_words){0};
}

/* --- names --- */

int ct_c45_names_add(struct ct_c45_names *names, const char *name, size_t length, enum ct_c45_kind kind)
{
    int status = ct_grow(&names->attributes, &names->attribute_capacity, names->attribute_count + 1,
                         sizeof *names->attributes);
    if (status != CT_OK)
        return status;
    char *copy = strndup(name, length);
    if (!copy)
        return CT_E_MEMORY;
    names->attributes[names->attribute_count++] = (struct ct_c45_attribute){.name = copy, .kind = kind};
    return CT_OK;
}

void ct_c45_names_free(struct ct_c45_names *names)
{
    for (size_t i = 0; i < names->attribute_count; i++) {
        free(names->attributes[i].name);
        ct_c45_words_free(&names->attributes[i].values);
    }
    ct_c45_words_free(&names->classes);
    free(names->attributes);
    *names = (struct ct_c45_names){0};
}

/* --- cases --- */

static int reserve_column(union ct_c45_column *column, enum ct_c45_kind kind, size_t capacity)
{
    if (kind == CT_C45_IGNORED)
        return CT_OK;
    size_t size = kind == CT_C45_CONTINUOUS ? sizeof *column->numbers : sizeof *column->values;
    void *room = realloc(column->numbers, capacity * size); /* whichever of the two it is */
    if (!room)
        return CT_E_MEMORY;
    column->numbers = room;
    return CT_OK;
}

int ct_c45_cases_reserve(struct ct_c45_cases *cases, const struct ct_c45_names *names)
{
    enum { FIRST = 64 };
    if (cases->count < cases->capacity)
        return CT_OK;
    if (cases->count == CT_C45_CASES_MAX)
        return CT_E_LIMIT;
    size_t capacity = cases->capacity ? 2 * cases->capacity : FIRST;
    if (!cases->columns) {
        cases->columns = ct_allocate(names->attribute_count, sizeof *cases->columns);
        if (!cases->columns)
            return CT_E_MEMORY;
        cases->column_count = names->attribute_count;
    }
    uint16_t *classes = realloc(cases->classes, capacity * sizeof *classes);
    if (!classes)
        return CT_E_MEMORY;
    cases->classes = classes;
    for (size_t i = 0; i < cases->column_count; i++)
        if (reserve_column(&cases->columns[i], names->attributes[i].kind, capacity) != CT_OK)
            return CT_E_MEMORY;
    cases->capacity = capacity;
    return CT_OK;
}

void ct_c45_cases_free(struct ct_c45_cases *cases)
{
    for (size_t i = 0; i < cases->column_count; i++)
        free(cases->columns[i].numbers);
    free(cases->columns);
    free(cases->classes);
    *cases = (struct ct_c45_cases){0};
}
