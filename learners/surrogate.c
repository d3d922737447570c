/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/surrogate.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/score.h"
#include "learners/choosable.h"
#include "learners/place.h"
#include "learners/points.h"
#include "learners/surrogate_base.h"
#include "learners/surrogate_process.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a process describes: the times, or their ratios to those of the base. */
enum form { PLAIN, BASED, FORMS };

enum { LEAF = -1 };

/* The time to learn grows with the cube of the number of cells. So scales are found by some cells and
 * methods, at most SEARCH_CELLS and SEARCH_METHODS; and if there are more cells than a box takes, space is
 * divided into boxes, each of which learns from so many cells in and around it. */
enum { SEARCH_CELLS = 160, SEARCH_METHODS = 6 };

struct extent {
    size_t box_cells, search_cells, search_methods;
};

static const struct extent thorough = {160, SEARCH_CELLS, SEARCH_METHODS}, quick = {48, 36, 4};

/* The extent of some cells. */
struct range {
    double low[CT_PLACE_AXES], high[CT_PLACE_AXES];
};

/* A part of the space. Children are stored after their parents. */
struct box {
    int axis; /* LEAF: it has processes */
    double threshold;
    size_t low, high;
    struct range range;
    struct ct_process **processes; /* by form and method; NULL: not fitted so far */
};

struct ct_surrogate {
    const struct ct_map *map;
    const bool *allowed;
    const volatile sig_atomic_t *stop;
    struct extent extent;
    size_t axes;
    double (*places)[CT_PLACE_AXES]; /* by cell */
    double sampling;                 /* variance of a single sample's logarithm within a job; 0: unknown */
    struct ct_surrogate_base *base;  /* or NULL */
    double *base_logs;               /* by cell and method */
    bool *is_based;                  /* by method */
    struct ct_process_scales scales[FORMS];
    struct box *boxes;
    size_t box_count, box_capacity;
    struct ct_process_value *values; /* room for those of a process */
};

bool ct_surrogate_follows_plans(const struct ct_surrogate *surrogate)
{
    return surrogate->base != NULL;
}

static bool is_stopped(const struct ct_surrogate *surrogate)
{
    return surrogate->stop && *surrogate->stop;
}

/* --- values --- */

static bool was_measured(const struct ct_map *map, size_t cell, size_t method)
{
    return map->cells[cell].methods[method].count > 0;
}

static size_t count_measured(const struct ct_surrogate *surrogate, const struct ct_cell *cell)
{
    size_t count = 0;
    for (size_t m = 0; m < surrogate->map->method_count; m++)
        count += surrogate->allowed[m] && cell->methods[m].count > 0;
    return count;
}

/* A number that the cells of one job share. Cells are sorted by key, message size last. */
static size_t group_of(const struct ct_map *map, size_t cell)
{
    const struct ct_cell_key *key = &map->cells[cell].key, *before = key - 1;
    for (; cell > 0; cell--) {
        before = &map->cells[cell - 1].key;
        if (before->comm_size != key->comm_size || before->ppn != key->ppn || before->nodes != key->nodes)
            break;
    }
    return cell;
}

static uint64_t launches_of(const struct ct_cell *cell, size_t method)
{
    enum { BITS = 64 };
    const struct ct_statistics *statistics = &cell->methods[method];
    uint64_t launches = 0;
    for (size_t i = 0; cell->launches && i < statistics->launches; i++)
        launches |= UINT64_C(1) << cell->launches[statistics->first_launch + i].launch % BITS;
    return launches ? launches : 1;
}

static struct ct_process_value value_of(const struct ct_surrogate *surrogate, enum form form, size_t c,
                                        size_t method)
{
    const struct ct_cell *cell = &surrogate->map->cells[c];
    const struct ct_statistics *statistics = &cell->methods[method];
    struct ct_process_value value = {.value = log(statistics->median),
                                     .variance = surrogate->sampling * M_PI_2 / (double)statistics->count,
                                     .group = group_of(surrogate->map, c),
                                     .launches = launches_of(cell, method)};
    if (form == BASED)
        value.value -= surrogate->base_logs[c * surrogate->map->method_count + method];
    memcpy(value.place, surrogate->places[c], sizeof value.place);
    return value;
}

