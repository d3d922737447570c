/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/score_print.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A score is of calls of one mode. */
static const char *mode_of(const struct ct_score *score, char text[CT_MODES_TEXT])
{
    return ct_modes_format(score->modes, text);
}

/* Those of blocking calls alone do not say so. */
static bool names_modes(const struct ct_score *scores, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (scores[i].modes != 1U << CT_MODE_BLOCKING)
            return true;
    return false;
}

/* --- CSV, and all numbers of a score --- */

/* One line of the table: a way to choose, and its slowdown. */
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

void ct_score_header_print(void)
{
    puts("collective,choice,method,cells,unmeasured,min,mean,median,geometric_mean,p95,max,"
         "within_5_percent,leaves,depth,speedup_cells,speedup_geometric_mean,speedup_min,"
         "speedup_max,speedup_mean,speedup_median,speedup_p95,speedup_within_5_percent,"
         "mean_low,mean_high,left_out,parts,best,depth_min,depth_mean,mode");
}

/* Prints fields, which are empty where they are not known. */
static void print_numbers(bool known, const double *numbers, size_t count)
{
    char text[CT_NUMBER_TEXT];
    for (size_t i = 0; i < count; i++)
        printf(",%s", known ? ct_number_format(numbers[i], text) : "");
}

static void print_counts(bool known, const size_t *counts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf(known ? ",%zu" : ",", counts[i]);
}

/* A method with two parameters contains a comma. Only a tree has leaves, depths and a speed-up. */
static void print_csv_line(const struct ct_score *score, const struct ct_score_manner *manner,
                           const struct line *line, bool of_tree)
{
    const struct ct_penalty *penalty = line->penalty;
    const struct ct_speedup *speedup = &score->speedup;
    const char *quote = strchr(line->method, ',') ? "\"" : "";
    char mode[CT_MODES_TEXT];
    const double slowdowns[] = {penalty->least,          penalty->mean,         penalty->median,
                                penalty->geometric_mean, penalty->percentile95, penalty->most,
                                penalty->within};
    const double speedups[] = {speedup->geometric_mean, speedup->least,        speedup->most,  speedup->mean,
                               speedup->median,         speedup->percentile95, speedup->within};
    const bool learned = manner->left_out < CT_LEFT_OUT_PARTS;
    printf("%s,%s,%s%s%s,%zu,%zu", ct_collectives[score->collective].name, line->choice, quote, line->method,
           quote, penalty->cells, penalty->unmeasured);
    print_numbers(penalty->cells > 0, slowdowns, sizeof slowdowns / sizeof slowdowns[0]);
    print_counts(of_tree, (const size_t[]){score->leaves, score->depth.most, speedup->cells}, 3);
    print_numbers(of_tree && speedup->cells > 0, speedups, sizeof speedups / sizeof speedups[0]);
    print_numbers(line->mean->groups > 1, (const double[]){line->mean->low, line->mean->high}, 2);
    printf(",%s", learned ? ct_left_out_descriptions[manner->left_out].name : "");
    print_counts(learned, &manner->parts, 1);
    print_numbers(penalty->cells > 0, &penalty->best, 1);
    print_counts(of_tree, &score->depth.least, 1);
    print_numbers(of_tree, &score->depth.mean, 1);
    printf(",%s\n", mode_of(score, mode));
}

void ct_score_csv_print(const struct ct_score *score, const struct ct_score_manner *manner)
{
    struct line lines[LINES];
    make_lines(score, manner, lines);
    for (int i = 0; i < LINES; i++)
        print_csv_line(score, manner, &lines[i], i == 0);
}

enum { NUMBERS = 6 };

static void print_row(const char *name, size_t cells, const double numbers[NUMBERS], double unit,
                      double within)
{
    printf("  %-32s %6zu", name, cells);
    for (int i = 0; i < NUMBERS; i++)
        printf(" %8.2f", unit * numbers[i]);
    printf(" %9.1f %%\n", 100 * within);
}

