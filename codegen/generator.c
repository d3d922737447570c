/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/generator.h"

#include <string.h>

const struct ct_generator *const ct_generators[] = {
#define GENERATOR(name, file) &ct_##name##_generator,
#include "codegen/generators.def"
    NULL,
};

const struct ct_generator *ct_generator_find(const char *name)
{
    for (const struct ct_generator *const *generator = ct_generators; *generator; generator++)
        if (strcmp((*generator)->name, name) == 0)
            return *generator;
    return NULL;
}
