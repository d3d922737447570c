/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/compare_tables.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/text.h"
#include "cli/change_print.h"
#include "decision/choice_difference.h"
#include "decision/table.h"
#include "samples/conditions.h"
#include "samples/element.h"
#include "samples/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the cells --- */

struct cells {
    size_t *comm_sizes;
    size_t comm_size_count;
    size_t *msg_sizes;
    size_t msg_size_count;
    struct ct_cell_key *keys; /* of one collective */
    size_t count;
};

static void free_cells(struct cells *cells)
{
    free(cells->comm_sizes);
    free(cells->msg_sizes);
    free(cells->keys);
}

static int read_cells(const struct ct_compare_tables *request, struct ct_error *error, struct cells *cells)
{
    size_t room;
    int status = ct_sizes_read("comm-sizes", request->comm_sizes, 1, UINT32_MAX, error, &cells->comm_sizes,
                               &cells->comm_size_count);
    if (status == CT_OK)
        status = ct_sizes_read("msg-sizes", request->msg_sizes, 0, ct_key_descriptors[CT_KEY_MSG_BYTES].most,
                               error, &cells->msg_sizes, &cells->msg_size_count);
    if (status != CT_OK)
        return status;
    cells->comm_size_count = ct_sort_unique(cells->comm_sizes, cells->comm_size_count);
    cells->msg_size_count = ct_sort_unique(cells->msg_sizes, cells->msg_size_count);
    if (!ct_multiply(cells->comm_size_count, cells->msg_size_count, &room))
        return CT_E_LIMIT;
    cells->keys = ct_allocate(room, sizeof *cells->keys);
    return cells->keys ? CT_OK : CT_E_MEMORY;
}

static void make_keys(struct cells *cells, enum ct_collective collective, size_t ppn)
{
    const bool has_size = ct_collectives[collective].has_size;
    cells->count = 0;
    for (size_t c = 0; c < cells->comm_size_count; c++) {
        const size_t ranks = cells->comm_sizes[c];
        const size_t on_node = ppn == 0 || ppn > ranks ? ranks : ppn;
        for (size_t m = 0; m < (has_size ? cells->msg_size_count : 1); m++) {
            const size_t bytes = has_size ? cells->msg_sizes[m] : 0;
            if (has_size && !ct_has_elements(collective, bytes))
                continue;
            cells->keys[cells->count++] =
                (struct ct_cell_key){.nodes = (uint32_t)((ranks + on_node - 1) / on_node),
                                     .ppn = (uint32_t)on_node,
                                     .comm_size = (uint32_t)ranks,
                                     .msg_bytes = bytes};
        }
    }
}

/* --- the comparison --- */

struct comparison {
    struct ct_table tables[2];
    struct ct_run run;
    struct cells cells;
    struct ct_choice_difference items[CT_COLLECTIVES];
    size_t count;
};

static int compare_collective(const struct ct_compare_tables *request, enum ct_collective collective,
                              struct ct_error *error, struct comparison *comparison)
{
    const struct ct_decision_tree *const trees[2] = {
        ct_decisions_find(&comparison->tables[0].decisions, collective),
        ct_decisions_find(&comparison->tables[1].decisions, collective)};
    struct ct_map map = {0};
    int status = CT_OK;
    if (!trees[0] || !trees[1]) {
        if (trees[0] || trees[1])
            ct_tell(request->command, "%s is not compared: %s does not decide it",
                    ct_collectives[collective].name, request->tables[trees[0] ? 1 : 0]);
        return CT_OK;
    }
    if (request->on && !ct_run_measures(&comparison->run, collective)) {
        ct_tell(request->command, "%s is not compared: %s does not have it", ct_collectives[collective].name,
                request->on);
        return CT_OK;
    }
    if (request->on)
        status = ct_map_make(&comparison->run, collective, error, &map);
    else
        make_keys(&comparison->cells, collective, request->ppn);
    if (status == CT_OK)
        status =
            ct_choice_difference_find(trees[0], trees[1], request->on ? &map : NULL, comparison->cells.keys,
                                      comparison->cells.count, &comparison->items[comparison->count]);
    comparison->count += status == CT_OK;
    ct_map_free(&map);
    return status;
}