static void print_slowdown(const struct line *line)
{
    const struct ct_penalty *penalty = line->penalty;
    const double numbers[NUMBERS] = {penalty->least,          penalty->mean,         penalty->median,
                                     penalty->geometric_mean, penalty->percentile95, penalty->most};
    char choice[CT_METHOD_TEXT + 16];
    bool always = penalty->cells + penalty->unmeasured > 0 && *line->method;
    snprintf(choice, sizeof choice, "%s%s", always ? "always " : "",
             *line->method ? line->method : line->choice);
    if (penalty->cells > 0)
        print_row(choice, penalty->cells, numbers, 100, penalty->within);
    else
        printf("  %-32s  not measured\n", choice);
}

void ct_score_details_print(const struct ct_score *score, const struct ct_score_manner *manner)
{
    const double percent = 100;
    const bool learned = manner->left_out < CT_LEFT_OUT_PARTS;
    const struct ct_speedup *speedup = &score->speedup;
    const double speedups[NUMBERS] = {speedup->least,          speedup->mean,         speedup->median,
                                      speedup->geometric_mean, speedup->percentile95, speedup->most};
    struct line lines[LINES];
    char mode[CT_MODES_TEXT];
    make_lines(score, manner, lines);
    const bool has_mode = names_modes(score, 1);
    printf("%s%s%s: %zu %s, depth %zu to %zu, mean %.2f\n", ct_collectives[score->collective].name,
           has_mode ? ", " : "", has_mode ? mode_of(score, mode) : "", score->leaves,
           score->leaves == 1 ? "leaf" : "leaves", score->depth.least, score->depth.most, score->depth.mean);
    printf("  %-32s %6s %8s %8s %8s %8s %8s %8s %11s\n", "slowdown in percent", "cells", "min", "mean",
           "median", "geomean", "95th", "max", "within 5 %");
    for (int i = 0; i < LINES; i++)
        print_slowdown(&lines[i]);
    if (speedup->cells > 0)
        print_row("times as fast as native", speedup->cells, speedups, 1, speedup->within);
    else
        puts("  native was not measured");
    if (manner->cross_launches)
        puts("  each launch compared with the method that is best in the other launches");
    if (learned)
        printf("  learned without each of %zu %s in turn, and scored on what was left out; leaves and depth "
               "are those of the tree from all of them\n",
               manner->parts, ct_left_out_descriptions[manner->left_out].text);
    for (int i = 0; i < LINES; i++)
        if (lines[i].penalty->unmeasured > 0)
            printf("  %s: %zu cell%s left out, because the chosen method was not measured there\n",
                   *lines[i].method ? lines[i].method : lines[i].choice, lines[i].penalty->unmeasured,
                   ct_were(lines[i].penalty->unmeasured));
    if (lines[0].penalty->cells > 0)
        printf("  the best method of the cell is chosen in %.1f %% of the cells\n",
               percent * lines[0].penalty->best);
    if (lines[0].mean->groups > 1)
        printf("  mean slowdown of the %s: %.2f to %.2f %% in 95 %% of the resamples of %zu communicator "
               "sizes\n",
               learned ? "trees learned" : "table", percent * lines[0].mean->low,
               percent * lines[0].mean->high, lines[0].mean->groups);
    if (speedup->cells > 0)
        printf("  %.2f times as fast as native (geometric mean of %zu cell%s), from %.2f to %.2f\n",
               speedup->geometric_mean, speedup->cells, ct_s(speedup->cells), speedup->least, speedup->most);
}

/* --- the table --- */

struct sum {
    size_t cells; /* with a slowdown */
    double slowdowns[3];
    size_t compared; /* with native */
    double logs;
    double least;
};

static void add_to(struct sum *sum, const struct ct_score *score)
{
    const struct ct_penalty *const penalties[] = {&score->tree, &score->native, &score->single};
    for (int i = 0; i < 3; i++)
        sum->slowdowns[i] += penalties[i]->mean * (double)score->tree.cells;
    sum->cells += score->tree.cells;
    if (score->speedup.cells == 0)
        return;
    sum->least = sum->compared > 0 ? fmin(sum->least, score->speedup.least) : score->speedup.least;
    sum->compared += score->speedup.cells;
    sum->logs += log(score->speedup.geometric_mean) * (double)score->speedup.cells;
}

