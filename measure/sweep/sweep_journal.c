/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_journal.h"
#include "base/file.h"
#include "base/memory.h"
#include "plan/nodes.h"
#include "samples/run_folder.h"
#include "samples/samples_csv_write.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the run --- */

/* Continues the findings of the sweep so far. */
static int take_findings(const struct ct_sweep_state *before, struct ct_sweep_state *now)
{
    now->yield_from = before->yield_from;
    now->clocks = before->clocks;
    now->skew = before->skew;
    now->skew_bound = before->skew_bound;
    now->jumps = before->jumps;
    now->slow_rank = before->slow_rank;
    now->slow_factor = before->slow_factor;
    now->late = before->late;
    now->late_of = before->late_of;
    now->again = before->again;
    now->link_factor = before->link_factor;
    free(now->link_cells);
    now->link_cells = before->link_cells ? strdup(before->link_cells) : NULL;
    return !before->link_cells || now->link_cells ? CT_OK : CT_E_MEMORY;
}

int ct_sweep_journal_open(const char *folder, const struct ct_run *run, const struct ct_watch *watch,
                          struct ct_sweep_conditions *conditions, struct ct_sweep_grid *grid,
                          struct ct_error *error, struct ct_sweep_journal *journal)
{
    struct ct_run_description *description = &conditions->description;
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    *journal = (struct ct_sweep_journal){
        .watch = watch, .conditions = conditions, .grid = grid, .folder = strndup(folder, length)};
    if (!journal->folder)
        return CT_E_MEMORY;
    if (!run)
        return CT_OK;
    free(description->time);
    description->time = strdup(run->description.time);
    int status = description->time ? ct_sweep_grid_mark_done(grid, run) : CT_E_MEMORY;
    const char *nodes = ct_run_property(&run->description, "nodes.ranks");
    if (status == CT_OK && nodes && !conditions->place.backend->exact)
        status = ct_run_add_property(description, "nodes.ranks", nodes);
    if (status == CT_OK && run->description.node_channel)
        status = ct_run_set_node_channel(description, ct_run_node_channel(&run->description));
    if (status == CT_OK)
        status = take_findings(&run->description.sweep, &description->sweep);
    if (status != CT_OK)
        return status;
    status = ct_samples_open(folder, description, run->whole_length, error, &journal->writer);
    if (status != CT_OK)
        return status;
    journal->begun = true;
    if (run->dropped > 0)
        ct_watch_notice(journal->watch, "%s: dropped the %zu line%s of a cell that was in flight", folder,
                        run->dropped, run->dropped == 1 ? "" : "s");
    return CT_OK;
}

int ct_sweep_journal_close(struct ct_sweep_journal *journal, struct ct_error *error)
{
    int status = CT_OK;
    if (journal->begun)
        status = ct_run_set_sweep(journal->folder, &journal->conditions->description.sweep, error);
    if (journal->writer.file && ct_samples_close(&journal->writer) != CT_OK && status == CT_OK)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", journal->folder);
    free(journal->folder);
    free(journal->node_of);
    ct_sweep_links_free(&journal->links);
    *journal = (struct ct_sweep_journal){0};
    return status;
}

int ct_sweep_journal_begin(struct ct_sweep_journal *journal, const char *time, struct ct_error *error)
{
    struct ct_run_description *description = &journal->conditions->description;
    if (journal->begun && strcmp(description->time, time) != 0)
        return ct_fail(error, CT_E_INPUT,
                       "%s: was begun with %s time, here it is %s: measure into a new folder",
                       journal->folder, description->time, time);
    if (journal->begun)
        return CT_OK;
    assert(!description->time);
    description->time = strdup(time);
    if (!description->time)
        return CT_E_MEMORY;
    int status = ct_run_create(journal->folder, description, error);
    if (status == CT_OK)
        status = ct_samples_open(journal->folder, description, SIZE_MAX, error, &journal->writer);
    journal->begun = status == CT_OK;
    return status;
}

/* --- cells --- */

int ct_sweep_journal_add(struct ct_sweep_journal *journal, const struct ct_sweep_cell *cell, size_t method,
                         const struct ct_sample *sample, struct ct_error *error)
{
    const struct ct_sweep_conditions *conditions = journal->conditions;
    const struct ct_collective_description *collective = &ct_collectives[cell->collective];
    const enum ct_data_type type =
        ct_data_type_of(cell->collective, conditions->datatype, conditions->operation);
    const char *datatype = collective->has_size ? ct_data_types[type].name : "";
    int status =
        ct_samples_add(&journal->writer, &journal->conditions->description.methods[method], sample, datatype,
                       collective->reduces ? ct_operations[conditions->operation].name : "");
    journal->samples += sample->status == CT_SAMPLE_OK;
    journal->failed += sample->status != CT_SAMPLE_OK;
    return status == CT_OK
               ? CT_OK
               : ct_fail(error, status, "%s: cannot be written: %s", journal->writer.path, strerror(errno));
}

int ct_sweep_journal_close_cell(struct ct_sweep_journal *journal, struct ct_sweep_cell *cell,
                                struct ct_sample *sample, struct ct_error *error)
{
    for (size_t m = 0; m < cell->method_count; m++) {
        const struct ct_sweep_slot *slot = &journal->grid->slots[cell->first + m];
        if (slot->status == CT_SAMPLE_OK)
            continue;
        sample->status = slot->status;
        sample->seconds = NAN;
        sample->rep = 0;
        int status = ct_sweep_journal_add(journal, cell, slot->method, sample, error);
        if (status != CT_OK)
            return status;
    }
    if (ct_samples_commit(&journal->writer, cell->collective, sample) != CT_OK)
        return ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", journal->writer.path,
                       strerror(errno));
    ct_sweep_grid_finish(journal->grid, cell);
    return CT_OK;
}

