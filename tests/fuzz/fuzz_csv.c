/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import_csv.h"
#include "tests/fuzz/import_check.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* The input is a line with a map, a line with a list of methods (or nothing), and a table. */

/* The line that begins at *at, as a fresh string; *at moves behind it. NULL where there is none. */
static char *take_line(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *newline = memchr(*at, '\n', (size_t)(end - *at));
    if (!newline)
        return NULL;
    char *line = strndup((const char *)*at, (size_t)(newline - *at));
    *at = newline + 1;
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *at = data, *end = data + size;
    char *map = take_line(&at, end), *methods = map ? take_line(&at, end) : NULL;
    struct ct_import_source source = {.path = "input",
                                      .map = map,
                                      .methods = methods && *methods ? methods : NULL,
                                      .collective = CT_COLLECTIVE_BCAST};
    const struct ct_import_request request = {.sources = &source, .source_count = 1};
    if (map && strstr(map, "collective="))
        source.collective = CT_COLLECTIVES;
    if (methods)
        import_check(&ct_import_csv, &request, at, (size_t)(end - at));
    free(map);
    free(methods);
    return 0;
}
