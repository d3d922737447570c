/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/markup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    char character;
    const char *entity;
} entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};

/* Length of the UTF-8 sequence at `at`; 0 where there is none. */
static size_t sequence_length(const unsigned char *at)
{
    size_t length = at[0] < 0x80                    ? 1
                    : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                    : at[0] < 0xe0                  ? 0
                    : at[0] < 0xf0                  ? 3
                    : at[0] < 0xf5                  ? 4
                                                    : 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

static bool is_control(unsigned char byte)
{
    return byte < 0x20 || byte == 0x7f;
}

static const char *entity_of(char character)
{
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
        if (entities[i].character == character)
            return entities[i].entity;
    return NULL;
}

void ct_html_text(struct ct_text *page, const char *string)
{
    for (const unsigned char *at = (const unsigned char *)string; *at;) {
        size_t length = sequence_length(at);
        const char *entity = entity_of((char)*at);
        if (length == 0)
            ct_text_append(page, "?");
        else if (is_control(*at))
            ct_text_append(page, " ");
        else if (entity)
            ct_text_append(page, "%s", entity);
        else
            ct_text_append_bytes(page, (const char *)at, length);
        at += length ? length : 1;
    }
}

void ct_html_method(struct ct_text *page, const struct ct_method *method)
{
    char name[CT_METHOD_TEXT], *rest = name;
    ct_method_format(method, false, name);
    ct_text_append(page, "<code>");
    /* In narrow columns a line ends behind a word: "knomial:" "radix=8", "recursive_" "doubling". */
    while (*rest) {
        char piece[CT_METHOD_TEXT];
        const size_t length = strcspn(rest, "_:,/");
        const int whole = (int)(length + (rest[length] != '\0'));
        snprintf(piece, sizeof piece, "%.*s", whole, rest);
        ct_html_text(page, piece);
        rest += whole;
        if (*rest)
            ct_text_append(page, "<wbr>");
    }
    ct_text_append(page, "</code>");
}

void ct_gnuplot_string(struct ct_text *script, const char *string)
{
    ct_text_append(script, "'");
    for (const char *at = string; *at; at++)
        ct_text_append(script, "%s%c", *at == '\'' ? "'" : "", is_control((unsigned char)*at) ? ' ' : *at);
    ct_text_append(script, "'");
}

/* Three significant digits of a number from 1 to 1000. */
static int decimals(double value)
{
    return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

char *ct_penalty_text(double penalty, char text[CT_NUMBER_TEXT])
{
    if (isfinite(penalty))
        snprintf(text, CT_NUMBER_TEXT, "%.*f %%", penalty < 0.0995 ? 1 : 0, 100 * penalty);
    else
        strcpy(text, "–");
    return text;
}

char *ct_factor_text(double ratio, char text[CT_NUMBER_TEXT])
{
    if (isfinite(ratio))
        snprintf(text, CT_NUMBER_TEXT, "%.*f", decimals(ratio), ratio);
    else
        strcpy(text, "–");
    return text;
}

char *ct_ratio_text(double ratio, char text[CT_NUMBER_TEXT])
{
    ct_factor_text(ratio, text);
    if (isfinite(ratio))
        strcat(text, " ×");
    return text;
}

char *ct_seconds_text(double seconds, char text[CT_NUMBER_TEXT])
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}};
    const double almost = 0.9995; /* what is rounded to 1.00 of a unit is written in it */
    size_t unit = 0;
    while (unit + 1 < sizeof units / sizeof units[0] && seconds < almost * units[unit].seconds)
        unit++;
    double value = seconds / units[unit].seconds;
    if (isfinite(seconds))
        snprintf(text, CT_NUMBER_TEXT, "%.*f %s", decimals(value), value, units[unit].name);
    else
        strcpy(text, "–");
    return text;
}

char *ct_share_text(size_t part, size_t whole, char text[CT_NUMBER_TEXT])
{
    double percent = whole ? 100.0 * (double)part / (double)whole : 0;
    snprintf(text, CT_NUMBER_TEXT, "%.*f %%", percent > 0 && percent < 9.95 ? 1 : 0, percent);
    return text;
}

char *ct_colour_text(uint32_t colour, char text[CT_NUMBER_TEXT])
{
    snprintf(text, CT_NUMBER_TEXT, "#%06x", (unsigned)(colour & 0xffffff));
    return text;
}
