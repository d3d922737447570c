/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pattern.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[200];
    struct ct_error error = {{0}};
    struct ct_edge *edges;
    size_t count;
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (ct_pattern_edges(text, 12, &error, &edges, &count) == CT_OK)
        free(edges);
    else if (!error.text[0] || strchr(error.text, '\n'))
        abort();
    return 0;
}
