/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ct_c45_take_text(const char **place, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(*place, text, length) != 0)
        return false;
    *place += length;
    return true;
}

size_t ct_c45_take_level(const char **place)
{
    size_t level = 0;
    while (ct_c45_take_text(place, "|   "))
        level++;
    return level;
}

bool ct_c45_take_test(const char **place, const struct ct_c45_names *names, size_t *ret_attribute,
                      size_t *ret_operator)
{
    static const char *const operators[] = {" <= ", " > ", " = ", " in {"};
    const char *longest = NULL;
    for (size_t a = 0; a < names->attribute_count; a++) {
        for (size_t o = 0; o < sizeof operators / sizeof operators[0]; o++) {
            const char *here = *place;
            bool ordered = names->attributes[a].kind == CT_C45_CONTINUOUS;
            if (ordered != (o < 2) || !ct_c45_take_text(&here, names->attributes[a].name) ||
                !ct_c45_take_text(&here, operators[o]) || (longest && here <= longest))
                continue;
            longest = here;
            *ret_attribute = a;
            *ret_operator = o;
        }
    }
    if (longest)
        *place = longest;
    return longest;
}

bool ct_c45_take_word(const char **place, const struct ct_c45_words *words, const char *ends,
                      size_t *ret_number, char *ret_end)
{
    const char *longest = NULL;
    for (size_t w = 0; w < words->count; w++) {
        const char *here = *place;
        if (!ct_c45_take_text(&here, words->words[w]) || !*here || !strchr(ends, *here) ||
            (longest && here <= longest))
            continue;
        longest = here;
        *ret_number = w;
        *ret_end = *here;
    }
    if (longest)
        *place = longest + 1;
    return longest;
}

bool ct_c45_take_number(const char **place, float *ret_number)
{
    char *end;
    if (!**place || !strchr("-0123456789", **place))
        return false;
    float number = strtof(*place, &end);
    if (end == *place || !isfinite(number))
        return false;
    *place = end;
    *ret_number = number;
    return true;
}

bool ct_c45_take_leaf(const char **place, const struct ct_c45_names *names, uint16_t *ret_class,
                      float *ret_items, float *ret_errors)
{
    const char *here = *place;
    size_t class;
    char end;
    float items, errors = 0;
    if (!ct_c45_take_text(&here, " ") || !ct_c45_take_word(&here, &names->classes, " ", &class, &end) ||
        !ct_c45_take_text(&here, "(") || !ct_c45_take_number(&here, &items))
        return false;
    if (ct_c45_take_text(&here, "/") && !ct_c45_take_number(&here, &errors))
        return false;
    if (!ct_c45_take_text(&here, ")") || *here)
        return false;
    *place = here;
    *ret_class = (uint16_t) class;
    *ret_items = items;
    *ret_errors = errors;
    return true;
}
