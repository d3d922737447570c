/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/feature_set.h"

#include <stdlib.h>
#include <string.h>

const struct ct_known_composite ct_known_composites[] = {
    {"total_bytes", "comm_size*msg_bytes", "message size times ranks", SIZE_MAX, true},
    {"even", "(comm_size+1)%2", "1 where the communicator has an even number of ranks, else 0", 1, false},
    {"power_of_two", "is_power_of_two(comm_size)",
     "1 where the communicator has a power of two of ranks, else 0", 1, false},
    {"relative_degree", "degree*100/log2(comm_size)",
     "of patterns: neighbors of the rank that has most, in percent of log2(comm_size)", SIZE_MAX, false},
    {"most_bytes", "degree*msg_bytes", "of patterns: message size times neighbors of the rank that has most",
     SIZE_MAX, true},
    {"mean_bytes", "mean_degree*msg_bytes/100", "of patterns: message size times mean number of neighbors",
     SIZE_MAX, true},
    {0},
};

/* Number of the feature in the set; CT_FEATURES_MAX where it is not there. */
static size_t place_of(const struct ct_feature_set *set, const char *name)
{
    for (size_t i = 0; i < CT_FEATURES; i++)
        if (strcmp(ct_feature_descriptors[i]->name, name) == 0)
            return i;
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->composites[i].name, name) == 0)
            return CT_FEATURES + i;
    return CT_FEATURES_MAX;
}

static const struct ct_known_composite *find_known(const char *name)
{
    for (const struct ct_known_composite *known = ct_known_composites; known->name; known++)
        if (strcmp(known->name, name) == 0)
            return known;
    return NULL;
}

static bool find_name(const void *context, const char *name, struct ct_expression *ret_expression)
{
    const struct ct_feature_set *set = context;
    const struct ct_names names = {find_name, set};
    size_t number = place_of(set, name);
    if (number < CT_FEATURES)
        *ret_expression = (struct ct_expression){{{.operation = CT_OPERATOR_FEATURE, .number = number}}, 1};
    else if (number < CT_FEATURES_MAX)
        *ret_expression = set->composites[number - CT_FEATURES].expression;
    else
        return find_known(name) &&
               ct_expression_parse(find_known(name)->formula, &names, NULL, ret_expression) == CT_OK;
    return true;
}

static int add(struct ct_feature_set *set, const struct ct_composite *composite, struct ct_error *error,
               size_t *ret_number)
{
    if (set->count == CT_COMPOSITES_MAX)
        return ct_fail(error, CT_E_LIMIT, "%s: too many composite features: expected at most %d",
                       composite->name, CT_COMPOSITES_MAX);
    struct ct_composite *grown = reallocarray(set->composites, set->count + 1, sizeof *grown);
    if (!grown)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    set->composites = grown;
    grown[set->count] = *composite;
    *ret_number = CT_FEATURES + set->count++;
    return CT_OK;
}

static int fail_unknown(const struct ct_feature_set *set, const char *name, struct ct_error *error)
{
    struct ct_text names = {0};
    for (size_t i = 0; i < CT_FEATURES; i++)
        ct_text_append(&names, "%s, ", ct_feature_descriptors[i]->name);
    for (size_t i = 0; i < set->count; i++)
        if (!set->composites[i].known)
            ct_text_append(&names, "%s, ", set->composites[i].name);
    for (const struct ct_known_composite *known = ct_known_composites; known->name; known++)
        ct_text_append(&names, "%s%s", known->name, known[1].name ? ", " : "");
    int status = ct_fail(error, CT_E_INPUT, "unknown feature '%.200s': expected %s", name,
                         names.failed ? "a known one" : names.data);
    ct_text_free(&names);
    return status;
}

