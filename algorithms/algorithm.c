/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/algorithm.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_commutative(const struct ct_call *call)
{
    return call->commutative;
}

static bool is_power_of_two(const struct ct_call *call)
{
    return (call->size & (call->size - 1)) == 0;
}

static bool is_even(const struct ct_call *call)
{
    return call->size % 2 == 0;
}

static bool has_nodes(const struct ct_call *call)
{
    return call->nodes && call->nodes->count > 1 && call->nodes->count < call->size;
}

const struct ct_constraint_description ct_constraints[] = {
    {CT_CONSTRAINT_COMMUTATIVE, "commutative operation", is_commutative},
    {CT_CONSTRAINT_POWER_OF_TWO, "power-of-two size", is_power_of_two},
    {CT_CONSTRAINT_EVEN, "even size", is_even},
    {CT_CONSTRAINT_NODES_KNOWN, "several nodes with several ranks", has_nodes},
    {0, NULL, NULL},
};

const struct ct_algorithm *ct_algorithm_find(enum ct_collective collective, const char *name)
{
    for (size_t i = 0; i < ct_algorithm_count; i++)
        if (ct_algorithms[i].collective == collective && strcmp(ct_algorithms[i].name, name) == 0)
            return &ct_algorithms[i];
    return NULL;
}

bool ct_constraints_hold(unsigned constraints, const struct ct_call *call,
                         const struct ct_constraint_description **ret_failed)
{
    for (const struct ct_constraint_description *each = ct_constraints; constraints; each++) {
        if ((constraints & each->constraint) && !each->holds(call)) {
            if (ret_failed)
                *ret_failed = each;
            return false;
        }
        constraints &= ~(unsigned)each->constraint;
    }
    return true;
}

int ct_parameter_count(const struct ct_descriptor *descriptor)
{
    int count = 0;
    while (count < CT_PARAMETERS_MAX && descriptor->parameters[count])
        count++;
    return count;
}

const struct ct_parameter ct_segment_parameter = {
    .name = "seg",
    .text = "segment size in bytes, 0 does not cut",
    .least = 0,
    .most = SIZE_MAX,
    .standard = 0,
    .in_bytes = true,
    .sweep = "0,1K,8K,16K",
};

const struct ct_parameter ct_unswept_segment_parameter = {
    .name = "seg",
    .text = "segment size in bytes, 0 does not cut",
    .least = 0,
    .most = SIZE_MAX,
    .standard = 0,
    .in_bytes = true,
    .sweep = "0",
};

const struct ct_parameter ct_chains_parameter = {"radix",    "number of chains", "2,4",
                                                 .least = 1, .most = 64,         .standard = 2};

const struct ct_parameter ct_radix_parameter = {
    "radix", "fan-out of a tree, base of an exchange", "2,4,8", .least = 2, .most = 64, .standard = 2};

const struct ct_parameter ct_wide_radix_parameter = {
    "radix", "fan-out of a tree, base of an exchange", "3,4,8", .least = 2, .most = 64, .standard = 4};

const struct ct_parameter ct_children_parameter = {
    "radix", "children of each rank", "4", .least = 2, .most = 64, .standard = 4};

const struct ct_parameter ct_requests_parameter = {
    "reqs", "most messages outstanding at once", "4,16", .least = 2, .most = 4096, .standard = 8};

const struct ct_parameter ct_dimensions_parameter = {
    "dims", "dimensions of the grid of ranks, at most log2 P", "2,3", .least = 1, .most = 30, .standard = 2};

static bool is_plain(const struct ct_algorithm *algorithm)
{
    return algorithm && ct_has_plan(algorithm) &&
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
    if (!parameter->standard_name) {
        snprintf(text, room, "a number from %zu to %s", parameter->least,
                 parameter->most == SIZE_MAX ? "any" : ct_size_format(parameter->most, most));
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

static size_t value_for(const struct ct_parameter *parameter, const struct ct_call *outer_call)
{
    const struct ct_descriptor *outer = outer_call->descriptor;
    for (int i = 0; i < ct_parameter_count(outer); i++)
        if (strcmp(outer->parameters[i]->name, parameter->name) == 0)
            return outer_call->values[i];
    return ct_parameter_standard(parameter);
}

void ct_inner_build(struct ct_plan *plan, const struct ct_call *outer_call, const struct ct_descriptor *inner,
                    struct ct_call *inner_call)
{
    size_t values[CT_PARAMETERS_MAX];
    for (int i = 0; i < ct_parameter_count(inner); i++)
        values[i] = value_for(inner->parameters[i], outer_call);
    inner_call->descriptor = inner;
    inner_call->values = values;
    inner->build(plan, inner_call);
}
