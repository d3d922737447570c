/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mapping.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool is_named(const char *name, const struct ct_parameter *parameter)
{
    return name && strcmp(name, parameter->name) == 0;
}

/* Do the parameters agree, except those that the library takes as numbers or decides itself? */
static bool agrees(const struct ct_mapping *row, const struct ct_method *method,
                   const struct ct_method *described, struct ct_theirs *ret_theirs)
{
    struct ct_theirs theirs = {.mapping = row};
    for (int i = 0; i < ct_parameter_count(method->algorithm->descriptor); i++) {
        const struct ct_parameter *parameter = method->algorithm->descriptor->parameters[i];
        if (is_named(row->segment, parameter))
            theirs.segment = method->values[i];
        else if (is_named(row->fanout, parameter))
            theirs.fanout = method->values[i];
        else if (is_named(row->requests, parameter))
            theirs.requests = method->values[i];
        else if (!row->decides && method->values[i] != described->values[i])
            return false;
    }
    /* the libraries hold them in int */
    if (theirs.segment > INT_MAX || theirs.fanout > INT_MAX || theirs.requests > INT_MAX)
        return false;
    *ret_theirs = theirs;
    return true;
}

bool ct_mapping_find(const struct ct_library_mapping *library, int release, const struct ct_method *method,
                     struct ct_theirs *ret_theirs)
{
    for (size_t i = 0; i < library->row_count; i++) {
        const struct ct_mapping *row = &library->rows[i];
        struct ct_method described;
        if (row->since <= release &&
            ct_method_parse(row->method, CT_COLLECTIVES, NULL, &described) == CT_OK &&
            described.algorithm == method->algorithm && agrees(row, method, &described, ret_theirs))
            return true;
    }
    return false;
}

/* Are both names the same but for capitals and for what is no letter or digit? */
static bool is_like(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a && !isalnum((unsigned char)*a))
            a++;
        while (*b && !isalnum((unsigned char)*b))
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (!*a)
            return true;
    }
}

static bool is_called(const char *word, const char *name, int number)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%d", number);
    return strcmp(word, name) == 0 || strcmp(word, digits) == 0;
}

/* Sets the parameters that the library takes as numbers. */
static void set_usual(const struct ct_library_mapping *library, const struct ct_mapping *row,
                      struct ct_method *method)
{
    for (int i = 0; i < ct_parameter_count(method->algorithm->descriptor); i++) {
        const struct ct_parameter *parameter = method->algorithm->descriptor->parameters[i];
        if (is_named(row->fanout, parameter) && library->fanout > 0)
            method->values[i] = library->fanout;
        else if (is_named(row->segment, parameter) && parameter->least == 0)
            method->values[i] = 0;
    }
}

static bool find_method(const struct ct_library_mapping *library, int release, enum ct_collective collective,
                        const char *word, bool like, struct ct_method *ret_method,
                        const struct ct_mapping **ret_row)
{
    if (library->own && (is_called(word, library->own, 0) || (like && is_like(word, library->own)))) {
        *ret_row = NULL;
        return ct_method_parse("native", collective, NULL, ret_method) == CT_OK;
    }
    for (size_t i = 0; i < library->row_count; i++) {
        const struct ct_mapping *row = &library->rows[i];
        struct ct_method method;
        if (row->since <= release &&
            (is_called(word, row->theirs, row->number) || (like && is_like(word, row->theirs))) &&
            ct_method_parse(row->method, collective, NULL, &method) == CT_OK) {
            set_usual(library, row, &method);
            *ret_method = method;
            *ret_row = row;
            return true;
        }
    }
    return false;
}

bool ct_mapping_method(const struct ct_library_mapping *library, int release, enum ct_collective collective,
                       const char *word, struct ct_method *ret_method, const struct ct_mapping **ret_row)
{
    return find_method(library, release, collective, word, false, ret_method, ret_row);
}

bool ct_mapping_method_like(const struct ct_library_mapping *library, int release,
                            enum ct_collective collective, const char *word, struct ct_method *ret_method,
                            const struct ct_mapping **ret_row)
{
    return find_method(library, release, collective, word, false, ret_method, ret_row) ||
           find_method(library, release, collective, word, true, ret_method, ret_row);
}
