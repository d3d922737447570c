/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/learn_features.h"

#include <string.h>

static bool is_listed(const struct ct_learn_features *features, size_t number)
{
    for (size_t i = 0; i < features->count; i++)
        if (features->numbers[i] == number)
            return true;
    return false;
}

int ct_learn_features_list(struct ct_learn_features *features, const char *list, struct ct_error *error)
{
    char **names;
    size_t count, number;
    int status = ct_words_split(list, error, &names, &count);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        status = ct_feature_find(&features->set, names[i], error, &number);
        if (status == CT_OK && !is_listed(features, number))
            features->numbers[features->count++] = number;
    }
    ct_words_free(names, count);
    features->listed = true;
    return status;
}

int ct_learn_features_define(struct ct_learn_features *features, const char *definition,
                             struct ct_error *error)
{
    size_t number;
    int status = ct_feature_define(&features->set, definition, error, &number);
    if (status == CT_OK)
        features->numbers[features->count++] = number;
    return status;
}

int ct_learn_features_complete(struct ct_learn_features *features, struct ct_error *error)
{
    if (features->listed)
        return CT_OK;
    features->usual = true;
    return ct_learn_features_list(features, CT_LEARN_FEATURES, error);
}

int ct_learn_features_read(const struct ct_option *option, const char *word, void *settings,
                           struct ct_error *error)
{
    struct ct_learn_features *features = (struct ct_learn_features *)((char *)settings + option->offset);
    struct ct_error why = {""};
    int status = strcmp(option->name, "features") == 0 ? ct_learn_features_list(features, word, &why)
                                                       : ct_learn_features_define(features, word, &why);
    return status == CT_OK ? CT_OK : ct_fail(error, status, "--%s: %s", option->name, why.text);
}

static bool is_of_user(const struct ct_learn_features *features, size_t number)
{
    return number >= CT_FEATURES && !features->set.composites[number - CT_FEATURES].known;
}

void ct_learn_features_spell(const struct ct_learn_features *features, struct ct_text *text)
{
    const char *before = " features=";
    for (size_t i = 0; !features->usual && i < features->count; i++) {
        if (is_of_user(features, features->numbers[i]))
            continue;
        ct_text_append(text, "%s%s", before, ct_feature_name(&features->set, features->numbers[i]));
        before = ",";
    }
    for (size_t i = 0; i < features->count; i++) {
        if (!is_of_user(features, features->numbers[i]))
            continue;
        ct_text_append(text, " feature=");
        ct_feature_write(&features->set.composites[features->numbers[i] - CT_FEATURES], text);
    }
}

void ct_learn_features_free(struct ct_learn_features *features)
{
    ct_feature_set_free(&features->set);
    *features = (struct ct_learn_features){0};
}

static const struct ct_learn_features usual_features = {
    .numbers = {CT_FEATURE_COMM_SIZE, CT_FEATURE_MSG_BYTES, CT_FEATURE_DEGREE, CT_FEATURE_MEAN_DEGREE,
                CT_FEATURE_IMBALANCE, CT_FEATURE_ON_NODE},
    .count = 6};

static bool tells_apart(const struct ct_map *map, const struct ct_feature_set *set, size_t number)
{
    if (!ct_collectives[map->collective].has_size && ct_feature_uses(set, number, CT_FEATURE_MSG_BYTES))
        return false;
    size_t first = 0;
    for (size_t c = 0; c < map->cell_count; c++) {
        struct ct_features cell = ct_key_features(&map->cells[c].key);
        size_t value = ct_feature_value(set, number, &cell);
        first = c == 0 ? value : first;
        if (value != first)
            return true;
    }
    return false;
}

struct ct_feature_columns ct_feature_columns_of(const struct ct_map *map,
                                                const struct ct_learn_features *features)
{
    const struct ct_learn_features *from = features ? features : &usual_features;
    struct ct_feature_columns columns = {.set = &from->set};
    for (size_t i = 0; i < from->count; i++)
        if (tells_apart(map, columns.set, from->numbers[i]))
            columns.numbers[columns.count++] = from->numbers[i];
    return columns;
}

void ct_feature_columns_take(const struct ct_feature_columns *columns, const struct ct_features *call,
                             size_t *ret_values)
{
    for (size_t i = 0; i < columns->count; i++)
        ret_values[i] = ct_feature_value(columns->set, columns->numbers[i], call);
}
