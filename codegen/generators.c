/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/generators.h"

#include <stddef.h>

const struct ct_generator *const ct_generators[] = {
#define GENERATOR(name, file) &ct_##name##_generator,
#include "codegen/generators.def"
    NULL,
};
