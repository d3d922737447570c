/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/change.h"
#include "base/memory.h"
#include "samples/statistics/change_test.h"
#include "samples/statistics/holm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ct_change_names[CT_CHANGES] = {
    [CT_CHANGE_SAME] = "same",
    [CT_CHANGE_SLOWER] = "slower",
    [CT_CHANGE_FASTER] = "faster",
    [CT_CHANGE_UNDECIDED] = "undecided",
    [CT_CHANGE_FAILS] = "fails",
    [CT_CHANGE_WORKS] = "works",
    [CT_CHANGE_FIRST_ONLY] = "first-only",
    [CT_CHANGE_SECOND_ONLY] = "second-only",
};

double ct_change_ratio(const struct ct_change *change)
{
    if (!change->before || !change->after || change->before->count == 0 || change->after->count == 0)
        return NAN;
    return change->after->median / change->before->median;
}

size_t ct_changes_significant(const size_t counts[CT_CHANGES])
{
    return counts[CT_CHANGE_SLOWER] + counts[CT_CHANGE_FASTER] + counts[CT_CHANGE_FAILS] +
           counts[CT_CHANGE_WORKS];
}

void ct_changes_free(struct ct_changes *changes)
{
    free(changes->items);
    free(changes->cells);
    *changes = (struct ct_changes){0};
}

/* --- what is compared with what --- */

/* The changes while they are made. Each item's cells are at its index. */
struct making {
    struct ct_changes changes;
    size_t item_capacity;
    size_t cell_capacity;
    const struct ct_cell *(*cells)[2];
    size_t pair_capacity;
    bool only_native;
    double margin; /* logarithm */
};

/* The cell of the other run; NULL where there is none. */
static const struct ct_cell *find_partner(const struct ct_cell *cell, const struct ct_map *own,
                                          const struct ct_map *other)
{
    struct ct_cell_key otherwise = cell->key;
    otherwise.yield = !otherwise.yield;
    if (!other)
        return NULL;
    const struct ct_cell *partner = ct_map_find_key(other, &cell->key);
    return partner || ct_map_find_key(own, &otherwise) ? partner : ct_map_find_key(other, &otherwise);
}

/* What is known before anything is tested; CT_CHANGES where neither run measured the method. */
static enum ct_change_kind kind_of(const struct ct_statistics *before, const struct ct_statistics *after)
{
    const bool was = before && before->count > 0, is = after && after->count > 0;
    const bool failed = before && before->failed, fails = after && after->failed;
    return was && is      ? CT_CHANGE_UNDECIDED
           : was && fails ? CT_CHANGE_FAILS
           : failed && is ? CT_CHANGE_WORKS
           : was          ? CT_CHANGE_FIRST_ONLY
           : is           ? CT_CHANGE_SECOND_ONLY
                          : CT_CHANGES;
}

static int add_item(struct making *making, const struct ct_map *const maps[2],
                    const struct ct_cell *const cells[2], const struct ct_method *method)
{
    const struct ct_statistics *statistics[2] = {NULL, NULL};
    for (int run = 0; run < 2; run++) {
        size_t index = cells[run] ? ct_map_find_method(maps[run], method) : SIZE_MAX;
        if (index != SIZE_MAX)
            statistics[run] = &cells[run]->methods[index];
    }
    const enum ct_change_kind kind = kind_of(statistics[0], statistics[1]);
    if (kind == CT_CHANGES || (making->only_native && !ct_is_native(method->algorithm)))
        return CT_OK;
    struct ct_changes *changes = &making->changes;
    int status = ct_grow(&changes->items, &making->item_capacity, changes->count + 1, sizeof *changes->items);
    if (status == CT_OK)
        status = ct_grow(&making->cells, &making->pair_capacity, changes->count + 1, sizeof *making->cells);
    if (status != CT_OK)
        return status;
    making->cells[changes->count][0] = cells[0];
    making->cells[changes->count][1] = cells[1];
    changes->items[changes->count++] = (struct ct_change){.collective = method->algorithm->collective,
                                                          .key = cells[cells[0] ? 0 : 1]->key,
                                                          .method = method,
                                                          .before = statistics[0],
                                                          .after = statistics[1],
                                                          .kind = kind,
                                                          .p_value = NAN};
    return CT_OK;
}

