/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_WORDS_H
#define CT_LEARNERS_C45_C45_WORDS_H

#include "base/text.h"

/* Names one after the other, as .names and .data hold them. */

struct ct_c45_reader {
    const char *text;
    size_t length;
    size_t place;
    size_t line;      /* of `place`, from 1 */
    size_t name_line; /* where the last name began */
    int delimiter;    /* what ended the last name: a character of it, a blank after a period, or EOF */
    struct ct_text name;
};

/* Starts at the text's begin; after it, ct_text_free(&reader->name). */
void ct_c45_reader_begin(struct ct_c45_reader *reader, const char *text, size_t length);

/* The next name, up to `:` `,` newline or `|`, blanks at its end cut off. *ret_found says whether there is
 * one. CT_OK, CT_E_MEMORY; CT_E_INPUT where the name holds a NUL or, escaped, the end
 * of a line. */
int ct_c45_reader_next(struct ct_c45_reader *reader, bool *ret_found);

#endif
