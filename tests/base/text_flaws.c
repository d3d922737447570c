/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/base/text_flaws.h"
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void expect_flaws_refused(const char *good, const struct text_flaw *flaws, size_t count, text_reader *read)
{
    for (const struct text_flaw *flaw = flaws; flaw < flaws + count; flaw++) {
        const char *at = strstr(good, flaw->from);
        if (!at)
            fail_msg("no '%s' in\n%s", flaw->from, good);
        char *text = ct_format("%.*s%s%s", (int)(at - good), good, flaw->to, at + strlen(flaw->from));
        char *place = flaw->line ? ct_format("text:%d: ", flaw->line) : ct_format("text:");
        struct ct_error error = {""};
        if (read(text, strlen(text), "text", &error) != CT_E_INPUT)
            fail_msg("'%s' instead of '%s' passed", flaw->to, flaw->from);
        if (strncmp(error.text, place, strlen(place)) != 0 || !strstr(error.text, flaw->error))
            fail_msg("'%s' instead of '%s': expected '%s' at %s, got: %s", flaw->to, flaw->from, flaw->error,
                     place, error.text);
        assert_null(strchr(error.text, '\n'));
        free(place);
        free(text);
    }
}