/* --- nodes --- */

/* Nodes of the first `ranks` ranks. A rank that was in no job yet is assumed to be alone on its node. */
static int make_nodes(const struct ct_sweep_journal *journal, size_t ranks, struct ct_nodes *ret_nodes)
{
    int *labels = ranks <= INT_MAX ? ct_allocate(ranks, sizeof *labels) : NULL;
    if (!labels)
        return CT_E_MEMORY;
    for (size_t i = 0; i < ranks; i++)
        labels[i] = i < journal->rank_count ? journal->node_of[i] : (int)i;
    int status = ct_nodes_make(labels, (int)ranks, ret_nodes);
    free(labels);
    return status;
}

static int ranks_on_fullest(const struct ct_nodes *nodes)
{
    int most = 0;
    for (int i = 0; i < nodes->count; i++)
        most = ct_node_size(nodes, i) > most ? ct_node_size(nodes, i) : most;
    return most;
}

/* Sets the nodes of a cell that no placement sets. */
static int place_cell(const struct ct_sweep_journal *journal, struct ct_cell_key *key)
{
    struct ct_nodes nodes;
    int status = make_nodes(journal, key->comm_size, &nodes);
    if (status != CT_OK)
        return status;
    key->nodes = (uint32_t)nodes.count;
    key->ppn = (uint32_t)ranks_on_fullest(&nodes);
    ct_nodes_free(&nodes);
    return CT_OK;
}

int ct_sweep_journal_close_exhausted(struct ct_sweep_journal *journal, const struct ct_sweep_batch *batch,
                                     struct ct_error *error, bool *ret_left)
{
    bool left = false;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        struct ct_sweep_cell *cell = &journal->grid->cells[i];
        if (!cell->wanted || cell->done)
            continue;
        if (!journal->begun || ct_sweep_grid_slots_left(journal->grid, i, 1) > 0) {
            left = true;
            continue;
        }
        struct ct_sample sample = {.launch = cell->launch, .key = cell->key};
        int status = cell->key.ppn > 0 ? CT_OK : place_cell(journal, &sample.key);
        if (status != CT_OK)
            return ct_fail(error, status, "out of memory");
        status = ct_sweep_journal_close_cell(journal, cell, &sample, error);
        if (status != CT_OK)
            return status;
    }
    *ret_left = left;
    return CT_OK;
}

/* Ranks in all, of such a text. */
static int count_ranks(const char *text)
{
    int ranks = 0, nodes, each, length;
    while (sscanf(text, "%d*%d%n", &nodes, &each, &length) == 2) {
        ranks += nodes * each;
        text += length + (text[length] == ',');
    }
    return ranks;
}

/* Notes nodes.ranks, such as "2*4,1*3": four ranks on each of two nodes, three on the next. Says so if as
 * many ranks were placed otherwise before, as when a node has failed. */
static int describe_nodes(const struct ct_sweep_journal *journal, const struct ct_nodes *nodes)
{
    struct ct_run_description *description = &journal->conditions->description;
    const char *before = ct_run_property(description, "nodes.ranks");
    struct ct_text text = {0};
    for (int i = 0, same; i < nodes->count; i += same) {
        for (same = 1; i + same < nodes->count; same++)
            if (ct_node_size(nodes, i + same) != ct_node_size(nodes, i))
                break;
        ct_text_append(&text, "%s%d*%d", i ? "," : "", same, ct_node_size(nodes, i));
    }
    int status = text.failed ? CT_E_MEMORY : CT_OK;
    if (status == CT_OK && !before && !journal->begun)
        status = ct_run_add_property(description, "nodes.ranks", text.data);
    else if (status == CT_OK && before && strcmp(before, text.data) != 0 &&
             count_ranks(before) == count_ranks(text.data))
        ct_watch_notice(
            journal->watch,
            "the ranks are placed as %s, and the run was begun with %s: each cell has the nodes on "
            "which it was measured",
            text.data, before);
    ct_text_free(&text);
    return status;
}

int ct_sweep_journal_take_nodes(struct ct_sweep_journal *journal, int *node_of, size_t rank_count,
                                struct ct_error *error)
{
    const struct ct_place *place = &journal->conditions->place;
    struct ct_nodes nodes;
    if (rank_count < journal->rank_count) { /* a smaller job than others */
        free(node_of);
        return CT_OK;
    }
    free(journal->node_of);
    journal->node_of = node_of;
    journal->rank_count = rank_count;
    int status = make_nodes(journal, rank_count, &nodes);
    if (status != CT_OK)
        return status;
    int most = ranks_on_fullest(&nodes);
    if (place->ppn > 0 && (size_t)most > place->ppn)
        status =
            ct_fail(error, CT_E_SYSTEM, "the launcher '%s' put %d ranks on a node where %zu were asked for",
                    place->launcher, most, place->ppn);
    else if (!place->backend->exact)
        status = describe_nodes(journal, &nodes);
    ct_nodes_free(&nodes);
    return status;
}
