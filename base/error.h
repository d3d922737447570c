/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_ERROR_H
#define CT_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

/* Errors are values. A function that can fail returns int: CT_OK or one of the negative codes below. One that
 * can tell the user more takes a `struct ct_error *` and writes one line into it: what is wrong, where, and
 * what was expected. Results go through `ret_` parameters, last, untouched on failure. Nothing below cli/
 * prints or exits. */

enum ct_status {
    CT_OK = 0,
    CT_E_MEMORY = -1, /* out of memory */
    CT_E_INPUT = -2,  /* the input of the user or of a file is wrong */
    CT_E_SYSTEM = -3, /* the system refused: file, process, MPI */
    CT_E_LIMIT = -4,  /* a size or product does not fit */
    CT_E_ANSWER = -5, /* the work was done and the answer is no: verification failed, results differ */
    CT_E_STOPPED = -6 /* interrupted by the user */
};

struct ct_error {
    char text[1024]; /* one line; empty if nothing is known */
};

/* Writes the formatted line into `error` (which may be NULL) and returns `status`, so that a caller can write
 * `return ct_fail(error, CT_E_INPUT, ...)`. Newlines and other control characters become question marks. */
int ct_fail(struct ct_error *error, int status, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));

/* Writes "file:line: " and the formatted text; returns CT_E_INPUT. For readers of files that know both. */
int ct_fail_at(struct ct_error *error, const char *file, size_t line, const char *format, va_list arguments)
    __attribute__((cold, format(printf, 4, 0)));

/* Puts "prefix: " before the text; returns `status`. */
int ct_fail_in(struct ct_error *error, int status, const char *prefix);

#endif
