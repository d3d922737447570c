/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_RUN_COMMAND_H
#define CT_CLI_RUN_COMMAND_H

#include "cli/command.h"

/* Reads the command line, whose first word is skipped, and runs the command. Returns an enum ct_exit. Wrong
 * usage is one line with a hint at --help; it ends the program. */
int ct_command_main(const struct ct_command *command, int argc, char **argv);

#endif
