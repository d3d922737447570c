/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_FILE_NAME_H
#define CT_SAMPLES_IMPORT_FILE_NAME_H

#include "samples/import/fact_pattern.h"
#include "samples/import/import_request.h"

/* What the name of a file says about its results, or a line of its text. A pattern with slashes is compared
 * with as many of the path's last parts; nothing in it matches a slash. */

struct ct_import_name {
    char method[CT_METHOD_TEXT]; /* "" if the pattern does not have it */
    struct ct_import_source source;
};

/* The source with what its name says in the place of what it says itself. `ret_name->source` refers to
 * ret_name->method and to what the source refers to. `has_collective`: the format says its collectives
 * itself; `explains`: words for methods that the source does not explain may be a library's. CT_OK;
 * CT_E_INPUT with a line in `error` if the pattern is wrong, if the name does not match, or if a part of it
 * is no such fact; CT_E_MEMORY. */
int ct_import_name_read(const struct ct_import_source *source, bool has_collective, bool explains,
                        struct ct_error *error, struct ct_import_name *ret_name);

/* Is the pattern one for names and lines? CT_OK or CT_E_INPUT. */
int ct_import_pattern_check(const struct ct_fact_pattern *pattern, bool has_collective,
                            struct ct_error *error);

/* Puts facts in the place of what name->source says. `said` is what has them, for errors: "FILE: its name".
 * CT_OK; CT_E_INPUT, CT_E_MEMORY. */
int ct_import_facts_take(const struct ct_facts *facts, const char *said, bool explains,
                         struct ct_error *error, struct ct_import_name *name);

#endif
