/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/score_print.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

/* One line of the table: a way to choose, and what it costs. */
struct line {
    const char *choice;
    char method[CT_METHOD_TEXT]; /* "" for the table */
    const struct ct_penalty *penalty;
    const struct ct_mean_interval *mean;
};

enum { LINES = 3 };

static void make_lines(const struct ct_score *score, const struct ct_score_manner *manner,
                       struct line lines[LINES])
{
    const char *first = manner->left_out == CT_LEFT_OUT_PARTS ? "table" : "learned";
    lines[0] = (struct line){first, "", &score->tree, &score->tree_mean};
    lines[1] = (struct line){"native", "native", &score->native, &score->native_mean};
    lines[2] = (struct line){"single", "", &score->single, &score->single_mean};
    if (score->single_method.algorithm)
        ct_method_format(&score->single_method, false, lines[2].method);
}

void ct_score_print_header(void)
{
    puts("collective,choice,method,cells,unmeasured,min,mean,median,geometric_mean,p95,max,"
         "within_5_percent,leaves,depth,speedup_cells,speedup_geometric_mean,speedup_min,"
         "speedup_max,speedup_mean,speedup_median,speedup_p95,speedup_within_5_percent,"
         "mean_low,mean_high,left_out,parts,best,depth_min,depth_mean");
}

static void print_numbers(const double *numbers, size_t count)
{
    char text[CT_NUMBER_TEXT];
    for (size_t i = 0; i < count; i++)
        printf(",%s", ct_number_format(numbers[i], text));
}

/* What only a tree has. */
static void print_tree(const struct ct_score *score, bool of_tree)
{
    const struct ct_speedup *speedup = &score->speedup;
    const double numbers[] = {speedup->geometric_mean, speedup->least,        speedup->most,  speedup->mean,
                              speedup->median,         speedup->percentile95, speedup->within};
    if (of_tree)
        printf(",%zu,%zu,%zu", score->leaves, score->depth.most, speedup->cells);
    else
        printf(",,,");
    if (of_tree && speedup->cells > 0)
        print_numbers(numbers, sizeof numbers / sizeof numbers[0]);
    else
        printf(",,,,,,,");
}

/* The last columns. */
static void print_depths(const struct ct_tree_depths *depth, bool of_tree)
{
    char mean[CT_NUMBER_TEXT];
    if (of_tree)
        printf(",%zu,%s\n", depth->least, ct_number_format(depth->mean, mean));
    else
        puts(",,");
}

/* A method with two parameters holds a comma. */
static void print_csv_line(const struct ct_score *score, const struct ct_score_manner *manner,
                           const struct line *line, bool of_tree)
{
    const struct ct_penalty *penalty = line->penalty;
    const char *quote = strchr(line->method, ',') ? "\"" : "";
    printf("%s,%s,%s%s%s,%zu,%zu", ct_collectives[score->collective].name, line->choice, quote, line->method,
           quote, penalty->cells, penalty->unmeasured);
    const double numbers[] = {penalty->least,        penalty->mean, penalty->median, penalty->geometric_mean,
                              penalty->percentile95, penalty->most, penalty->within};
    if (penalty->cells > 0)
        print_numbers(numbers, sizeof numbers / sizeof numbers[0]);
    else
        printf(",,,,,,,");
    print_tree(score, of_tree);
    const double interval[] = {line->mean->low, line->mean->high};
    if (line->mean->groups > 1)
        print_numbers(interval, sizeof interval / sizeof interval[0]);
    else
        printf(",,");
    if (manner->left_out < CT_LEFT_OUT_PARTS)
        printf(",%s,%zu", ct_left_out_descriptions[manner->left_out].name, manner->parts);
    else
        printf(",,");
    if (penalty->cells > 0)
        print_numbers(&penalty->best, 1);
    else
        printf(",");
    print_depths(&score->depth, of_tree);
}

