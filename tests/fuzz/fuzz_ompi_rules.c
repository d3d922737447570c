/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/ompi_rules.h"
#include "tests/fuzz/target.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The input is a file of Open MPI's rules, as text or, where it begins with a brace, as JSON. What is taken
 * has ranges that are none of them empty, and algorithms that exist; what is not must be explained in one
 * line. */

static void need(bool good)
{
    if (!good)
        abort();
}

static void check(const struct ct_ompi_file *file)
{
    size_t rules = 0;
    for (size_t i = 0; i < file->row_count; i++) {
        const struct ct_ompi_row *row = &file->rows[i];
        need(row->first == rules && row->least <= row->most);
        rules += row->count;
        for (size_t r = 0; r < row->count; r++) {
            const struct ct_ompi_rule *rule = &file->rules[row->first + r];
            need(rule->least <= rule->most && ct_ompi_has(row->collective, rule->algorithm, file->release));
            const struct ct_ompi_rule *found = ct_ompi_decide(file, row->collective, row->least, rule->least);
            need(!found || found->algorithm > 0);
        }
    }
    need(rules == file->rule_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    need(text);
    memcpy(text, data, size);
    text[size] = '\0';
    struct ct_ompi_file file;
    struct ct_error error = {""};
    int status = text[0] == '{' ? ct_ompi_read_json(text, "input", &error, &file)
                                : ct_ompi_read_text(text, "input", &error, &file);
    if (status == CT_OK) {
        check(&file);
        ct_ompi_file_free(&file);
    } else {
        need(error.text[0] && !strchr(error.text, '\n'));
    }
    free(text);
    return 0;
}
