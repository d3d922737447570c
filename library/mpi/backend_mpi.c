/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi/backend_mpi.h"

#if CT_SIMULATED

#include <stdlib.h>

/* `rate` is read from the environment at the first charge; until then it is negative. */
static void charge(const char *name, double *rate, size_t bytes)
{
    if (*rate < 0) {
        const char *flops_per_byte = getenv(name);
        *rate = flops_per_byte ? strtod(flops_per_byte, NULL) : 0;
    }
    if (*rate > 0 && bytes > 0)
        smpi_execute_flops(*rate * (double)bytes);
}

void ct_charge_reduce(size_t bytes)
{
    static double gamma = -1;
    charge("COLLTUNE_GAMMA_FLOPS", &gamma, bytes);
}

void ct_charge_copy(size_t bytes)
{
    static double delta = -1;
    charge("COLLTUNE_DELTA_FLOPS", &delta, bytes);
}

#else

/* ISO C wants a declaration in every file. */
typedef int ct_backend_mpi_nothing;

#endif
