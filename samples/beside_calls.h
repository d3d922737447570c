/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_BESIDE_CALLS_H
#define CT_SAMPLES_BESIDE_CALLS_H

#include "base/number.h"
#include "samples/run.h"

/* What is computed beside calls that are not blocking: a sweep has it among its conditions, a merged run,
 * which no sweep made, as these properties. */
enum { CT_BESIDE_COMPUTE, CT_BESIDE_TESTS, CT_BESIDES };

struct ct_beside {
    const char *property;
    const char *meaning; /* for messages */
};

extern const struct ct_beside ct_besides[CT_BESIDES];

/* Is it one of these properties? */
bool ct_is_beside(const char *property);

/* Its value in the run, which may be written to `text`. Empty where it is unknown, or calls are blocking. */
const char *ct_beside_text(const struct ct_run_description *description, size_t beside,
                           char text[CT_NUMBER_TEXT]);

/* The first run with calls that are not blocking; NULL if all are. */
const struct ct_run *ct_first_with_overlap(const struct ct_run *runs, size_t count);

#endif
