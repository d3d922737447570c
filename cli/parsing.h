/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_PARSING_H
#define CT_CLI_PARSING_H

#include "cli/command.h"

#include <argp.h>

/* A command line, as argp reads it for the tables of options of a command. */
struct ct_parsing {
    const struct ct_command *command;
    void *settings;
    struct ct_bindings bindings;
    struct argp_option *options; /* ended by zeroes; they own their texts */
    size_t option_count;
    size_t option_capacity;
    const char **words; /* ended by NULL */
    size_t word_count;
    struct ct_given *given;
    size_t given_count;
    size_t given_capacity;
};

/* Makes the command's settings, and the rows of its options, in a parsing of zeroes. CT_OK, CT_E_MEMORY. The
 * caller frees the parsing in any case. */
int ct_parsing_begin(struct ct_parsing *parsing, const struct ct_command *command);
void ct_parsing_free(struct ct_parsing *parsing);

/* Reads the words, of which the first is skipped, into the settings. Wrong usage is one line with a hint at
 * --help; it ends the program, as do --help and a lack of memory. */
void ct_parsing_read(struct ct_parsing *parsing, int argc, char **argv);

/* What was given. It is the parsing's. */
struct ct_arguments ct_parsing_arguments(const struct ct_parsing *parsing);

#endif
