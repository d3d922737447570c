/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/number.h"
#include "cli/learning.h"
#include "decision/score.h"
#include "decision/table.h"
#include "learners/cross_validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    int collective;
    bool cross_launches;
    int left_out; /* enum ct_left_out; CT_LEFT_OUT_PARTS: a table is scored */
    int format;
    struct ct_learning learning;
};

/* The parts, then "none". */
static const char *part_choice(size_t index)
{
    return index < CT_LEFT_OUT_PARTS    ? ct_left_out_descriptions[index].name
           : index == CT_LEFT_OUT_PARTS ? "none"
                                        : NULL;
}

static const struct ct_option options[] = {
    {"cross-launches", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, cross_launches),
     .text = "compare each job launch with the method that is best in the other launches"},
    {"cross-validate", 0, "PARTS", CT_OPTION_CHOICE, offsetof(struct settings, left_out), .usual = "none",
     .choice = part_choice,
     .text = "leave out each communicator size (sizes), message size (messages) or run (runs) in turn, learn "
             "from the rest, and score on what was left out"},
    {"collective", 'c', "COLLECTIVE", CT_OPTION_CHOICE, offsetof(struct settings, collective), .usual = "all",
     .choice = ct_collective_choice, .text = "score only this collective"},
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, offsetof(struct settings, format), .choice = ct_format_choice,
     .text = "write in this format"},
    {0},
};

static int begin(void *settings, struct ct_bindings *bindings)
{
    return ct_learning_begin(&((struct settings *)settings)->learning, "With --cross-validate, how to learn",
                             bindings);
}

static void end(void *settings)
{
    ct_learning_end(&((struct settings *)settings)->learning);
}

/* The first argument is a table, unless one is learned. */
static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    struct settings *settings = given;
    bool learns = settings->left_out < CT_LEFT_OUT_PARTS;
    if (learns && settings->cross_launches)
        return ct_fail(error, CT_E_INPUT, "--cross-validate: cannot be combined with --cross-launches");
    if (learns)
        return ct_learning_check(&settings->learning, arguments, error);
    for (size_t i = 0; i < arguments->given_count; i++)
        if (!ct_option_find(options, arguments->given[i].option->name))
            return ct_fail(error, CT_E_INPUT, "--%s: expected --cross-validate, too",
                           arguments->given[i].option->name);
    if (arguments->count < 2)
        return ct_fail(error, CT_E_INPUT, "a run is missing; expected TABLE.xml RUN");
    if (arguments->count > 2)
        return ct_fail(error, CT_E_INPUT, "'%s' is one argument too many; expected TABLE.xml RUN",
                       arguments->words[2]);
    return CT_OK;
}

/* --- printing --- */

/* How a score came about. */
struct manner {
    bool cross_launches;
    enum ct_left_out left_out; /* CT_LEFT_OUT_PARTS: a table was scored */
    size_t parts;              /* number of parts that were left out in turn */
};

/* One line of the table: a way to choose, and its slowdown. */
struct line {
    const char *choice;
    char method[CT_METHOD_TEXT]; /* "" for the table */
    const struct ct_penalty *penalty;
    const struct ct_mean_interval *mean;
};

enum { LINES = 3 };

static void make_lines(const struct ct_score *score, const struct manner *manner, struct line lines[LINES])
{
    const char *first = manner->left_out == CT_LEFT_OUT_PARTS ? "table" : "learned";
    lines[0] = (struct line){first, "", &score->tree, &score->tree_mean};
    lines[1] = (struct line){"native", "native", &score->native, &score->native_mean};
    lines[2] = (struct line){"single", "", &score->single, &score->single_mean};
    if (score->single_method.algorithm)
        ct_method_format(&score->single_method, false, lines[2].method);
}

