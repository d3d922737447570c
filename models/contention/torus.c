/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/contention/torus.h"
#include "base/error.h"
#include "base/number.h"

#include <string.h>

/* Reads digits at *text; *text moves behind them. */
static int read_length(const char **text, size_t *ret_length)
{
    char word[8] = "";
    const size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits >= sizeof word)
        return CT_E_INPUT;
    memcpy(word, *text, digits);
    *text += digits;
    return ct_whole_parse(word, CT_TORUS_NODES_MAX, ret_length);
}

int ct_torus_parse(const char *text, struct ct_torus *ret_torus)
{
    const char separator = strchr(text, ',') ? ',' : 'x';
    struct ct_torus torus = {.nodes = 1};
    for (;; text++) {
        size_t length = 0;
        if (torus.dimensions == CT_TORUS_DIMENSIONS_MAX || read_length(&text, &length) != CT_OK ||
            length == 0 || length > CT_TORUS_NODES_MAX / torus.nodes)
            return CT_E_INPUT;
        torus.length[torus.dimensions++] = length;
        torus.nodes *= length;
        if (*text == '\0')
            break;
        if (*text != separator)
            return CT_E_INPUT;
    }
    *ret_torus = torus;
    return CT_OK;
}