static int compare(const struct ct_compare_tables *request, struct ct_error *error,
                   struct comparison *comparison)
{
    int status = request->on ? ct_run_read(request->on, false, error, &comparison->run)
                             : read_cells(request, error, &comparison->cells);
    for (int i = 0; status == CT_OK && i < 2; i++)
        status = ct_table_read(request->tables[i], error, &comparison->tables[i]);
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++)
        if (request->collective == CT_COLLECTIVES || request->collective == i)
            status = compare_collective(request, (enum ct_collective)i, error, comparison);
    if (status == CT_OK && comparison->count == 0)
        return ct_fail(error, CT_E_INPUT, "%s and %s%s%s have no collective in common", request->tables[0],
                       request->tables[1], request->on ? " and " : "", request->on ? request->on : "");
    return status;
}

/* --- text --- */

/* The runs that the tables were learned from, as far as their conditions differ. */
static int print_origins(const struct ct_table tables[2])
{
    struct ct_run_description views[2] = {{0}, {0}};
    struct ct_condition *conditions;
    size_t count;
    for (int i = 0; i < 2; i++) {
        const struct ct_table_run *run = &tables[i].runs[0];
        printf("TABLE%d: from run %s, %s\n", i + 1, run->name, run->created);
        views[i] = (struct ct_run_description){.tool_version = run->tool_version,
                                               .backend = run->backend,
                                               .launcher = run->launcher,
                                               .properties = run->properties,
                                               .property_count = run->property_count};
    }
    int status = ct_conditions_compare(&views[0], &views[1], &conditions, &count);
    if (status != CT_OK)
        return status;
    ct_conditions_print(conditions, count);
    ct_conditions_free(conditions, count);
    return CT_OK;
}

static void print_percent(double fraction, int width)
{
    if (isnan(fraction))
        printf(" %*s", width, "-");
    else
        printf(" %*.2f", width, 100 * fraction);
}

static void print_collectives(const struct comparison *comparison, bool on_run)
{
    printf("\n%-20s %6s %6s %7s", "collective", "cells", "differ", "%");
    printf(on_run ? "  %9s %9s  %s\n" : "\n", "TABLE1", "TABLE2", "TABLE2/TABLE1 where they differ");
    for (size_t i = 0; i < comparison->count; i++) {
        const struct ct_choice_difference *item = &comparison->items[i];
        printf("%-20s %6zu %6zu", ct_collectives[item->collective].name, item->count, item->differ);
        print_percent(item->count > 0 ? (double)item->differ / (double)item->count : NAN, 7);
        for (int table = 0; on_run && table < 2; table++) {
            printf("%s", table == 0 ? " " : "");
            print_percent(item->penalties[table].cells > 0 ? item->penalties[table].mean : NAN, 9);
        }
        if (on_run && item->timed > 0)
            printf("  %.2f (%zu cell%s)", item->ratio, item->timed, ct_s(item->timed));
        puts("");
    }
    if (on_run)
        puts("TABLE1, TABLE2: mean slowdown over the best method of the run, %; the last column compares "
             "times");
}

/* A line of differences: cells of consecutive message sizes on equal ranks with the same two methods; with a
 * run one cell. */
struct difference {
    const struct ct_choice_difference *of;
    size_t first;
    size_t last;
};

static double cost_of(const struct difference *difference)
{
    const struct ct_choice_pair *pair = &difference->of->pairs[difference->first];
    const double cost = log1p(pair->slowdowns[1]) - log1p(pair->slowdowns[0]);
    return isnan(cost) ? 0 : fabs(cost);
}

static int compare_costs(const void *a, const void *b)
{
    const struct difference *left = a, *right = b;
    int order = CT_COMPARE(cost_of(right), cost_of(left));
    if (order == 0)
        order = CT_COMPARE(left->of->collective, right->of->collective);
    return order != 0 ? order : CT_COMPARE(left->first, right->first);
}

static bool continues(const struct ct_choice_difference *of, size_t i)
{
    const struct ct_choice_pair *before = &of->pairs[i - 1], *pair = &of->pairs[i];
    return before->differs && pair->differs && before->key.comm_size == pair->key.comm_size &&
           ct_method_equal(before->methods[0], pair->methods[0]) &&
           ct_method_equal(before->methods[1], pair->methods[1]);
}

static size_t find_differences(const struct comparison *comparison, bool on_run,
                               struct difference *differences)
{
    size_t count = 0;
    for (size_t k = 0; k < comparison->count; k++) {
        const struct ct_choice_difference *of = &comparison->items[k];
        for (size_t i = 0; i < of->count; i++) {
            if (!of->pairs[i].differs)
                continue;
            if (i > 0 && !on_run && continues(of, i))
                differences[count - 1].last = i;
            else
                differences[count++] = (struct difference){of, i, i};
        }
    }
    qsort(differences, count, sizeof *differences, compare_costs);
    return count;
}

