/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/shell_word.h"

#include <string.h>

void ct_print_word(FILE *out, const char *word)
{
    if (*word && !strpbrk(word, " \t\n'\"`{}[]()*?!$\\;&|<>#~")) {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            putc(*word, out);
    putc('\'', out);
}
