/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_PROGRESS_H
#define CT_BASE_PROGRESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* How long work reports its progress, and learns that the user wants it to end. */

/* How far the work is. Another `what` begins another bar. */
struct ct_progress {
    const char *what;  /* "measuring"; NULL: how far the next unit of the last report is, as done / total */
    const char *units; /* plural: "cells" */
    size_t done;
    size_t total;     /* 0: not known yet */
    bool is_at_most;  /* `total` may not be reached: less may do, or the time be up before */
    double share;     /* of the time that the work takes, 0 to 1; 0: done / total */
    const char *note; /* what is in work at the moment; NULL: nothing to say */
};

/* Each member may be NULL. */
struct ct_watch {
    const volatile sig_atomic_t *stop; /* becomes nonzero if the user wants the work to end */
    void (*progress)(void *context, const struct ct_progress *progress); /* called often, from one thread */
    void (*notice)(void *context, const char *line);                     /* something to tell the user */
    void *context;
};

/* In all functions `watch` may be NULL. */
bool ct_watch_is_stopped(const struct ct_watch *watch);
const volatile sig_atomic_t *ct_watch_flag(const struct ct_watch *watch); /* `stop` */
void ct_watch_progress(const struct ct_watch *watch, const struct ct_progress *progress);
void ct_watch_notice(const struct ct_watch *watch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
