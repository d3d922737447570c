/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_STRICT_JSON_H
#define CT_CODEGEN_STRICT_JSON_H

#include "base/error.h"

#include <json-c/json.h>
#include <stddef.h>

/* Reads one JSON value, at most `depth` deep, followed by blanks only. CT_OK; CT_E_INPUT with a line in
 * `error` that names file, byte and flaw; CT_E_MEMORY. Caller frees with json_object_put(). */
int ct_json_parse(const char *text, size_t length, int depth, const char *name, struct ct_error *error,
                  struct json_object **ret_value);

enum { CT_JSON_KEY_TEXT = 128 };

/* A key for an error line: shortened if it is long, with _ for characters that are not printable. Returns
 * `text`. */
const char *ct_json_key(const char *key, char text[CT_JSON_KEY_TEXT]);

#endif
