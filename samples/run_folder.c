/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/run_folder.h"
#include "base/file.h"
#include "samples/run_xml.h"
#include "samples/samples_csv_read.h"
#include "samples/samples_csv_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- reading --- */

int ct_run_check(const char *folder, struct ct_error *error)
{
    char *path = ct_format("%s/run.xml", folder);
    if (!path)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    const bool exists = access(path, F_OK) == 0;
    free(path);
    return exists ? CT_OK
                  : ct_fail(error, CT_E_INPUT, "%s: %s: expected a folder with run.xml and samples.csv",
                            folder, access(folder, F_OK) == 0 ? "not a run" : "does not exist");
}

static int read_description(const char *folder, struct ct_error *error,
                            struct ct_run_description *ret_description)
{
    char *path = ct_format("%s/run.xml", folder);
    if (!path)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    char *text;
    size_t length;
    int status = ct_file_read(path, error, &text, &length);
    if (status == CT_OK) {
        status = ct_run_description_read(text, length, path, error, ret_description);
        free(text);
    } else if (status == CT_E_SYSTEM) {
        const int missing = ct_run_check(folder, error);
        status = missing == CT_OK ? status : missing;
    }
    free(path);
    return status;
}

static int read_samples(bool resuming, const struct ct_watch *watch, struct ct_error *error,
                        struct ct_run *run)
{
    char *path = ct_format("%s/samples.csv", run->folder);
    if (!path)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", run->folder);
    int status;
    FILE *file = fopen(path, "rb");
    if (file) {
        status = ct_samples_read(file, path, resuming, watch, error, run);
        fclose(file);
    } else {
        status = ct_fail(error, errno == ENOENT ? CT_E_INPUT : CT_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    free(path);
    return status;
}

int ct_run_read_watched(const char *folder, bool resuming, const struct ct_watch *watch,
                        struct ct_error *error, struct ct_run *ret_run)
{
    struct ct_run run = {0};
    run.folder = strdup(folder);
    if (!run.folder)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    int status = read_description(folder, error, &run.description);
    run.methods = run.description.methods;
    run.method_count = run.description.method_count;
    if (status == CT_OK)
        status = read_samples(resuming, watch, error, &run);
    if (status == CT_OK)
        *ret_run = run;
    else
        ct_run_free(&run);
    return status;
}

int ct_run_read(const char *folder, bool resuming, struct ct_error *error, struct ct_run *ret_run)
{
    return ct_run_read_watched(folder, resuming, NULL, error, ret_run);
}

/* --- writing --- */

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

/* Puts both files into `folder`, synced. */
static int fill(const char *folder, const struct ct_text *description, const char *samples, size_t length,
                struct ct_error *error)
{
    mode_t mask = umask(0);
    umask(mask);
    if (chmod(folder, 0777 & ~mask) != 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", folder, strerror(errno));
    char *xml = ct_format("%s/run.xml", folder), *csv = ct_format("%s/samples.csv", folder);
    int status = xml && csv ? CT_OK : ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    if (status == CT_OK)
        status = ct_file_create(xml, description->data, description->length, error);
    if (status == CT_OK)
        status = ct_file_create(csv, samples, length, error);
    free(xml);
    free(csv);
    return status == CT_OK ? sync_folder(folder, error) : status;
}

/* Gives `ready` the name `folder`, which must be free. An empty folder reserves the name: rename() may
 * replace that, and nothing else. */
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

/* Refuses to write a description that could not be read back. */
static int check(const char *folder, const struct ct_text *text, struct ct_error *error)
{
    char *name = ct_format("%s/run.xml", folder);
    if (!name || text->failed) {
        free(name);
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    }
    struct ct_run_description copy;
    int status = ct_run_description_read(text->data, text->length, name, error, &copy);
    if (status == CT_OK)
        ct_run_description_free(&copy);
    free(name);
    return status;
}

/* Makes the run under a temporary name and renames it when it is whole. */
static int create(const char *path, const struct ct_run_description *description, const char *samples,
                  size_t length, struct ct_error *error)
{
    struct ct_text text = {0};
    struct stat what;
    char *folder = strdup(path), *above = NULL, *ready = NULL;
    int status = CT_E_MEMORY;
    if (!folder)
        goto done;
    for (size_t end = strlen(folder); end > 1 && folder[end - 1] == '/'; end--)
        folder[end - 1] = '\0';
    const char *slash = strrchr(folder, '/');
    above = slash ? strndup(folder, slash > folder ? (size_t)(slash - folder) : 1) : strdup(".");
    ready = ct_format("%s.XXXXXX", folder);
    if (!above || !ready)
        goto done;
    ct_run_description_write(description, &text);
    if (!*folder)
        status = ct_fail(error, CT_E_INPUT, "expected the name of a folder for the run");
    else if (lstat(folder, &what) == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: exists already; nothing was overwritten", folder);
    else
        status = check(folder, &text, error);
    if (status == CT_OK)
        status = ct_folder_make(above, error);
    if (status != CT_OK)
        goto done;
    if (!mkdtemp(ready)) {
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot make the folder: %s", folder, strerror(errno));
        goto done;
    }
    status = fill(ready, &text, samples, length, error);
    if (status == CT_OK)
        status = put_in_place(ready, folder, above, error);
    if (status != CT_OK)
        ct_remove_all(ready, NULL);
done:
    ct_text_free(&text);
    free(ready);
    free(above);
    free(folder);
    return status == CT_E_MEMORY ? ct_fail(error, status, "%s: out of memory", path) : status;
}

int ct_run_write(const char *folder, const struct ct_run *run, struct ct_error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    int status = file ? ct_samples_write(run, file) : CT_E_MEMORY;
    if (file && fclose(file) != 0 && status == CT_OK)
        status = CT_E_MEMORY;
    if (status == CT_OK)
        status = create(folder, &run->description, text, length, error);
    else
        ct_fail(error, status, "%s: %s", folder,
                status == CT_E_INPUT ? "a sample that no run may hold" : "out of memory");
    free(text);
    return status;
}

int ct_run_create(const char *folder, const struct ct_run_description *description, struct ct_error *error)
{
    const struct ct_run empty = {.description = *description};
    return ct_run_write(folder, &empty, error);
}

int ct_run_set_sweep(const char *folder, const struct ct_sweep_state *state, struct ct_error *error)
{
    char *path = ct_format("%s/run.xml", folder), *old = NULL;
    size_t length;
    struct ct_run_description description = {0};
    struct ct_text text = {0};
    int status = path ? ct_file_read(path, error, &old, &length) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_run_description_read(old, length, path, error, &description);
    if (status != CT_OK)
        goto done;
    ct_sweep_state_free(&description.sweep);
    status = ct_sweep_state_copy(state, &description.sweep);
    if (status != CT_OK)
        goto done;
    ct_run_description_write(&description, &text);
    status = check(folder, &text, error);
    if (status == CT_OK)
        status = ct_file_write(path, text.data, text.length, error);
done:
    ct_run_description_free(&description);
    ct_text_free(&text);
    free(old);
    free(path);
    return status == CT_E_MEMORY ? ct_fail(error, status, "%s: out of memory", folder) : status;
}
