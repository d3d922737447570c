/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/surrogate_scales.h"
#include "base/memory.h"
#include "decision/score.h"
#include "learners/choosable.h"
#include "learners/points.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The cells and methods by which scales are found. */
struct sample {
    size_t cells[CT_SURROGATE_SEARCH_CELLS];
    size_t cell_count;
    size_t methods[CT_SURROGATE_SEARCH_METHODS];
    size_t method_count;
};

/* Whole groups of cells, evenly spread. */
static void choose_cells(const struct ct_surrogate *surrogate, struct sample *sample)
{
    const struct ct_map *map = surrogate->map;
    const size_t most = surrogate->extent.search_cells;
    size_t groups = 0, number = 0;
    for (size_t c = 0; c < map->cell_count; c++)
        groups += ct_surrogate_group(map, c) == c;
    /* so many groups of mean length */
    size_t wanted = most * groups / map->cell_count;
    wanted = wanted > groups ? groups : wanted > 0 ? wanted : 1;
    for (size_t c = 0; c < map->cell_count && sample->cell_count < most; c++) {
        number += c > 0 && ct_surrogate_group(map, c) == c;
        if ((number + 1) * wanted / groups > number * wanted / groups)
            sample->cells[sample->cell_count++] = c;
    }
}

static size_t count_near(const struct ct_map *map, size_t method)
{
    size_t count = 0;
    for (size_t c = 0; c < map->cell_count; c++)
        count += ct_cell_penalty(&map->cells[c], method) <= CT_CHOOSABLE_NEAR;
    return count;
}

/* The methods that are near the best in most cells, because their differences matter; `based`: of those that
 * have a base. */
static int choose_methods(const struct ct_surrogate *surrogate, bool based, struct sample *sample)
{
    const struct ct_map *map = surrogate->map;
    size_t *near = ct_allocate(map->method_count, sizeof *near);
    if (!near)
        return CT_E_MEMORY;
    for (size_t m = 0; m < map->method_count; m++)
        near[m] = surrogate->allowed[m] && (!based || surrogate->is_based[m]) ? 1 + count_near(map, m) : 0;
    for (sample->method_count = 0; sample->method_count < surrogate->extent.search_methods;) {
        size_t best = 0;
        for (size_t m = 1; m < map->method_count; m++)
            if (near[m] > near[best])
                best = m;
        if (near[best] == 0)
            break;
        near[best] = 0;
        sample->methods[sample->method_count++] = best;
    }
    free(near);
    return CT_OK;
}

static int find_scales_of(struct ct_surrogate *surrogate, enum ct_surrogate_form form,
                          const struct sample *sample, double *ret_cost)
{
    struct ct_process_series series[CT_SURROGATE_SEARCH_METHODS];
    struct ct_process_value *values =
        ct_allocate(CT_SURROGATE_SEARCH_METHODS * CT_SURROGATE_SEARCH_CELLS, sizeof *values);
    size_t count = 0, used = 0;
    if (!values)
        return CT_E_MEMORY;
    for (size_t i = 0; i < sample->method_count; i++) {
        size_t first = used;
        for (size_t j = 0; j < sample->cell_count; j++)
            if (ct_surrogate_has_value(surrogate, form, sample->cells[j], sample->methods[i]))
                values[used++] = ct_surrogate_value(surrogate, form, sample->cells[j], sample->methods[i]);
        if (used > first)
            series[count++] = (struct ct_process_series){values + first, used - first};
    }
    int status = ct_process_find_scales(series, count, surrogate->axes, surrogate->map->exact,
                                        form == CT_SURROGATE_BASED, &surrogate->scales[form], ret_cost);
    free(values);
    return status;
}

/* --- is the base any good? --- */

/* A size that is left out; SIZE_MAX: none. */
struct left_out {
    size_t comm_size, msg_bytes;
};

static bool is_left_out(const struct ct_cell *cell, const struct left_out *left_out)
{
    return cell->key.comm_size == left_out->comm_size || cell->key.msg_bytes == left_out->msg_bytes;
}

/* What is lost in turn, when sizes are left out. */
enum { TURNS_A_SIDE = 6 };

struct turns {
    double losses[2 * TURNS_A_SIDE];
    size_t count;
};

/* Estimates of a method in the cells left out, from the others of the sample; NAN in the rest. */
static int estimate_left_out(const struct ct_surrogate *surrogate, enum ct_surrogate_form form,
                             const struct sample *sample, const struct left_out *left_out, size_t method,
                             double *means)
{
    const struct ct_map *map = surrogate->map;
    struct ct_process *process;
    size_t taken = 0;
    if (!surrogate->is_based[method])
        form = CT_SURROGATE_PLAIN;
    for (size_t j = 0; j < sample->cell_count; j++) {
        size_t c = sample->cells[j];
        means[j] = NAN;
        if (!is_left_out(&map->cells[c], left_out) && ct_surrogate_measured(map, c, method))
            surrogate->values[taken++] = ct_surrogate_value(surrogate, form, c, method);
    }
    if (taken == 0)
        return CT_OK;
    int status = ct_process_fit(surrogate->values, taken, surrogate->axes, &surrogate->scales[form],
                                map->exact, &process);
    if (status != CT_OK)
        return status;
    for (size_t j = 0; j < sample->cell_count; j++) {
        size_t c = sample->cells[j];
        if (is_left_out(&map->cells[c], left_out) && ct_surrogate_measured(map, c, method))
            means[j] =
                ct_process_at(process, surrogate->places[c], NULL) +
                (form == CT_SURROGATE_BASED ? surrogate->base_logs[c * map->method_count + method] : 0);
    }
    ct_process_free(process);
    return CT_OK;
}

