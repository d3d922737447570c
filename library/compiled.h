/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_COMPILED_H
#define CT_LIBRARY_COMPILED_H

#include "decision/tree/feature.h"
#include "plan/collective.h"

/* The decisions that a tuned library is built with. `colltune build` generates the one definition. */

/* Indices into the names: what to use, and the next best that always applies. */
struct ct_compiled_choice {
    unsigned short method;
    unsigned short fallback;
};

struct ct_compiled_decisions {
    const char *provenance;     /* lines for people */
    const char *const *methods; /* spellings with their collective */
    size_t method_count;
    /* By collective; NULL where nothing was learned. */
    struct ct_compiled_choice (*decide[CT_COLLECTIVES])(const struct ct_features *features);
};

extern const struct ct_compiled_decisions ct_compiled_decisions;

#endif
