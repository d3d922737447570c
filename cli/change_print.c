/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/change_print.h"
#include "base/number.h"
#include "base/text.h"
#include "samples/statistics/equivalence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ct_conditions_print(const struct ct_condition *conditions, size_t count)
{
    if (count == 0)
        puts("conditions: the same");
    for (size_t i = 0; i < count; i++) {
        const char *first = conditions[i].values[0], *second = conditions[i].values[1];
        printf("%s: %s -> %s\n", conditions[i].name, first ? first : "(none)", second ? second : "(none)");
    }
}

/* --- text --- */

enum { TIME_TEXT = 24, RATIO_TEXT = 16 };

static const char *ratio_text(double ratio, char text[RATIO_TEXT])
{
    if (isfinite(ratio))
        snprintf(text, RATIO_TEXT, "%.2f", ratio);
    else
        strcpy(text, "-");
    return text;
}

static void print_group(const struct ct_change_group *group, size_t last_comm_size)
{
    const size_t *counts = group->counts;
    char ratios[3][RATIO_TEXT], ranks[2 * CT_SIZE_TEXT];
    snprintf(ranks, sizeof ranks, group->comm_size == last_comm_size ? "%zu" : "%zu-%zu", group->comm_size,
             last_comm_size);
    printf("%-20s %7s %6zu %7zu %7zu %6zu %10zu  %6s %6s %6s %6zu\n", ct_collectives[group->collective].name,
           ranks, group->cells, counts[CT_CHANGE_SLOWER] + counts[CT_CHANGE_FAILS],
           counts[CT_CHANGE_FASTER] + counts[CT_CHANGE_WORKS], counts[CT_CHANGE_SAME],
           counts[CT_CHANGE_UNDECIDED], ratio_text(ct_ratio_mean_value(&group->all), ratios[0]),
           ratio_text(ct_ratio_mean_value(&group->native), ratios[1]),
           ratio_text(ct_ratio_mean_value(&group->best), ratios[2]), group->overtaken);
}

/* Communicator sizes without a significant change share a line. */
static int print_groups(const struct ct_changes *changes)
{
    struct ct_change_group *groups;
    size_t count;
    int status = ct_change_groups_make(changes, &groups, &count);
    if (status != CT_OK)
        return status;
    printf("%68s  %20s %6s\n%-20s %7s %6s %7s %7s %6s %10s  %6s %6s %6s %6s\n", "", "time of RUN2 / RUN1",
           "other", "collective", "ranks", "cells", "slower", "faster", "same", "undecided", "all", "native",
           "best", "best");
    for (size_t begin = 0, end; begin < count; begin = end) {
        struct ct_change_group *group = &groups[begin];
        const bool is_quiet = ct_changes_significant(group->counts) == 0;
        for (end = begin + 1; is_quiet && end < count && groups[end].collective == group->collective &&
                              ct_changes_significant(groups[end].counts) == 0;
             end++)
            ct_change_group_join(group, &groups[end]);
        print_group(group, groups[end - 1].comm_size);
    }
    free(groups);
    return CT_OK;
}

static const char *time_text(const struct ct_statistics *statistics, char text[TIME_TEXT])
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}};
    size_t unit = 0;
    if (!statistics || statistics->count == 0) {
        strcpy(text, statistics && statistics->failed ? "failed" : "-");
        return text;
    }
    while (unit + 1 < sizeof units / sizeof units[0] && statistics->median < units[unit].seconds)
        unit++;
    snprintf(text, TIME_TEXT, "%.4g %s", statistics->median / units[unit].seconds, units[unit].name);
    return text;
}

static void print_change(const struct ct_change *change, int width)
{
    char size[CT_SIZE_TEXT] = "", method[CT_METHOD_TEXT], times[2][TIME_TEXT], ratio[RATIO_TEXT];
    if (ct_collectives[change->collective].has_size)
        ct_size_format(change->key.msg_bytes, size);
    printf("%-20s %5u %6s  %-*s %10s %10s %7s  %s\n", ct_collectives[change->collective].name,
           change->key.comm_size, size, width, ct_method_format(change->method, false, method),
           time_text(change->before, times[0]), time_text(change->after, times[1]),
           ratio_text(ct_change_ratio(change), ratio), ct_change_names[change->kind]);
}

