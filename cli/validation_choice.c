/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/validation_choice.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/call_modes.h"
#include "cli/earlier_points.h"
#include "cli/lost_cells.h"
#include "codegen/model_code.h"
#include "decision/table.h"
#include "measure/backend/machine.h"
#include "measure/sweep/method_list.h"
#include "measure/sweep/validation_points.h"
#include "plan/pattern.h"
#include "samples/run_folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ct_validation_lists {
    enum ct_collective collectives[CT_COLLECTIVES];
    size_t collective_count;
    size_t *comm_sizes;
    size_t comm_size_count;
    size_t *msg_sizes;
    size_t msg_size_count;
    size_t *roots;
    size_t root_count;
    char **patterns; /* of sparse collectives */
    size_t pattern_count;
    unsigned modes;
    struct ct_run run;               /* of --run; its patterns are those of the lost cells */
    struct ct_validation earlier;    /* instead of the lists; empty: there is none */
    struct ct_validation_cell *lost; /* to take first */
    size_t lost_count;
};

/* The modes that any tree was learned from. */
static unsigned modes_of(const struct ct_table *table)
{
    unsigned modes = 0;
    for (size_t i = 0; i < table->decisions.tree_count; i++)
        modes |= ct_table_modes(&table->trees[i]);
    return modes ? modes : 1U << CT_MODE_BLOCKING;
}

/* Does any tree test the root, by itself or in a composite? */
static bool tests_root(const struct ct_decisions *decisions)
{
    for (size_t i = 0; i < decisions->tree_count; i++) {
        const struct ct_decision_tree *tree = &decisions->trees[i];
        for (size_t n = 0; n < tree->node_count; n++)
            if (tree->nodes[n].feature != CT_LEAF &&
                ct_feature_uses(&tree->features, (size_t)tree->nodes[n].feature, CT_FEATURE_ROOT))
                return true;
    }
    return false;
}

/* Which points the run makes doubtful, and its patterns unless others are given. */
static int read_run(const struct ct_validation_wanted *wanted, const struct ct_table *table,
                    struct ct_error *error, struct ct_validation_lists *lists)
{
    int status = ct_run_read(wanted->run, false, error, &lists->run);
    if (status != CT_OK)
        return status;
    const struct ct_run_description *description = &lists->run.description;
    if (!wanted->patterns && description->pattern_count > 0) {
        lists->patterns = ct_allocate(description->pattern_count + 1, sizeof *lists->patterns);
        if (!lists->patterns)
            return CT_E_MEMORY;
        for (size_t i = 0; i < description->pattern_count; i++)
            if (!(lists->patterns[lists->pattern_count++] = strdup(description->patterns[i])))
                return CT_E_MEMORY;
    }
    return ct_lost_cells_find(table, &lists->run, error, &lists->lost, &lists->lost_count);
}

/* What is not given, of a library that was built from a model: it decides whatever the mode. */
static void take_model(const struct ct_validation_wanted *wanted, struct ct_validation_lists *lists)
{
    for (int i = 0; !wanted->collectives && i < CT_COLLECTIVES; i++)
        if (ct_model_decides((enum ct_collective)i))
            lists->collectives[lists->collective_count++] = (enum ct_collective)i;
    if (!lists->modes)
        lists->modes = 1U << CT_MODE_BLOCKING;
}

/* What is not given, from the library's own table: the collectives and modes that it decides about. Simulated
 * calls are blocking. */
static int read_table(const struct ct_validation_wanted *wanted, const char *prefix, struct ct_error *error,
                      struct ct_validation_lists *lists)
{
    struct ct_table table;
    char *path = ct_format("%s/share/colltuned/table.xml", prefix);
    int status = path ? ct_table_read(path, error, &table) : CT_E_MEMORY;
    free(path);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; !wanted->collectives && i < table.decisions.tree_count && i < CT_COLLECTIVES; i++)
        lists->collectives[lists->collective_count++] = table.decisions.trees[i].collective;
    if (wanted->run)
        status = read_run(wanted, &table, error, lists);
    if (!lists->modes)
        lists->modes = wanted->simulate ? 1U << CT_MODE_BLOCKING : modes_of(&table);
    if (status == CT_OK && lists->root_count == 1 && tests_root(&table.decisions))
        ct_tell(wanted->command,
                "the table tests the root, and all calls have root %zu: --root LIST validates others, too",
                lists->roots[0]);
    ct_table_free(&table);
    return status;
}

