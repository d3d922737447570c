/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "cli/contradictions.h"
#include "cli/learning.h"
#include "cli/option_choices.h"
#include "cli/run_reading.h"
#include "cli/score_print.h"
#include "cli/terminal.h"
#include "decision/map_divided.h"
#include "decision/table.h"
#include "learners/all_learners.h"
#include "learners/cross_validate.h"
#include "learners/learn_settings.h"
#include "report/promise.h"
#include "samples/leave_out.h"
#include "samples/run_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    int collective;
    const char *without;
    bool cross_launches;
    int left_out; /* enum ct_left_out, or one of those below: a table is scored */
    bool verbose;
    int format;
    const char *validation; /* a file, or NULL */
    struct ct_learning learning;
};

/* Tables are cross-validated if they were learned from the run, or never. */
enum { AUTOMATIC = CT_LEFT_OUT_PARTS, NEVER };

/* The parts, then "auto" and "none". */
static const char *part_choice(size_t index)
{
    return index < CT_LEFT_OUT_PARTS ? ct_left_out_descriptions[index].name
           : index == AUTOMATIC      ? "auto"
           : index == NEVER          ? "none"
                                     : NULL;
}

static const struct ct_option options[] = {
    {"cross-launches", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, cross_launches),
     .text = "compare each job launch with the method that is best in the other launches"},
    {"cross-validate", 0, "PARTS", CT_OPTION_CHOICE, offsetof(struct settings, left_out), .usual = "auto",
     .choice = part_choice,
     .text = "leave out each communicator size (sizes), message size (messages) or run (runs) in turn, learn "
             "from the rest, and score on what was left out; auto: leave out communicator sizes, in three "
             "parts, if TABLE.xml was learned from RUN and that takes little time"},
    {"collective", 'c', "COLLECTIVE", CT_OPTION_CHOICE, offsetof(struct settings, collective), .usual = "all",
     .choice = ct_collective_choice, .text = "score only this collective"},
    CT_WITHOUT_OPTION(struct settings),
    {"format", 'f', "FORMAT", CT_OPTION_CHOICE, offsetof(struct settings, format), .choice = ct_format_choice,
     .text = "write in this format"},
    {"validation", 0, "FILE", CT_OPTION_TEXT, offsetof(struct settings, validation),
     .text = "also compare RUN's promises for the table's choices with the results that `colltune validate` "
             "wrote to this file"},
    {"verbose", 'v', NULL, CT_OPTION_FLAG, offsetof(struct settings, verbose),
     .text = "also print distributions, confidence intervals and trees of each collective"},
    {0},
};

static int begin(void *settings, struct ct_bindings *bindings)
{
    return ct_learning_begin(&((struct settings *)settings)->learning, &ct_command_score,
                             "With --cross-validate, how to learn", bindings);
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
    if (learns && settings->validation)
        return ct_fail(error, CT_E_INPUT, "--cross-validate: cannot be combined with --validation");
    if (learns && settings->cross_launches)
        return ct_fail(error, CT_E_INPUT, "--cross-validate: cannot be combined with --cross-launches");
    if (learns)
        return ct_learning_check(&settings->learning, arguments, error);
    for (size_t i = 0; i < arguments->given_count; i++)
        if (!ct_option_find(options, arguments->given[i].option->name))
            return ct_fail(error, CT_E_INPUT, "--%s: expected --cross-validate, too",
                           arguments->given[i].option->name);
    if (settings->validation && settings->format)
        return ct_fail(error, CT_E_INPUT, "--validation: cannot be combined with --format");
    if (arguments->count < 2)
        return ct_fail(error, CT_E_INPUT, "a run is missing; expected TABLE.xml RUN");
    if (arguments->count > 2)
        return ct_fail(error, CT_E_INPUT, "'%s' is one argument too many; expected TABLE.xml RUN",
                       arguments->words[2]);
    return CT_OK;
}

/* --- scoring --- */

enum { SCORES_MOST = CT_COLLECTIVES * CT_MODES };