/* Is the first run's best method no longer a good one? Not known where the second run has not measured it. */
static bool is_overtaken(const struct ct_map *const maps[2], const struct ct_cell *const cells[2])
{
    if (cells[0]->best == SIZE_MAX || cells[1]->best == SIZE_MAX)
        return false;
    size_t best = ct_map_find_method(maps[1], &maps[0]->methods[cells[0]->best]);
    return best != SIZE_MAX && cells[1]->standings[best] == CT_STANDING_WORSE;
}

/* The methods of the first run, then those of the second alone; one of the cells may be NULL. */
static int add_cell(struct making *making, const struct ct_map *const maps[2],
                    const struct ct_cell *const cells[2])
{
    struct ct_changes *changes = &making->changes;
    int status = CT_OK;
    for (size_t m = 0; status == CT_OK && cells[0] && m < maps[0]->method_count; m++)
        status = add_item(making, maps, cells, &maps[0]->methods[m]);
    for (size_t m = 0; status == CT_OK && cells[1] && m < maps[1]->method_count; m++)
        if (!cells[0] || ct_map_find_method(maps[0], &maps[1]->methods[m]) == SIZE_MAX)
            status = add_item(making, maps, cells, &maps[1]->methods[m]);
    if (status != CT_OK)
        return status;
    if (!cells[0] || !cells[1]) {
        changes->only[cells[0] ? 0 : 1]++;
        return CT_OK;
    }
    status =
        ct_grow(&changes->cells, &making->cell_capacity, changes->cell_count + 1, sizeof *changes->cells);
    if (status == CT_OK)
        changes->cells[changes->cell_count++] =
            (struct ct_changed_cell){.collective = maps[0]->collective,
                                     .maps = {maps[0], maps[1]},
                                     .cells = {cells[0], cells[1]},
                                     .overtaken = is_overtaken(maps, cells)};
    return status;
}

/* Either map may be NULL. */
static int add_maps(struct making *making, const struct ct_map *before, const struct ct_map *after)
{
    const struct ct_map *const maps[2] = {before, after};
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && before && i < before->cell_count; i++) {
        const struct ct_cell *cell = &before->cells[i];
        status = add_cell(making, maps, (const struct ct_cell *[]){cell, find_partner(cell, before, after)});
    }
    for (size_t i = 0; status == CT_OK && after && i < after->cell_count; i++)
        if (!find_partner(&after->cells[i], after, before))
            status = add_cell(making, maps, (const struct ct_cell *[]){NULL, &after->cells[i]});
    return status;
}

static const struct ct_map *find_map(const struct ct_map *maps, size_t count, enum ct_collective collective)
{
    for (size_t i = 0; i < count; i++)
        if (maps[i].collective == collective)
            return &maps[i];
    return NULL;
}

/* --- tests --- */

/* What is tested: items by index, and their p-values. */
struct tests {
    size_t *items;
    struct ct_change_p_values *p_values;
    size_t count;
};

/* Tests, one behind the other. */
struct range {
    size_t first;
    size_t count;
};

static bool is_tested(const struct making *making, size_t item)
{
    const struct ct_change *change = &making->changes.items[item];
    return change->kind == CT_CHANGE_UNDECIDED && !change->before->predicted && !change->after->predicted &&
           making->cells[item][0]->launches && making->cells[item][1]->launches;
}

static bool share_group(const struct ct_change *a, const struct ct_change *b)
{
    return a->collective == b->collective && a->key.nodes == b->key.nodes && a->key.ppn == b->key.ppn &&
           a->key.comm_size == b->key.comm_size;
}