static bool is_listed(const struct ct_validation_lists *lists, const struct ct_validation_point *point)
{
    bool listed = lists->collective_count == 0;
    for (size_t i = 0; i < lists->collective_count; i++)
        listed |= lists->collectives[i] == point->collective;
    return listed && (!lists->modes || lists->modes & 1U << point->key.mode);
}

/* The points of an earlier validation, of the collectives and modes that are given. */
static int read_earlier(const struct ct_validation_wanted *wanted, struct ct_error *error,
                        struct ct_validation_lists *lists)
{
    struct ct_validation *earlier = &lists->earlier;
    int status = ct_validation_read(wanted->again, error, earlier);
    if (status != CT_OK)
        return status;
    size_t kept = 0;
    for (size_t i = 0; i < earlier->count; i++)
        if (is_listed(lists, &earlier->points[i]))
            earlier->points[kept++] = earlier->points[i];
    earlier->count = kept;
    lists->modes = ct_validation_modes(earlier);
    return kept > 0 ? CT_OK
                    : ct_fail(error, CT_E_INPUT, "%s: no point of the collectives and modes that are given",
                              wanted->again);
}

/* Sparse collectives that are named need patterns, and patterns need sparse collectives. Those that the
 * library decides about are left out where there are none. */
static int check_patterns(const struct ct_validation_wanted *wanted, const struct ct_validation_lists *lists,
                          struct ct_error *error)
{
    const char *needs = NULL;
    size_t sparse = 0;
    for (size_t i = 0; i < lists->collective_count; i++)
        if (ct_collectives[lists->collectives[i]].is_sparse) {
            needs = ct_collectives[lists->collectives[i]].name;
            sparse++;
        }
    if (sparse > 0 && lists->pattern_count == 0 && (wanted->collectives || sparse == lists->collective_count))
        return ct_fail(error, CT_E_INPUT, "%s needs a pattern; expected --pattern, such as moore:d=2,r=1",
                       needs);
    if (wanted->patterns && sparse == 0)
        return ct_fail(error, CT_E_INPUT,
                       "--pattern: none of the collectives has a pattern; expected --collectives with "
                       "neighbor_alltoall or another neighborhood collective");
    if (sparse > 0 && lists->pattern_count == 0)
        ct_tell(wanted->command, "neighborhood collectives are left out: they need --pattern");
    return CT_OK;
}

/* Roots that are named need a collective that has one, and a communicator that has them. */
static int check_roots(const struct ct_validation_lists *lists, const struct ct_arguments *arguments,
                       struct ct_error *error)
{
    size_t largest = 0;
    bool has_root = false;
    if (!ct_is_given(arguments, "root"))
        return CT_OK;
    for (size_t i = 0; i < lists->collective_count; i++)
        has_root |= ct_collectives[lists->collectives[i]].has_root;
    if (!has_root)
        return ct_fail(error, CT_E_INPUT,
                       "--root: none of the collectives has a root; expected one that has in --collectives");
    for (size_t i = 0; i < lists->comm_size_count; i++)
        largest = lists->comm_sizes[i] > largest ? lists->comm_sizes[i] : largest;
    for (size_t i = 0; i < lists->root_count; i++)
        if (lists->roots[i] >= largest)
            return ct_fail(error, CT_E_INPUT,
                           "--root %zu: the largest communicator has %zu ranks; expected a rank below that",
                           lists->roots[i], largest);
    return CT_OK;
}