/* Scores so far: of each collective one for each mode of calls. */
struct scores {
    struct ct_score items[SCORES_MOST];
    struct ct_score left_out[SCORES_MOST]; /* tree.cells 0: not cross-validated */
    struct ct_score_manner manners[SCORES_MOST];
    size_t count;
};

static void print(const struct scores *scores, const struct settings *settings)
{
    if (settings->format) {
        ct_score_header_print();
        for (size_t i = 0; i < scores->count; i++)
            ct_score_csv_print(&scores->items[i], &scores->manners[i]);
        return;
    }
    ct_scores_print(scores->items, scores->left_out, scores->count, &scores->manners[0]);
    for (size_t i = 0; settings->verbose && i < scores->count; i++) {
        puts("");
        ct_score_details_print(&scores->items[i], &scores->manners[i]);
    }
}

static bool is_asked_for(const struct settings *settings, int collective)
{
    return settings->collective == CT_COLLECTIVES || settings->collective == collective;
}

/* Settings of the learner that made a tree. `words` is a copy of the tree's options, which is taken apart and
 * must live as long as the settings. */
static int settings_of(const struct ct_table_tree *tree, char *words, struct ct_error *error,
                       struct ct_learn_settings **ret_settings)
{
    enum { WORDS_MOST = 32 };
    struct ct_learn_word taken[WORDS_MOST];
    const struct ct_learner *learner = ct_learner_find(tree->learner);
    size_t count = 0;
    if (!learner)
        return ct_fail(error, CT_E_INPUT, "unknown learner '%s'", tree->learner);
    for (char *word; count < WORDS_MOST && (word = strsep(&words, " "));) {
        char *value = strchr(word, '=');
        if (!*word)
            continue;
        if (value)
            *value++ = '\0';
        /* The table states the name of the model, not its file. */
        if (strcmp(word, "model") == 0)
            return ct_fail(error, CT_E_ANSWER,
                           "it was learned with the model %s; --cross-validate sizes --learner %s --model "
                           "MODEL.xml does it",
                           value, tree->learner);
        taken[count++] = (struct ct_learn_word){word, value};
    }
    return ct_learn_settings_new(learner, taken, count, NULL, error, ret_settings);
}

/* Learns again without some communicator sizes, as the table was learned. Where that would take long or
 * cannot be done, the score stays without it and `error` says why. */
static int cross_validate_table(const struct ct_table *table, const struct ct_run *run, struct ct_map *map,
                                const struct ct_watch *watch, struct ct_error *error,
                                struct ct_cross_validation *ret_validation)
{
    enum { PARTS = 3, WORK_MOST = 15000 };
    const struct ct_decision_tree *tree = ct_decisions_find(&table->decisions, map->collective);
    struct ct_learn_settings *settings;
    if (map->cell_count * map->method_count > WORK_MOST)
        return ct_fail(error, CT_E_ANSWER, "too many cells to learn again; --cross-validate sizes does it");
    const struct ct_table_tree *about = &table->trees[tree - table->decisions.trees];
    char *words = strdup(about->options);
    int status = words ? settings_of(about, words, error, &settings) : CT_E_MEMORY;
    if (status != CT_OK) {
        free(words);
        return status;
    }
    settings->watch = watch;
    status = ct_cross_validate(run, 1, CT_LEFT_OUT_COMM_SIZES, PARTS, map->collective, settings, error,
                               ret_validation);
    ct_learn_settings_free(settings);
    free(words);
    return status;
}

/* Scores the tree on the cells of one mode. `left_out` has the scores of all modes, or none. */
static int score_mode(const struct ct_decision_tree *tree, const struct ct_map *map, size_t mode,
                      const struct ct_cross_validation *left_out, struct ct_score_manner manner,
                      struct ct_error *error, struct scores *scores)
{
    struct ct_map part;
    struct ct_score *score = &scores->items[scores->count];
    int status = ct_map_having(map, CT_FEATURE_MODE, mode, &part);
    if (status != CT_OK)
        return status;
    status = manner.cross_launches ? ct_score_cross_launches(tree, &part, error, score)
                                   : ct_score_tree(tree, &part, error, score);
    free(part.cells);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < left_out->count; i++)
        if (left_out->scores[i].modes == score->modes)
            scores->left_out[scores->count] = left_out->scores[i];
    scores->manners[scores->count++] = manner;
    return CT_OK;
}

