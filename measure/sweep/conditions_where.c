/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/conditions_where.h"
#include "base/sort.h"
#include "measure/backend/asked_channel.h"
#include "measure/backend/backend.h"
#include "measure/backend/backend_simulated.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ct_conditions_parse_ppn(const struct ct_making_conditions *making, size_t **ret_ppns, size_t *ret_count)
{
    const char *list = making->request->ppn;
    size_t *ppns, count;
    *ret_ppns = NULL;
    *ret_count = 0;
    if (!list)
        return CT_OK;
    int status = ct_list_parse(list, making->error, &ppns, &count);
    if (status != CT_OK)
        return ct_fail_in(making->error, status, "--ppn");
    count = ct_sort_unique(ppns, count);
    if (ppns[0] == 0) {
        free(ppns);
        return ct_fail(making->error, CT_E_INPUT, "--ppn %s: expected at least 1 rank on a node", list);
    }
    *ret_ppns = ppns;
    *ret_count = count;
    return CT_OK;
}

/* Opens the place that the request names, and where it leaves something open, the place of the run before. */
static int choose_place(const struct ct_making_conditions *making)
{
    struct ct_place_request place = making->request->place;
    const struct ct_run_description *before = making->before;
    size_t *ppns, count;
    int status = ct_conditions_parse_ppn(making, &ppns, &count);
    if (status != CT_OK)
        return status;
    if (count > 0)
        place.ppn = ppns[count - 1];
    free(ppns);
    if (before) {
        const struct ct_sweep_state *state = &before->sweep;
        bool was_simulated = strcmp(before->backend, ct_backend_simulated.name) == 0;
        if (!place.simulate && !place.launcher && was_simulated)
            place.simulate = before->launcher;
        if (!place.simulate && !place.launcher)
            place.launcher = before->launcher;
        if (!place.cc && !place.mpi)
            place.cc = state->cc;
        if (!place.mpi)
            place.mpi = state->mpi;
        if (!place.hostfile)
            place.hostfile = state->hostfile;
        if (!place.simulator_options)
            place.simulator_options = state->simulator_options;
        if (!place.ppn)
            place.ppn = state->ppn;
    }
    return ct_place_open(&place, making->error, &making->conditions->place);
}

/* The nodes of jobs that run side by side. */
static int choose_nodes(const struct ct_making_conditions *making)
{
    const struct ct_place *place = &making->conditions->place;
    const char *sync = making->before ? making->before->sweep.sync : NULL;
    if (!making->request->side_by_side)
        return making->request->switches
                   ? ct_fail(making->error, CT_E_INPUT, "--switches: expected --side-by-side, too")
                   : CT_OK;
    if (place->backend->exact)
        return ct_fail(making->error, CT_E_INPUT,
                       "--side-by-side has no meaning on a simulated machine, whose jobs always run so");
    if (!place->hostfile || place->ppn == 0)
        return ct_fail(making->error, CT_E_INPUT,
                       "--side-by-side: expected --hostfile FILE and --ppn N, too");
    if (sync && strcmp(sync, ct_sync_modes[CT_SYNC_AUTO].name) == 0)
        return ct_fail(
            making->error, CT_E_INPUT,
            "--side-by-side: %s was begun with --sync auto, under which jobs on one node time calls "
            "otherwise than those on several: leave the option out, or measure into a new folder",
            making->request->folder);
    return ct_node_pool_read(place->hostfile, making->request->switches, making->error,
                             &making->conditions->nodes);
}

size_t ct_sweep_conditions_nodes(const struct ct_sweep_conditions *conditions, size_t ranks)
{
    const size_t ppn = conditions->place.ppn;
    return conditions->nodes.count > 0 ? ranks / ppn + (ranks % ppn > 0) : 0;
}

static int choose_timeout(const struct ct_making_conditions *making)
{
    const double timeout = making->request->timeout;
    making->conditions->timeout = timeout > 0 ? timeout : making->conditions->place.backend->timeout;
    return CT_OK;
}

static int choose_sync(const struct ct_making_conditions *making)
{
    struct ct_sweep_conditions *conditions = making->conditions;
    /* Jobs on one node and jobs on several take times alike. */
    const enum ct_sync usual = conditions->nodes.count > 0 ? CT_SYNC_BARRIER : CT_SYNC_AUTO;
    const char *name = making->request->sync;
    if (!name)
        name = making->before ? making->before->sweep.sync : ct_sync_modes[usual].name;
    conditions->sync = ct_sync_find(name);
    if (conditions->sync == CT_SYNCS)
        return ct_fail(making->error, CT_E_INPUT, "--sync '%s': expected one of %s", name, ct_sync_names);
    const char *start = conditions->place.backend->sync;
    if (start && conditions->sync != CT_SYNC_AUTO)
        return ct_fail(making->error, CT_E_INPUT,
                       "--sync %s has no meaning there: simulated ranks start at the same moment", name);
    making->description->sync = strdup(start ? start : ct_sync_modes[conditions->sync].start);
    making->description->sweep.sync = strdup(name);
    return making->description->sync && making->description->sweep.sync ? CT_OK : CT_E_MEMORY;
}

/* The ranks read the variable from the environment that they are started in. */
static int choose_wait(const struct ct_making_conditions *making)
{
    const char *wait = getenv("COLLTUNE_WAIT");
    if (!wait || !*wait || making->conditions->place.backend->exact)
        return CT_OK;
    if (strcmp(wait, "spin") != 0 && strcmp(wait, "yield") != 0)
        return ct_fail(making->error, CT_E_INPUT, "COLLTUNE_WAIT=%.80s: expected spin or yield", wait);
    making->description->sweep.wait = strdup(wait);
    return making->description->sweep.wait ? CT_OK : CT_E_MEMORY;
}

/* The jobs report which channel they have; a wrong value would be ignored there. */
static int check_node_channel(const struct ct_making_conditions *making)
{
    enum ct_node_channel asked;
    return ct_asked_channel(making->error, &asked);
}

static int choose_program(const struct ct_making_conditions *making)
{
    struct ct_sweep_conditions *conditions = making->conditions;
    const char *program = making->request->program;
    if (!program && making->before)
        program = making->before->sweep.program;
    if (!program)
        return CT_OK;
    if (access(program, X_OK) != 0)
        return ct_fail(making->error, CT_E_INPUT, "%s: cannot be run; expected a program", program);
    conditions->program = realpath(program, NULL);
    making->description->sweep.program = conditions->program ? strdup(conditions->program) : NULL;
    return making->description->sweep.program ? CT_OK : CT_E_MEMORY;
}

int ct_conditions_choose_where(const struct ct_making_conditions *making)
{
    int status;
    if ((status = choose_place(making)) != CT_OK || (status = choose_nodes(making)) != CT_OK ||
        (status = choose_timeout(making)) != CT_OK || (status = choose_sync(making)) != CT_OK ||
        (status = choose_wait(making)) != CT_OK || (status = check_node_channel(making)) != CT_OK)
        return status;
    return choose_program(making);
}
