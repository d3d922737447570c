/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/standard_output.h"
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The reason of a write that failed earlier is lost; another tells it. */
static void finish(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    if (errno == 0) {
        putchar('\n');
        fflush(stdout);
    }
    fprintf(stderr, "colltune: standard output cannot be written%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    _exit(CT_EXIT_NO);
}

void ct_standard_output_guard(void)
{
    atexit(finish);
}
