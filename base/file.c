/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

char *ct_format(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}

int ct_file_read(const char *path, struct ct_error *error, char **ret_text, size_t *ret_length)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", path, strerror(errno));

    size_t length = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    while (text) {
        length += fread(text + length, 1, room - length, file);
        if (length < room)
            break;
        room *= 2;
        char *grown = realloc(text, room + 1);
        if (!grown)
            free(text);
        text = grown;
    }
    int status = CT_OK;
    if (!text)
        status = ct_fail(error, CT_E_MEMORY, "%s: out of memory", path);
    else if (ferror(file))
        status = ct_fail(error, CT_E_SYSTEM, "%s: %s", path,
                         errno == EISDIR ? "is a folder: expected a file" : strerror(errno));
    fclose(file);
    if (status != CT_OK) {
        free(text);
        return status;
    }
    text[length] = '\0';
    *ret_text = text;
    *ret_length = length;
    return CT_OK;
}

int ct_lines_read(const char *path, struct ct_error *error, char **ret_text, size_t *ret_length)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const size_t mark_length = strlen(byte_order_mark);
    char *text;
    size_t length;
    int status = ct_file_read(path, error, &text, &length);
    if (status != CT_OK)
        return status;
    if (strncmp(text, byte_order_mark, mark_length) == 0) {
        length -= mark_length;
        memmove(text, text + mark_length, length + 1);
    }
    const char *end = text + strcspn(text, "\r\n");
    if (*end == '\r' && end[strspn(end, "\r")] != '\n') {
        free(text);
        return ct_fail(error, CT_E_INPUT, CT_BARE_RETURN_TEXT, path);
    }
    *ret_text = text;
    *ret_length = length;
    return CT_OK;
}

static int write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -1;
        text += written;
        length -= (size_t)written;
    }
    return 0;
}

/* Writes a temporary file beside `path`; *ret_name is its name, freed by the caller. */
static int write_beside(const char *path, const char *text, size_t length, struct ct_error *error,
                        char **ret_name)
{
    char *name = ct_format("%s.XXXXXX", path);
    if (!name)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", path);
    int file = mkstemp(name);
    if (file < 0) {
        free(name);
        return ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
    }
    mode_t mask = umask(0);
    umask(mask);
    int failed = fchmod(file, 0666 & ~mask) || write_all(file, text, length) || fsync(file);
    int reason = errno;
    if (close(file) != 0 && !failed) {
        failed = 1;
        reason = errno;
    }
    if (failed) {
        unlink(name);
        free(name);
        return ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", path, strerror(reason));
    }
    *ret_name = name;
    return CT_OK;
}

int ct_file_write(const char *path, const char *text, size_t length, struct ct_error *error)
{
    char *name;
    int status = write_beside(path, text, length, error, &name);
    if (status != CT_OK)
        return status;
    if (rename(name, path) != 0) {
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
        unlink(name);
    }
    free(name);
    return status;
}

int ct_file_create(const char *path, const char *text, size_t length, struct ct_error *error)
{
    char *name;
    int status = write_beside(path, text, length, error, &name);
    if (status != CT_OK)
        return status;
    /* unlike rename(), link() fails if the name exists */
    if (link(name, path) != 0)
        status = errno == EEXIST
                     ? ct_fail(error, CT_E_INPUT, "%s: exists already; nothing was overwritten", path)
                     : ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
    unlink(name);
    free(name);
    return status;
}

/* Does the disk of the folder have no block left for this user? errno says so. File systems that do not count
 * blocks have room. */
static bool is_full(const char *folder)
{
    struct statvfs disk;
    if (statvfs(folder, &disk) != 0 || disk.f_blocks == 0 ||
        (geteuid() == 0 ? disk.f_bfree : disk.f_bavail) > 0)
        return false;
    errno = ENOSPC;
    return true;
}

int ct_place_check(const char *path, bool is_folder, struct ct_error *error)
{
    struct stat what;
    if (is_folder && stat(path, &what) == 0)
        return CT_OK;
    char *copy = strdup(path), *folder = copy;
    if (!copy)
        return CT_E_MEMORY;
    bool is_there;
    do {
        folder = dirname(folder);
        is_there = stat(folder, &what) == 0;
    } while (!is_there && (errno == ENOTDIR || (is_folder && errno == ENOENT)));
    int status = CT_OK;
    if (is_there && !S_ISDIR(what.st_mode))
        status = ct_fail(error, CT_E_SYSTEM, "%s: is a file: expected a folder", folder);
    else if (!is_there || access(folder, W_OK | X_OK) != 0 || is_full(folder))
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
    free(copy);
    return status;
}

int ct_folder_make(const char *path, struct ct_error *error)
{
    char *part = strdup(path);
    if (!part)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", path);
    int status = CT_OK;
    for (char *at = part + 1; status == CT_OK; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char end = *at;
        *at = '\0';
        struct stat what;
        if (mkdir(part, 0777) != 0 && !(errno == EEXIST && stat(part, &what) == 0 && S_ISDIR(what.st_mode)))
            status = errno == EEXIST ? ct_fail(error, CT_E_SYSTEM, "%s: is a file: expected a folder", part)
                                     : ct_fail(error, CT_E_SYSTEM, "%s: cannot make the folder: %s", part,
                                               strerror(errno));
        *at = end;
        if (!end)
            break;
    }
    free(part);
    return status;
}

static int remove_one(const char *path, const struct stat *what, int kind, struct FTW *walk)
{
    (void)what;
    (void)kind;
    (void)walk;
    return remove(path);
}

int ct_remove_all(const char *path, struct ct_error *error)
{
    enum { OPEN_FOLDERS = 16 };
    if (nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0 && errno != ENOENT)
        return ct_fail(error, CT_E_SYSTEM, "%s: cannot be removed: %s", path, strerror(errno));
    return CT_OK;
}

int ct_folder_temporary(struct ct_error *error, char **ret_path)
{
    const char *temporary = getenv("TMPDIR");
    char *path = ct_format("%s/colltune-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!path)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    if (!mkdtemp(path)) {
        int status = ct_fail(error, CT_E_SYSTEM,
                             "%s: a temporary folder cannot be made: %s; set TMPDIR to a folder that can be "
                             "written",
                             path, strerror(errno));
        free(path);
        return status;
    }
    *ret_path = path;
    return CT_OK;
}
