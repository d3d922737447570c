/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/host_names.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 1000000, MOST_DIGITS = 9, MOST_BRACKETS = 8, MOST_NAME = 255 };

struct splitting {
    const char *list; /* as messages name it */
    struct ct_error *error;
    char **names;
    size_t count, capacity;
};

static int add(struct splitting *splitting, const char *name, size_t length)
{
    if (length == 0)
        return ct_fail(splitting->error, CT_E_INPUT, "'%s': a name of a host is missing", splitting->list);
    if (length > MOST_NAME || splitting->count == MOST_NAMES)
        return ct_fail(splitting->error, CT_E_LIMIT,
                       "'%.100s...': expected at most %d names of %d characters", splitting->list, MOST_NAMES,
                       MOST_NAME);
    if (ct_grow(&splitting->names, &splitting->capacity, splitting->count + 1, sizeof(char *)) != CT_OK)
        return CT_E_MEMORY;
    char *copy = strndup(name, length);
    if (!copy)
        return CT_E_MEMORY;
    splitting->names[splitting->count++] = copy;
    return CT_OK;
}

/* Reads digits; false if there are none, or too many. */
static bool read_number(const char **at, size_t *ret_number, int *ret_digits)
{
    size_t number = 0;
    int digits = 0;
    for (; isdigit((unsigned char)**at) && digits <= MOST_DIGITS; ++*at, digits++)
        number = number * 10 + (size_t)(**at - '0');
    *ret_number = number;
    *ret_digits = digits;
    return digits > 0 && digits <= MOST_DIGITS;
}

/* Adds the names that begin with `before` and go on as the text does up to `end`. */
static int expand(struct splitting *splitting, const char *before, const char *text, const char *end,
                  int brackets)
{
    const char *open = memchr(text, '[', (size_t)(end - text));
    const char *plain = open ? open : end;
    struct ct_text name = {0};
    int status = CT_OK;
    if (memchr(text, ']', (size_t)(plain - text)) || brackets > MOST_BRACKETS)
        return ct_fail(splitting->error, CT_E_INPUT, "'%s': expected names such as n[1-4,6]",
                       splitting->list);
    ct_text_append(&name, "%s%.*s", before, (int)(plain - text), text);
    if (!open) {
        status = name.failed ? CT_E_MEMORY : add(splitting, name.data, name.length);
        ct_text_free(&name);
        return status;
    }
    const char *close = memchr(open, ']', (size_t)(end - open));
    const size_t stem = name.length;
    for (const char *at = open + 1; status == CT_OK; at++) {
        size_t first = 0, last;
        int digits = 0, last_digits;
        bool good = close && read_number(&at, &first, &digits);
        last = first;
        if (good && *at == '-') {
            at++;
            good = read_number(&at, &last, &last_digits) && last >= first;
        }
        if (!good || (*at != ',' && at != close)) {
            status = ct_fail(splitting->error, CT_E_INPUT, "'%s': expected ranges such as [1-4,6]",
                             splitting->list);
            break;
        }
        for (size_t number = first; number <= last && status == CT_OK; number++) {
            name.length = stem;
            ct_text_append(&name, "%0*zu", digits, number);
            status = name.failed ? CT_E_MEMORY : expand(splitting, name.data, close + 1, end, brackets + 1);
        }
        if (at == close)
            break;
    }
    ct_text_free(&name);
    return status;
}

/* Where the name ends that begins here: at a comma outside of brackets, or at the end. */
static const char *end_of_name(const char *text)
{
    bool inside = false;
    for (; *text && (inside || *text != ','); text++)
        inside = *text == '[' || (inside && *text != ']');
    return text;
}

int ct_host_names_split(const char *list, struct ct_error *error, char ***ret_names, size_t *ret_count)
{
    struct splitting splitting = {.list = list, .error = error};
    int status = strpbrk(list, " \t\r\n")
                     ? ct_fail(error, CT_E_INPUT, "'%s': expected names without blanks", list)
                     : CT_OK;
    for (const char *at = list; status == CT_OK; at++) {
        const char *end = end_of_name(at);
        status = expand(&splitting, "", at, end, 0);
        at = end;
        if (*at == '\0')
            break;
    }
    if (status != CT_OK) {
        ct_words_free(splitting.names, splitting.count);
        return status;
    }
    *ret_names = splitting.names;
    *ret_count = splitting.count;
    return CT_OK;
}
