/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/sort.h"
#include "decision/change.h"

#include <math.h>
#include <stdlib.h>

/* --- groups --- */

static void add_ratio(struct ct_ratio_mean *mean, double ratio)
{
    if (!isfinite(ratio) || !(ratio > 0))
        return;
    mean->logs += log(ratio);
    mean->count++;
}

double ct_ratio_mean_value(const struct ct_ratio_mean *mean)
{
    return mean->count > 0 ? exp(mean->logs / (double)mean->count) : NAN;
}

static void join_means(struct ct_ratio_mean *mean, const struct ct_ratio_mean *other)
{
    mean->logs += other->logs;
    mean->count += other->count;
}

void ct_change_group_join(struct ct_change_group *group, const struct ct_change_group *other)
{
    group->cells += other->cells;
    for (int i = 0; i < CT_CHANGES; i++)
        group->counts[i] += other->counts[i];
    group->overtaken += other->overtaken;
    join_means(&group->all, &other->all);
    join_means(&group->native, &other->native);
    join_means(&group->best, &other->best);
}

static int compare_groups(const void *a, const void *b)
{
    const struct ct_change_group *left = a, *right = b;
    int order = CT_COMPARE(left->collective, right->collective);
    return order != 0 ? order : CT_COMPARE(left->comm_size, right->comm_size);
}

/* The groups of all cells, sorted, empty yet. */
static size_t name_groups(const struct ct_changes *changes, struct ct_change_group *groups)
{
    size_t count = 0;
    for (size_t i = 0; i < changes->cell_count; i++)
        groups[i] = (struct ct_change_group){.collective = changes->cells[i].collective,
                                             .comm_size = changes->cells[i].cells[0]->key.comm_size};
    qsort(groups, changes->cell_count, sizeof *groups, compare_groups);
    for (size_t i = 0; i < changes->cell_count; i++)
        if (count == 0 || compare_groups(&groups[count - 1], &groups[i]) != 0)
            groups[count++] = groups[i];
    return count;
}

static double best_time(const struct ct_cell *cell)
{
    return cell->best != SIZE_MAX ? cell->methods[cell->best].median : NAN;
}

static struct ct_change_group *find_group(struct ct_change_group *groups, size_t count,
                                          enum ct_collective collective, size_t comm_size)
{
    const struct ct_change_group sought = {.collective = collective, .comm_size = comm_size};
    return bsearch(&sought, groups, count, sizeof *groups, compare_groups);
}

int ct_change_groups_make(const struct ct_changes *changes, struct ct_change_group **ret_groups,
                          size_t *ret_count)
{
    struct ct_change_group *groups = ct_allocate(changes->cell_count + 1, sizeof *groups);
    if (!groups)
        return CT_E_MEMORY;
    const size_t count = name_groups(changes, groups);
    for (size_t i = 0; i < changes->count; i++) {
        const struct ct_change *change = &changes->items[i];
        struct ct_change_group *group = find_group(groups, count, change->collective, change->key.comm_size);
        if (!group)
            continue;
        group->counts[change->kind]++;
        add_ratio(&group->all, ct_change_ratio(change));
        if (ct_is_native(change->method->algorithm))
            add_ratio(&group->native, ct_change_ratio(change));
    }
    for (size_t i = 0; i < changes->cell_count; i++) {
        const struct ct_changed_cell *cell = &changes->cells[i];
        struct ct_change_group *group =
            find_group(groups, count, cell->collective, cell->cells[0]->key.comm_size);
        group->cells++;
        group->overtaken += cell->overtaken;
        add_ratio(&group->best, best_time(cell->cells[1]) / best_time(cell->cells[0]));
    }
    *ret_groups = groups;
    *ret_count = count;
    return CT_OK;
}

/* --- the largest changes --- */

static bool is_change(const struct ct_change *change)
{
    return change->kind == CT_CHANGE_SLOWER || change->kind == CT_CHANGE_FASTER ||
           change->kind == CT_CHANGE_FAILS || change->kind == CT_CHANGE_WORKS;
}

/* A failure is the largest change. */
static double size_of(const struct ct_change *change)
{
    const double ratio = ct_change_ratio(change);
    return isfinite(ratio) && ratio > 0 ? fabs(log(ratio)) : INFINITY;
}

static int compare_sizes(const void *a, const void *b, void *context)
{
    const struct ct_change *items = context;
    const size_t left = *(const size_t *)a, right = *(const size_t *)b;
    int order = CT_COMPARE(size_of(&items[right]), size_of(&items[left]));
    return order != 0 ? order : CT_COMPARE(left, right);
}

int ct_changes_largest(const struct ct_changes *changes, size_t **ret_order, size_t *ret_count)
{
    size_t *order = ct_allocate(changes->count + 1, sizeof *order), count = 0;
    if (!order)
        return CT_E_MEMORY;
    for (size_t i = 0; i < changes->count; i++)
        if (is_change(&changes->items[i]))
            order[count++] = i;
    qsort_r(order, count, sizeof *order, compare_sizes, changes->items);
    *ret_order = order;
    *ret_count = count;
    return CT_OK;
}
