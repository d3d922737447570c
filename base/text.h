/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_TEXT_H
#define CT_BASE_TEXT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A growing string. Starts as all zeroes; appending never fails visibly: out of memory sets `failed`, which
 * the caller checks once at the end. */
struct ct_text {
    char *data; /* NUL-terminated once anything was appended; owned, freed by ct_text_free */
    size_t length;
    size_t capacity;
    bool failed;
};

void ct_text_append(struct ct_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ct_text_append_bytes(struct ct_text *text, const char *bytes, size_t length);
/* "linear, chain or binomial". */
void ct_text_append_choices(struct ct_text *text, const char *const *names, size_t count);
/* A field of a row: in quotation marks, of which each in the field is written twice. */
void ct_text_append_quoted(struct ct_text *text, const char *field);
void ct_text_free(struct ct_text *text);

/* What stands behind the noun of a number in regular plurals: "%zu cell%s". */
static inline const char *ct_s(size_t count)
{
    return count == 1 ? "" : "s";
}

/* And where a verb follows: "%zu cell%s left out". */
static inline const char *ct_were(size_t count)
{
    return count == 1 ? " was" : "s were";
}

/* Sizes: digits with an optional K, M or G (powers of 1024). The whole of `word` must be one size.
 * CT_OK, CT_E_INPUT (not a size) or CT_E_LIMIT (too large). */
int ct_size_parse(const char *word, size_t *ret_size);

enum { CT_SIZE_TEXT = 24 };

/* Writes `size` as ct_size_parse reads it, shortest exact form ("8K", "1448", "384K"); returns `text`. */
char *ct_size_format(size_t size, char text[CT_SIZE_TEXT]);

/* A list of sizes as users write them: items separated by commas, each `A`, `A-B`, `A-B/S` (step S) or
 * `A-B*F` (factor F >= 2). A range contains B only if its steps meet B exactly. The result is in the order
 * written, without duplicates. Caller frees *ret_sizes. CT_OK; CT_E_INPUT with a line in `error` for an empty
 * list, an empty item, a range that runs backwards, a step of 0 or a factor below 2; CT_E_LIMIT beyond a
 * million entries; CT_E_MEMORY. */
int ct_list_parse(const char *list, struct ct_error *error, size_t **ret_sizes, size_t *ret_count);

/* Splits `list` at commas into heap-allocated words. A comma after a ':' of the same item that is followed by
 * `name=` separates parameters of a method: "binomial:seg=8K,radix=2,linear" gives two words.
 * Caller frees with ct_words_free. CT_OK, CT_E_INPUT (empty list or item), CT_E_MEMORY. */
int ct_words_split(const char *list, struct ct_error *error, char ***ret_words, size_t *ret_count);
void ct_words_free(char **words, size_t count);

#endif