static int read_lists(const struct ct_validation_wanted *wanted, const char *prefix,
                      const struct ct_arguments *arguments, struct ct_error *error,
                      struct ct_validation_lists *lists)
{
    int status = ct_sizes_read("comm-sizes", wanted->comm_sizes, 2, UINT32_MAX, error, &lists->comm_sizes,
                               &lists->comm_size_count);
    if (status == CT_OK)
        status = ct_sizes_read("msg-sizes", wanted->msg_sizes, 0, SIZE_MAX, error, &lists->msg_sizes,
                               &lists->msg_size_count);
    if (status == CT_OK)
        status =
            ct_sizes_read("root", wanted->roots, 0, UINT32_MAX, error, &lists->roots, &lists->root_count);
    if (status == CT_OK && wanted->patterns)
        status = ct_patterns_split(wanted->patterns, error, &lists->patterns, &lists->pattern_count);
    for (size_t i = 0; status == CT_OK && i < lists->pattern_count; i++)
        status = ct_pattern_check(lists->patterns[i], lists->comm_sizes, lists->comm_size_count, error);
    if (status != CT_OK)
        return status;
    lists->modes = wanted->modes;
    if (wanted->collectives)
        status = ct_collective_list_parse(wanted->collectives, error, lists->collectives,
                                          &lists->collective_count);
    if (status == CT_OK && wanted->again) {
        status = read_earlier(wanted, error, lists);
        return status == CT_OK ? ct_modes_check(lists->modes, arguments, error) : status;
    }
    if (status == CT_OK && (!wanted->collectives || !lists->modes || wanted->run)) {
        char *model = ct_format("%s/share/colltuned/model.xml", prefix);
        if (model && access(model, F_OK) == 0 && !wanted->run)
            take_model(wanted, lists);
        else
            status = model ? read_table(wanted, prefix, error, lists) : CT_E_MEMORY;
        free(model);
    }
    if (status == CT_OK)
        status = check_patterns(wanted, lists, error);
    if (status == CT_OK)
        status = check_roots(lists, arguments, error);
    return status == CT_OK ? ct_modes_check(lists->modes, arguments, error) : status;
}

static int make_points(const struct ct_validation_wanted *wanted, const struct ct_validation_lists *lists,
                       size_t cpus, struct ct_error *error, struct ct_validation_cell **ret_points,
                       size_t *ret_count)
{
    const double least_seconds = 0.1;
    size_t most = wanted->points ? wanted->points : SIZE_MAX;
    if (wanted->budget > 0 && !wanted->points)
        most = (size_t)fmax(wanted->budget / least_seconds, 1);
    const struct ct_validation_grid grid = {.collectives = lists->collectives,
                                            .collective_count = lists->collective_count,
                                            .comm_sizes = lists->comm_sizes,
                                            .comm_size_count = lists->comm_size_count,
                                            .msg_sizes = lists->msg_sizes,
                                            .msg_size_count = lists->msg_size_count,
                                            .roots = lists->roots,
                                            .root_count = lists->root_count,
                                            .patterns = lists->patterns,
                                            .pattern_count = lists->pattern_count,
                                            .modes = lists->modes,
                                            .cpus = cpus,
                                            .most = most,
                                            .first = lists->lost,
                                            .first_count = lists->lost_count};
    return ct_validation_points(&grid, error, ret_points, ret_count);
}

static int take_earlier(struct ct_validation_lists *lists, size_t cpus,
                        struct ct_validation_cell **ret_points, size_t *ret_count)
{
    const int status = ct_earlier_points_order(&lists->earlier, cpus);
    *ret_count = lists->earlier.count;
    return status == CT_OK ? ct_earlier_points_cells(&lists->earlier, ret_points) : status;
}

static void lists_free(struct ct_validation_lists *lists)
{
    ct_validation_free(&lists->earlier);
    ct_run_free(&lists->run);
    ct_words_free(lists->patterns, lists->pattern_count);
    free(lists->lost);
    free(lists->comm_sizes);
    free(lists->msg_sizes);
    free(lists->roots);
}

void ct_validation_chosen_free(struct ct_validation_chosen *chosen)
{
    if (chosen->lists)
        lists_free(chosen->lists);
    free(chosen->lists);
    free(chosen->points);
    *chosen = (struct ct_validation_chosen){0};
}

int ct_validation_choose(const struct ct_validation_wanted *wanted, const char *prefix,
                         const struct ct_arguments *arguments, struct ct_error *error,
                         struct ct_validation_chosen *ret_chosen)
{
    struct ct_validation_chosen chosen = {.lists = ct_allocate(1, sizeof *chosen.lists)};
    struct ct_validation_lists *lists = chosen.lists;
    const size_t cpus = wanted->simulate ? SIZE_MAX : ct_usable_cpus();
    int status = lists ? read_lists(wanted, prefix, arguments, error, lists) : CT_E_MEMORY;
    if (status == CT_OK)
        status = lists->earlier.count > 0
                     ? take_earlier(lists, cpus, &chosen.points, &chosen.count)
                     : make_points(wanted, lists, cpus, error, &chosen.points, &chosen.count);
    if (status != CT_OK) {
        ct_validation_chosen_free(&chosen);
        return status;
    }
    chosen.modes = lists->modes;
    chosen.earlier = &lists->earlier;
    *ret_chosen = chosen;
    return CT_OK;
}
