/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codegen/seen.h"

#include <stdio.h>

/* For a libmpich that is linked statically, with the linker's --wrap for each function. */

static char first[128];

void seen_reset(void)
{
    first[0] = '\0';
}

const char *seen_first(void)
{
    return first;
}

static void note(const char *collective, const char *name)
{
    if (!first[0])
        snprintf(first, sizeof first, "%s MPIR_%s", collective, name);
}

#define SEEN(collective, name)                                                                               \
    seen_function __wrap_MPIR_##name, __real_MPIR_##name;                                                    \
    int __wrap_MPIR_##name(SEEN_PARAMETERS)                                                                  \
    {                                                                                                        \
        note(#collective, #name);                                                                            \
        return __real_MPIR_##name(SEEN_ARGUMENTS);                                                           \
    }
#include "tests/codegen/seen_mpich.def"
