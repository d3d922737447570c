/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/strict_json.h"

#include <limits.h>

int ct_json_parse(const char *text, size_t length, int depth, const char *name, struct ct_error *error,
                  struct json_object **ret_value)
{
    if (length > INT_MAX)
        return ct_fail(error, CT_E_INPUT, "%s: too large", name);
    struct json_tokener *tokener = json_tokener_new_ex(depth);
    if (!tokener)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    struct json_object *value = json_tokener_parse_ex(tokener, text, (int)length);
    enum json_tokener_error flaw = json_tokener_get_error(tokener);
    size_t end = json_tokener_get_parse_end(tokener);
    json_tokener_free(tokener);
    int status = CT_OK;
    if (flaw == json_tokener_continue)
        status =
            ct_fail(error, CT_E_INPUT, "%s: the text ends too early: expected the rest of its JSON", name);
    else if (flaw != json_tokener_success || !value)
        status = ct_fail(error, CT_E_INPUT, "%s: byte %zu: %s: expected JSON", name, end,
                         json_tokener_error_desc(flaw));
    else if (end < length && text[end] == '\0')
        status = ct_fail(error, CT_E_INPUT, "%s: byte %zu: a zero byte: expected text", name, end);
    if (status != CT_OK) {
        json_object_put(value);
        return status;
    }
    *ret_value = value;
    return CT_OK;
}

const char *ct_json_key(const char *key, char text[CT_JSON_KEY_TEXT])
{
    size_t length = 0;
    for (; key[length] && length < CT_JSON_KEY_TEXT - 1; length++)
        text[length] = key[length] >= ' ' && key[length] <= '~' ? key[length] : '_';
    text[length] = '\0';
    return text;
}
