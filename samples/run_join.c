/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/run_join.h"
#include "base/memory.h"

#include <stdlib.h>

/* Index of the method among the joined ones, added where it is new: there is room. */
static uint32_t place_of(struct ct_run *joined, const struct ct_method *method)
{
    for (size_t i = 0; i < joined->method_count; i++)
        if (ct_method_equal(&joined->methods[i], method))
            return (uint32_t)i;
    joined->methods[joined->method_count] = *method;
    return (uint32_t)joined->method_count++;
}

static int add_run(struct ct_run *joined, const struct ct_run *run, uint32_t *first_launch)
{
    uint32_t *places = ct_allocate(run->method_count, sizeof *places), next = *first_launch;
    if (!places)
        return CT_E_MEMORY;
    for (size_t i = 0; i < run->method_count; i++)
        places[i] = place_of(joined, &run->methods[i]);
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < run->sample_count; i++) {
        struct ct_sample sample = run->samples[i];
        sample.method = places[sample.method];
        if (sample.launch >= UINT32_MAX - *first_launch)
            status = CT_E_LIMIT;
        sample.launch += *first_launch;
        next = sample.launch >= next ? sample.launch + 1 : next;
        joined->samples[joined->sample_count++] = sample;
    }
    *first_launch = next;
    free(places);
    return status;
}

int ct_run_join(const struct ct_run *runs, size_t count, size_t left_out, struct ct_run *ret_joined)
{
    size_t samples = 0, methods = 0;
    for (size_t i = 0; i < count; i++) {
        if (!ct_add(samples, runs[i].sample_count, &samples) ||
            !ct_add(methods, runs[i].method_count, &methods))
            return CT_E_LIMIT;
    }
    size_t first = left_out == 0 ? 1 : 0;
    struct ct_run joined = {.folder = runs[first].folder, .description = runs[first].description};
    uint32_t launch = 0;
    joined.samples = ct_allocate(samples, sizeof *joined.samples);
    joined.methods = ct_allocate(methods, sizeof *joined.methods);
    int status = joined.samples && joined.methods ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        if (i != left_out)
            status = add_run(&joined, &runs[i], &launch);
    if (status == CT_OK)
        *ret_joined = joined;
    else
        ct_run_join_free(&joined);
    return status;
}

void ct_run_join_free(struct ct_run *joined)
{
    free(joined->samples);
    free(joined->methods);
    *joined = (struct ct_run){0};
}
