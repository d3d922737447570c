/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run_command.h"
#include "cli/parsing.h"

int ct_command_main(const struct ct_command *command, int argc, char **argv)
{
    struct ct_parsing parsing = {0};
    struct ct_error error = {""};
    int status = ct_parsing_begin(&parsing, command);
    if (status == CT_OK) {
        ct_parsing_read(&parsing, argc, argv);
        const struct ct_arguments arguments = ct_parsing_arguments(&parsing);
        status = command->run(parsing.settings, &arguments, &error);
    }
    if (status != CT_OK)
        ct_tell(command, "%s", ct_failure(status, &error));
    ct_parsing_free(&parsing);
    return status == CT_OK ? CT_EXIT_OK : status == CT_E_INPUT ? CT_EXIT_USAGE : CT_EXIT_NO;
}
