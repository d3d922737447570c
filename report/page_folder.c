/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/page_folder.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ct_page_folder_check(const char *folder, struct ct_error *error)
{
    if (!*folder)
        return ct_fail(error, CT_E_INPUT,
                       "the page's folder has no name: expected one that does not exist yet");
    DIR *open_folder = opendir(folder);
    if (!open_folder && errno == ENOENT)
        return CT_OK;
    if (!open_folder && errno == ENOTDIR)
        return ct_fail(error, CT_E_INPUT, "%s: is not a folder; nothing was overwritten", folder);
    if (!open_folder)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", folder, strerror(errno));
    size_t entries = 0;
    for (const struct dirent *entry; (entry = readdir(open_folder));)
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(open_folder);
    if (entries > 0)
        return ct_fail(
            error, CT_E_INPUT,
            "%s: exists already and is not empty: expected a new or empty folder; nothing was overwritten",
            folder);
    return CT_OK;
}

int ct_page_folder_fill(const char *folder, const struct ct_text *html, struct ct_error *error)
{
    bool was_there = access(folder, F_OK) == 0;
    char *path = ct_format("%s/index.html", folder);
    if (!path)
        return CT_E_MEMORY;
    int status = ct_folder_make(folder, error);
    if (status == CT_OK)
        status = ct_file_create(path, html->data, html->length, error);
    if (status != CT_OK && !was_there)
        rmdir(folder);
    free(path);
    return status;
}
