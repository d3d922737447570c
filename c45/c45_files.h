/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_C45_C45_FILES_H
#define CT_C45_C45_FILES_H

#include "base/text.h"
#include "learners/c45_map.h"

/* The files of C4.5, STEM.names, STEM.data and STEM.test (Quinlan 1993, C4.5: Programs for Machine Learning).
 */

/* Reads one name after the other. */
struct ct_c45_reader {
    const char *text;
    size_t length;
    size_t place;
    size_t line;      /* of `place`, from 1 */
    size_t name_line; /* where the last name began */
    int delimiter;    /* what ended the last name: a character of it, a blank after a period, or EOF */
    struct ct_text name;
};

/* Starts at the begin of the text; caller ends with ct_text_free(&reader->name). */
void ct_c45_reader_begin(struct ct_c45_reader *reader, const char *text, size_t length);

/* Reads the next name, up to `:` `,` newline or `|`, without blanks at its end. *ret_found: there is one.
 * CT_OK; CT_E_INPUT if the name has a NUL or an escaped newline; CT_E_MEMORY. */
int ct_c45_reader_next(struct ct_c45_reader *reader, bool *ret_found);

/* Reads the text of a .names file, which errors call `file`. CT_OK; CT_E_INPUT with file, line and what was
 * expected; CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_c45_names_free(). */
int ct_c45_names_parse(const char *text, size_t length, const char *file, struct ct_error *error,
                       struct ct_c45_names *ret_names);

/* Reads the text of a .data file (`training`) or a .test file. New values of `discrete N` attributes are
 * added to `names`, also on failure. Errors as above; unknown classes and values, and a file without cases
 * are errors. Caller frees with ct_c45_cases_free(). */
int ct_c45_cases_parse(const char *text, size_t length, const char *file, bool training,
                       struct ct_c45_names *names, struct ct_error *error, struct ct_c45_cases *ret_cases);

/* The same from files. Further errors: CT_E_SYSTEM. */
int ct_c45_names_read(const char *path, struct ct_error *error, struct ct_c45_names *ret_names);
int ct_c45_cases_read(const char *path, bool training, struct ct_c45_names *names, struct ct_error *error,
                      struct ct_c45_cases *ret_cases);

/* Appends the texts of .names, which begins with the comment, and of .data for a decision map. Delimiters in
 * names are escaped. The comment is one line. */
void ct_c45_map_write(const struct ct_c45_map *c45, const char *comment, struct ct_text *names,
                      struct ct_text *data);

#endif
