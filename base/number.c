/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *ct_number_format(double number, char text[CT_NUMBER_TEXT])
{
    /* every decimal of up to 15 digits survives conversion to a double and back; 17 digits always suffice */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, CT_NUMBER_TEXT, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

char *ct_rounded_format(double number, int digits, char text[CT_NUMBER_TEXT])
{
    snprintf(text, CT_NUMBER_TEXT, "%.*g", digits, number);
    if (strchr(text, 'e') && number >= 1)
        snprintf(text, CT_NUMBER_TEXT, "%.0f", number);
    return text;
}

static const char *skip_digits(const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

/* Sign, digits, point and digits, exponent. strtod() alone would accept more. */
static bool is_decimal(const char *word)
{
    const char *at = word + (*word == '-');
    if (!isdigit((unsigned char)*at))
        return false;
    at = skip_digits(at);
    if (*at == '.') {
        if (!isdigit((unsigned char)at[1]))
            return false;
        at = skip_digits(at + 1);
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '-' || *at == '+';
        if (!isdigit((unsigned char)*at))
            return false;
        at = skip_digits(at);
    }
    return *at == '\0';
}

int ct_number_parse(const char *word, double *ret_number)
{
    if (!is_decimal(word))
        return CT_E_INPUT;
    double number = strtod(word, NULL);
    if (!isfinite(number))
        return CT_E_LIMIT;
    *ret_number = number;
    return CT_OK;
}

int ct_whole_parse(const char *word, size_t most, size_t *ret_number)
{
    if (!isdigit((unsigned char)*word))
        return CT_E_INPUT;
    size_t number = 0;
    for (; isdigit((unsigned char)*word); word++)
        if (!ct_multiply(number, 10, &number) || !ct_add(number, (size_t)(*word - '0'), &number))
            return CT_E_LIMIT;
    if (*word)
        return CT_E_INPUT;
    if (number > most)
        return CT_E_LIMIT;
    *ret_number = number;
    return CT_OK;
}

int ct_seconds_parse(const char *word, double *ret_seconds)
{
    static const struct {
        const char *unit;
        double seconds;
        double parts; /* of the unit in so many seconds: divided by, 20us are exactly the number 2e-05 */
    } units[] = {{"", 1, 1}, {"us", 1, 1e6}, {"ms", 1, 1e3}, {"s", 1, 1}, {"m", 60, 1}, {"h", 3600, 1}};
    char *end;
    if (word[0] < '0' || word[0] > '9')
        return CT_E_INPUT;
    double value = strtod(word, &end);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(end, units[i].unit) == 0 && value > 0 && isfinite(value)) {
            *ret_seconds = value * units[i].seconds / units[i].parts;
            return CT_OK;
        }
    return CT_E_INPUT;
}
