/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/preload_variables.h"
#include "base/file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* NAME=FIRST, and what the environment has there behind it. Caller frees; NULL: no memory. */
static char *put_first(const char *name, int length, const char *first)
{
    const char *before = getenv(name);
    bool more = before && *before;
    return ct_format("%s=%.*s%s%s", name, length, first, more ? ":" : "", more ? before : "");
}

int ct_preload_variables_make(const char *path, struct ct_error *error, struct ct_preload_variables *ret)
{
    struct ct_preload_variables made = {0};
    const char *slash = strrchr(path, '/'), *word = path;
    bool is_searched = slash && strchr(path, ' ');
    if (strchr(path, ':') || (is_searched && (strchr(path, ';') || strchr(slash, ' '))))
        return ct_fail(error, CT_E_INPUT,
                       "%s: the loader takes no path with a colon, or with a blank and a semicolon; "
                       "move the folder",
                       path);
    if (is_searched) {
        word = slash + 1;
        made.entries[1] = put_first("LD_LIBRARY_PATH", (int)(slash - path), path);
    }
    made.entries[0] = put_first("LD_PRELOAD", (int)strlen(word), word);
    if (!made.entries[0] || (is_searched && !made.entries[1])) {
        ct_preload_variables_free(&made);
        return CT_E_MEMORY;
    }
    made.word = word;
    *ret = made;
    return CT_OK;
}

void ct_preload_variables_free(struct ct_preload_variables *variables)
{
    for (size_t i = 0; i < CT_PRELOAD_VARIABLES; i++)
        free(variables->entries[i]);
    *variables = (struct ct_preload_variables){0};
}