void ct_score_print_csv(const struct ct_score *score, const struct ct_score_manner *manner)
{
    struct line lines[LINES];
    make_lines(score, manner, lines);
    for (int i = 0; i < LINES; i++)
        print_csv_line(score, manner, &lines[i], i == 0);
}

static void print_text_line(const struct line *line)
{
    const double percent = 100;
    const struct ct_penalty *penalty = line->penalty;
    char choice[CT_METHOD_TEXT + 16];
    bool always = line->penalty->cells + line->penalty->unmeasured > 0 && *line->method;
    snprintf(choice, sizeof choice, "%s%s", always ? "always " : "",
             *line->method ? line->method : line->choice);
    printf("  %-32s", choice);
    if (penalty->cells == 0) {
        puts("  not measured");
        return;
    }
    const double numbers[] = {penalty->least,          penalty->mean,         penalty->median,
                              penalty->geometric_mean, penalty->percentile95, penalty->most};
    printf(" %6zu", penalty->cells);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        printf(" %8.2f", percent * numbers[i]);
    printf(" %9.1f %%\n", percent * penalty->within);
}

static void print_speedup(const struct ct_speedup *speedup)
{
    const double numbers[] = {speedup->least,          speedup->mean,         speedup->median,
                              speedup->geometric_mean, speedup->percentile95, speedup->most};
    if (speedup->cells == 0) {
        puts("  native was not measured");
        return;
    }
    printf("  %-32s %6zu", "times as fast as native", speedup->cells);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        printf(" %8.2f", numbers[i]);
    printf(" %9.1f %%\n", 100 * speedup->within);
}

static void print_manner(const struct ct_score_manner *manner)
{
    if (manner->cross_launches)
        puts("  each launch against the best that the other launches chose");
    if (manner->left_out < CT_LEFT_OUT_PARTS)
        printf("  learned anew without each of %zu %s, and scored on what was left out; leaves and depth of "
               "what all together give\n",
               manner->parts, ct_left_out_descriptions[manner->left_out].text);
}

void ct_score_print_text(const struct ct_score *score, const struct ct_score_manner *manner)
{
    const double percent = 100;
    struct line lines[LINES];
    make_lines(score, manner, lines);
    printf("%s: %zu %s, depth %zu to %zu, mean %.2f\n", ct_collectives[score->collective].name, score->leaves,
           score->leaves == 1 ? "leaf" : "leaves", score->depth.least, score->depth.most, score->depth.mean);
    printf("  %-32s %6s %8s %8s %8s %8s %8s %8s %11s\n", "penalty in percent", "cells", "min", "mean",
           "median", "geomean", "95th", "max", "within 5 %");
    for (int i = 0; i < LINES; i++)
        print_text_line(&lines[i]);
    print_speedup(&score->speedup);
    print_manner(manner);
    for (int i = 0; i < LINES; i++)
        if (lines[i].penalty->unmeasured > 0)
            printf("  %s: left out %zu cells, where the method chosen was not measured\n",
                   *lines[i].method ? lines[i].method : lines[i].choice, lines[i].penalty->unmeasured);
    if (lines[0].penalty->cells > 0)
        printf("  the best method of the cell is chosen in %.1f %% of the cells\n",
               percent * lines[0].penalty->best);
    if (lines[0].mean->groups > 1)
        printf("  mean penalty of the %s: %.2f to %.2f %%, with 95 %% of the draws from %zu communicator "
               "sizes\n",
               manner->left_out < CT_LEFT_OUT_PARTS ? "trees learned" : "table", percent * lines[0].mean->low,
               percent * lines[0].mean->high, lines[0].mean->groups);
    if (score->speedup.cells > 0)
        printf("  %.2f times as fast as native (geometric mean of %zu cells), from %.2f to %.2f\n",
               score->speedup.geometric_mean, score->speedup.cells, score->speedup.least,
               score->speedup.most);
}
