/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/number.h"
#include "measure/sweep/sweep_internal.h"
#include "plan/nodes.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the benchmark program tells beside the samples: where its ranks are, and how their clocks and starts
 * were. */

/* --- ranks and nodes --- */

/* Nodes of the first `ranks` ranks. One that no job had yet is taken to be on a node of its own. */
static int make_nodes(const struct ct_sweep *sweep, size_t ranks, struct ct_nodes *ret_nodes)
{
    int *labels = ranks <= INT_MAX ? ct_allocate(ranks, sizeof *labels) : NULL;
    if (!labels)
        return CT_E_MEMORY;
    for (size_t i = 0; i < ranks; i++)
        labels[i] = i < sweep->rank_count ? sweep->node_of[i] : (int)i;
    int status = ct_nodes_make(labels, (int)ranks, ret_nodes);
    free(labels);
    return status;
}

static int fullest(const struct ct_nodes *nodes)
{
    int most = 0;
    for (int i = 0; i < nodes->count; i++)
        most = ct_node_size(nodes, i) > most ? ct_node_size(nodes, i) : most;
    return most;
}

int ct_sweep_locate(const struct ct_sweep *sweep, size_t ranks, struct ct_sample *sample)
{
    struct ct_nodes nodes;
    int status = make_nodes(sweep, ranks, &nodes);
    if (status != CT_OK)
        return status;
    sample->key.nodes = nodes.count;
    sample->key.ppn = fullest(&nodes);
    ct_nodes_free(&nodes);
    return CT_OK;
}

/* "2*4,1*3": on two nodes four ranks each, on the next three. */
static char *describe_nodes(const struct ct_nodes *nodes)
{
    struct ct_text text = {0};
    for (int i = 0, same; i < nodes->count; i += same) {
        for (same = 1; i + same < nodes->count; same++)
            if (ct_node_size(nodes, i + same) != ct_node_size(nodes, i))
                break;
        ct_text_append(&text, "%s%d*%d", i ? "," : "", same, ct_node_size(nodes, i));
    }
    return text.failed ? (ct_text_free(&text), NULL) : text.data;
}

/* What the user asked for, and what the launcher made of it. */
static int check_nodes(struct ct_sweep *sweep, struct ct_error *error)
{
    struct ct_nodes nodes;
    size_t ppn = sweep->conditions.ppn;
    int status = make_nodes(sweep, sweep->rank_count, &nodes);
    if (status != CT_OK)
        return status;
    int most = fullest(&nodes);
    if (ppn > 0 && (size_t)most > ppn)
        status =
            ct_fail(error, CT_E_SYSTEM, "the launcher '%s' put %d ranks on a node where %zu were asked for",
                    sweep->conditions.launcher, most, ppn);
    struct ct_run_description *description = &sweep->conditions.description;
    if (status == CT_OK && !sweep->run_exists && !sweep->conditions.simulated) {
        char *text = describe_nodes(&nodes);
        status = text ? ct_run_add_property(description, "nodes.ranks", text) : CT_E_MEMORY;
        free(text);
    }
    ct_nodes_free(&nodes);
    return status;
}

int ct_sweep_take_ranks(struct ct_sweep *sweep, const char *line, struct ct_error *error)
{
    int *labels = NULL;
    size_t count = 0, capacity = 0;
    char *end;
    for (const char *at = line; *at; at = end) {
        long label = strtol(at, &end, 10);
        if (end == at || label < 0 || (size_t)label > count) {
            free(labels);
            return CT_E_INPUT;
        }
        int status = ct_grow(&labels, &capacity, count + 1, sizeof *labels);
        if (status != CT_OK) {
            free(labels);
            return status;
        }
        labels[count++] = (int)label;
    }
    if (count < sweep->rank_count) { /* a smaller job of several */
        free(labels);
        return CT_OK;
    }
    free(sweep->node_of);
    sweep->node_of = labels;
    sweep->rank_count = count;
    return check_nodes(sweep, error);
}

/* --- clocks and starts --- */

