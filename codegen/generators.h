/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_GENERATORS_H
#define CT_CODEGEN_GENERATORS_H

#include "codegen/generator.h"

/* All formats, ended by NULL. */
extern const struct ct_generator *const ct_generators[];

#endif
