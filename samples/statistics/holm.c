/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/holm.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

struct hypothesis {
    size_t index;
    double p_value;
};

static int compare_hypotheses(const void *a, const void *b)
{
    const struct hypothesis *left = a, *right = b;
    return CT_COMPARE(left->p_value, right->p_value);
}

int ct_holm(const double *p_values, size_t count, double alpha, bool *ret_rejected)
{
    struct hypothesis *hypotheses = ct_allocate(count + 1, sizeof *hypotheses);
    if (!hypotheses)
        return CT_E_MEMORY;
    for (size_t i = 0; i < count; i++) {
        hypotheses[i] = (struct hypothesis){i, p_values[i]};
        ret_rejected[i] = false;
    }
    qsort(hypotheses, count, sizeof *hypotheses, compare_hypotheses);
    for (size_t i = 0; i < count && hypotheses[i].p_value <= alpha / (double)(count - i); i++)
        ret_rejected[hypotheses[i].index] = true;
    free(hypotheses);
    return CT_OK;
}
