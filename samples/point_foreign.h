/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_POINT_FOREIGN_H
#define CT_SAMPLES_POINT_FOREIGN_H

#include "base/text.h"

/* Times of single messages that other programs measured, as files of point_samples.h. */

struct ct_point_reader;

/* A program's format. Files are known by their content. */
struct ct_point_format {
    const char *name; /* of the program */
    bool has_others;  /* its files may hold times of collectives, too */
    bool (*knows)(const char *text);
    int (*take_line)(struct ct_point_reader *reader, char *line);
    int (*finish)(struct ct_point_reader *reader); /* or NULL */
};

/* The program that wrote this text; NULL if it is none of those that are known. */
const struct ct_point_format *ct_point_format_of(const char *text);

/* Appends the same times as a file of point_samples.h, of messages over `link` ("node" or "network"), which
 * these files do not say. `name` is what errors call the text. CT_OK; CT_E_INPUT with file, line and what was
 * expected; CT_E_MEMORY. */
int ct_point_convert(const struct ct_point_format *format, const char *link, const char *text,
                     const char *name, struct ct_error *error, struct ct_text *ret_samples);

#endif
