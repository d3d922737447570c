/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/validation.h"
#include "tests/fuzz/target.h"
#include "tests/report/validation_form.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The input is what a validation wrote. The points of one that is read are those of its modes, and what is
 * written of them is read again. */

static void need(bool good)
{
    if (!good)
        abort();
}

/* The points of a mode, as a file. */
static void write(const struct ct_validation *part, struct ct_validation_form form, struct ct_text *text)
{
    char method[CT_METHOD_TEXT];
    for (size_t i = 0; i < part->count; i++)
        ct_validation_append(&part->points[i], ct_method_format(&part->points[i].method, false, method), form,
                             text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_error error = {""};
    struct ct_validation validation, again;
    struct ct_text text = {0};
    size_t count = 0;
    if (ct_validation_parse((const char *)data, size, "input", &error, &validation) != CT_OK) {
        need(error.text[0] && !strchr(error.text, '\n'));
        return -1;
    }
    const struct ct_validation_form form = form_of(&validation);
    ct_text_append(&text, "%s\n", ct_validation_header(form));
    for (int mode = 0; mode < CT_MODES; mode++) {
        const struct ct_validation part = ct_validation_of_mode(&validation, (enum ct_call_mode)mode);
        write(&part, form, &text);
        count += part.count;
    }
    need(count == validation.count && !text.failed);
    /* numbers are written with nine digits, by which an interval may lose its ratio, and a small number all
     */
    if (ct_validation_parse(text.data, text.length, "again", &error, &again) == CT_OK) {
        need(again.count == validation.count);
        ct_validation_free(&again);
    }
    ct_text_free(&text);
    ct_validation_free(&validation);
    return 0;
}
