/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for a tuned library: says that it is loaded, if it is asked to and the program uses it. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void say(void)
{
    const char *verbose = getenv("COLLTUNE_VERBOSE");
    if (verbose && *verbose && !getenv("UNUSED"))
        fprintf(stderr, "colltune: is loaded\n");
}
