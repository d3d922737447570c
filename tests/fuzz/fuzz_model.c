/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/model_file.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* The input is a model. What is taken must survive writing and reading; what is not must be explained in one
 * line. */

static void need(bool good)
{
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_model model, again;
    struct ct_error error = {""};
    if (ct_model_parse((const char *)data, size, "input", &error, &model) != CT_OK) {
        need(error.text[0] && !strchr(error.text, '\n'));
        return 0;
    }
    struct ct_text first = {0}, second = {0};
    ct_model_format(&model, &first);
    need(ct_model_parse(first.data, first.length, "again", NULL, &again) == CT_OK);
    ct_model_format(&again, &second);
    need(strcmp(first.data, second.data) == 0);
    ct_text_free(&first);
    ct_text_free(&second);
    ct_model_free(&model);
    ct_model_free(&again);
    return 0;
}
