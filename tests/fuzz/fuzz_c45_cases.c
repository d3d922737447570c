/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_files.h"
#include "c45/c45_program.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* The input is a .names text, a line of one %, and a .data text. What is taken can be learned from, by any
 * options, and the report can be read; what is not must be explained in one line. */

static void need(bool good)
{
    if (!good)
        abort();
}

static void explained(const struct ct_error *error)
{
    need(error->text[0] && !strchr(error->text, '\n'));
}

static void learn(const struct ct_c45_names *names, const struct ct_c45_cases *cases, bool subsets)
{
    struct ct_c45_program program = {.stem = "fuzz", .learn = ct_c45_standard};
    struct ct_error error = {""};
    struct ct_text report = {0};
    struct ct_c45_pool pool = {0};
    struct ct_c45_node *root;
    program.learn.subsets = program.soft = subsets;
    program.learn.least = 1;
    program.learn.trials = subsets ? 2 : 0;
    need(ct_c45_report(names, cases, cases, &program, &error, &report) == CT_OK);
    /* names may be such that a line means two things, or none */
    if (ct_c45_report_read(report.data, report.length, "report", names, &pool, &error, &root) != CT_OK)
        explained(&error);
    ct_c45_pool_free(&pool);
    ct_text_free(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char line[] = "\n%\n";
    const size_t length = strlen(line), most = 500;
    const char *text = (const char *)data, *data_text = text + size;
    const char *found = memmem(text, size, line, length);
    struct ct_c45_names names;
    struct ct_c45_cases cases;
    struct ct_error error = {""};
    size_t names_size = found ? (size_t)(found - text) : size;
    if (found)
        data_text = found + length;
    if (ct_c45_names_parse(text, names_size, "names", &error, &names) != CT_OK) {
        explained(&error);
        return 0;
    }
    size_t data_size = size - (size_t)(data_text - text);
    if (ct_c45_cases_parse(data_text, data_size, "data", true, &names, &error, &cases) != CT_OK) {
        explained(&error);
    } else {
        if (cases.count <= most) {
            learn(&names, &cases, false);
            learn(&names, &cases, true);
        }
        ct_c45_cases_free(&cases);
    }
    ct_c45_names_free(&names);
    return 0;
}
