/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_VALIDATION_CHOICE_H
#define CT_CLI_VALIDATION_CHOICE_H

#include "cli/command.h"
#include "measure/sweep/validate.h"
#include "report/validation.h"

/* Which points `colltune validate` measures: those of lists and of the library's own table, or those of an
 * earlier validation. */

/* The options that say so, as they are given; NULL or 0 where they are not. `command` is the caller's. */
struct ct_validation_wanted {
    const struct ct_command *command; /* in whose name notices are printed */
    unsigned modes;                   /* a bit 1 << MODE for each; 0: those of the table */
    const char *collectives;
    const char *comm_sizes;
    const char *msg_sizes;
    const char *roots;
    const char *patterns;
    const char *again;
    const char *run;
    const char *simulate;
    size_t points;
    double budget;
};

struct ct_validation_chosen {
    struct ct_validation_cell *points; /* of an earlier validation: in the order of `earlier` */
    size_t count;
    unsigned modes;
    const struct ct_validation *earlier; /* empty: there is none */
    struct ct_validation_lists *lists;   /* what the others come from and refer to */
};

/* The points for the library in the folder `prefix`. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in `error`;
 * CT_E_MEMORY. Caller frees with ct_validation_chosen_free(). */
int ct_validation_choose(const struct ct_validation_wanted *wanted, const char *prefix,
                         const struct ct_arguments *arguments, struct ct_error *error,
                         struct ct_validation_chosen *ret_chosen);
void ct_validation_chosen_free(struct ct_validation_chosen *chosen);

#endif
