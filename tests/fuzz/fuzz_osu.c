/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import_benchmark.h"
#include "tests/fuzz/import_check.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* The input is an output; if it begins with a plus sign, the rest of that line is a pattern of headings. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *newline = size > 0 && *data == '+' ? memchr(data, '\n', size) : NULL;
    char *heading = newline ? strndup((const char *)data + 1, (size_t)(newline - data - 1)) : NULL;
    const size_t begin = newline ? (size_t)(newline - data) + 1 : 0;
    const struct ct_import_source source = {
        .path = "input", .heading = heading, .key = {.comm_size = 6, .ppn = 4}};
    const struct ct_import_request request = {.sources = &source, .source_count = 1};
    import_check(&ct_import_osu, &request, data + begin, size - begin);
    free(heading);
    return 0;
}