static void print_header(void)
{
    puts("collective,choice,method,cells,unmeasured,min,mean,median,geometric_mean,p95,max,"
         "within_5_percent,leaves,depth,speedup_cells,speedup_geometric_mean,speedup_min,"
         "speedup_max,speedup_mean,speedup_median,speedup_p95,speedup_within_5_percent,"
         "mean_low,mean_high,left_out,parts,best,depth_min,depth_mean");
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
static void print_csv_line(const struct ct_score *score, const struct manner *manner, const struct line *line,
                           bool of_tree)
{
    const struct ct_penalty *penalty = line->penalty;
    const struct ct_speedup *speedup = &score->speedup;
    const char *quote = strchr(line->method, ',') ? "\"" : "";
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
    puts("");
}

static void print_csv(const struct ct_score *score, const struct manner *manner)
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

static void print_text(const struct ct_score *score, const struct manner *manner)
{
    const double percent = 100;
    const bool learned = manner->left_out < CT_LEFT_OUT_PARTS;
    const struct ct_speedup *speedup = &score->speedup;
    const double speedups[NUMBERS] = {speedup->least,          speedup->mean,         speedup->median,
                                      speedup->geometric_mean, speedup->percentile95, speedup->most};
    struct line lines[LINES];
    make_lines(score, manner, lines);
    printf("%s: %zu %s, depth %zu to %zu, mean %.2f\n", ct_collectives[score->collective].name, score->leaves,
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
            printf("  %s: %zu cells were left out, because the chosen method was not measured there\n",
                   *lines[i].method ? lines[i].method : lines[i].choice, lines[i].penalty->unmeasured);
    if (lines[0].penalty->cells > 0)
        printf("  the best method of the cell is chosen in %.1f %% of the cells\n",
               percent * lines[0].penalty->best);
    if (lines[0].mean->groups > 1)
        printf("  mean slowdown of the %s: %.2f to %.2f %% in 95 %% of the resamples of %zu communicator "
               "sizes\n",
               learned ? "trees learned" : "table", percent * lines[0].mean->low,
               percent * lines[0].mean->high, lines[0].mean->groups);
    if (speedup->cells > 0)
        printf("  %.2f times as fast as native (geometric mean of %zu cells), from %.2f to %.2f\n",
               speedup->geometric_mean, speedup->cells, speedup->least, speedup->most);
}

/* --- scoring --- */

static void print(const struct ct_score *score, const struct settings *settings, const struct manner *manner,
                  bool first)
{
    if (!first && !settings->format)
        puts("");
    (settings->format ? print_csv : print_text)(score, manner);
}

static bool is_asked_for(const struct settings *settings, int collective)
{
    return settings->collective == CT_COLLECTIVES || settings->collective == collective;
}

static int score_all(const struct ct_table *table, const struct ct_run *run, const struct settings *settings,
                     struct ct_error *error)
{
    const struct manner manner = {.cross_launches = settings->cross_launches, .left_out = CT_LEFT_OUT_PARTS};
    int status = CT_OK, scored = 0;
    if (settings->format)
        print_header();
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++) {
        enum ct_collective collective = (enum ct_collective)i;
        if (!is_asked_for(settings, i))
            continue;
        const struct ct_decision_tree *tree = ct_decisions_find(&table->decisions, collective);
        bool measured = ct_run_measures(run, collective);
        if (tree && measured) {
            struct ct_map map = {0};
            struct ct_score score;
            if ((status = ct_map_make(run, collective, error, &map)) == CT_OK &&
                (status = settings->cross_launches ? ct_score_cross_launches(tree, &map, error, &score)
                                                   : ct_score_tree(tree, &map, error, &score)) == CT_OK)
                print(&score, settings, &manner, scored++ == 0);
            ct_map_free(&map);
        } else if (tree || measured) {
            ct_tell(&ct_command_score, "%s is not scored: the %s does not have it", ct_collectives[i].name,
                    tree ? "run" : "table");
        }
    }
    if (status == CT_OK && scored == 0)
        return ct_fail(error, CT_E_ANSWER, "the table and the run have no collective in common");
    return status;
}

static int score_table(const struct settings *settings, const char *file, const struct ct_run *run,
                       struct ct_error *error)
{
    struct ct_table table;
    bool learned_from = false;
    int status = ct_table_read(file, error, &table);
    if (status != CT_OK)
        return status;
    if (settings->cross_launches)
        status = ct_table_learned_from(&table, run, error, &learned_from);
    if (learned_from)
        ct_tell(&ct_command_score, "the table was learned from these launches, so its slowdown is "
                                   "underestimated; score it on another run");
    if (status == CT_OK)
        status = score_all(&table, run, settings, error);
    ct_table_free(&table);
    return status;
}

static bool is_measured(const struct ct_run *runs, size_t count, int collective)
{
    for (size_t i = 0; i < count; i++)
        if (ct_run_measures(&runs[i], (enum ct_collective)collective))
            return true;
    return false;
}

/* A collective that has no parts to leave out does not keep the others from being scored. */
static int cross_validate(const struct settings *settings, const struct ct_run *runs, size_t run_count,
                          struct ct_error *error)
{
    size_t scored = 0;
    int status = CT_OK;
    if (settings->format)
        print_header();
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++) {
        struct ct_validation validation;
        if (!is_asked_for(settings, i) || !is_measured(runs, run_count, i))
            continue;
        status = ct_cross_validate(runs, run_count, (enum ct_left_out)settings->left_out,
                                   (enum ct_collective)i, settings->learning.settings, error, &validation);
        if (status == CT_OK) {
            struct manner manner = {.left_out = (enum ct_left_out)settings->left_out,
                                    .parts = validation.parts};
            print(&validation.score, settings, &manner, scored++ == 0);
        } else if (status == CT_E_ANSWER) {
            ct_tell(&ct_command_score, "%s", error->text);
            status = CT_OK;
        }
    }
    return status == CT_OK && scored == 0 ? ct_fail(error, CT_E_ANSWER, "nothing could be left out") : status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    bool learns = settings->left_out < CT_LEFT_OUT_PARTS;
    const char *const *folders = arguments->words + !learns;
    size_t run_count = arguments->count - !learns, read = 0;
    struct ct_run *runs = ct_allocate(run_count, sizeof *runs);
    int status = runs ? CT_OK : CT_E_MEMORY;
    for (; status == CT_OK && read < run_count; read += status == CT_OK)
        status = ct_run_read(folders[read], false, error, &runs[read]);
    if (status == CT_OK)
        status = learns ? cross_validate(settings, runs, run_count, error)
                        : score_table(settings, arguments->words[0], runs, error);
    while (read > 0)
        ct_run_free(&runs[--read]);
    free(runs);
    return status;
}

