/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/beside_calls.h"

#include <string.h>

const struct ct_beside ct_besides[CT_BESIDES] = {
    [CT_BESIDE_COMPUTE] = {"calls.compute", "--compute, the computation beside calls,"},
    [CT_BESIDE_TESTS] = {"calls.tests", "--tests, how often MPI_Test is called meanwhile,"},
};

bool ct_is_beside(const char *property)
{
    for (size_t i = 0; i < CT_BESIDES; i++)
        if (strcmp(ct_besides[i].property, property) == 0)
            return true;
    return false;
}

const char *ct_beside_text(const struct ct_run_description *description, size_t beside,
                           char text[CT_NUMBER_TEXT])
{
    const struct ct_sweep_state *sweep = &description->sweep;
    const char *kept = ct_run_property(description, ct_besides[beside].property);
    if (!ct_run_has_overlap(description) || (!sweep->sync && !kept))
        return "";
    if (!sweep->sync)
        return kept;
    return ct_number_format(beside == CT_BESIDE_COMPUTE ? sweep->compute : (double)sweep->tests, text);
}

const struct ct_run *ct_first_with_overlap(const struct ct_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ct_run_has_overlap(&runs[i].description))
            return &runs[i];
    return NULL;
}
