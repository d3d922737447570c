/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_CONTRADICTIONS_H
#define CT_CLI_CONTRADICTIONS_H

#include "cli/command.h"
#include "decision/map.h"

/* Communicator sizes that contradict their neighbors: told to the user, and set aside. */

/* The option --without, of settings with a member `const char *without`. */
#define CT_WITHOUT_OPTION(settings)                                                                          \
    {                                                                                                        \
        "without", 0, "LIST", CT_OPTION_TEXT, offsetof(settings, without),                                   \
            .text = "leave these communicator sizes out"                                                     \
    }

/* Leaves the communicator sizes of that list (NULL: none) out of the run. As ct_run_leave_out(). */
int ct_without_apply(const char *list, struct ct_run *run, struct ct_error *error);

/* Warns of each communicator size that contradicts its neighbours, in each part of the map
 * (decision/map_divided.h). CT_OK, CT_E_MEMORY. */
int ct_contradictions_tell(const struct ct_command *command, const struct ct_map *map);

/* The same for the maps of a run's collectives, or of one. Errors also as ct_map_make(). */
int ct_contradictions_tell_all(const struct ct_command *command, const struct ct_run *run, int collective,
                               struct ct_error *error);

#endif
