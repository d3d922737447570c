/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/job_pattern.h"

int ct_job_pattern_of(struct ct_job *job, const char *text, int size, struct ct_error *error,
                      size_t *ret_pattern)
{
    struct ct_job_pattern pattern = {.id = ct_pattern_id(text), .size = size};
    size_t i = 0;
    while (i < job->pattern_count &&
           (job->patterns[i].id != pattern.id || job->patterns[i].size != pattern.size))
        i++;
    int status = CT_OK;
    if (i == job->pattern_count &&
        (status = ct_pattern_edges(text, size, error, &pattern.edges, &pattern.count)) == CT_OK)
        status = ct_job_add_pattern(job, &pattern);
    if (status == CT_OK)
        *ret_pattern = i + 1;
    return status;
}
