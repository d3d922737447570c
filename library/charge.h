/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_CHARGE_H
#define CT_LIBRARY_CHARGE_H

#include <mpi.h>
#include <stddef.h>

/* In the simulator local work costs nothing unless charged: reductions gamma, copies delta per byte, given as
 * flops per byte in COLLTUNE_GAMMA_FLOPS and COLLTUNE_DELTA_FLOPS. Outside it these do nothing. */
#ifdef SMPI_H
void ct_charge_reduce(size_t bytes);
void ct_charge_copy(size_t bytes);
#else
static inline void ct_charge_reduce(size_t bytes)
{
    (void)bytes;
}
static inline void ct_charge_copy(size_t bytes)
{
    (void)bytes;
}
#endif

#endif
