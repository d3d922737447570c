/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_files.h"
#include "c45/c45_program.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* The input is a report of C4.5 over some known names. What is taken, once printed, must come back the same;
 * what is not must be explained in one line. */

static void need(bool good)
{
    if (!good)
        abort();
}

/* Reads, and prints into *text what was read; false where the report is refused. */
static bool print_again(const struct ct_c45_names *names, const char *report, size_t length,
                        struct ct_text *text)
{
    struct ct_c45_pool pool = {0};
    struct ct_c45_node *root;
    struct ct_error error = {""};
    bool taken = ct_c45_report_read(report, length, "report", names, &pool, &error, &root) == CT_OK;
    if (taken) {
        ct_text_append(text, "Decision Tree:\n");
        ct_c45_print(names, root, text);
        ct_text_append(text, "\nTree saved\n");
    } else {
        need(error.text[0] && !strchr(error.text, '\n'));
    }
    ct_c45_pool_free(&pool);
    return taken;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char names_text[] =
        "Up, Down, Up (1.\nx: continuous.\ny: continuous.\nd: a, b, c.\nx y: continuous.\n";
    struct ct_c45_names names;
    struct ct_text first = {0}, second = {0}, third = {0};
    need(ct_c45_names_parse(names_text, strlen(names_text), "names", NULL, &names) == CT_OK);
    /* the first time, numbers that are no sixth digit are lost */
    if (print_again(&names, (const char *)data, size, &first) && !strstr(first.data, "[S??]")) {
        need(print_again(&names, first.data, first.length, &second));
        need(print_again(&names, second.data, second.length, &third));
        need(strcmp(second.data, third.data) == 0);
    }
    ct_text_free(&first);
    ct_text_free(&second);
    ct_text_free(&third);
    ct_c45_names_free(&names);
    return 0;
}
