/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/unknown_method.h"
#include "plan/rank_grid.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    bool has_dimensions;
} kinds[CT_UNKNOWN_KINDS] = {
    [CT_UNKNOWN_NBX] = {.name = "nbx"},
    [CT_UNKNOWN_PERSONALIZED] = {.name = "personalized"},
    [CT_UNKNOWN_GRID] = {.name = "grid", .has_dimensions = true},
};

enum { STANDARD_DIMENSIONS = 2 };
static const char prefix[] = "exchange/", parameter[] = ":dims=";

/* Reads what follows the name. False: it is not what may follow. */
static bool read_dimensions(const char *rest, int *ret_dimensions)
{
    char *end;
    if (!*rest) {
        *ret_dimensions = STANDARD_DIMENSIONS;
        return true;
    }
    if (strncmp(rest, parameter, strlen(parameter)) != 0)
        return false;
    rest += strlen(parameter);
    long value = strtol(rest, &end, 10);
    *ret_dimensions = (int)value;
    return *rest >= '1' && *rest <= '9' && !*end && value <= CT_RANK_GRID_DIMENSIONS_MAX;
}

int ct_unknown_method_parse(const char *spelling, struct ct_error *error,
                            struct ct_unknown_method *ret_method)
{
    const char *name = spelling;
    if (strncmp(name, prefix, strlen(prefix)) == 0)
        name += strlen(prefix);
    for (int i = 0; i < CT_UNKNOWN_KINDS; i++) {
        size_t length = strlen(kinds[i].name);
        struct ct_unknown_method method = {.kind = (enum ct_unknown_kind)i};
        if (strncmp(name, kinds[i].name, length) != 0)
            continue;
        if (kinds[i].has_dimensions ? read_dimensions(name + length, &method.dimensions) : !name[length]) {
            *ret_method = method;
            return CT_OK;
        }
    }
    return ct_fail(error, CT_E_INPUT, "'%s': expected nbx, personalized, grid or grid:dims=N, N from 1 to %d",
                   spelling, CT_RANK_GRID_DIMENSIONS_MAX);
}

char *ct_unknown_method_format(const struct ct_unknown_method *method, char text[CT_UNKNOWN_METHOD_TEXT])
{
    int length = snprintf(text, CT_UNKNOWN_METHOD_TEXT, "%s%s", prefix, kinds[method->kind].name);
    if (kinds[method->kind].has_dimensions && method->dimensions != STANDARD_DIMENSIONS)
        snprintf(text + length, CT_UNKNOWN_METHOD_TEXT - (size_t)length, "%s%d", parameter,
                 method->dimensions);
    return text;
}

struct ct_unknown_method ct_unknown_method_standard(void)
{
    return (struct ct_unknown_method){.kind = CT_UNKNOWN_NBX};
}
