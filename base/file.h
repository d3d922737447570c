/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_FILE_H
#define CT_BASE_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The line about a file of lines that end in carriage returns: the file's name. */
#define CT_BARE_RETURN_TEXT                                                                                  \
    "%s: the lines end in a carriage return alone, as on old Macs: expected newlines (tr '\\r' '\\n' makes " \
    "them)"

/* The line about a row at the end of a benchmark's output that has no newline and is shorter than the row
 * before: its last number may be cut, and still be a number. Rows are padded to columns, or grow. */
#define CT_TORN_ROW_TEXT                                                                                     \
    "the file ends within this row, which is shorter than the one before, and may be cut: expected a "       \
    "newline "                                                                                               \
    "behind it (echo >> FILE adds one)"

/* Reads the whole file; *ret_text is NUL-terminated, *ret_length counts without the NUL. Caller frees.
 * CT_OK, CT_E_SYSTEM with a line in `error`, CT_E_MEMORY. */
int ct_file_read(const char *path, struct ct_error *error, char **ret_text, size_t *ret_length);

/* The same for a file of lines: CT_E_INPUT with a line in `error` if the first ends in a carriage return
 * alone, as on old Macs. Readers of lines would take the whole file for one. A byte order mark is left out.
 */
int ct_lines_read(const char *path, struct ct_error *error, char **ret_text, size_t *ret_length);

/* Writes the file completely or not at all: into a new file in the same folder, which is synced and renamed.
 * An existing file is replaced. CT_OK or CT_E_SYSTEM with a line in `error`. */
int ct_file_write(const char *path, const char *text, size_t length, struct ct_error *error);

/* Like ct_file_write(), but CT_E_INPUT if the file exists. */
int ct_file_create(const char *path, const char *text, size_t length, struct ct_error *error);

/* Could that file be written, or that folder be made? A folder may lack parents, a file its name alone. Their
 * disk may not be full. An existing folder is not looked into. CT_OK; CT_E_SYSTEM with a line in `error`;
 * CT_E_MEMORY. */
int ct_place_check(const char *path, bool is_folder, struct ct_error *error);

/* Makes the folder and its parents; they may exist. CT_OK or CT_E_SYSTEM. */
int ct_folder_make(const char *path, struct ct_error *error);

/* Makes a new folder in $TMPDIR, or in /tmp if that is not set. CT_OK, CT_E_SYSTEM with a line in `error`,
 * CT_E_MEMORY. Caller frees *ret_path, and removes the folder. */
int ct_folder_temporary(struct ct_error *error, char **ret_path);

/* Removes a file or a folder with its content; it may be missing. CT_OK or CT_E_SYSTEM. */
int ct_remove_all(const char *path, struct ct_error *error);

/* printf into a new string; NULL if memory is short. Caller frees. */
char *ct_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
