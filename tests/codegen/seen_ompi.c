/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codegen/seen.h"

#include <dlfcn.h>
#include <stdio.h>

/* The functions stand in the program, and before libmpi's for its component coll/tuned too. */

static char first[128];

void seen_reset(void)
{
    first[0] = '\0';
}

const char *seen_first(void)
{
    return first;
}

static int word_of(const intptr_t *words, int place)
{
    return place ? (int)words[place - 1] : 0;
}

static void note(const char *collective, int number, const intptr_t *words, int segment, int fanout)
{
    if (!first[0])
        snprintf(first, sizeof first, "%s %d segment %d fanout %d", collective, number,
                 word_of(words, segment), word_of(words, fanout));
}

#define SEEN(collective, number, name, segment, fanout)                                                      \
    seen_function ompi_coll_base_##name;                                                                     \
    int ompi_coll_base_##name(SEEN_PARAMETERS)                                                               \
    {                                                                                                        \
        const intptr_t words[SEEN_WORDS] = {SEEN_ARGUMENTS};                                                 \
        note(#collective, number, words, segment, fanout);                                                   \
        return ((seen_function *)dlsym(RTLD_NEXT, "ompi_coll_base_" #name))(SEEN_ARGUMENTS);                 \
    }
#include "tests/codegen/seen_ompi.def"
