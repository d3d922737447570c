/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_REQUEST_ENDS_H
#define CT_TESTS_REQUEST_ENDS_H

#include "request_rows.h"

/* How the requests of a row are completed, and what MPI tells about their ends. */

/* Every way completes all requests of a row, and tells about each of them. */
enum { WAYS = 12 };
struct way {
    const char *name;
    void (*complete)(struct request_row *row);
    bool tells_errors; /* or it cannot be told which request has failed */
};
extern const struct way ways[WAYS];

void tell(const struct odd_run *run, const char *what, long value);

/* The class of an error code, on a line of its own. */
void note_code(const struct odd_run *run, const char *what, int code);

/* The request at a place has come to its end, as its status says unless that is NULL. */
void note(struct request_row *row, int place, MPI_Status *status);

#endif
