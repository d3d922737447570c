/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/algorithm.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

const struct ct_algorithm *ct_algorithm_find(enum ct_collective collective, const char *name)
{
    return ct_list_find(&ct_registry, collective, name);
}

bool ct_parameter_allows(const struct ct_parameter *parameter, const struct ct_algorithm *algorithm)
{
    return ct_list_allows(&ct_registry, parameter, algorithm);
}

size_t ct_parameter_standard(const struct ct_parameter *parameter)
{
    return ct_list_standard(&ct_registry, parameter);
}

/* The index of the algorithm of that name, if it is allowed. */
static bool find_name(const struct ct_parameter *parameter, const char *name, size_t *ret_index)
{
    return ct_list_index(&ct_registry, parameter, name, ret_index);
}

/* The index of the word. */
static bool find_word(const struct ct_parameter *parameter, const char *word, size_t *ret_index)
{
    for (size_t i = 0; i <= parameter->most; i++)
        if (strcmp(parameter->words[i], word) == 0) {
            *ret_index = i;
            return true;
        }
    return false;
}

bool ct_parameter_parse(const struct ct_parameter *parameter, const char *word, size_t *ret_value)
{
    if (parameter->standard_name)
        return find_name(parameter, word, ret_value);
    if (parameter->words)
        return find_word(parameter, word, ret_value);
    return ct_size_parse(word, ret_value) == CT_OK && *ret_value >= parameter->least &&
           *ret_value <= parameter->most;
}

char *ct_parameter_format(const struct ct_parameter *parameter, size_t value, char text[CT_VALUE_TEXT])
{
    char number[CT_SIZE_TEXT];
    if (parameter->standard_name)
        snprintf(text, CT_VALUE_TEXT, "%s", ct_algorithms[value].name);
    else if (parameter->words)
        snprintf(text, CT_VALUE_TEXT, "%s", parameter->words[value]);
    else if (parameter->in_bytes)
        snprintf(text, CT_VALUE_TEXT, "%s", ct_size_format(value, number));
    else
        snprintf(text, CT_VALUE_TEXT, "%zu", value);
    return text;
}

void ct_parameter_describe(const struct ct_parameter *parameter, char *text, size_t room)
{
    char most[CT_SIZE_TEXT];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; parameter->words && i <= parameter->most && length < room; i++)
        length += (size_t)snprintf(text + length, room - length, "%s%s", length ? ", " : "one of ",
                                   parameter->words[i]);
    if (parameter->words)
        return;
    if (!parameter->standard_name && parameter->most == SIZE_MAX) {
        snprintf(text, room, "a number of at least %zu", parameter->least);
        return;
    }
    if (!parameter->standard_name) {
        snprintf(text, room, "a number from %zu to %s", parameter->least,
                 ct_size_format(parameter->most, most));
        return;
    }
    for (size_t i = 0; i < ct_algorithm_count && length < room; i++)
        if (ct_parameter_allows(parameter, &ct_algorithms[i]))
            length += (size_t)snprintf(text + length, room - length, "%s%s", length ? ", " : "one of ",
                                       ct_algorithms[i].name);
}

int ct_parameter_sweep(const struct ct_parameter *parameter, size_t **ret_values, size_t *ret_count)
{
    if (!parameter->standard_name && !parameter->words)
        return ct_list_parse(parameter->sweep, NULL, ret_values, ret_count);
    char **names;
    size_t count, found = 0;
    int status = ct_words_split(parameter->sweep, NULL, &names, &count);
    if (status != CT_OK)
        return status;
    size_t *values = ct_allocate(count, sizeof *values);
    for (size_t i = 0; values && i < count; i++)
        found += (parameter->words ? find_word : find_name)(parameter, names[i], &values[found]);
    ct_words_free(names, count);
    if (!values)
        return CT_E_MEMORY;
    *ret_values = values;
    *ret_count = found;
    return CT_OK;
}

const struct ct_descriptor *ct_descriptor_named(size_t value, enum ct_collective collective)
{
    assert(value < ct_algorithm_count);
    return ct_algorithm_find(collective, ct_algorithms[value].name)->descriptor;
}
