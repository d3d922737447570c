/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/nearest.h"
#include "cli/command.h"
#include "cli/run_command.h"
#include "cli/standard_output.h"
#include "config.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

static const struct ct_command *const commands[] = {
    &ct_command_list,         &ct_command_explain,  &ct_command_verify,     &ct_command_measure,
    &ct_command_import,       &ct_command_fit,      &ct_command_predict,    &ct_command_supplement,
    &ct_command_map,          &ct_command_learn,    &ct_command_score,      &ct_command_compare,
    &ct_command_show,         &ct_command_generate, &ct_command_build,      &ct_command_validate,
    &ct_command_profile,      &ct_command_try,      &ct_command_report,     &ct_command_tune,
    &ct_command_doctor,       &ct_command_c45,      &ct_command_export_c45, &ct_command_import_c45,
    &ct_command_import_rules,
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void help(FILE *out)
{
    fputs("Usage: colltune COMMAND [OPTION...] [ARGUMENT...]\n\n"
          "Tunes MPI collective operations for this machine: measures algorithms, learns\n"
          "which one is fastest where, and builds that into a library of collectives to\n"
          "link or preload.\n\n"
          "Commands:\n",
          out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-12s %s\n", commands[i]->name, commands[i]->text);
    fprintf(out, "\n`colltune COMMAND --help` explains a command, `colltune --version` tells the\n"
                 "version. Everything in one step:\n"
                 "  colltune tune -o tuned\n");
}

static const struct ct_command *find(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
    return NULL;
}

static int refuse(const char *word)
{
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++)
        names[i] = commands[i]->name;
    const char *nearest = ct_nearest(word, names, COMMANDS);
    const size_t length = strlen(word);
    for (int i = 0; !nearest && length >= 2 && i < COMMANDS; i++)
        if (strncmp(names[i], word, length) == 0)
            nearest = names[i];
    if (*word == '-') {
        fprintf(stderr,
                "colltune: unknown option %s; expected a command before options (see colltune --help)\n",
                word);
        return CT_EXIT_USAGE;
    }
    fprintf(stderr, "colltune: unknown command '%s'%s%s%s (see colltune --help)\n", word,
            nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return CT_EXIT_USAGE;
}

/* Runs the command with the words; the first stands for the program's name. */
static int run(const struct ct_command *command, int argc, char **argv)
{
    char name[64];
    snprintf(name, sizeof name, "colltune %s", command->name);
    argv[0] = name;
    return ct_command_main(command, argc, argv);
}

int main(int argc, char **argv)
{
    argp_err_exit_status = CT_EXIT_USAGE;
    ct_standard_output_guard();
    if (argc < 2) {
        help(stderr);
        return CT_EXIT_USAGE;
    }
    bool wants_help = strcmp(argv[1], "help") == 0;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        (wants_help && (argc == 2 || strcmp(argv[2], "help") == 0))) {
        help(stdout);
        return CT_EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("colltune " CT_VERSION);
        return CT_EXIT_OK;
    }
    const char *name = argv[wants_help ? 2 : 1];
    const struct ct_command *command = find(name);
    char help_option[] = "--help";
    if (!command)
        return refuse(name);
    wants_help |= argc == 3 && strcmp(argv[2], "-h") == 0;
    return wants_help ? run(command, 2, (char *[]){NULL, help_option, NULL})
                      : run(command, argc - 1, argv + 1);
}