/* Some reasons begin with the collective. */
static void tell_reason(const char *collective, const char *why)
{
    const size_t length = strlen(collective);
    if (strncmp(why, collective, length) == 0 && strncmp(why + length, ": ", 2) == 0)
        why += length + 2;
    ct_tell(&ct_command_score, "%s is not cross-validated: %s", collective, why);
}

/* `watch` is of the cross-validation; NULL: there is none. */
static int score_collective(const struct ct_table *table, const struct ct_run *run,
                            const struct ct_watch *watch, struct ct_score_manner manner,
                            enum ct_collective collective, struct ct_error *error, struct scores *scores)
{
    const struct ct_decision_tree *tree = ct_decisions_find(&table->decisions, collective);
    struct ct_error why = {""};
    struct ct_map map;
    struct ct_cross_validation left_out = {.count = 0};
    size_t *modes = NULL, count = 0;
    int status = ct_map_make(run, collective, error, &map);
    if (status != CT_OK)
        return status;
    if (watch && cross_validate_table(table, run, &map, watch, &why, &left_out) != CT_OK)
        tell_reason(ct_collectives[collective].name, why.text);
    status = ct_map_values(&map, CT_FEATURE_MODE, &modes, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = score_mode(tree, &map, modes[i], &left_out, manner, error, scores);
    free(modes);
    ct_map_free(&map);
    return status;
}

static int score_all(const struct ct_table *table, const struct ct_run *run, const struct settings *settings,
                     bool learned_from, struct ct_error *error, struct scores *scores)
{
    const struct ct_score_manner manner = {.cross_launches = settings->cross_launches,
                                           .learned_from = learned_from,
                                           .left_out = CT_LEFT_OUT_PARTS};
    const bool validates = learned_from && table->run_count == 1 && !settings->format &&
                           !settings->cross_launches && settings->left_out == AUTOMATIC;
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_watch(&bar, &ct_command_score);
    int status = CT_OK;
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++) {
        const enum ct_collective collective = (enum ct_collective)i;
        if (!is_asked_for(settings, i))
            continue;
        const bool decided = ct_decisions_find(&table->decisions, collective);
        const bool measured = ct_run_measures(run, collective);
        if (decided && measured)
            status =
                score_collective(table, run, validates ? &watch : NULL, manner, collective, error, scores);
        else if (decided || measured)
            ct_tell(&ct_command_score, "%s is not scored: the %s does not have it", ct_collectives[i].name,
                    decided ? "run" : "table");
    }
    ct_bar_end(&bar);
    if (status == CT_OK && scores->count == 0)
        return ct_fail(error, CT_E_ANSWER, "the table and the run have no collective in common");
    return status;
}

/* Prints what the run promises of the choices that were validated. Leaves a validation's times out of it. */
static int print_promises(const struct settings *settings, const struct ct_validation *validation,
                          struct ct_run *run, struct ct_error *error)
{
    struct ct_map *maps = NULL;
    struct ct_promise *promises = NULL;
    size_t map_count = 0, count = 0;
    ct_run_leave_out_validation(run);
    int status = ct_maps_make(run, settings->collective, CT_MARGIN, error, &maps, &map_count);
    if (status == CT_OK)
        status = ct_promises_find(maps, map_count, validation, &promises, &count);
    if (status == CT_OK)
        ct_promises_print(promises, count);
    free(promises);
    ct_maps_free(maps, map_count);
    return status;
}

