/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 1000000 };

void ct_text_append_bytes(struct ct_text *text, const char *bytes, size_t length)
{
    if (text->failed || ct_grow(&text->data, &text->capacity, text->length + length + 1, 1) != CT_OK) {
        text->failed = true;
        return;
    }
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void ct_text_append(struct ct_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || text->failed ||
        ct_grow(&text->data, &text->capacity, text->length + (size_t)length + 1, 1) != CT_OK) {
        text->failed = true;
    } else {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void ct_text_free(struct ct_text *text)
{
    free(text->data);
    *text = (struct ct_text){0};
}

static const struct {
    char letter;
    size_t factor;
} suffixes[] = {{'G', (size_t)1 << 30}, {'M', (size_t)1 << 20}, {'K', (size_t)1 << 10}};

enum { SUFFIXES = sizeof suffixes / sizeof suffixes[0] };

/* Reads a size at *cursor and moves *cursor to its end. */
static int size_read(const char **cursor, size_t *ret_size)
{
    const char *at = *cursor;
    if (!isdigit((unsigned char)*at))
        return CT_E_INPUT;
    size_t size = 0;
    for (; isdigit((unsigned char)*at); at++)
        if (!ct_multiply(size, 10, &size) || !ct_add(size, (size_t)(*at - '0'), &size))
            return CT_E_LIMIT;
    for (int i = 0; i < SUFFIXES; i++) {
        if (*at == suffixes[i].letter) {
            if (!ct_multiply(size, suffixes[i].factor, &size))
                return CT_E_LIMIT;
            at++;
            break;
        }
    }
    *cursor = at;
    *ret_size = size;
    return CT_OK;
}

int ct_size_parse(const char *word, size_t *ret_size)
{
    size_t size;
    int status = size_read(&word, &size);
    if (status != CT_OK)
        return status;
    if (*word)
        return CT_E_INPUT;
    *ret_size = size;
    return CT_OK;
}

char *ct_size_format(size_t size, char text[CT_SIZE_TEXT])
{
    for (int i = 0; i < SUFFIXES; i++) {
        if (size && size % suffixes[i].factor == 0) {
            snprintf(text, CT_SIZE_TEXT, "%zu%c", size / suffixes[i].factor, suffixes[i].letter);
            return text;
        }
    }
    snprintf(text, CT_SIZE_TEXT, "%zu", size);
    return text;
}

struct size_list {
    size_t *sizes;
    size_t count;
    size_t capacity;
    size_t largest;
};

static int list_add(struct size_list *list, size_t size)
{
    /* a rising list, as all long ones are, needs no search */
    for (size_t i = 0; size <= list->largest && i < list->count; i++)
        if (list->sizes[i] == size)
            return CT_OK;
    if (list->count == LIST_MAX)
        return CT_E_LIMIT;
    int status = ct_grow(&list->sizes, &list->capacity, list->count + 1, sizeof *list->sizes);
    if (status == CT_OK)
        list->sizes[list->count++] = size;
    if (size > list->largest)
        list->largest = size;
    return status;
}

/* One item: A, A-B, A-B/S or A-B*F. */
static int list_read_item(struct size_list *list, const char **cursor)
{
    size_t first, last, step = 1;
    bool by_factor = false;
    int status = size_read(cursor, &first);
    if (status != CT_OK)
        return status;
    last = first;
    if (**cursor == '-') {
        ++*cursor;
        status = size_read(cursor, &last);
        if (status != CT_OK)
            return status;
        if (**cursor == '/' || **cursor == '*') {
            by_factor = **cursor == '*';
            ++*cursor;
            status = size_read(cursor, &step);
            if (status != CT_OK)
                return status;
        }
        if (last < first || step == 0 || (by_factor && (step < 2 || first == 0)))
            return CT_E_INPUT;
    }
    if (**cursor && **cursor != ',') /* before the range is written out, which may be too long */
        return CT_E_INPUT;
    for (size_t size = first; size <= last;) {
        status = list_add(list, size);
        if (status != CT_OK)
            return status;
        if (!(by_factor ? ct_multiply(size, step, &size) : ct_add(size, step, &size)))
            break;
    }
    return CT_OK;
}

int ct_list_parse(const char *list, struct ct_error *error, size_t **ret_sizes, size_t *ret_count)
{
    struct size_list sizes = {0};
    const char *cursor = list;
    int status = CT_OK;
    for (;;) {
        const char *item = cursor;
        status = list_read_item(&sizes, &cursor);
        if (status != CT_OK) {
            int length = (int)strcspn(item, ",");
            if (status == CT_E_LIMIT && sizes.count == LIST_MAX)
                ct_fail(
                    error, status,
                    "'%.*s' in the list '%s' is more than %d sizes: expected a step or a factor, A-B/STEP "
                    "or A-B*FACTOR",
                    length, item, list, LIST_MAX);
            else if (status == CT_E_LIMIT)
                ct_fail(error, status, "'%.*s' in the list '%s' is too large", length, item, list);
            else if (status == CT_E_INPUT)
                ct_fail(
                    error, status,
                    "'%.*s' in the list '%s' is not a size or a rising range: expected A, A-B, A-B/STEP or "
                    "A-B*FACTOR, with K, M, G",
                    length, item, list);
            break;
        }
        if (!*cursor)
            break;
        cursor++;
    }
    if (status != CT_OK) {
        free(sizes.sizes);
        return status;
    }
    *ret_sizes = sizes.sizes;
    *ret_count = sizes.count;
    return CT_OK;
}

/* Does `name=` stand at `at`? Then a comma before it separates parameters of a method, not items of the list.
 */
static bool is_assignment(const char *at)
{
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && at[length] == '=';
}

int ct_words_split(const char *list, struct ct_error *error, char ***ret_words, size_t *ret_count)
{
    char **words = NULL;
    size_t count = 0, capacity = 0;
    int status = CT_OK;
    for (const char *start = list;; start++) {
        const char *end = start;
        bool parameters = false;
        while (*end && !(*end == ',' && !(parameters && is_assignment(end + 1)))) {
            parameters = parameters || *end == ':';
            end++;
        }
        if (end == start)
            status = ct_fail(error, CT_E_INPUT, "empty item in the list '%s'", list);
        if (status == CT_OK)
            status = ct_grow(&words, &capacity, count + 1, sizeof *words);
        if (status == CT_OK && !(words[count] = strndup(start, (size_t)(end - start))))
            status = CT_E_MEMORY;
        if (status != CT_OK) {
            ct_words_free(words, count);
            return status;
        }
        count++;
        start = end;
        if (!*end)
            break;
    }
    *ret_words = words;
    *ret_count = count;
    return CT_OK;
}

void ct_words_free(char **words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(words[i]);
    free(words);
}

void ct_text_append_choices(struct ct_text *text, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ct_text_append(text, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", names[i]);
}

void ct_text_append_quoted(struct ct_text *text, const char *field)
{
    ct_text_append(text, "\"");
    for (const char *at = field; *at; at++)
        ct_text_append(text, "%s%c", *at == '"' ? "\"" : "", *at);
    ct_text_append(text, "\"");
}