/* What is lost in the cells of a size that is left out, if methods are chosen by estimates from the others.
 * As everywhere, large losses hardly count: they are as likely to be disturbed samples. */
static int loss_without(const struct ct_surrogate *surrogate, enum ct_surrogate_form form,
                        const struct sample *sample, const struct left_out *left_out, double *ret_loss)
{
    double means[CT_SURROGATE_SEARCH_METHODS][CT_SURROGATE_SEARCH_CELLS], loss = 0;
    for (size_t i = 0; i < sample->method_count; i++) {
        int status = estimate_left_out(surrogate, form, sample, left_out, sample->methods[i], means[i]);
        if (status != CT_OK)
            return status;
    }
    for (size_t j = 0; j < sample->cell_count; j++) {
        const struct ct_statistics *methods = surrogate->map->cells[sample->cells[j]].methods;
        size_t choice = SIZE_MAX;
        double best = INFINITY;
        for (size_t i = 0; i < sample->method_count; i++) {
            if (isnan(means[i][j]))
                continue;
            best = fmin(best, methods[sample->methods[i]].median);
            if (choice == SIZE_MAX || means[i][j] < means[choice][j])
                choice = i;
        }
        if (choice != SIZE_MAX)
            loss += fmin(log(methods[sample->methods[choice]].median / best), CT_LOSS_CAP);
    }
    *ret_loss = loss;
    return CT_OK;
}

static int validate(const struct ct_surrogate *surrogate, enum ct_surrogate_form form,
                    const struct sample *sample, struct turns *turns)
{
    int status = CT_OK;
    turns->count = 0;
    for (int side = 0; status == CT_OK && side < 2; side++) {
        size_t *sizes, count;
        status = side ? ct_map_msg_sizes(surrogate->map, &sizes, &count)
                      : ct_map_comm_sizes(surrogate->map, &sizes, &count);
        if (status != CT_OK)
            break;
        for (size_t i = 1; status == CT_OK && i + 1 < count; i += count / TURNS_A_SIDE + 1) {
            const struct left_out left_out = {side ? SIZE_MAX : sizes[i], side ? sizes[i] : SIZE_MAX};
            assert(turns->count < 2 * TURNS_A_SIDE);
            status = loss_without(surrogate, form, sample, &left_out, &turns->losses[turns->count++]);
        }
        free(sizes);
    }
    return status;
}

/* Does the first lose less, by more than the standard error of the difference? */
static bool loses_less(const struct turns *a, const struct turns *b)
{
    double n = (double)a->count, sum = 0, squares = 0;
    assert(a->count == b->count);
    for (size_t i = 0; i < a->count; i++) {
        double difference = b->losses[i] - a->losses[i];
        sum += difference;
        squares += difference * difference;
    }
    return n >= 2 && sum > 0 && sum / n > sqrt(fmax(squares - sum * sum / n, 0) / (n - 1) / n);
}

/* Keeps the base if it explains the times better and loses less on sizes that are left out. Computed times
 * come from messages alone, so that it suffices there if it does not lose more. */
static int judge_base(struct ct_surrogate *surrogate, struct sample *sample)
{
    double plain_cost, based_cost;
    struct turns plain, based;
    int status = choose_methods(surrogate, true, sample);
    if (status == CT_OK && sample->method_count == 0)
        goto drop;
    if (status == CT_OK)
        status = find_scales_of(surrogate, CT_SURROGATE_PLAIN, sample, &plain_cost);
    if (status == CT_OK)
        status = find_scales_of(surrogate, CT_SURROGATE_BASED, sample, &based_cost);
    if (status == CT_OK)
        status = choose_methods(surrogate, false, sample);
    if (status == CT_OK)
        status = validate(surrogate, CT_SURROGATE_PLAIN, sample, &plain);
    if (status == CT_OK)
        status = validate(surrogate, CT_SURROGATE_BASED, sample, &based);
    bool is_exact = surrogate->map->exact;
    if (status == CT_OK && based_cost < plain_cost &&
        (is_exact ? !loses_less(&plain, &based) : loses_less(&based, &plain)))
        return CT_OK;
drop:
    ct_surrogate_base_free(surrogate->base);
    surrogate->base = NULL;
    return status;
}

int ct_surrogate_find_scales(struct ct_surrogate *surrogate)
{
    struct sample sample = {.cell_count = 0};
    double cost;
    choose_cells(surrogate, &sample);
    int status = surrogate->base ? judge_base(surrogate, &sample) : CT_OK;
    if (status == CT_OK)
        status = choose_methods(surrogate, false, &sample);
    if (status == CT_OK)
        status = find_scales_of(surrogate, CT_SURROGATE_PLAIN, &sample, &cost);
    if (status == CT_OK && !surrogate->base)
        status = find_scales_of(surrogate, CT_SURROGATE_RELATIVE, &sample, &cost);
    return status;
}
