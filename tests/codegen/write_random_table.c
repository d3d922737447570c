/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codegen/deep_table.h"
#include "tests/codegen/find_generator.h"
#include "tests/codegen/random_table.h"

#include <stdio.h>
#include <string.h>

/* write_random_table random|deep FORMAT: a table as C, for a test to be compiled with. */
int main(int argc, char **argv)
{
    const struct ct_generator *generator = argc == 3 ? find_generator(argv[2]) : NULL;
    if (!generator) {
        fprintf(stderr, "expected random or deep, and a format\n");
        return 2;
    }
    struct ct_table table;
    struct ct_text text = {0};
    struct ct_error error = {""};
    if (strcmp(argv[1], "deep") == 0)
        deep_table(&table);
    else
        random_table(&table);
    int status = generator->generate(&table, NULL, &error, &text, NULL);
    if (status == CT_OK)
        fputs(text.data, stdout);
    else
        fprintf(stderr, "%s\n", error.text);
    ct_text_free(&text);
    ct_table_free(&table);
    return status == CT_OK ? 0 : 1;
}
