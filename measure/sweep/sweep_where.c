/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "measure/sweep/sweep_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The conditions that say where ranks are and how they start. */

static const char *before_property(const struct ct_run_description *before, const char *name)
{
    return before ? ct_run_property(before, name) : NULL;
}

/* --hostfile and --ppn; in the simulator ranks go host by host. */
int ct_sweep_choose_places(const struct ct_sweep_request *request, const struct ct_run_description *before,
                           struct ct_error *error, struct ct_sweep_conditions *conditions)
{
    const char *hostfile = request->hostfile, *ppn = before_property(before, "launcher.ppn");
    char number[CT_NUMBER_TEXT];
    if (hostfile && conditions->simulated)
        return ct_fail(
            error, CT_E_INPUT,
            "a hostfile has no meaning where the machine is simulated: the platform has its hosts");
    if (!hostfile)
        hostfile = before_property(before, "launcher.hostfile");
    if (hostfile && access(hostfile, R_OK) != 0)
        return ct_fail(error, CT_E_INPUT, "%s: cannot be read; expected a hostfile", hostfile);
    conditions->ppn = request->ppn;
    if (!conditions->ppn && ppn && ct_size_parse(ppn, &conditions->ppn) != CT_OK)
        return ct_fail(error, CT_E_INPUT, "launcher.ppn '%s': expected a whole number", ppn);
    int status = CT_OK;
    if (hostfile) {
        conditions->hostfile = realpath(hostfile, NULL);
        status = conditions->hostfile ? ct_run_add_property(&conditions->description, "launcher.hostfile",
                                                            conditions->hostfile)
                                      : CT_E_MEMORY;
    }
    if (status == CT_OK && conditions->ppn)
        status = ct_run_add_property(&conditions->description, "launcher.ppn",
                                     ct_number_format((double)conditions->ppn, number));
    if (!conditions->simulated)
        conditions->launch = (struct ct_launch){
            .np = 1, .hostfile = conditions->hostfile, .ppn = conditions->ppn, .mpi = conditions->mpi.name};
    return status;
}

/* How repetitions start. Resumed: as before; a run that does not say was made the usual way. */
int ct_sweep_choose_sync(const struct ct_sweep_request *request, const struct ct_run_description *before,
                         struct ct_error *error, struct ct_sweep_conditions *conditions)
{
    const char *name = request->sync ? request->sync : before_property(before, "sync");
    conditions->sync = name ? ct_sync_find(name) : CT_SYNC_AUTO;
    if (conditions->sync == CT_SYNCS)
        return ct_fail(error, CT_E_INPUT,
                       "unknown way to start '%s': expected auto, barrier, common or window", name);
    if (conditions->simulated && conditions->sync != CT_SYNC_AUTO)
        return ct_fail(error, CT_E_INPUT,
                       "simulated ranks start at one moment: --sync %s has no meaning there", name);
    conditions->description.sync = strdup(conditions->simulated                ? "clock"
                                          : conditions->sync == CT_SYNC_WINDOW ? "window"
                                                                               : "barrier/dissemination");
    if (!conditions->description.sync)
        return CT_E_MEMORY;
    return conditions->sync == CT_SYNC_AUTO
               ? CT_OK
               : ct_run_add_property(&conditions->description, "sync", ct_sync_names[conditions->sync]);
}
