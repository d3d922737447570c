/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/fit/fit_model.h"
#include "models/model_file.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* The input is a file of times of messages. What is taken either makes a model that can be kept, or is
 * refused with one line. */

static void need(bool good)
{
    if (!good)
        abort();
}

static void keep(struct ct_model *model)
{
    struct ct_text text = {0};
    struct ct_model back;
    model->name = strdup("fuzz");
    model->source = strdup("fuzz");
    ct_model_format(model, &text);
    need(ct_model_parse(text.data, text.length, "again", NULL, &back) == CT_OK);
    ct_model_free(&back);
    ct_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_point_samples samples;
    struct ct_model model;
    const struct ct_fit_options options = {.seed = 1, .resamples = 20, .extremes = size % 2};
    struct ct_text notes = {0};
    struct ct_error error = {""};
    int status = ct_point_samples_parse((const char *)data, size, "input", &error, &samples);
    if (status == CT_OK) {
        status = ct_fit_model(&samples, &options, &error, &notes, &model);
        ct_point_samples_free(&samples);
        if (status == CT_OK) {
            keep(&model);
            ct_model_free(&model);
        }
    }
    need(status == CT_OK || (error.text[0] && !strchr(error.text, '\n')));
    ct_text_free(&notes);
    return 0;
}
