/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_FILE_NAME_H
#define CT_SAMPLES_IMPORT_FILE_NAME_H

#include "samples/import/import_request.h"

/* What the name of a file says about its results.
 *
 * A pattern is a file's name in which {collective}, {method}, {by}, {nodes}, {ppn} and {comm_size} stand for
 * such facts, each at most once, and * for anything. A pattern with slashes is compared with as many of the
 * path's last parts. Numbers consist of digits, {collective} is one that there is; nothing matches a slash;
 * if a pattern matches in several ways, the first fields are the longest. */

struct ct_import_name {
    char method[CT_METHOD_TEXT]; /* "" if the pattern does not have it */
    struct ct_import_source source;
};

/* The source with what its name says in the place of what it says itself. `ret_name->source` refers to
 * ret_name->method and to what the source refers to. `has_collective`: the format says its collectives
 * itself. CT_OK; CT_E_INPUT with a line in `error` if the pattern is wrong, if the name does not match, or if
 * a part of it is no such fact; CT_E_MEMORY. */
int ct_import_name_read(const struct ct_import_source *source, bool has_collective, struct ct_error *error,
                        struct ct_import_name *ret_name);

#endif
