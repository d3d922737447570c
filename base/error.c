/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What a user wrote is quoted in messages, and may hold anything. */
static void make_line(char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text))
            *text = '?';
}

int ct_fail(struct ct_error *error, int status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        make_line(error->text);
    }
    return status;
}

int ct_fail_at(struct ct_error *error, const char *file, size_t line, const char *format, va_list arguments)
{
    char text[sizeof error->text];
    vsnprintf(text, sizeof text, format, arguments);
    return ct_fail(error, CT_E_INPUT, "%s:%zu: %s", file, line, text);
}

int ct_fail_in(struct ct_error *error, int status, const char *prefix)
{
    if (error) {
        char text[sizeof error->text];
        memcpy(text, error->text, sizeof text);
        int length = snprintf(error->text, sizeof error->text, "%s: ", prefix);
        if (length >= 0 && (size_t)length < sizeof error->text)
            snprintf(error->text + length, sizeof error->text - (size_t)length, "%s", text);
        make_line(error->text);
    }
    return status;
}