int ct_sweep_take_clocks(struct ct_sweep *sweep, const char *line)
{
    size_t count;
    double skew, bound;
    if (sscanf(line, "%zu %lf %lf", &count, &skew, &bound) != 3)
        return CT_E_INPUT;
    sweep->starts.clocks = count;
    sweep->starts.skew = fmax(sweep->starts.skew, skew);
    sweep->starts.bound = fmax(sweep->starts.bound, bound);
    return CT_OK;
}

int ct_sweep_take_skew(struct ct_sweep *sweep, const char *line)
{
    double skew, bound;
    if (sscanf(line, "%lf %lf", &skew, &bound) != 2)
        return CT_E_INPUT;
    sweep->starts.skew = fmax(sweep->starts.skew, skew);
    sweep->starts.bound = fmax(sweep->starts.bound, bound);
    return CT_OK;
}

int ct_sweep_take_late(struct ct_sweep *sweep, const char *line)
{
    size_t late, calls;
    if (sscanf(line, "%zu %zu", &late, &calls) != 2)
        return CT_E_INPUT;
    sweep->starts.late += late;
    sweep->starts.calls += calls;
    return CT_OK;
}

int ct_sweep_take_slow(struct ct_sweep *sweep, const char *line)
{
    size_t rank;
    double factor;
    if (sscanf(line, "%zu %lf", &rank, &factor) != 2)
        return CT_E_INPUT;
    ct_sweep_notice(
        sweep,
        "rank %zu is %.0f times slower than most: whatever it takes part in waits for it, and is no "
        "measure of the others",
        rank, factor);
    if (factor > sweep->starts.slow) {
        sweep->starts.slow = factor;
        sweep->starts.slow_rank = rank;
    }
    return CT_OK;
}

int ct_sweep_take_jump(struct ct_sweep *sweep, const char *line)
{
    size_t rank;
    double seconds;
    if (sscanf(line, "%zu %lf", &rank, &seconds) != 2)
        return CT_E_INPUT;
    sweep->starts.jumps++;
    ct_sweep_notice(sweep, "the clock of rank %zu jumped by %.2g s: the cell is measured again", rank,
                    seconds);
    return CT_OK;
}

static double number_before(const struct ct_run_description *before, const char *name)
{
    const char *word = ct_run_property(before, name);
    double number;
    return word && ct_number_parse(word, &number) == CT_OK ? number : 0;
}

void ct_sweep_recall_starts(struct ct_sweep *sweep, const struct ct_run_description *before)
{
    struct ct_sweep_starts *starts = &sweep->starts;
    starts->clocks = (size_t)number_before(before, "clock.count");
    starts->skew = number_before(before, "clock.skew");
    starts->bound = number_before(before, "clock.bound");
    starts->jumps = (size_t)number_before(before, "clock.jumps");
    starts->slow = number_before(before, "slow.factor");
    starts->slow_rank = (size_t)number_before(before, "slow.rank");
    starts->late = (size_t)number_before(before, "window.late");
    starts->calls = (size_t)number_before(before, "window.calls");
}

int ct_sweep_note_starts(const struct ct_sweep *sweep, struct ct_error *error)
{
    const struct ct_sweep_starts *starts = &sweep->starts;
    const bool clocks = starts->clocks > 0, window = sweep->conditions.sync == CT_SYNC_WINDOW,
               slow = starts->slow > 0;
    const struct {
        const char *name;
        double value;
        bool wanted;
    } notes[] = {
        {"clock.count", (double)starts->clocks, clocks}, {"clock.skew", starts->skew, clocks},
        {"clock.bound", starts->bound, clocks},          {"clock.jumps", (double)starts->jumps, clocks},
        {"window.late", (double)starts->late, window},   {"window.calls", (double)starts->calls, window},
        {"slow.rank", (double)starts->slow_rank, slow},  {"slow.factor", starts->slow, slow},
    };
    enum { NOTES = sizeof notes / sizeof notes[0] };
    struct ct_property properties[NOTES];
    char numbers[NOTES][CT_NUMBER_TEXT];
    size_t count = 0;
    for (size_t i = 0; i < NOTES; i++)
        if (notes[i].wanted) {
            properties[count].name = (char *)notes[i].name;
            properties[count].value = ct_number_format(notes[i].value, numbers[i]);
            count++;
        }
    return sweep->run_exists && count > 0 ? ct_run_annotate(sweep->folder, properties, count, error) : CT_OK;
}
