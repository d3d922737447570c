/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_CODEGEN_FIND_GENERATOR_H
#define CT_TESTS_CODEGEN_FIND_GENERATOR_H

#include "codegen/generator.h"
#include "codegen/generators.h"

#include <string.h>

/* The generator of that format; NULL if there is none. */
static inline const struct ct_generator *find_generator(const char *name)
{
    for (const struct ct_generator *const *generator = ct_generators; *generator; generator++)
        if (strcmp((*generator)->name, name) == 0)
            return *generator;
    return NULL;
}

#endif