static double mean_of(const struct sum *sum)
{
    return sum->cells > 0 ? sum->slowdowns[0] / (double)sum->cells : NAN;
}

static double speedup_of(const struct sum *sum)
{
    return sum->compared > 0 ? exp(sum->logs / (double)sum->compared) : NAN;
}

/* A number in ten columns, or a dash where it is not known. */
static void print_field(double number, bool known)
{
    if (known && isfinite(number))
        printf(" %9.2f", number);
    else
        printf(" %9s", "-");
}

static void print_score(const struct ct_score *score, const struct ct_score *left_out, bool has_left_out,
                        int mode_width)
{
    const double percent = 100;
    const struct ct_penalty *tree = &score->tree;
    char mode[CT_MODES_TEXT];
    printf("%-20s %-*s%6zu", ct_collectives[score->collective].name, mode_width,
           mode_width ? mode_of(score, mode) : "", tree->cells);
    if (has_left_out)
        print_field(percent * left_out->tree.mean, left_out->tree.cells > 0);
    print_field(percent * tree->mean, tree->cells > 0);
    print_field(percent * score->native.mean, score->native.cells > 0);
    print_field(percent * score->single.mean, score->single.cells > 0);
    printf("  ");
    if (has_left_out)
        print_field(left_out->speedup.geometric_mean, left_out->speedup.cells > 0);
    print_field(score->speedup.geometric_mean, score->speedup.cells > 0);
    print_field(score->speedup.least, score->speedup.cells > 0);
    puts("");
}

static void print_sentence(const struct sum *sum, const char *where, const char *mode)
{
    printf("%s%s%s: %.2f %% slower than the best (mean of %zu cell%s)", mode, *mode ? " calls, " : "", where,
           100 * mean_of(sum), sum->cells, ct_s(sum->cells));
    if (sum->compared > 0)
        printf(", %.2f times as fast as native", speedup_of(sum));
    puts("");
}

/* The means over the collectives for one mode. Returns whether there are scores of sizes left out. */
static bool print_sentences(const struct ct_score *scores, const struct ct_score *left_out, size_t count,
                            int mode, const char *where, const char *name)
{
    struct sum all = {0}, others = {0};
    for (size_t i = 0; i < count; i++) {
        if (scores[i].modes != 1U << mode)
            continue;
        add_to(&all, &scores[i]);
        if (left_out && left_out[i].tree.cells > 0)
            add_to(&others, &left_out[i]);
    }
    if (others.cells > 0)
        print_sentence(&others, "on communicator sizes left out", name);
    if (all.cells > 0)
        print_sentence(&all, where, name);
    return others.cells > 0;
}

/* "nonblocking allgather", or the collective alone. */
static void print_name(const struct ct_score *score, bool has_modes)
{
    char mode[CT_MODES_TEXT];
    printf("%s%s%s", has_modes ? mode_of(score, mode) : "", has_modes ? " " : "",
           ct_collectives[score->collective].name);
}

/* One cell with few samples, which another process disturbed, can make up most of the mean of all cells. */
static void print_outliers(const struct ct_score *scores, size_t count, bool has_modes)
{
    const char *separator = "mean slowdown without the one cell that makes up most of it: ";
    for (size_t i = 0; i < count; i++) {
        const struct ct_penalty *tree = &scores[i].tree;
        const double sum = tree->mean * (double)tree->cells;
        if (tree->cells < 2 || tree->mean <= CT_PENALTY_CLOSE || tree->most <= sum / 2)
            continue;
        fputs(separator, stdout);
        print_name(&scores[i], has_modes);
        printf(" %.2f %%", 100 * (sum - tree->most) / (double)(tree->cells - 1));
        separator = ", ";
    }
    if (*separator == ',')
        puts("");
}