int ct_feature_find(struct ct_feature_set *set, const char *name, struct ct_error *error, size_t *ret_number)
{
    size_t number = place_of(set, name);
    if (number < CT_FEATURES_MAX) {
        *ret_number = number;
        return CT_OK;
    }
    const struct ct_known_composite *known = find_known(name);
    if (!known)
        return fail_unknown(set, name, error);
    struct ct_composite composite = {.most = known->most, .in_bytes = known->in_bytes, .known = true};
    strcpy(composite.name, known->name);
    find_name(set, name, &composite.expression);
    return add(set, &composite, error, ret_number);
}

/* As C knows names, of small letters, and not a function's. */
static int check_name(const struct ct_feature_set *set, const char *name, size_t length,
                      struct ct_error *error)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    if (length == 0 || length >= CT_FEATURE_NAME || strspn(name, letters) < length || *name < 'a' ||
        *name > 'z')
        return ct_fail(
            error, CT_E_INPUT,
            "'%.200s': expected NAME=FORMULA, the name a letter and then letters a-z, digits and _, "
            "at most %d in all",
            name, CT_FEATURE_NAME - 1);
    char word[CT_FEATURE_NAME] = "";
    memcpy(word, name, length);
    if (ct_expression_has_function(word))
        return ct_fail(error, CT_E_INPUT, "'%.200s': %s is a function", name, word);
    if (place_of(set, word) < CT_FEATURES_MAX || find_known(word))
        return ct_fail(error, CT_E_INPUT, "'%.200s': there is a feature %s already", name, word);
    return CT_OK;
}

int ct_feature_define(struct ct_feature_set *set, const char *definition, struct ct_error *error,
                      size_t *ret_number)
{
    const char *equals = strchr(definition, '=');
    if (!equals)
        return ct_fail(error, CT_E_INPUT, "'%.200s': expected NAME=FORMULA", definition);
    size_t length = (size_t)(equals - definition);
    int status = check_name(set, definition, length, error);
    if (status != CT_OK)
        return status;
    struct ct_composite composite = {.most = SIZE_MAX};
    memcpy(composite.name, definition, length);
    const struct ct_names names = {find_name, set};
    status = ct_expression_parse(equals + 1, &names, error, &composite.expression);
    return status == CT_OK ? add(set, &composite, error, ret_number) : status;
}

int ct_feature_take(struct ct_feature_set *set, const struct ct_feature_set *from, size_t number,
                    struct ct_error *error, size_t *ret_number)
{
    if (number < CT_FEATURES) {
        *ret_number = number;
        return CT_OK;
    }
    const struct ct_composite *composite = &from->composites[number - CT_FEATURES];
    size_t place = place_of(set, composite->name);
    if (place == CT_FEATURES_MAX)
        return add(set, composite, error, ret_number);
    if (!ct_expression_equal(&set->composites[place - CT_FEATURES].expression, &composite->expression))
        return ct_fail(error, CT_E_INPUT, "%s has two formulas: expected one", composite->name);
    *ret_number = place;
    return CT_OK;
}

const char *ct_feature_name(const struct ct_feature_set *set, size_t number)
{
    return number < CT_FEATURES ? ct_feature_descriptors[number]->name
                                : set->composites[number - CT_FEATURES].name;
}

bool ct_feature_in_bytes(const struct ct_feature_set *set, size_t number)
{
    return number < CT_FEATURES ? ct_feature_descriptors[number]->in_bytes
                                : set->composites[number - CT_FEATURES].in_bytes;
}

size_t ct_feature_most(const struct ct_feature_set *set, size_t number)
{
    return number < CT_FEATURES ? SIZE_MAX : set->composites[number - CT_FEATURES].most;
}

bool ct_feature_uses(const struct ct_feature_set *set, size_t number, enum ct_feature basic)
{
    return number < CT_FEATURES
               ? number == (size_t)basic
               : ct_expression_uses(&set->composites[number - CT_FEATURES].expression, basic);
}

void ct_feature_write(const struct ct_composite *composite, struct ct_text *text)
{
    ct_text_append(text, "%s=", composite->name);
    ct_expression_write(&composite->expression, text);
}

void ct_feature_set_free(struct ct_feature_set *set)
{
    free(set->composites);
    *set = (struct ct_feature_set){0};
}
