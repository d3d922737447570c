/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/generator.h"
#include "tests/trees/random_table.h"

#include <stdio.h>

/* The random table as C, for a test to be compiled with. */
int main(void)
{
    struct ct_table table;
    struct ct_text text = {0};
    struct ct_error error = {""};
    random_table(&table);
    int status = ct_c_generator.generate(&table, NULL, &error, &text, NULL);
    if (status == CT_OK)
        fputs(text.data, stdout);
    else
        fprintf(stderr, "%s\n", error.text);
    ct_text_free(&text);
    ct_table_free(&table);
    return status == CT_OK ? 0 : 1;
}