static int print_largest(const struct ct_changes *changes, size_t most)
{
    size_t *order, count;
    int width = (int)strlen("method");
    int status = ct_changes_largest(changes, &order, &count);
    if (status != CT_OK)
        return status;
    const size_t shown = count < most ? count : most;
    for (size_t i = 0; i < shown; i++) {
        char method[CT_METHOD_TEXT];
        int length = (int)strlen(ct_method_format(changes->items[order[i]].method, false, method));
        width = length > width ? length : width;
    }
    if (shown > 0)
        printf("\nthe largest of %zu change%s:\n%-20s %5s %6s  %-*s %10s %10s %7s\n", count, ct_s(count),
               "collective", "ranks", "bytes", width, "method", "RUN1", "RUN2", "ratio");
    for (size_t i = 0; i < shown; i++)
        print_change(&changes->items[order[i]], width);
    free(order);
    return CT_OK;
}

static void print_only(const struct ct_changes *changes)
{
    static const char *const names[] = {"RUN1", "RUN2"};
    for (int run = 0; run < 2; run++) {
        size_t items = changes->counts[run == 0 ? CT_CHANGE_FIRST_ONLY : CT_CHANGE_SECOND_ONLY];
        if (items > 0)
            printf("%s alone has %zu time%s of methods, and %zu whole cell%s: not compared\n", names[run],
                   items, ct_s(items), changes->only[run], ct_s(changes->only[run]));
    }
}

static void print_summary(const struct ct_changes *changes)
{
    const size_t *counts = changes->counts;
    const double percent = 100;
    const size_t compared = counts[CT_CHANGE_SAME] + counts[CT_CHANGE_UNDECIDED] + counts[CT_CHANGE_SLOWER] +
                            counts[CT_CHANGE_FASTER];
    double margin = changes->cell_count > 0 ? changes->cells[0].maps[0]->margin : CT_MARGIN;
    printf(
        "%zu time%s of methods in %zu cell%s compared: %zu slower, %zu faster, %zu the same, %zu undecided",
        compared, ct_s(compared), changes->cell_count, ct_s(changes->cell_count), counts[CT_CHANGE_SLOWER],
        counts[CT_CHANGE_FASTER], counts[CT_CHANGE_SAME], counts[CT_CHANGE_UNDECIDED]);
    if (counts[CT_CHANGE_FAILS] + counts[CT_CHANGE_WORKS] > 0)
        printf("; %zu fail in RUN2 alone, %zu in RUN1 alone", counts[CT_CHANGE_FAILS],
               counts[CT_CHANGE_WORKS]);
    if (changes->exact)
        printf("\ntimes are computed and compared as they are; same: they differ by at most %g %%\n",
               percent * margin);
    else
        printf("\nfamily-wise error rate of all comparisons: %g %%; same: significantly within %g %%\n",
               percent * CT_ALPHA, percent * margin);
    if (changes->by_samples > 0)
        printf("one job launch in each run in %zu comparison%s: significant for these launches only, others "
               "may differ\n",
               changes->by_samples, ct_s(changes->by_samples));
    if (changes->one_launch > changes->by_samples)
        printf("one job launch in each run in %zu comparisons, which take the variation of other cells: more "
               "launches find more\n",
               changes->one_launch - changes->by_samples);
    print_only(changes);
}

int ct_changes_print(const struct ct_changes *changes, size_t most)
{
    print_summary(changes);
    puts("");
    int status = print_groups(changes);
    if (status == CT_OK)
        status = print_largest(changes, most);
    return status;
}

/* --- CSV --- */

static void print_number(double number)
{
    char text[CT_NUMBER_TEXT];
    printf(",%s", isfinite(number) ? ct_number_format(number, text) : "");
}

void ct_changes_csv_print(const struct ct_changes *changes)
{
    printf("collective");
    for (int i = 0; i < CT_KEY_COLUMNS; i++)
        printf(",%s", ct_key_descriptors[i].name);
    puts(",by,mode,method,seconds_first,seconds_second,ratio,launches_first,launches_second,p_value,change,"
         "root");
    for (size_t i = 0; i < changes->count; i++) {
        const struct ct_change *change = &changes->items[i];
        const struct ct_statistics *const sides[] = {change->before, change->after};
        char method[CT_METHOD_TEXT];
        const char *quote = strchr(ct_method_format(change->method, false, method), ',') ? "\"" : "";
        printf("%s", ct_collectives[change->collective].name);
        for (int k = 0; k < CT_KEY_COLUMNS; k++)
            printf(",%zu", ct_key_value(&change->key, &ct_key_descriptors[k]));
        printf(",%s,%s,%s%s%s", ct_mapped_names[change->key.by], ct_mode_names[change->key.mode], quote,
               method, quote);
        for (int run = 0; run < 2; run++)
            print_number(sides[run] && sides[run]->count > 0 ? sides[run]->median : NAN);
        print_number(ct_change_ratio(change));
        for (int run = 0; run < 2; run++)
            printf(",%zu", sides[run] ? sides[run]->launches : 0);
        print_number(change->p_value);
        printf(",%s,%u\n", ct_change_names[change->kind], change->key.root);
    }
}
