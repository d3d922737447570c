/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"
#include "config.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

static const struct ct_command *const commands[] = {
    &ct_command_list,   &ct_command_explain,    &ct_command_verify,     &ct_command_measure,
    &ct_command_import, &ct_command_fit,        &ct_command_predict,    &ct_command_supplement,
    &ct_command_map,    &ct_command_learn,      &ct_command_score,      &ct_command_generate,
    &ct_command_build,  &ct_command_validate,   &ct_command_report,     &ct_command_tune,
    &ct_command_c45,    &ct_command_export_c45, &ct_command_import_c45,
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void help(FILE *out)
{
    fprintf(
        out,
        "Usage: colltune COMMAND [OPTION...] [ARGUMENT...]\n\n"
        "Tunes MPI collective operations for this machine: measures algorithms, learns which one is fastest\n"
        "where, and builds that into a library of collectives to link or preload.\n\n"
        "Commands:\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->text);
    fprintf(out, "\n`colltune COMMAND --help` explains a command. Everything in one step:\n"
                 "  colltune tune -o tuned\n");
}

int main(int argc, char **argv)
{
    argp_err_exit_status = CT_EXIT_USAGE;
    if (argc < 2) {
        help(stderr);
        return CT_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        help(stdout);
        return CT_EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("colltune " CT_VERSION);
        return CT_EXIT_OK;
    }
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(argv[1], commands[i]->name) != 0)
            continue;
        char name[64];
        snprintf(name, sizeof name, "colltune %s", commands[i]->name);
        argv[1] = name;
        return ct_command_main(commands[i], argc - 1, argv + 1);
    }
    fprintf(stderr, "colltune: unknown command '%s': see colltune --help\n", argv[1]);
    return CT_EXIT_USAGE;
}
