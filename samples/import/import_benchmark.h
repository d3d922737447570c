/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_IMPORT_BENCHMARK_H
#define CT_SAMPLES_IMPORT_IMPORT_BENCHMARK_H

#include "samples/import/import_format.h"

/* Results of the OSU and the Intel MPI benchmarks. */

extern const struct ct_import_format ct_import_osu, ct_import_imb;

#endif