/* Puts the logarithms of the launches' medians behind one another; returns where they end. */
static double *take_logs(const struct ct_cell *cell, const struct ct_statistics *statistics, double *logs)
{
    for (size_t i = 0; i < statistics->launches; i++)
        *logs++ = log(cell->launches[statistics->first_launch + i].median);
    return logs;
}

/* Tests those of the group by ct_change_test() of the whole range, which the group is a part of. */
static int test_launches(const struct making *making, struct tests *tests, struct range range,
                         struct range group)
{
    size_t launches = 0;
    for (size_t i = range.first; i < range.first + range.count; i++) {
        const struct ct_change *change = &making->changes.items[tests->items[i]];
        launches += change->before->launches + change->after->launches;
    }
    double *logs = ct_allocate(launches, sizeof *logs), *end = logs;
    struct ct_change_pair *pairs = ct_allocate(range.count, sizeof *pairs);
    struct ct_change_p_values *p_values = ct_allocate(range.count, sizeof *p_values);
    int status = logs && pairs && p_values ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < range.count; i++) {
        const size_t item = tests->items[range.first + i];
        const struct ct_change *change = &making->changes.items[item];
        pairs[i].before = end;
        pairs[i].before_count = change->before->launches;
        end = take_logs(making->cells[item][0], change->before, end);
        pairs[i].after = end;
        pairs[i].after_count = change->after->launches;
        end = take_logs(making->cells[item][1], change->after, end);
    }
    if (status == CT_OK)
        status = ct_change_test(pairs, range.count, making->margin, p_values);
    if (status == CT_OK)
        memcpy(tests->p_values + group.first, p_values + (group.first - range.first),
               group.count * sizeof *p_values);
    free(logs);
    free(pairs);
    free(p_values);
    return status;
}

static void test_samples(struct making *making, const struct tests *tests, struct range group)
{
    for (size_t i = group.first; i < group.first + group.count; i++) {
        const size_t item = tests->items[i];
        const struct ct_change *change = &making->changes.items[item];
        tests->p_values[i] = ct_change_order_test(
            making->cells[item][0]->times + change->before->first_time, change->before->count,
            making->cells[item][1]->times + change->after->first_time, change->after->count, making->margin);
    }
    making->changes.by_samples += group.count;
}

/* Do enough of them tell how much job launches vary? */
static bool knows_launches(const struct making *making, const struct tests *tests, struct range range)
{
    const size_t enough = 3;
    size_t several = 0;
    for (size_t i = range.first; i < range.first + range.count; i++) {
        const struct ct_change *change = &making->changes.items[tests->items[i]];
        several += change->before->launches > 1 || change->after->launches > 1;
    }
    return several >= enough || several == range.count;
}

/* The tests around number `first` that are alike. */
static struct range find_range(const struct making *making, const struct tests *tests, size_t first,
                               bool (*alike)(const struct ct_change *, const struct ct_change *))
{
    const struct ct_change *items = making->changes.items, *own = &items[tests->items[first]];
    struct range range = {.first = first, .count = 1};
    while (range.first > 0 && alike(&items[tests->items[range.first - 1]], own))
        range.first--;
    while (range.first + range.count < tests->count &&
           alike(&items[tests->items[range.first + range.count]], own))
        range.count++;
    return range;
}

static bool share_collective(const struct ct_change *a, const struct ct_change *b)
{
    return a->collective == b->collective;
}

static bool share_all(const struct ct_change *a, const struct ct_change *b)
{
    (void)a, (void)b;
    return true;
}

/* Tests a group. How much its launches vary is taken from the smallest range around it that knows. */
static int test_group(struct making *making, struct tests *tests, struct range group)
{
    bool (*const wider[])(const struct ct_change *, const struct ct_change *) = {share_group,
                                                                                 share_collective, share_all};
    for (size_t i = 0; i < sizeof wider / sizeof wider[0]; i++) {
        const struct range range = find_range(making, tests, group.first, wider[i]);
        if (knows_launches(making, tests, range))
            return test_launches(making, tests, range, group);
    }
    test_samples(making, tests, group);
    return CT_OK;
}

