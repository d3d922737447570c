/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/charge.h"

#ifdef SMPI_H

#include <stdlib.h>

static void charge(const char *name, size_t bytes)
{
    const char *flops_per_byte = getenv(name);
    if (flops_per_byte && bytes > 0)
        smpi_execute_flops(strtod(flops_per_byte, NULL) * (double)bytes);
}

void ct_charge_reduce(size_t bytes)
{
    charge("COLLTUNE_GAMMA_FLOPS", bytes);
}

void ct_charge_copy(size_t bytes)
{
    charge("COLLTUNE_DELTA_FLOPS", bytes);
}

#else

/* ISO C wants a declaration in every file. */
typedef int ct_charge_nothing;

#endif
