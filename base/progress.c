/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/progress.h"

#include <stdarg.h>
#include <stdio.h>

bool ct_watch_is_stopped(const struct ct_watch *watch)
{
    return watch && watch->stop && *watch->stop;
}

const volatile sig_atomic_t *ct_watch_flag(const struct ct_watch *watch)
{
    return watch ? watch->stop : NULL;
}

void ct_watch_progress(const struct ct_watch *watch, const struct ct_progress *progress)
{
    if (watch && watch->progress)
        watch->progress(watch->context, progress);
}

void ct_watch_notice(const struct ct_watch *watch, const char *format, ...)
{
    char line[512];
    va_list arguments;
    if (!watch || !watch->notice)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    watch->notice(watch->context, line);
}
