/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/row_parts.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* A file is refused with a line that names it; or it gives a matrix, whose rows can be divided. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct ct_matrix_limits limits = {.length = 2000, .entries = 10000};
    struct ct_error error = {{0}};
    struct ct_matrix matrix;
    struct ct_row_parts parts;
    struct ct_edge *edges;
    size_t count;
    if (ct_matrix_parse((const char *)data, size, "f.mtx", &limits, &error, &matrix) != CT_OK) {
        if (strncmp(error.text, "f.mtx", 5) != 0 || strchr(error.text, '\n'))
            abort();
        return -1;
    }
    for (size_t i = 0; i < ct_matrix_entries(&matrix); i++)
        if (matrix.column_of[i] < 0 || (size_t)matrix.column_of[i] >= matrix.columns)
            abort();
    if (ct_row_parts_make(&matrix, "entries", matrix.rows < 7 ? 1 : 7, &error, &parts) != CT_OK ||
        ct_row_parts_edges(&matrix, &parts, &edges, &count) != CT_OK)
        abort();
    for (size_t i = 0; i < count; i++)
        if (edges[i].from == edges[i].to || edges[i].length == 0 || edges[i].length > matrix.columns)
            abort();
    free(edges);
    ct_row_parts_free(&parts);
    ct_matrix_free(&matrix);
    return 0;
}
