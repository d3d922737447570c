/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/import_check.h"
#include "samples/samples_csv_read.h"
#include "samples/samples_csv_write.h"

#include <stdlib.h>
#include <string.h>

static void need(bool good)
{
    if (!good)
        abort();
}

/* Writes the samples and reads them back. */
static void check_samples(struct ct_run *run)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    need(file && ct_samples_write(run, file) == CT_OK && fclose(file) == 0);
    struct ct_run again = {.description = run->description, .methods = run->methods};
    again.method_count = run->method_count;
    file = fmemopen(text, length, "r");
    need(file && ct_samples_read(file, "again", false, NULL, NULL, &again) == CT_OK);
    need(again.sample_count == run->sample_count && again.cell_count == run->cell_count);
    fclose(file);
    free(text);
    again.description = (struct ct_run_description){0}; /* is still the first one's */
    again.methods = NULL;
    ct_run_free(&again);
}

void import_check(const struct ct_import_format *format, const struct ct_import_request *request,
                  const uint8_t *data, size_t size)
{
    struct ct_import_results results = {0};
    struct ct_error error = {""};
    char *text = malloc(size + 1);
    need(text);
    memcpy(text, data, size);
    text[size] = '\0';
    if (ct_import_read(format, request, request->sources, text, size, &error, &results) == CT_OK) {
        struct ct_run run;
        struct ct_import_summary summary;
        need(ct_import_make_run(&results, false, &error, &summary, &run) == CT_OK);
        need(run.sample_count == results.count && summary.samples == results.count);
        check_samples(&run);
        ct_run_free(&run);
    } else {
        need(error.text[0] && !strchr(error.text, '\n'));
    }
    free(text);
    ct_import_results_free(&results);
}
