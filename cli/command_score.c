/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "cli/command.h"
#include "cli/learn_options.h"
#include "cli/score_print.h"
#include "decision/score.h"
#include "decision/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *table;    /* NULL with --cross-validate */
    const char **folders; /* of runs */
    size_t run_count;
    enum ct_collective collective; /* CT_COLLECTIVES: all that there are */
    struct ct_score_manner manner;
    struct ct_learn_arguments learn;
    bool csv;
};

enum { KEY_CROSS_VALIDATE = 0x300 };

static const struct argp_option options[] = {
    {"cross-launches", 'x', NULL, 0, "measure each launch against the best that the other launches chose", 0},
    {"cross-validate", KEY_CROSS_VALIDATE, "PARTS", 0,
     "score what is learned without each of the communicator sizes (sizes), message sizes (messages) or runs "
     "(runs) on what was left out; the options below say how to learn",
     0},
    {"collective", 'c', "COLLECTIVE", 0, "only this one", 0},
    {"format", 'f', "FORMAT", 0, "text (default) or csv", 0},
    {0},
};

static enum ct_left_out known_part(const struct argp_state *state, const char *word)
{
    for (int i = 0; i < CT_LEFT_OUT_PARTS; i++)
        if (strcmp(ct_left_out_descriptions[i].name, word) == 0)
            return (enum ct_left_out)i;
    ct_usage(state, "--cross-validate '%s': expected sizes, messages or runs", word);
}

/* The first argument is a table, unless one is learned here. */
static void check(struct arguments *arguments, const struct argp_state *state)
{
    bool learns = arguments->manner.left_out < CT_LEFT_OUT_PARTS;
    if (learns && arguments->manner.cross_launches)
        ct_usage(state, "--cross-validate and --cross-launches do not go together");
    if (learns && arguments->run_count == 0)
        ct_usage(state, "expected a run");
    if (learns)
        return;
    if (arguments->learn.given)
        ct_usage(state, "how to learn is only of use with --cross-validate");
    if (arguments->run_count < 2)
        ct_usage(state, "expected a decision table and a run");
    if (arguments->run_count > 2)
        ct_usage(state, "too many arguments: '%s'", arguments->folders[2]);
    arguments->table = *arguments->folders++;
    arguments->run_count--;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'x':
        arguments->manner.cross_launches = true;
        return 0;
    case KEY_CROSS_VALIDATE:
        arguments->manner.left_out = known_part(state, argument);
        return 0;
    case 'c':
        arguments->collective = ct_known_collective(state, argument);
        return 0;
    case 'f':
        arguments->csv = ct_format_is_csv(state, argument);
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->learn;
        return 0;
    case ARGP_KEY_ARGS:
        arguments->folders = (const char **)state->argv + state->next;
        arguments->run_count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_END:
        check(arguments, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&ct_learn_argp, 0, "With --cross-validate, how to learn:", 1},
                                             {0}};

static const struct argp argp = {
    options,
    parse,
    "TABLE.xml RUN\n--cross-validate PARTS RUN...",
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
    "With --cross-validate there is no table: a part of what was measured is left out, a tree is learned "
    "from "
    "the rest and chooses in the cells left out, and so on with each part. That is what the choices of a "
    "learner cost where nothing was measured. Of several runs, which must be of one machine, the launches "
    "count together. How sure the mean penalty is, is found by drawing communicator sizes anew.\n\n"
    "In CSV penalties are fractions: 0.05 is 5 %.\n\n"
    "Examples:\n  colltune score decision-tables/ethernet100-bcast.xml runs/ethernet100-bcast\n"
    "  colltune score monday.xml tuesday --cross-launches\n"
    "  colltune score --cross-validate sizes runs/ethernet100-bcast \\\n      --learner quadtree --max-depth "
    "4\n",
    children,
    NULL,
    NULL};

static void print(const struct ct_score *score, const struct arguments *arguments,
                  const struct ct_score_manner *manner, bool first)
{
    if (!first && !arguments->csv)
        puts("");
    if (arguments->csv)
        ct_score_print_csv(score, manner);
    else
        ct_score_print_text(score, manner);
}