/* Cells that have no slowdown. */
static void print_unmeasured(const struct ct_score *scores, size_t count, bool has_modes)
{
    const char *separator = "without cells where the chosen method was not measured: ";
    for (size_t i = 0; i < count; i++) {
        if (scores[i].tree.unmeasured == 0)
            continue;
        printf("%s%zu of ", separator, scores[i].tree.unmeasured);
        print_name(&scores[i], has_modes);
        separator = ", ";
    }
    if (*separator == ',')
        puts("");
}

void ct_scores_print(const struct ct_score *scores, const struct ct_score *left_out, size_t count,
                     const struct ct_score_manner *manner)
{
    const bool learned = manner->left_out < CT_LEFT_OUT_PARTS, has_modes = names_modes(scores, count);
    const char *where = learned                  ? "on what was left out"
                        : manner->learned_from   ? "on the cells it was learned from"
                        : manner->cross_launches ? "against the best of the other launches"
                                                 : "on all cells";
    bool both = false;
    for (int mode = 0; mode < CT_MODES; mode++)
        both |= print_sentences(scores, left_out, count, mode, where, has_modes ? ct_mode_names[mode] : "");
    const char *name = learned ? "learned" : "table";
    const int mode_width = has_modes ? 12 : 0;
    printf("\n%*s %*s  %*s\n%-20s %-*s%6s", 27 + mode_width, "", both ? 39 : 29,
           "mean slowdown over the best, %", both ? 29 : 19, "times as fast as native", "collective",
           mode_width, has_modes ? "mode" : "", "cells");
    printf(both ? " %9s %9s %9s %9s   %9s %9s %9s\n" : "%.0s %9s %9s %9s  %.0s %9s %9s\n", "left out", name,
           "native", "single", "left out", name, "least");
    for (size_t i = 0; i < count; i++)
        print_score(&scores[i], both ? &left_out[i] : NULL, both, mode_width);
    print_outliers(scores, count, has_modes);
    print_unmeasured(scores, count, has_modes);
}

static void print_promise(const char *mode, const char *ranks, const struct ct_promise *promise)
{
    printf("%s%-6s %8zu %9.2f %10.2f %18zu\n", mode, ranks, promise->points, promise->promised,
           promise->validated, promise->agree);
}

/* Prints the promises of one mode, and those of all its communicator sizes together. `mode` is its column. */
static void print_promises_of_mode(const struct ct_promise *promises, size_t count, const char *mode)
{
    struct ct_promise all = {0};
    char ranks[24];
    for (size_t i = 0; i < count; i++) {
        snprintf(ranks, sizeof ranks, "%zu", promises[i].comm_size);
        print_promise(mode, ranks, &promises[i]);
        all.points += promises[i].points;
        all.agree += promises[i].agree;
        all.promised += (double)promises[i].points * log(promises[i].promised);
        all.validated += (double)promises[i].points * log(promises[i].validated);
    }
    all.promised = exp(all.promised / (double)all.points);
    all.validated = exp(all.validated / (double)all.points);
    if (count > 1)
        print_promise(mode, "all", &all);
}

void ct_promises_print(const struct ct_promise *promises, size_t count)
{
    bool has_modes = false;
    for (size_t i = 0; i < count; i++)
        has_modes |= promises[i].mode != CT_MODE_BLOCKING;
    if (count == 0) {
        puts("\nNo point where the table takes another method than native was validated and measured.");
        return;
    }
    printf("\nWhere the table takes another method than native, times as fast as native (geometric "
           "means):\n\n%sranks    points  promised  validated  intervals overlap\n",
           has_modes ? "mode         " : "");
    for (size_t i = 0, next; i < count; i = next) {
        char mode[16] = "";
        for (next = i; next < count && promises[next].mode == promises[i].mode;)
            next++;
        if (has_modes)
            snprintf(mode, sizeof mode, "%-12s ", ct_mode_names[promises[i].mode]);
        print_promises_of_mode(&promises[i], next - i, mode);
    }
}