/* The spread of samples within a job, from the extremes of cells with few samples of one launch: the range of
 * n normal samples has a mean of so many standard deviations (Tippett 1925, doi:10.1093/biomet/17.3-4.364).
 */
static int find_sampling(struct ct_surrogate *surrogate)
{
    enum { FEW = 5 };
    static const double ranges[FEW + 1] = {[2] = 1.128, 1.693, 2.059, 2.326};
    const struct ct_map *map = surrogate->map;
    double *deviations = ct_allocate(map->cell_count * map->method_count, sizeof *deviations);
    size_t count = 0;
    if (!deviations)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count * map->method_count; i++) {
        const struct ct_statistics *statistics =
            &map->cells[i / map->method_count].methods[i % map->method_count];
        if (statistics->count >= 2 && statistics->count <= FEW && statistics->launches <= 1 &&
            statistics->low > 0)
            deviations[count++] = log(statistics->high / statistics->low) / ranges[statistics->count];
    }
    if (count > 0) {
        ct_sort(deviations, count);
        double usual = ct_quantile(deviations, count, 0.5);
        surrogate->sampling = usual * usual;
    }
    free(deviations);
    return CT_OK;
}

/* --- scales --- */

/* The cells and methods by which scales are found. */
struct sample {
    size_t cells[SEARCH_CELLS];
    size_t cell_count;
    size_t methods[SEARCH_METHODS];
    size_t method_count;
};

