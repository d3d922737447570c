/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/samples/import/import_fixture.h"

#include <stdlib.h>
#include <string.h>

int fixture_import(const char *format, const struct ct_import_request *request,
                   const struct ct_import_source *source, const char *text, struct ct_error *error,
                   struct ct_import_summary *ret_summary, struct ct_run *ret_run)
{
    struct ct_import_request whole = *request;
    struct ct_import_source given = source ? *source : (struct ct_import_source){0};
    struct ct_import_results results = {0};
    char *copy = strdup(text);
    if (!copy)
        abort();
    given.path = "given";
    whole.sources = &given;
    whole.source_count = 1;
    int status = ct_import_read(ct_import_find(format), &whole, &given, copy, strlen(text), error, &results);
    if (status == CT_OK)
        status = ct_import_make_run(&results, whole.comparable, error, ret_summary, ret_run);
    ct_import_results_free(&results);
    free(copy);
    return status;
}

double fixture_seconds(const struct ct_run *run, const char *method, size_t comm_size, size_t msg_bytes,
                       size_t rep)
{
    char spelling[CT_METHOD_TEXT];
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct ct_sample *sample = &run->samples[i];
        if (sample->key.comm_size == comm_size && sample->key.msg_bytes == msg_bytes && sample->rep == rep &&
            strcmp(ct_method_format(&run->methods[sample->method], true, spelling), method) == 0)
            return sample->seconds;
    }
    return -1;
}
