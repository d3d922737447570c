/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_ARGUMENT_ORDER_H
#define CT_CLI_ARGUMENT_ORDER_H

#include "cli/command.h"

/* Are a run and an XML file (a table, a model) swapped, for a command whose usage names both? CT_OK, or
 * CT_E_INPUT with a line in `error` that says what each is, and the order that is expected. */
int ct_argument_order_check(const struct ct_command *command, const struct ct_arguments *arguments,
                            struct ct_error *error);

#endif
