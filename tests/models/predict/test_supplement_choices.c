/* SPDX-License-Identifier: BSD-3-Clause */
/* How well times are filled in, and how well methods are chosen by them, from a model that errs: links are
 * not shared. With the word `shared` they are, as in `colltune supplement`.
 * studies/models/supplement-accuracy.md has what this prints. */
#include "tests/models/predict/supplement_study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char bcast_run[] = SHIPPED_STUDIES "/ethernet100-bcast";
static const char allgather_run[] = SHIPPED_STUDIES "/fattree-allgather";

static bool shares_links;

static void open_study(const char *run, const char *model, struct study *ret_study)
{
    study_open(run, model, ret_study);
    ret_study->prediction.shares_links = shares_links;
}

static void compare_ways(const char *run, const char *model)
{
    static const struct {
        const char *name;
        study_guess *guessed;
    } ways[] = {{"supplemented", study_supplemented},
                {"nearest neighbour", study_nearest},
                {"times interpolated", study_interpolated},
                {"model alone", study_predicted}};
    struct study study;
    open_study(run, model, &study);
    study_fill(&study);
    printf("%s\n", ct_collectives[study.truth.collective].name);
    struct verdict verdicts[4];
    for (size_t i = 0; i < 4; i++) {
        verdicts[i] = study_judge(&study, ways[i].guessed);
        printf("%-20s median error %6.2f %%, mean penalty %6.2f %%\n", ways[i].name,
               100 * (exp(verdicts[i].error) - 1), 100 * verdicts[i].penalty);
    }
    for (size_t i = 1; i < 4; i++) {
        assert_true(verdicts[0].error < verdicts[i].error);
        assert_true(verdicts[0].penalty < verdicts[i].penalty + 1e-4);
    }
    study_empty(&study);
    study_close(&study);
}

static void test_beats_the_nearest(void **state)
{
    (void)state;
    compare_ways(bcast_run, SHIPPED_MODEL);
    compare_ways(allgather_run, FATTREE_MODEL);
}

/* Over ways to keep so many sizes. */
struct tally {
    struct verdict own, neighbours; /* means */
    size_t ways, worse;             /* choices worse than the neighbours' */
};

static void add(struct tally *tally, struct study *study, double ways)
{
    study_fill(study);
    struct verdict own = study_judge(study, study_supplemented);
    struct verdict neighbours = study_judge(study, study_nearest);
    tally->own.error += own.error / ways;
    tally->own.penalty += own.penalty / ways;
    tally->neighbours.error += neighbours.error / ways;
    tally->neighbours.penalty += neighbours.penalty / ways;
    tally->worse += own.penalty > neighbours.penalty;
    tally->ways++;
    study_empty(study);
}

static struct tally tally_of(struct study *study, size_t every_rank, size_t every_byte, size_t step)
{
    struct tally tally = {.ways = 0};
    size_t ways = every_rank * every_byte;
    study->every_rank = every_rank;
    study->every_byte = every_byte;
    for (size_t i = 0; i < ways; i += step) {
        study->first_rank = i / every_byte;
        study->first_byte = i % every_byte;
        add(&tally, study, (double)((ways + step - 1) / step));
    }
    return tally;
}

/* Whichever cells are kept times are nearer, and in the mean so are choices; where the best method changes
 * between the message sizes that are kept, neighbours may choose better. */
static void test_beats_the_nearest_in_the_mean(void **state)
{
    static const struct {
        const char *run, *model;
        size_t every_rank, every_byte;
        size_t step;       /* from one way to the next that is tried */
        size_t most_worse; /* of the ways */
    } grids[] = {{bcast_run, SHIPPED_MODEL, 4, 4, 1, 3},
                 {bcast_run, SHIPPED_MODEL, 8, 6, 7, 3},
                 {allgather_run, FATTREE_MODEL, 4, 4, 1, 0},
                 {allgather_run, FATTREE_MODEL, 8, 6, 7, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        struct study study;
        open_study(grids[i].run, grids[i].model, &study);
        struct tally tally = tally_of(&study, grids[i].every_rank, grids[i].every_byte, grids[i].step);
        printf(
            "%s every %zuth, %zuth: median error %.2f %%, mean penalty %.2f %%; nearest neighbour %.2f %%, "
            "%.2f %%; worse in %zu of %zu\n",
            ct_collectives[study.truth.collective].name, grids[i].every_rank, grids[i].every_byte,
            100 * tally.own.error, 100 * tally.own.penalty, 100 * tally.neighbours.error,
            100 * tally.neighbours.penalty, tally.worse, tally.ways);
        assert_true(tally.own.error < tally.neighbours.error / 4);
        assert_true(tally.own.penalty < tally.neighbours.penalty);
        assert_true(tally.worse <= grids[i].most_worse);
        study_close(&study);
    }
}

int main(int argc, char **argv)
{
    shares_links = argc > 1 && strcmp(argv[1], "shared") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beats_the_nearest),
        cmocka_unit_test(test_beats_the_nearest_in_the_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