const struct ct_command ct_command_score = {
    .name = "score",
    .text = "compute how much slower a table's choices are than the best methods of a run",
    .usage = "TABLE.xml RUN\n--cross-validate PARTS RUN...",
    .least = 1,
    .most = SIZE_MAX,
    .about =
        "Computes the slowdown of the choices of a decision table on a run. The slowdown of a choice in a "
        "cell (the dissertation calls it penalty) is t(chosen) / t(best) - 1. It is compared with the "
        "slowdown of native, and of the single method that is best over all cells. Cells where the "
        "chosen method was not measured are counted separately.",
    .notes =
        "The best of many measured methods is partly best by luck, so these slowdowns are overestimated. "
        "--cross-launches holds out each job launch in turn: the other launches choose the best method "
        "of each cell, and the launch that is held out times it and the table's choice. Such slowdowns "
        "may be negative. A table should be scored on launches from which it was not learned.\n\n"
        "--cross-validate needs no table: it leaves out a part of the measurements, learns a tree from "
        "the rest, scores it in the cells that were left out, and so on with each part. The result is "
        "the slowdown of a learner where nothing was measured. Several runs must be of one machine; their "
        "launches count together. The confidence interval of the mean slowdown comes from resampling "
        "communicator sizes.\n\n"
        "In CSV slowdowns are fractions: 0.05 is 5 %.\n\n"
        "Examples:\n"
        "  colltune score decision-tables/ethernet100-bcast.xml runs/ethernet100-bcast\n"
        "  colltune score monday.xml tuesday --cross-launches\n"
        "  colltune score --cross-validate sizes runs/ethernet100-bcast \\\n      --learner quadtree "
        "--max-depth 4\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .begin = begin,
    .end = end,
    .check = check,
    .run = run,
};