static void print_difference(const struct difference *difference, bool on_run)
{
    const struct ct_choice_pair *pair = &difference->of->pairs[difference->first];
    char sizes[2][CT_SIZE_TEXT], range[2 * CT_SIZE_TEXT + 8] = "", methods[2][CT_METHOD_TEXT];
    ct_size_format(pair->key.msg_bytes, sizes[0]);
    ct_size_format(difference->of->pairs[difference->last].key.msg_bytes, sizes[1]);
    if (ct_collectives[difference->of->collective].has_size)
        snprintf(range, sizeof range, difference->first == difference->last ? "%s" : "%s to %s", sizes[0],
                 sizes[1]);
    printf("%-20s %5u %12s  %s -> %s", ct_collectives[difference->of->collective].name, pair->key.comm_size,
           range, ct_method_format(pair->methods[0], false, methods[0]),
           ct_method_format(pair->methods[1], false, methods[1]));
    if (on_run && !isnan(pair->slowdowns[0]) && !isnan(pair->slowdowns[1]))
        printf(": %.2f times the time", (1 + pair->slowdowns[1]) / (1 + pair->slowdowns[0]));
    puts("");
}

static int print_differences(const struct comparison *comparison, bool on_run, size_t most)
{
    size_t room = 0;
    for (size_t i = 0; i < comparison->count; i++)
        room += comparison->items[i].differ;
    struct difference *differences = ct_allocate(room + 1, sizeof *differences);
    if (!differences)
        return CT_E_MEMORY;
    const size_t count = find_differences(comparison, on_run, differences);
    if (count > 0 && most > 0)
        printf("\n%zu of %zu difference%s%s:\n%-20s %5s %12s  %s\n", count < most ? count : most, count,
               ct_s(count), on_run ? ", the costliest first" : "", "collective", "ranks", "bytes",
               "TABLE1 -> TABLE2");
    for (size_t i = 0; i < count && i < most; i++)
        print_difference(&differences[i], on_run);
    free(differences);
    return CT_OK;
}

/* --- CSV --- */

static void print_method(const struct ct_method *method)
{
    char text[CT_METHOD_TEXT];
    const char *quote = strchr(ct_method_format(method, false, text), ',') ? "\"" : "";
    printf(",%s%s%s", quote, text, quote);
}

static void print_csv(const struct comparison *comparison)
{
    printf("collective");
    for (int i = 0; i < CT_KEY_COLUMNS; i++)
        printf(",%s", ct_key_descriptors[i].name);
    puts(",by,mode,method_first,method_second,differs,slowdown_first,slowdown_second,root");
    for (size_t k = 0; k < comparison->count; k++)
        for (size_t i = 0; i < comparison->items[k].count; i++) {
            const struct ct_choice_pair *pair = &comparison->items[k].pairs[i];
            char number[CT_NUMBER_TEXT];
            printf("%s", ct_collectives[comparison->items[k].collective].name);
            for (int c = 0; c < CT_KEY_COLUMNS; c++)
                printf(",%zu", ct_key_value(&pair->key, &ct_key_descriptors[c]));
            printf(",%s,%s", ct_mapped_names[pair->key.by], ct_mode_names[pair->key.mode]);
            print_method(pair->methods[0]);
            print_method(pair->methods[1]);
            printf(",%d", pair->differs);
            for (int table = 0; table < 2; table++)
                printf(",%s",
                       isnan(pair->slowdowns[table]) ? "" : ct_number_format(pair->slowdowns[table], number));
            printf(",%u\n", pair->key.root);
        }
}

static int print(const struct ct_compare_tables *request, const struct comparison *comparison)
{
    if (request->csv) {
        print_csv(comparison);
        return CT_OK;
    }
    int status = print_origins(comparison->tables);
    if (status != CT_OK)
        return status;
    print_collectives(comparison, request->on != NULL);
    return print_differences(comparison, request->on != NULL, request->most);
}

int ct_compare_tables(const struct ct_compare_tables *request, struct ct_error *error, bool *ret_differ)
{
    struct comparison comparison = {.count = 0};
    int status = compare(request, error, &comparison);
    if (status == CT_OK)
        status = print(request, &comparison);
    if (status == CT_OK) {
        *ret_differ = false;
        for (size_t i = 0; i < comparison.count; i++)
            *ret_differ |= comparison.items[i].differ > 0;
    }
    for (size_t i = 0; i < comparison.count; i++)
        ct_choice_difference_free(&comparison.items[i]);
    for (int i = 0; i < 2; i++)
        ct_table_free(&comparison.tables[i]);
    ct_run_free(&comparison.run);
    free_cells(&comparison.cells);
    return status;
}
