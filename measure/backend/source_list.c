/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/source_list.h"
#include "base/data.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "config.h"

#include <stdlib.h>
#include <string.h>

void ct_word_list_add(struct ct_word_list *words, char *word)
{
    if (words->status == CT_OK)
        words->status = word ? ct_grow(&words->data, &words->capacity, words->count + 2, sizeof *words->data)
                             : CT_E_MEMORY;
    if (words->status != CT_OK) {
        free(word);
        return;
    }
    words->data[words->count++] = word;
    words->data[words->count] = NULL;
}

void ct_word_list_free(struct ct_word_list *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->data[i]);
    free(words->data);
    *words = (struct ct_word_list){0};
}

int ct_source_list_read(const char *list, struct ct_error *error, struct ct_word_list *ret_sources,
                        char **ret_root)
{
    char *name = ct_format("%s.list", list), *path = NULL, *text = NULL;
    size_t length;
    if (!name)
        return CT_E_MEMORY;
    if (ct_data_path(name, NULL, &path) != CT_OK)
        path = ct_format("%s/%s", CT_BUILD_ROOT, name);
    free(name);
    int status = path ? ct_file_read(path, error, &text, &length) : CT_E_MEMORY;
    free(path);
    if (status != CT_OK)
        return status;
    struct ct_word_list sources = {0};
    char *root = NULL, *rest = text;
    for (char *line = strsep(&rest, "\n"); line && status == CT_OK; line = strsep(&rest, "\n")) {
        if (!*line)
            continue;
        char *source = NULL;
        status = ct_data_path(line, error, &source);
        if (status == CT_OK && !root)
            root = strndup(source, strlen(source) - strlen(line) - 1);
        if (status == CT_OK)
            ct_word_list_add(&sources, source);
    }
    free(text);
    if (status == CT_OK)
        status = sources.status != CT_OK ? sources.status
                 : root                  ? CT_OK
                                         : ct_fail(error, CT_E_SYSTEM, "%s.list: is empty", list);
    if (status != CT_OK) {
        ct_word_list_free(&sources);
        free(root);
        return status;
    }
    *ret_sources = sources;
    *ret_root = root;
    return CT_OK;
}
