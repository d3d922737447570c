/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/parameter.h"
#include "algorithms/algorithm.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct ct_parameter ct_segment_parameter = {
    .name = "seg",
    .text = "segment size in bytes, 0 does not cut",
    .least = 0,
    .most = SIZE_MAX,
    .standard = 0,
    .in_bytes = true,
    .sweep = "0,1K,8K,16K",
};

const struct ct_parameter ct_chains_parameter = {
    .name = "radix",
    .text = "number of chains",
    .least = 1,
    .most = 64,
    .standard = 2,
    .sweep = "2,4",
};

const struct ct_parameter ct_radix_parameter = {
    .name = "radix",
    .text = "fan-out of a tree, base of an exchange",
    .least = 2,
    .most = 64,
    .standard = 2,
    .sweep = "2,4,8",
};

const struct ct_parameter ct_wide_radix_parameter = {
    .name = "radix",
    .text = "fan-out of a tree, base of an exchange",
    .least = 2,
    .most = 64,
    .standard = 4,
    .sweep = "3,4,8",
};

const struct ct_parameter ct_requests_parameter = {
    .name = "reqs",
    .text = "most messages outstanding at once",
    .least = 2,
    .most = 4096,
    .standard = 8,
    .sweep = "4,16",
};

static bool is_plain(const struct ct_algorithm *algorithm)
{
    return algorithm && !ct_is_native(algorithm) &&
           !(algorithm->descriptor->constraints & ~(unsigned)CT_CONSTRAINT_COMMUTATIVE);
}

bool ct_parameter_allows(const struct ct_parameter *parameter, const struct ct_algorithm *algorithm)
{
    if (!is_plain(algorithm) || algorithm->collective != parameter->inner[0])
        return false;
    for (int i = 1; i < parameter->inner_count; i++)
        if (!is_plain(ct_algorithm_find(parameter->inner[i], algorithm->name)))
            return false;
    return true;
}

/* The index of the algorithm of that name, if it is allowed. */
static bool find_name(const struct ct_parameter *parameter, const char *name, size_t *ret_index)
{
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        if (strcmp(ct_algorithms[i].name, name) != 0 || !ct_parameter_allows(parameter, &ct_algorithms[i]))
            continue;
        *ret_index = i;
        return true;
    }
    return false;
}

size_t ct_parameter_standard(const struct ct_parameter *parameter)
{
    size_t index = 0;
    if (!parameter->standard_name)
        return parameter->standard;
    find_name(parameter, parameter->standard_name, &index);
    return index;
}

bool ct_parameter_parse(const struct ct_parameter *parameter, const char *word, size_t *ret_value)
{
    if (parameter->standard_name)
        return find_name(parameter, word, ret_value);
    return ct_size_parse(word, ret_value) == CT_OK && *ret_value >= parameter->least &&
           *ret_value <= parameter->most;
}

char *ct_parameter_format(const struct ct_parameter *parameter, size_t value, char text[CT_VALUE_TEXT])
{
    char number[CT_SIZE_TEXT];
    if (parameter->standard_name)
        snprintf(text, CT_VALUE_TEXT, "%s", ct_algorithms[value].name);
    else if (parameter->in_bytes)
        snprintf(text, CT_VALUE_TEXT, "%s", ct_size_format(value, number));
    else
        snprintf(text, CT_VALUE_TEXT, "%zu", value);
    return text;
}

void ct_parameter_describe(const struct ct_parameter *parameter, char *text, size_t room)
{
    char most[CT_SIZE_TEXT];
    if (!parameter->standard_name) {
        snprintf(text, room, "a number from %zu to %s", parameter->least,
                 parameter->most == SIZE_MAX ? "any" : ct_size_format(parameter->most, most));
        return;
    }
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < ct_algorithm_count && length < room; i++)
        if (ct_parameter_allows(parameter, &ct_algorithms[i]))
            length += (size_t)snprintf(text + length, room - length, "%s%s", length ? ", " : "one of ",
                                       ct_algorithms[i].name);
}

int ct_parameter_sweep(const struct ct_parameter *parameter, size_t **ret_values, size_t *ret_count)
{
    if (!parameter->standard_name)
        return ct_list_parse(parameter->sweep, NULL, ret_values, ret_count);
    char **names;
    size_t count, found = 0;
    int status = ct_words_split(parameter->sweep, NULL, &names, &count);
    if (status != CT_OK)
        return status;
    size_t *values = ct_allocate(count, sizeof *values);
    for (size_t i = 0; values && i < count; i++)
        found += find_name(parameter, names[i], &values[found]);
    ct_words_free(names, count);
    if (!values)
        return CT_E_MEMORY;
    *ret_values = values;
    *ret_count = found;
    return CT_OK;
}