static int test_groups(struct making *making, struct tests *tests)
{
    int status = CT_OK;
    struct range group = {0};
    for (size_t begin = 0; status == CT_OK && begin < tests->count; begin += group.count) {
        group = find_range(making, tests, begin, share_group);
        status = test_group(making, tests, group);
    }
    return status;
}

/* Holm's correction over all items; what is both different and equivalent counts as the same. */
static int conclude(struct making *making, const struct tests *tests)
{
    double *p_values = ct_allocate(tests->count + 1, sizeof *p_values);
    bool *rejected = ct_allocate(tests->count + 1, sizeof *rejected);
    int status = p_values && rejected ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < tests->count; i++) {
        p_values[i] = fmin(1, 2 * fmin(tests->p_values[i].not_slower, tests->p_values[i].not_faster));
        making->changes.items[tests->items[i]].p_value = p_values[i];
    }
    if (status == CT_OK)
        status = ct_holm(p_values, tests->count, CT_ALPHA, rejected);
    for (size_t i = 0; status == CT_OK && i < tests->count; i++) {
        if (rejected[i])
            making->changes.items[tests->items[i]].kind =
                tests->p_values[i].not_slower < tests->p_values[i].not_faster ? CT_CHANGE_SLOWER
                                                                              : CT_CHANGE_FASTER;
        p_values[i] = tests->p_values[i].not_equivalent;
    }
    if (status == CT_OK)
        status = ct_holm(p_values, tests->count, CT_ALPHA, rejected);
    for (size_t i = 0; status == CT_OK && i < tests->count; i++)
        if (rejected[i])
            making->changes.items[tests->items[i]].kind = CT_CHANGE_SAME;
    free(p_values);
    free(rejected);
    return status;
}

static int test(struct making *making)
{
    struct tests tests = {.items = ct_allocate(making->changes.count + 1, sizeof *tests.items),
                          .p_values = ct_allocate(making->changes.count + 1, sizeof *tests.p_values)};
    int status = tests.items && tests.p_values ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < making->changes.count; i++)
        if (is_tested(making, i)) {
            const struct ct_change *change = &making->changes.items[i];
            making->changes.one_launch += change->before->launches + change->after->launches == 2;
            tests.items[tests.count++] = i;
        }
    if (status == CT_OK)
        status = test_groups(making, &tests);
    if (status == CT_OK)
        status = conclude(making, &tests);
    free(tests.items);
    free(tests.p_values);
    return status;
}

static void compare_exactly(struct ct_changes *changes, double margin)
{
    for (size_t i = 0; i < changes->count; i++) {
        struct ct_change *change = &changes->items[i];
        if (change->kind != CT_CHANGE_UNDECIDED)
            continue;
        const double distance = log(ct_change_ratio(change));
        change->kind = fabs(distance) <= margin ? CT_CHANGE_SAME
                       : distance > 0           ? CT_CHANGE_SLOWER
                                                : CT_CHANGE_FASTER;
    }
}

int ct_changes_find(const struct ct_map *before, size_t before_count, const struct ct_map *after,
                    size_t after_count, bool only_native, struct ct_changes *ret_changes)
{
    struct making making = {.only_native = only_native};
    struct ct_changes *changes = &making.changes;
    int status = CT_OK;
    if (before_count > 0 && after_count > 0) {
        making.margin = log1p(before[0].margin);
        changes->exact = before[0].exact && after[0].exact;
    }
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++)
        status = add_maps(&making, find_map(before, before_count, (enum ct_collective)i),
                          find_map(after, after_count, (enum ct_collective)i));
    if (status == CT_OK && changes->exact)
        compare_exactly(changes, making.margin);
    else if (status == CT_OK)
        status = test(&making);
    for (size_t i = 0; status == CT_OK && i < changes->count; i++)
        changes->counts[changes->items[i].kind]++;
    free(making.cells);
    if (status == CT_OK)
        *ret_changes = making.changes;
    else
        ct_changes_free(&making.changes);
    return status;
}
