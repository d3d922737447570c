/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_SHELL_WORD_H
#define CT_CLI_SHELL_WORD_H

#include <stdio.h>

/* Prints a word of a command that can be typed: quoted if the shell would not take it as it is. */
void ct_print_word(FILE *out, const char *word);

#endif
