/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "samples/run_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A rename is on the disk once the folder is. */
static int sync_folder(const char *path, struct ct_error *error)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY);
    int failed = folder < 0 || fsync(folder) != 0;
    int reason = errno;
    if (folder >= 0)
        close(folder);
    return failed ? ct_fail(error, CT_E_SYSTEM, "%s: %s", path, strerror(reason)) : CT_OK;
}

static int create_file(const char *folder, const char *name, const char *text, size_t length,
                       struct ct_error *error)
{
    char *path = ct_format("%s/%s", folder, name);
    if (!path)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    int status = ct_file_create(path, text, length, error);
    free(path);
    return status;
}

/* Both files in `folder`, synced. */
static int fill(const char *folder, const struct ct_text *description, const char *samples, size_t length,
                struct ct_error *error)
{
    mode_t mask = umask(0);
    umask(mask);
    if (chmod(folder, 0777 & ~mask) != 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", folder, strerror(errno));
    int status = create_file(folder, "run.xml", description->data, description->length, error);
    if (status == CT_OK)
        status = create_file(folder, "samples.csv", samples, length, error);
    return status == CT_OK ? sync_folder(folder, error) : status;
}

/* Gives `ready` the name `folder`, which must be free. An empty folder reserves the name: renaming a folder
 * onto it is allowed, and onto anything else is not. */
static int put_in_place(const char *ready, const char *folder, const char *above, struct ct_error *error)
{
    if (mkdir(folder, 0777) != 0)
        return errno == EEXIST
                   ? ct_fail(error, CT_E_INPUT, "%s: exists already; nothing was overwritten", folder)
                   : ct_fail(error, CT_E_SYSTEM, "%s: cannot make the folder: %s", folder, strerror(errno));
    if (rename(ready, folder) != 0) {
        int status = ct_fail(error, CT_E_SYSTEM, "%s: cannot make the folder: %s", folder, strerror(errno));
        rmdir(folder);
        return status;
    }
    return sync_folder(above, error);
}

static int create(const char *folder, const char *above, const struct ct_text *description,
                  const char *samples, size_t length, struct ct_error *error)
{
    struct stat what;
    if (lstat(folder, &what) == 0)
        return ct_fail(error, CT_E_INPUT, "%s: exists already; nothing was overwritten", folder);
    int status = ct_folder_make(above, error);
    if (status != CT_OK)
        return status;
    char *ready = ct_format("%s.XXXXXX", folder);
    if (!ready)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    if (!mkdtemp(ready)) {
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot make the folder: %s", folder, strerror(errno));
    } else {
        status = fill(ready, description, samples, length, error);
        if (status == CT_OK)
            status = put_in_place(ready, folder, above, error);
        if (status != CT_OK)
            ct_remove_all(ready, NULL);
    }
    free(ready);
    return status;
}

/* What cannot be read back is not written. */
static int check(const char *folder, const struct ct_text *text, struct ct_error *error)
{
    char *name = ct_format("%s/run.xml", folder);
    if (!name || text->failed) {
        free(name);
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    }
    struct ct_run_description again;
    int status = ct_run_description_read(text->data, text->length, name, error, &again);
    if (status == CT_OK)
        ct_run_description_free(&again);
    free(name);
    return status;
}

int ct_run_create_filled(const char *folder, const struct ct_run_description *description,
                         const char *samples, size_t length, struct ct_error *error)
{
    char *path = strdup(folder), *above = NULL;
    struct ct_text text = {0};
    int status = CT_OK;
    for (size_t end = path ? strlen(path) : 0; end > 1 && path[end - 1] == '/'; end--)
        path[end - 1] = '\0';
    char *slash = path ? strrchr(path, '/') : NULL;
    if (path)
        above = slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");
    if (!above)
        status = ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    else if (!*path)
        status = ct_fail(error, CT_E_INPUT, "expected the name of a folder for the run");
    if (status == CT_OK) {
        ct_run_description_write(description, &text);
        status = check(path, &text, error);
    }
    if (status == CT_OK)
        status = create(path, above, &text, samples, length, error);
    ct_text_free(&text);
    free(above);
    free(path);
    return status;
}

int ct_run_create(const char *folder, const struct ct_run_description *description, struct ct_error *error)
{
    char names[CT_SAMPLES_HEADER], *header = ct_format("%s\n", ct_samples_header(names));
    if (!header)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    int status = ct_run_create_filled(folder, description, header, strlen(header), error);
    free(header);
    return status;
}

/* A new value for the property, or a new property. */
static int set_property(struct ct_run_description *description, const struct ct_property *property)
{
    for (size_t i = 0; i < description->property_count; i++) {
        struct ct_property *own = &description->properties[i];
        if (strcmp(own->name, property->name) != 0)
            continue;
        char *value = strdup(property->value);
        if (!value)
            return CT_E_MEMORY;
        free(own->value);
        own->value = value;
        return CT_OK;
    }
    return ct_run_add_property(description, property->name, property->value);
}

int ct_run_annotate(const char *folder, const struct ct_property *properties, size_t count,
                    struct ct_error *error)
{
    char *path = ct_format("%s/run.xml", folder), *old = NULL;
    size_t length;
    struct ct_run_description description = {0};
    struct ct_text text = {0};
    int status = path ? ct_file_read(path, error, &old, &length) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_run_description_read(old, length, path, error, &description);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = set_property(&description, &properties[i]);
    if (status == CT_OK) {
        ct_run_description_write(&description, &text);
        status = check(folder, &text, error);
    }
    if (status == CT_OK)
        status = ct_file_write(path, text.data, text.length, error);
    ct_run_description_free(&description);
    ct_text_free(&text);
    free(old);
    free(path);
    return status == CT_E_MEMORY ? ct_fail(error, status, "%s: out of memory", folder) : status;
}
