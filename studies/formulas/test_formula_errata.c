/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of errata and the formulas know of each other. */
#include "base/data.h"
#include "base/file.h"
#include "studies/formulas/printed_formulas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NUMBERS_MOST = 100 };

struct page {
    char *text;
    bool used[NUMBERS_MOST];
};

static int read_page(void **state)
{
    static struct page page;
    char *path;
    size_t length;
    struct ct_error error;
    if (ct_data_path("studies/formulas/formulas-errata.md", &error, &path) != CT_OK)
        fail_msg("%s", error.text);
    if (ct_file_read(path, &error, &page.text, &length) != CT_OK)
        fail_msg("%s", error.text);
    free(path);
    *state = &page;
    return 0;
}

static int free_page(void **state)
{
    struct page *page = *state;
    free(page->text);
    return 0;
}

/* The paragraph of a number; NULL where there is none. */
static const char *paragraph(const struct page *page, int number)
{
    char begin[16];
    snprintf(begin, sizeof begin, "\n**%d.** ", number);
    return strstr(page->text, begin);
}

/* The paragraph names the table in its first sentence. */
static void is_told(struct page *page, int number, const char *table)
{
    if (number == 0)
        return;
    assert_true(number < NUMBERS_MOST);
    const char *begin = paragraph(page, number), *found = begin ? strstr(begin + 1, table) : NULL;
    if (!found || strstr(begin + 1, "\n\n") < found)
        fail_msg("number %d: expected a paragraph on table %s", number, table);
    page->used[number] = true;
}

static void every_number_has_its_paragraph(void **state)
{
    struct page *page = *state;
    for (size_t i = 0; i < PRINTED_ROWS; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++) {
            is_told(page, printed_rows[i].formulas[model].erratum, printed_rows[i].table);
            is_told(page, printed_rows[i].formulas[model].remark, printed_rows[i].table);
        }
    for (size_t i = 0; i < PRINTED_OPTIMA; i++)
        is_told(page, printed_optima[i].erratum, printed_optima[i].table);
}

static void every_paragraph_has_its_formula(void **state)
{
    const struct page *page = *state;
    for (int number = 1; number < NUMBERS_MOST; number++)
        if ((paragraph(page, number) != NULL) != page->used[number])
            fail_msg("number %d stands in the %s alone", number, page->used[number] ? "code" : "page");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_its_paragraph),
        cmocka_unit_test(every_paragraph_has_its_formula),
    };
    return cmocka_run_group_tests(tests, read_page, free_page);
}