static int score_table(const struct settings *settings, const char *file, struct ct_run *run,
                       struct ct_error *error)
{
    struct ct_table table;
    struct ct_validation validation = {0};
    struct scores scores = {.count = 0};
    bool learned_from = false, outdated = false;
    int status = ct_table_read(file, error, &table);
    if (status != CT_OK)
        return status;
    if (settings->validation) /* before anything is printed */
        status = ct_validation_read(settings->validation, error, &validation);
    if (status == CT_OK)
        status = ct_table_learned_from(&table, run, error, &learned_from);
    if (status == CT_OK)
        status = ct_table_is_outdated(&table, run, error, &outdated);
    if (outdated)
        ct_tell(&ct_command_score, CT_OUTDATED_TEXT, file, run->folder);
    if (learned_from && settings->cross_launches)
        ct_tell(&ct_command_score, "the table was learned from these launches, so its slowdown is "
                                   "underestimated; score it on another run");
    else if (learned_from)
        ct_tell(&ct_command_score, "%s was learned from %s; another run, or sizes left out, are a fair test",
                file, run->folder);
    if (status == CT_OK)
        status = score_all(&table, run, settings, learned_from, error, &scores);
    if (status == CT_OK)
        print(&scores, settings);
    if (status == CT_OK && settings->validation)
        status = print_promises(settings, &validation, run, error);
    ct_validation_free(&validation);
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
    struct scores scores = {.count = 0};
    int status = CT_OK;
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++) {
        struct ct_cross_validation validation;
        if (!is_asked_for(settings, i) || !is_measured(runs, run_count, i))
            continue;
        status = ct_cross_validate(runs, run_count, (enum ct_left_out)settings->left_out, SIZE_MAX,
                                   (enum ct_collective)i, settings->learning.settings, error, &validation);
        ct_learning_wipe(&settings->learning);
        if (status == CT_OK) {
            for (size_t k = 0; k < validation.count; k++) {
                scores.items[scores.count] = validation.scores[k];
                scores.manners[scores.count++] = (struct ct_score_manner){
                    .left_out = (enum ct_left_out)settings->left_out, .parts = validation.parts};
            }
        } else if (status == CT_E_ANSWER) {
            ct_tell(&ct_command_score, "%s", error->text);
            status = CT_OK;
        }
    }
    if (status == CT_OK && scores.count == 0)
        return ct_fail(error, CT_E_ANSWER, "nothing could be left out");
    if (status == CT_OK)
        print(&scores, settings);
    return status;
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
        status = ct_run_read_shown(&ct_command_score, folders[read], error, &runs[read]);
    for (size_t i = 0; status == CT_OK && i < run_count; i++)
        status = ct_without_apply(settings->without, &runs[i], error);
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
    .text = "compute how much slower a table's choices are than the best ones",
    .usage = "TABLE.xml RUN\n--cross-validate PARTS RUN...",
    .least = 1,
    .most = SIZE_MAX,
    .about =
        "Computes the slowdown of the choices of a decision table on a run. The slowdown of a choice in a "
        "cell (papers call it penalty) is t(chosen) / t(best) - 1. It is compared with the "
        "slowdown of native, and of the single method that is best over all cells. Cells where the "
        "chosen method was not measured are counted separately. Calls of several modes (docs/overlap.md) "
        "have a score each.",
    .notes =
        "The best of many measured methods is partly best by luck, so these slowdowns are overestimated. "
        "--cross-launches holds out each job launch in turn: the other launches choose the best method of "
        "each cell, and the launch that is held out times it and the table's choice. Such slowdowns may be "
        "negative. A table should be scored on launches from which it was not learned.\n\n"
        "--cross-validate needs no table: it leaves out a part of the measurements, learns a tree from the "
        "rest, scores it in the cells that were left out, and so on with each part. The result is the "
        "slowdown of a learner where nothing was measured. Several runs must be of one machine; their "
        "launches are pooled. The confidence interval of the mean slowdown comes from resampling "
        "communicator sizes.\n\n"
        "--validation shows whether users get what the run promises. It leaves out times that a validation "
        "itself has added to the run. Choices are the fastest of many measured methods, in part by luck, so "
        "a little less than promised is usual.\n\n"
        "In CSV slowdowns are fractions: 0.05 is 5 %.\n\n"
        "Examples:\n"
        "  colltune score decision-tables/ethernet100-bcast.xml runs/ethernet100-bcast\n"
        "  colltune score monday.xml tuesday --cross-launches\n"
        "  colltune score --cross-validate sizes runs/ethernet100-bcast \\\n"
        "      --learner quadtree --max-depth 4\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .begin = begin,
    .end = end,
    .check = check,
    .run = run,
};
