/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_NATIVE_FLAWS_H
#define CT_TESTS_NATIVE_FLAWS_H

#include "trial.h"

/* False where the MPI library's own collective is known to go wrong on such a call; alike on all ranks. */
bool native_can(const struct trial *trial);

#endif
