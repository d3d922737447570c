/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/c45/random_cases.h"
#include "c45/c45_files.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

size_t random_below(unsigned long long *seed, size_t below)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (size_t)(*seed >> 33) % below;
}

/* Numbers on a grid so that there are ties, or of many digits. */
static size_t draw_number(unsigned long long *seed, bool coarse)
{
    return coarse ? random_below(seed, 12) : (size_t)1 << random_below(seed, 27) | random_below(seed, 1000);
}

static void write_case(unsigned long long *seed, size_t missing, size_t classes, struct ct_text *text)
{
    size_t x = draw_number(seed, true), y = draw_number(seed, false), d = random_below(seed, 5);
    size_t class = (x > 4) + (y > 4096) * 2 + (d == 2);
    const bool unknown[] = {random_below(seed, 100) < missing, random_below(seed, 100) < missing,
                            random_below(seed, 100) < missing, random_below(seed, 100) < missing};
    if (random_below(seed, 10) == 0)
        class = random_below(seed, classes);
    ct_text_append(text, unknown[0] ? "?" : "%zu", x);
    ct_text_append(text, unknown[1] ? ",?" : ",%zu", y);
    ct_text_append(text, unknown[2] ? ",?" : ",v%zu", d);
    ct_text_append(text, unknown[3] ? ",?" : ",%s", x % 2 ? "odd" : "even");
    ct_text_append(text, ",-%zu.5,c%zu\n", x, class % classes);
}

void random_cases(unsigned long long *seed, size_t count, size_t missing, struct ct_c45_names *ret_names,
                  struct ct_c45_cases *ret_cases)
{
    struct ct_text names = {0}, cases = {0};
    struct ct_error error = {""};
    size_t classes = 2 + random_below(seed, 5);
    for (size_t c = 0; c < classes; c++)
        ct_text_append(&names, "%sc%zu", c ? ", " : "", c);
    ct_text_append(&names, ".\nx: continuous.\ny: continuous.\nd: v0, v1, v2, v3, v4.\n"
                           "parity: even, odd.\nmirror: continuous.\n");
    for (size_t i = 0; i < count; i++)
        write_case(seed, missing, classes, &cases);
    assert_int_equal(ct_c45_names_parse(names.data, names.length, "names", &error, ret_names), CT_OK);
    ct_c45_cases_parse(cases.data, cases.length, "data", true, ret_names, &error, ret_cases);
    assert_string_equal(error.text, "");
    ct_text_free(&names);
    ct_text_free(&cases);
}
