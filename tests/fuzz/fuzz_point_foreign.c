/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/point_foreign.h"
#include "samples/point_samples.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* The input is a file of another program. What is converted is a file of ours. */

static void need(bool good)
{
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_text converted = {0};
    struct ct_error error = {""};
    struct ct_point_samples samples;
    char *text = strndup((const char *)data, size);
    need(text);
    const struct ct_point_format *format = ct_point_format_of(text);
    int status = format ? ct_point_convert(format, "node", text, "input", &error, &converted) : CT_E_ANSWER;
    if (status == CT_OK) {
        status = ct_point_samples_parse(converted.data, converted.length, "input", &error, &samples);
        need(status == CT_OK || strstr(error.text, "no samples"));
        if (status == CT_OK)
            ct_point_samples_free(&samples);
    }
    need(status == CT_OK || !format || (error.text[0] && !strchr(error.text, '\n')));
    ct_text_free(&converted);
    free(text);
    return 0;
}
