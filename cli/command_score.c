/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "cli/command.h"
#include "decision/score_launches.h"
#include "decision/table.h"

#include <stdio.h>
#include <string.h>

struct arguments {
    const char *table;
    const char *folder;
    bool cross_launches;
    bool csv;
};

static const struct argp_option options[] = {
    {"cross-launches", 'x', NULL, 0, "measure each launch against the best that the other launches chose", 0},
    {"format", 'f', "FORMAT", 0, "text (default) or csv", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'x':
        arguments->cross_launches = true;
        return 0;
    case 'f':
        arguments->csv = ct_format_is_csv(state, argument);
        return 0;
    case ARGP_KEY_ARG:
        *(state->arg_num == 0 ? &arguments->table : &arguments->folder) = ct_argument_of(state, argument, 2);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->folder)
            ct_usage(state, "expected a decision table and a run");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "TABLE.xml RUN",
    "Says what the choices of a decision table cost on a run. The penalty of a choice in a cell is "
    "t(chosen) / t(best) - 1; beside the table's stand those of native everywhere, and of the one method "
    "that is "
    "best over all cells. Cells where the chosen method was not measured are counted apart.\v"
    "The best of many measured methods was lucky, too, so that penalties against it come out too large. With "
    "--cross-launches each launch is held out in turn: the others choose the best method of each cell, and "
    "the "
    "launch that is held out times it and what the table chooses. Such penalties may be negative. A table "
    "that "
    "was learned from the same launches was lucky with them; score it on others.\n\n"
    "In CSV penalties are fractions: 0.05 is 5 %.\n\n"
    "Examples:\n  colltune score ethernet-100.xml runs/ethernet-100\n"
    "  colltune score monday.xml runs/tuesday --cross-launches\n",
    NULL,
    NULL,
    NULL};

/* One line of the table: a way to choose, and what it costs. */
struct line {
    const char *choice;
    char method[CT_METHOD_TEXT]; /* "" for the table */
    const struct ct_penalty *penalty;
};

enum { LINES = 3 };

static void make_lines(const struct ct_score *score, struct line lines[LINES])
{
    lines[0] = (struct line){.choice = "table", .penalty = &score->tree};
    lines[1] = (struct line){.choice = "native", .method = "native", .penalty = &score->native};
    lines[2] = (struct line){.choice = "single", .penalty = &score->single};
    if (score->single_method.algorithm)
        ct_method_format(&score->single_method, false, lines[2].method);
}

static const char csv_header[] =
    "collective,choice,method,cells,unmeasured,min,mean,median,geometric_mean,p95,max,"
    "within_5_percent,leaves,depth,speedup_cells,speedup_geometric_mean,speedup_min,"
    "speedup_max";

static void print_numbers(const double *numbers, size_t count)
{
    char text[CT_NUMBER_TEXT];
    for (size_t i = 0; i < count; i++)
        printf(",%s", ct_number_format(numbers[i], text));
}

/* A method with two parameters holds a comma. */
static void print_csv_line(const struct ct_score *score, const struct line *line, bool of_table)
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
    if (of_table)
        printf(",%zu,%zu,%zu", score->leaves, score->depth, score->speedup.cells);
    else
        printf(",,,");
    const double speedup[] = {score->speedup.geometric_mean, score->speedup.least, score->speedup.most};
    if (of_table && score->speedup.cells > 0)
        print_numbers(speedup, sizeof speedup / sizeof speedup[0]);
    else
        printf(",,,");
    puts("");
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