/* Scores one tree and prints it. */
static int score_tree(const struct ct_decision_tree *tree, const struct ct_run *run,
                      const struct arguments *arguments, bool first, struct ct_error *error)
{
    struct ct_map map;
    int status = ct_map_make(run, tree->collective, error, &map);
    if (status != CT_OK)
        return status;
    struct ct_score score;
    status = arguments->manner.cross_launches ? ct_score_cross_launches(tree, &map, error, &score)
                                              : ct_score_tree(tree, &map, error, &score);
    if (status == CT_OK)
        print(&score, arguments, &arguments->manner, first);
    ct_map_free(&map);
    return status;
}

static bool is_asked_for(const struct arguments *arguments, int collective)
{
    return arguments->collective == CT_COLLECTIVES || arguments->collective == (enum ct_collective)collective;
}

static int score_all(const struct ct_table *table, const struct ct_run *run,
                     const struct arguments *arguments, struct ct_error *error)
{
    int status = CT_OK, scored = 0;
    if (arguments->csv)
        ct_score_print_header();
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++) {
        enum ct_collective collective = (enum ct_collective)i;
        if (!is_asked_for(arguments, i))
            continue;
        const struct ct_decision_tree *tree = ct_decisions_find(&table->decisions, collective);
        bool measured = ct_run_measures(run, collective);
        if (tree && measured) {
            status = score_tree(tree, run, arguments, scored++ == 0, error);
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

static int score_table(const struct arguments *arguments, const struct ct_run *run, struct ct_error *error)
{
    struct ct_table table;
    int status = ct_table_read(arguments->table, error, &table);
    if (status != CT_OK)
        return status;
    if (arguments->manner.cross_launches)
        status = warn_of_luck(&table, run, error);
    if (status == CT_OK)
        status = score_all(&table, run, arguments, error);
    ct_table_free(&table);
    return status;
}

static bool is_measured(const struct arguments *arguments, const struct ct_run *runs, int collective)
{
    for (size_t i = 0; i < arguments->run_count; i++)
        if (ct_run_measures(&runs[i], (enum ct_collective)collective))
            return true;
    return false;
}

/* A collective that has no parts to leave out does not keep the others from being scored. */
static int cross_validate(const struct arguments *arguments, const struct ct_run *runs,
                          struct ct_error *error)
{
    int status = CT_OK, scored = 0;
    if (arguments->csv)
        ct_score_print_header();
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++) {
        struct ct_validation validation;
        if (!is_asked_for(arguments, i) || !is_measured(arguments, runs, i))
            continue;
        status = ct_cross_validate(runs, arguments->run_count, arguments->manner.left_out,
                                   (enum ct_collective)i, arguments->learn.settings, error, &validation);
        if (status == CT_OK) {
            struct ct_score_manner manner = {.left_out = arguments->manner.left_out,
                                             .parts = validation.parts};
            print(&validation.score, arguments, &manner, scored++ == 0);
        } else if (status == CT_E_ANSWER) {
            fprintf(stderr, "colltune score: %s\n", error->text);
            status = CT_OK;
        }
    }
    if (status == CT_OK && scored == 0)
        return ct_fail(error, CT_E_ANSWER, "nothing could be left out to be scored");
    return status;
}

static int read_runs(const struct arguments *arguments, struct ct_error *error, struct ct_run *runs)
{
    for (size_t i = 0; i < arguments->run_count; i++) {
        int status = ct_run_read(arguments->folders[i], false, error, &runs[i]);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

static int run_score(int argc, char **argv)
{
    struct arguments arguments = {.collective = CT_COLLECTIVES, .manner.left_out = CT_LEFT_OUT_PARTS};
    ct_learn_arguments_begin(&arguments.learn);
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_error error = {""};
    struct ct_run *runs = ct_allocate(arguments.run_count, sizeof *runs);
    int status = runs ? ct_learn_arguments_read(&arguments.learn, &error)
                      : ct_fail(&error, CT_E_MEMORY, "out of memory");
    if (status == CT_OK)
        status = read_runs(&arguments, &error, runs);
    if (status == CT_OK)
        status = arguments.table ? score_table(&arguments, runs, &error)
                                 : cross_validate(&arguments, runs, &error);
    for (size_t i = 0; runs && i < arguments.run_count; i++)
        ct_run_free(&runs[i]);
    free(runs);
    ct_learn_arguments_free(&arguments.learn);
    return ct_command_end("score", status, &error);
}

const struct ct_command ct_command_score = {"score", "what a table's choices cost on a run", run_score,
                                            options};