/* Whole groups of cells, evenly spread. */
static void choose_cells(const struct ct_surrogate *surrogate, struct sample *sample)
{
    const struct ct_map *map = surrogate->map;
    const size_t most = surrogate->extent.search_cells;
    size_t groups = 0, number = 0;
    for (size_t c = 0; c < map->cell_count; c++)
        groups += group_of(map, c) == c;
    /* so many groups of mean length */
    size_t wanted = most * groups / map->cell_count;
    wanted = wanted > groups ? groups : wanted > 0 ? wanted : 1;
    for (size_t c = 0; c < map->cell_count && sample->cell_count < most; c++) {
        number += c > 0 && group_of(map, c) == c;
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

static int find_scales_of(struct ct_surrogate *surrogate, enum form form, const struct sample *sample,
                          double *ret_cost)
{
    struct ct_process_series series[SEARCH_METHODS];
    struct ct_process_value *values = ct_allocate(SEARCH_METHODS * SEARCH_CELLS, sizeof *values);
    size_t count = 0, used = 0;
    if (!values)
        return CT_E_MEMORY;
    for (size_t i = 0; i < sample->method_count; i++) {
        size_t first = used;
        for (size_t j = 0; j < sample->cell_count; j++)
            if (was_measured(surrogate->map, sample->cells[j], sample->methods[i]))
                values[used++] = value_of(surrogate, form, sample->cells[j], sample->methods[i]);
        if (used > first)
            series[count++] = (struct ct_process_series){values + first, used - first};
    }
    int status = ct_process_find_scales(series, count, surrogate->axes, surrogate->map->exact,
                                        &surrogate->scales[form], ret_cost);
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
static int estimate_left_out(const struct ct_surrogate *surrogate, enum form form,
                             const struct sample *sample, const struct left_out *left_out, size_t method,
                             double *means)
{
    const struct ct_map *map = surrogate->map;
    struct ct_process *process;
    size_t taken = 0;
    if (!surrogate->is_based[method])
        form = PLAIN;
    for (size_t j = 0; j < sample->cell_count; j++) {
        size_t c = sample->cells[j];
        means[j] = NAN;
        if (!is_left_out(&map->cells[c], left_out) && was_measured(map, c, method))
            surrogate->values[taken++] = value_of(surrogate, form, c, method);
    }
    if (taken == 0)
        return CT_OK;
    int status = ct_process_fit(surrogate->values, taken, surrogate->axes, &surrogate->scales[form],
                                map->exact, &process);
    if (status != CT_OK)
        return status;
    for (size_t j = 0; j < sample->cell_count; j++) {
        size_t c = sample->cells[j];
        if (is_left_out(&map->cells[c], left_out) && was_measured(map, c, method))
            means[j] = ct_process_at(process, surrogate->places[c], NULL) +
                       (form == BASED ? surrogate->base_logs[c * map->method_count + method] : 0);
    }
    ct_process_free(process);
    return CT_OK;
}

/* What is lost in the cells of a size that is left out, if methods are chosen by estimates from the others.
 * As everywhere, large losses hardly count: they are as likely to be disturbed samples. */
static int loss_without(const struct ct_surrogate *surrogate, enum form form, const struct sample *sample,
                        const struct left_out *left_out, double *ret_loss)
{
    double means[SEARCH_METHODS][SEARCH_CELLS], loss = 0;
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

static int validate(const struct ct_surrogate *surrogate, enum form form, const struct sample *sample,
                    struct turns *turns)
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
        status = find_scales_of(surrogate, PLAIN, sample, &plain_cost);
    if (status == CT_OK)
        status = find_scales_of(surrogate, BASED, sample, &based_cost);
    if (status == CT_OK)
        status = choose_methods(surrogate, false, sample);
    if (status == CT_OK)
        status = validate(surrogate, PLAIN, sample, &plain);
    if (status == CT_OK)
        status = validate(surrogate, BASED, sample, &based);
    bool is_exact = surrogate->map->exact;
    if (status == CT_OK && based_cost < plain_cost &&
        (is_exact ? !loses_less(&plain, &based) : loses_less(&based, &plain)))
        return CT_OK;
drop:
    ct_surrogate_base_free(surrogate->base);
    surrogate->base = NULL;
    return status;
}

static int find_base(struct ct_surrogate *surrogate, size_t calls)
{
    const struct ct_map *map = surrogate->map;
    int status = ct_surrogate_base_new(map, surrogate->allowed, calls, surrogate->stop, &surrogate->base);
    if (status != CT_OK || !surrogate->base)
        return status;
    for (size_t m = 0; m < map->method_count; m++) {
        surrogate->is_based[m] = surrogate->allowed[m];
        for (size_t c = 0; c < map->cell_count; c++) {
            double *log_seconds = &surrogate->base_logs[c * map->method_count + m];
            if (!surrogate->is_based[m] || !was_measured(map, c, m))
                continue;
            status = ct_surrogate_base_at(surrogate->base, &map->methods[m], &map->cells[c].key, log_seconds);
            if (status != CT_OK)
                return status;
            surrogate->is_based[m] = !isnan(*log_seconds);
        }
    }
    return CT_OK;
}

static int find_scales(struct ct_surrogate *surrogate)
{
    struct sample sample = {.cell_count = 0};
    double cost;
    choose_cells(surrogate, &sample);
    int status = surrogate->base ? judge_base(surrogate, &sample) : CT_OK;
    if (status == CT_OK)
        status = choose_methods(surrogate, false, &sample);
    return status == CT_OK ? find_scales_of(surrogate, PLAIN, &sample, &cost) : status;
}

/* --- boxes --- */

static double distance_to(const struct ct_surrogate *surrogate, const struct range *range,
                          const double *place)
{
    double squares = 0;
    for (size_t i = 0; i < surrogate->axes; i++) {
        double beyond = fmax(fmax(range->low[i] - place[i], place[i] - range->high[i]), 0);
        beyond /= surrogate->scales[PLAIN].lengths[i];
        squares += beyond * beyond;
    }
    return squares;
}

struct distant {
    double distance;
    size_t cell;
};

static int compare_distant(const void *a, const void *b)
{
    const struct distant *left = a, *right = b;
    return left->distance != right->distance ? CT_COMPARE(left->distance, right->distance)
                                             : CT_COMPARE(left->cell, right->cell);
}

/* Fits a process to the cells nearest to the box. It stays NULL if the method was not measured. */
static int fit_process(struct ct_surrogate *surrogate, const struct box *box, enum form form, size_t method,
                       struct ct_process **process)
{
    const struct ct_map *map = surrogate->map;
    struct distant *distant = ct_allocate(map->cell_count, sizeof *distant);
    size_t count = 0;
    if (!distant)
        return CT_E_MEMORY;
    for (size_t c = 0; surrogate->allowed[method] && c < map->cell_count; c++)
        if (was_measured(map, c, method))
            distant[count++] = (struct distant){distance_to(surrogate, &box->range, surrogate->places[c]), c};
    if (count > surrogate->extent.box_cells) {
        qsort(distant, count, sizeof *distant, compare_distant);
        count = surrogate->extent.box_cells;
    }
    for (size_t i = 0; i < count; i++)
        surrogate->values[i] = value_of(surrogate, form, distant[i].cell, method);
    free(distant);
    return count == 0 ? CT_OK
                      : ct_process_fit(surrogate->values, count, surrogate->axes, &surrogate->scales[form],
                                       map->exact, process);
}

/* The axis along which the cells extend most, on the scale of lengths. */
static int widest(const struct ct_surrogate *surrogate, const struct range *range)
{
    int best = 0;
    double most = -1;
    for (size_t i = 0; i < surrogate->axes; i++) {
        double width = (range->high[i] - range->low[i]) / surrogate->scales[PLAIN].lengths[i];
        if (width > most) {
            most = width;
            best = (int)i;
        }
    }
    return best;
}

static struct range range_of(const struct ct_surrogate *surrogate, const size_t *cells, size_t count)
{
    struct range range;
    for (size_t i = 0; i < CT_PLACE_AXES; i++) {
        range.low[i] = range.high[i] = surrogate->places[cells[0]][i];
        for (size_t c = 1; c < count; c++) {
            range.low[i] = fmin(range.low[i], surrogate->places[cells[c]][i]);
            range.high[i] = fmax(range.high[i], surrogate->places[cells[c]][i]);
        }
    }
    return range;
}

/* Adds the box of these cells, and halves it until half of what it learns from may lie outside. The recursion
 * is as deep as a range of doubles can be halved. */
static int make_box(struct ct_surrogate *surrogate, size_t *cells, size_t count, size_t *ret_box)
{
    int status = ct_grow(&surrogate->boxes, &surrogate->box_capacity, surrogate->box_count + 1,
                         sizeof *surrogate->boxes);
    if (status != CT_OK)
        return status;
    struct box box = {.axis = LEAF, .range = range_of(surrogate, cells, count)};
    int axis = widest(surrogate, &box.range);
    double low = box.range.low[axis], high = box.range.high[axis];
    const size_t most = surrogate->extent.box_cells;
    bool is_small = count <= most / 2 || surrogate->map->cell_count <= most || !(high > low);
    if (is_small) {
        box.processes = ct_allocate(FORMS * surrogate->map->method_count, sizeof *box.processes);
        if (!box.processes)
            return CT_E_MEMORY;
    }
    size_t place = surrogate->box_count++, lows = 0;
    *ret_box = place;
    surrogate->boxes[place] = box;
    if (is_small)
        return CT_OK;
    box.axis = axis;
    box.threshold = (low + high) / 2;
    for (size_t c = 0; c < count; c++)
        if (surrogate->places[cells[c]][axis] <= box.threshold) {
            size_t cell = cells[c];
            cells[c] = cells[lows];
            cells[lows++] = cell;
        }
    assert(lows > 0 && lows < count);
    status = make_box(surrogate, cells, lows, &box.low);
    if (status == CT_OK)
        status = make_box(surrogate, cells + lows, count - lows, &box.high);
    surrogate->boxes[place] = box;
    return status;
}

static int make_boxes(struct ct_surrogate *surrogate)
{
    size_t *cells = ct_allocate(surrogate->map->cell_count, sizeof *cells), root;
    if (!cells)
        return CT_E_MEMORY;
    for (size_t c = 0; c < surrogate->map->cell_count; c++)
        cells[c] = c;
    int status = make_box(surrogate, cells, surrogate->map->cell_count, &root);
    free(cells);
    return status;
}

/* --- the whole --- */

void ct_surrogate_free(struct ct_surrogate *surrogate)
{
    if (!surrogate)
        return;
    for (size_t i = 0; i < surrogate->box_count; i++) {
        struct ct_process **processes = surrogate->boxes[i].processes;
        for (size_t j = 0; processes && j < FORMS * surrogate->map->method_count; j++)
            ct_process_free(processes[j]);
        free(processes);
    }
    free(surrogate->boxes);
    ct_surrogate_base_free(surrogate->base);
    free(surrogate->places);
    free(surrogate->base_logs);
    free(surrogate->is_based);
    free(surrogate->values);
    free(surrogate);
}

static int allocate(const struct ct_map *map, struct ct_surrogate **ret_surrogate)
{
    size_t slots;
    if (!ct_multiply(map->cell_count, map->method_count, &slots))
        return CT_E_LIMIT;
    struct ct_surrogate *s = ct_allocate(1, sizeof *s);
    if (!s)
        return CT_E_MEMORY;
    s->map = map;
    s->places = ct_allocate(map->cell_count, sizeof *s->places);
    s->base_logs = ct_allocate(slots, sizeof *s->base_logs);
    s->is_based = ct_allocate(map->method_count, sizeof *s->is_based);
    s->values = ct_allocate(map->cell_count, sizeof *s->values);
    if (!s->places || !s->base_logs || !s->is_based || !s->values) {
        ct_surrogate_free(s);
        return CT_E_MEMORY;
    }
    *ret_surrogate = s;
    return CT_OK;
}

/* Prepares what is known of each cell; are there any measurements at all? */
static bool take_cells(struct ct_surrogate *surrogate)
{
    const struct ct_map *map = surrogate->map;
    bool any = false;
    surrogate->axes = ct_place_axes(map);
    for (size_t c = 0; c < map->cell_count; c++) {
        any |= count_measured(surrogate, &map->cells[c]) > 0;
        ct_place_of(&map->cells[c].key, surrogate->places[c]);
    }
    return any;
}

int ct_surrogate_new(const struct ct_map *map, const bool *allowed,
                     const struct ct_surrogate_options *options, struct ct_error *error,
                     struct ct_surrogate **ret_surrogate)
{
    const char *collective = ct_collectives[map->collective].name;
    struct ct_surrogate *surrogate;
    int status = allocate(map, &surrogate);
    if (status != CT_OK)
        return ct_fail(error, status, "the times of %s do not fit into memory", collective);
    surrogate->allowed = allowed;
    surrogate->stop = options->stop;
    surrogate->extent = options->quick ? quick : thorough;
    if (!take_cells(surrogate)) {
        ct_surrogate_free(surrogate);
        return ct_fail(error, CT_E_INPUT, "no allowed method of %s was measured in any cell", collective);
    }
    status = map->exact ? CT_OK : find_sampling(surrogate);
    if (status == CT_OK && !options->no_plans)
        status = find_base(surrogate, options->calls);
    if (status == CT_OK)
        status = find_scales(surrogate);
    if (status == CT_OK)
        status = make_boxes(surrogate);
    if (status == CT_OK && is_stopped(surrogate))
        status = CT_E_STOPPED;
    if (status == CT_OK) {
        *ret_surrogate = surrogate;
        return CT_OK;
    }
    ct_surrogate_free(surrogate);
    return ct_fail(error, status,
                   status == CT_E_STOPPED ? "stopped while %s was learned"
                                          : "the times of %s do not fit into memory",
                   collective);
}

/* The process of a method in a box, which is fitted when it is first needed; NULL: it was not measured. */
static int process_of(struct ct_surrogate *surrogate, size_t box, enum form form, size_t method,
                      struct ct_process **ret_process)
{
    struct ct_process **process =
        &surrogate->boxes[box].processes[form * surrogate->map->method_count + method];
    int status = *process ? CT_OK : fit_process(surrogate, &surrogate->boxes[box], form, method, process);
    *ret_process = *process;
    return status;
}

int ct_surrogate_at(struct ct_surrogate *surrogate, const struct ct_cell_key *key, double *ret_means,
                    double *ret_deviations)
{
    const struct ct_map *map = surrogate->map;
    double place[CT_PLACE_AXES];
    size_t at = 0;
    ct_place_of(key, place);
    while (surrogate->boxes[at].axis != LEAF) {
        const struct box *box = &surrogate->boxes[at];
        at = place[box->axis] <= box->threshold ? box->low : box->high;
    }
    for (size_t m = 0; m < map->method_count; m++) {
        struct ct_process *process;
        double base = NAN;
        int status = CT_OK;
        ret_means[m] = ret_deviations[m] = NAN;
        if (!surrogate->allowed[m])
            continue;
        if (surrogate->base && surrogate->is_based[m])
            status = ct_surrogate_base_at(surrogate->base, &map->methods[m], key, &base);
        if (status == CT_OK)
            status = process_of(surrogate, at, isnan(base) ? PLAIN : BASED, m, &process);
        if (status != CT_OK)
            return status;
        if (process)
            ret_means[m] = ct_process_at(process, place, &ret_deviations[m]) + (isnan(base) ? 0 : base);
    }
    return is_stopped(surrogate) ? CT_E_STOPPED : CT_OK;
}
