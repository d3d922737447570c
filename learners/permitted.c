/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/permitted.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* An item that some collective has, if not this one, is well spelled. */
static int check_elsewhere(const char *item, struct ct_error *error)
{
    struct ct_method method;
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (ct_method_parse_any(item, (enum ct_collective)i, NULL, &method) == CT_OK)
            return CT_OK;
    if (strchr(item, '/'))
        return ct_method_parse_any(item, CT_COLLECTIVES, error, &method);
    return ct_fail(error, CT_E_INPUT, "'%s' is not a method of any collective (see colltune list)", item);
}

int ct_learn_allowed(const struct ct_map *map, const char *exclude, struct ct_error *error,
                     bool **ret_allowed)
{
    char **items = NULL;
    size_t count = 0;
    bool *allowed = ct_allocate(map->method_count, sizeof *allowed);
    if (!allowed)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    for (size_t m = 0; m < map->method_count; m++)
        allowed[m] = true;
    int status = exclude ? ct_words_split(exclude, error, &items, &count) : CT_OK;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        struct ct_method method;
        bool all = !strchr(items[i], ':');
        if (strcmp(items[i], ct_foreign_algorithms[map->collective].name) == 0) {
            for (size_t m = 0; m < map->method_count; m++)
                allowed[m] = allowed[m] && !ct_is_foreign(map->methods[m].algorithm);
            continue;
        }
        if (ct_method_parse_any(items[i], map->collective, NULL, &method) != CT_OK) {
            status = check_elsewhere(items[i], error);
            continue;
        }
        for (size_t m = 0; m < map->method_count; m++)
            if (all && !ct_is_foreign(method.algorithm) ? map->methods[m].algorithm == method.algorithm
                                                        : ct_method_equal(&map->methods[m], &method))
                allowed[m] = false;
    }
    ct_words_free(items, count);
    if (status != CT_OK) {
        free(allowed);
        return status;
    }
    *ret_allowed = allowed;
    return CT_OK;
}

int ct_learn_permitted(const struct ct_map *map, const struct ct_learn_settings *settings,
                       struct ct_error *error, bool **ret_allowed)
{
    bool *allowed;
    int status = ct_learn_allowed(map, settings->exclude, error, &allowed);
    if (status != CT_OK)
        return status;
    for (size_t m = 0; settings->target && m < map->method_count; m++)
        allowed[m] = allowed[m] && settings->target_has(settings->target_context, &map->methods[m]);
    *ret_allowed = allowed;
    return CT_OK;
}