static void print_text(const struct ct_score *score, const struct line lines[LINES], bool cross_launches)
{
    const char *name = ct_collectives[score->collective].name;
    printf("%s: %zu %s, depth %zu\n", name, score->leaves, score->leaves == 1 ? "leaf" : "leaves",
           score->depth);
    printf("  %-32s %6s %8s %8s %8s %8s %8s %8s %11s\n", "penalty in percent", "cells", "min", "mean",
           "median", "geomean", "95th", "max", "within 5 %");
    for (int i = 0; i < LINES; i++)
        print_text_line(&lines[i]);
    if (cross_launches)
        puts("  each launch against the best that the other launches chose");
    for (int i = 0; i < LINES; i++)
        if (lines[i].penalty->unmeasured > 0)
            printf("  %s: left out %zu cells, where the method chosen was not measured\n",
                   *lines[i].method ? lines[i].method : lines[i].choice, lines[i].penalty->unmeasured);
    if (score->speedup.cells > 0)
        printf("  %.2f times as fast as native (geometric mean of %zu cells), from %.2f to %.2f\n",
               score->speedup.geometric_mean, score->speedup.cells, score->speedup.least,
               score->speedup.most);
    else
        puts("  native was not measured");
}

/* Scores one tree and prints it. */
static int score_tree(const struct ct_decision_tree *tree, const struct ct_run *run,
                      const struct arguments *arguments, struct ct_error *error)
{
    struct ct_map map;
    int status = ct_map_make(run, tree->collective, error, &map);
    if (status != CT_OK)
        return status;
    struct ct_score score;
    status = arguments->cross_launches ? ct_score_cross_launches(tree, &map, error, &score)
                                       : ct_score_tree(tree, &map, error, &score);
    if (status == CT_OK) {
        struct line lines[LINES];
        make_lines(&score, lines);
        if (!arguments->csv)
            print_text(&score, lines, arguments->cross_launches);
        for (int i = 0; arguments->csv && i < LINES; i++)
            print_csv_line(&score, &lines[i], i == 0);
    }
    ct_map_free(&map);
    return status;
}

static int score_all(const struct ct_table *table, const struct ct_run *run,
                     const struct arguments *arguments, struct ct_error *error)
{
    int status = CT_OK, scored = 0;
    if (arguments->csv)
        puts(csv_header);
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++) {
        enum ct_collective collective = (enum ct_collective)i;
        const struct ct_decision_tree *tree = ct_decisions_find(&table->decisions, collective);
        bool measured = ct_run_measures(run, collective);
        if (tree && measured) {
            if (scored++ > 0 && !arguments->csv)
                puts("");
            status = score_tree(tree, run, arguments, error);
        } else if (tree || measured) {
            fprintf(stderr, "colltune score: %s is not scored: the %s has nothing of it\n",
                    ct_collectives[i].name, tree ? "run" : "table");
        }
    }
    if (status == CT_OK && scored == 0)
        return ct_fail(error, CT_E_ANSWER, "the table and the run have no collective in common");
    return status;
}

/* Who was learned from the launches that score it looks better than it is, whatever it is held against. */
static int warn_of_luck(const struct ct_table *table, const struct ct_run *run, struct ct_error *error)
{
    bool learned_from;
    int status = ct_table_learned_from(table, run, error, &learned_from);
    if (status == CT_OK && learned_from)
        fprintf(stderr, "colltune score: the table was learned from these launches, so that its own penalty "
                        "comes out too small: score it on a run that it has not seen\n");
    return status;
}

static int run_score(int argc, char **argv)
{
    struct arguments arguments = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_error error = {""};
    struct ct_table table;
    int status = ct_table_read(arguments.table, &error, &table);
    if (status != CT_OK)
        return ct_command_fail("score", status, &error);
    struct ct_run run;
    status = ct_run_read(arguments.folder, false, &error, &run);
    if (status == CT_OK) {
        if (arguments.cross_launches)
            status = warn_of_luck(&table, &run, &error);
        if (status == CT_OK)
            status = score_all(&table, &run, &arguments, &error);
        ct_run_free(&run);
    }
    ct_table_free(&table);
    return ct_command_end("score", status, &error);
}

const struct ct_command ct_command_score = {"score", "what a table's choices cost on a run", run_score,
                                            options};
