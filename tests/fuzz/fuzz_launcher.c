/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/launcher.h"
#include "tests/fuzz/target.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The input is what a user gives as a launcher. What is taken has a program, all words of the command and no
 * placeholder left; what is not must be explained in one line. */

static void need(bool good)
{
    if (!good)
        abort();
}

static void expand(const char *launcher, const struct ct_launch *launch)
{
    static const char *const command[] = {"first", "second", NULL};
    struct ct_error error = {""};
    char **argv;
    if (ct_launcher_expand(launcher, launch, command, &error, &argv) != CT_OK) {
        need(error.text[0]);
        return;
    }
    bool has_command = false;
    need(argv[0]);
    for (size_t i = 0; argv[i]; i++) {
        need(!strstr(argv[i], "{np}") && !strstr(argv[i], "{hostfile}") && !strstr(argv[i], "{ppn}"));
        has_command |= strstr(argv[i], "second") != NULL;
    }
    need(has_command);
    ct_launcher_free(argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct ct_launch launches[] = {
        {.np = 3},
        {.np = 3, .hostfile = "/hosts", .mpi = "mpich"},
        {.np = 3, .hostfile = "/hosts", .ppn = 2, .mpi = "openmpi"},
    };
    char *text = malloc(size + 1);
    need(text);
    memcpy(text, data, size);
    text[size] = '\0';
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++)
        expand(text, &launches[i]);
    free(text);
    return 0;
}
