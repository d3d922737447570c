/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/sort.h"
#include "base/xml.h"

#include <stdlib.h>
#include <string.h>

/* Refuses a list that holds a size twice. */
static int check_distinct(const char *name, const xmlNode *node, const size_t *sizes, size_t count,
                          struct ct_error *error)
{
    if (count == 0)
        return CT_OK;
    size_t *sorted = ct_allocate(count, sizeof *sorted);
    if (!sorted)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
    memcpy(sorted, sizes, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ct_compare_sizes);
    int status = CT_OK;
    for (size_t i = 1; status == CT_OK && i < count; i++)
        if (sorted[i] == sorted[i - 1])
            status = ct_xml_fail(name, node, error, "the size %zu stands twice in <%s>", sorted[i],
                                 (const char *)node->name);
    free(sorted);
    return status;
}

int ct_xml_sizes(const char *name, const xmlNode *node, size_t least, size_t most, struct ct_error *error,
                 size_t **ret_sizes, size_t *ret_count)
{
    char *list = ct_xml_content(node);
    if (!list)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
    size_t *sizes = NULL, count = 0, capacity = 0;
    int status = CT_OK;
    char *rest = *list ? list : NULL;
    while (status == CT_OK && rest) {
        const char *word = strsep(&rest, ",");
        size_t size = 0;
        if (ct_size_parse(word, &size) != CT_OK || size < least || size > most)
            status =
                ct_xml_fail(name, node, error,
                            "'%.40s' in <%s>: expected sizes from %zu to %zu parted by commas, as 1,8K,1M",
                            word, (const char *)node->name, least, most);
        else if (ct_grow(&sizes, &capacity, count + 1, sizeof *sizes) != CT_OK)
            status = ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
        else
            sizes[count++] = size;
    }
    free(list);
    if (status == CT_OK)
        status = check_distinct(name, node, sizes, count, error);
    if (status != CT_OK) {
        free(sizes);
        return status;
    }
    *ret_sizes = sizes;
    *ret_count = count;
    return CT_OK;
}
