/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/predicted_run.h"

#include "base/memory.h"

#include <stdlib.h>

void ct_predicted_run_free(struct ct_predicted_run *predicted)
{
    free(predicted->methods);
    free(predicted->samples);
    free(predicted->cells);
    *predicted = (struct ct_predicted_run){0};
}

uint16_t ct_predicted_datatype(enum ct_collective collective)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    if (!about->has_size)
        return CT_PREDICTED_WORDS;
    return about->reduces ? CT_PREDICTED_DOUBLE : CT_PREDICTED_BYTE;
}

uint16_t ct_predicted_operation(enum ct_collective collective)
{
    return ct_collectives[collective].reduces ? CT_PREDICTED_SUM : CT_PREDICTED_WORDS;
}

/* The index of a method, which is added where it is new. */
static int find_method(struct ct_predicted_run *predicted, const struct ct_method *method,
                       uint32_t *ret_index)
{
    for (size_t m = 0; m < predicted->method_count; m++)
        if (ct_method_equal(&predicted->methods[m], method)) {
            *ret_index = (uint32_t)m;
            return CT_OK;
        }
    int status = ct_grow(&predicted->methods, &predicted->method_capacity, predicted->method_count + 1,
                         sizeof *predicted->methods);
    if (status != CT_OK)
        return status;
    *ret_index = (uint32_t)predicted->method_count;
    predicted->methods[predicted->method_count++] = *method;
    return CT_OK;
}

int ct_predicted_run_add(struct ct_predicted_run *predicted, const struct ct_method *method,
                         struct ct_sample sample)
{
    int status = find_method(predicted, method, &sample.method);
    if (status == CT_OK)
        status = ct_grow(&predicted->samples, &predicted->sample_capacity, predicted->sample_count + 1,
                         sizeof *predicted->samples);
    if (status == CT_OK)
        predicted->samples[predicted->sample_count++] = sample;
    return status;
}

int ct_predicted_run_close(struct ct_predicted_run *predicted, const struct ct_run_cell *cell)
{
    int status = ct_grow(&predicted->cells, &predicted->cell_capacity, predicted->cell_count + 1,
                         sizeof *predicted->cells);
    if (status == CT_OK)
        predicted->cells[predicted->cell_count++] = *cell;
    return status;
}

int ct_predicted_run_write(struct ct_predicted_run *predicted, const char *folder,
                           struct ct_run_description *description, struct ct_error *error)
{
    char byte[] = "byte", real[] = "double", sum[] = "sum";
    char *words[CT_PREDICTED_WORDS] = {
        [CT_PREDICTED_BYTE] = byte, [CT_PREDICTED_DOUBLE] = real, [CT_PREDICTED_SUM] = sum};
    free(description->methods);
    description->methods = predicted->methods;
    description->method_count = predicted->method_count;
    predicted->methods = NULL;
    qsort(predicted->cells, predicted->cell_count, sizeof *predicted->cells, ct_run_cell_compare);
    const struct ct_run run = {.description = *description,
                               .words = words,
                               .word_count = CT_PREDICTED_WORDS,
                               .methods = description->methods,
                               .method_count = description->method_count,
                               .samples = predicted->samples,
                               .sample_count = predicted->sample_count,
                               .cells = predicted->cells,
                               .cell_count = predicted->cell_count};
    return ct_run_write(folder, &run, error);
}
