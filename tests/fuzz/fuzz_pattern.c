/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "plan/pattern.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* Each text of a list is one that ct_pattern_edges() may be given, and fits into a line. A list without
 * quotes and backslashes has texts without blanks. */
static void split(const char *list)
{
    struct ct_error error = {{0}};
    char **texts;
    size_t count;
    if (ct_patterns_split(list, &error, &texts, &count) != CT_OK) {
        if (!error.text[0] || strchr(error.text, '\n'))
            abort();
        return;
    }
    const char *unexpected = strpbrk(list, "'\"\\") ? "\n" : " \t\n";
    for (size_t i = 0; i < count; i++)
        if (!*texts[i] || strpbrk(texts[i], unexpected))
            abort();
    ct_words_free(texts, count);
}

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
    split(text);
    if (ct_pattern_edges(text, 12, &error, &edges, &count) == CT_OK)
        free(edges);
    else if (!error.text[0] || strchr(error.text, '\n'))
        abort();
    return 0;
}
