/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/table.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* The input is a decision table. What is taken must survive writing and reading; what is not must be
 * explained in one line. */

static void need(bool good)
{
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_table table, again;
    struct ct_error error = {""};
    if (ct_table_parse((const char *)data, size, "input", &error, &table) != CT_OK) {
        need(error.text[0] && !strchr(error.text, '\n'));
        return 0;
    }
    struct ct_text first = {0}, second = {0};
    ct_table_write(&table, &first);
    need(ct_table_parse(first.data, first.length, "again", NULL, &again) == CT_OK);
    ct_table_write(&again, &second);
    need(strcmp(first.data, second.data) == 0);
    ct_text_free(&first);
    ct_text_free(&second);
    ct_table_free(&table);
    ct_table_free(&again);
    return 0;
}
