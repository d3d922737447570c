/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/fit/pieces.h"
#include "tests/models/fit/synthetic_times.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Many seeds, for one that fits shows nothing; a share of them may fail, and how many did is printed. */
enum { SEEDS = 100 };

static const struct synthetic_link plain = {.latency = 20e-6,
                                            .send_overhead = 3e-6,
                                            .receive_overhead = 4e-6,
                                            .gap = 6e-6,
                                            .gap_per_byte = 1e-9,
                                            .noise = 0.05,
                                            .repetitions = 30};

/* Regimes may begin where those of the channel within a node do. */
static struct ct_link fit(const struct synthetic_link *synthetic, unsigned long seed)
{
    struct ct_link_times times = synthetic_times(synthetic, seed);
    times.regime_starts = ct_regime_starts;
    times.regime_start_count = CT_REGIME_STARTS;
    const struct ct_fit_options options = {.seed = 1, .resamples = 1};
    struct ct_link link;
    struct ct_error error = {""};
    if (ct_fit_link(&times, &options, &error, &link) != CT_OK)
        fail_msg("seed %lu: %s", seed, error.text);
    synthetic_free(&times);
    return link;
}

static void free_link(struct ct_link *link)
{
    struct ct_model model = {.links[0] = *link};
    ct_model_free(&model);
}

/* At most `most` of the seeds may fail. */
static void few(const char *what, size_t failed, size_t seeds, size_t most)
{
    print_message("%s: %zu of %zu seeds fail\n", what, failed, seeds);
    if (failed > most)
        fail_msg("%s: %zu of %zu seeds fail, expected at most %zu", what, failed, seeds, most);
}

/* The parameters of all three models within 3 %, though single times are off by any factor. */
static void recovers_what_is_known(void **state)
{
    (void)state;
    const double one_byte = plain.gap + plain.gap_per_byte;
    const double expected[CT_LINK_PARAMETERS] = {plain.latency + plain.gap,
                                                 plain.gap_per_byte,
                                                 plain.latency + one_byte - plain.send_overhead -
                                                     plain.receive_overhead,
                                                 (plain.send_overhead + plain.receive_overhead) / 2,
                                                 one_byte,
                                                 plain.gap_per_byte,
                                                 plain.latency};
    size_t failed[CT_LINK_PARAMETERS + 1] = {0};
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        struct ct_link link = fit(&plain, seed);
        for (int i = 0; i < CT_LINK_PARAMETERS; i++) {
            double found = ct_link_parameter_of(&link, &ct_link_parameters[i]);
            failed[i] += fabs(found / expected[i] - 1) > 0.03;
        }
        double worst = 0;
        for (double bytes = 1; bytes < 4e6; bytes *= 1.7) {
            double exact = plain.latency + synthetic_gap(&plain, bytes);
            worst = fmax(worst, fabs(ct_link_seconds(&link, CT_MODEL_PLOGP, bytes) / exact - 1));
        }
        failed[CT_LINK_PARAMETERS] += worst > 0.03;
        free_link(&link);
    }
    for (int i = 0; i < CT_LINK_PARAMETERS; i++) {
        char what[64];
        snprintf(what, sizeof what, "%s %s", ct_communication_model_names[ct_link_parameters[i].model],
                 ct_link_parameters[i].name);
        few(what, failed[i], SEEDS, SEEDS / 100);
    }
    few("L + g(m) at any size", failed[CT_LINK_PARAMETERS], SEEDS, SEEDS / 100);
}

static bool begin_there(const struct ct_link *link, const struct synthetic_link *synthetic)
{
    bool same = link->regime_count + 1 == synthetic->regime_count;
    for (size_t i = 1; same && i < synthetic->regime_count; i++)
        same = link->regimes[i - 1].from == synthetic->regimes[i].from;
    return same;
}

/* The largest relative error of L + g(m) between 0 and 4 MB. */
static double worst_error(const struct ct_link *link, const struct synthetic_link *synthetic,
                          enum ct_communication_model model)
{
    double worst = 0;
    for (double bytes = 1; bytes < 4e6; bytes *= 1.3) {
        double exact = synthetic->latency + synthetic_gap(synthetic, bytes);
        worst = fmax(worst, fabs(ct_link_seconds(link, model, bytes) / exact - 1));
    }
    return worst;
}

/* One line, two and three lines: as many regimes, which begin at the library's own sizes, and times of
 * Hockney and LogGP within 5 % at all sizes. A single line is far off where there are several. */
static void finds_the_regimes_of_a_node(void **state)
{
    (void)state;
    static const struct synthetic_regime spin[] = {
        {0, 0.1e-6, 0}, {CT_CELL_BYTES + 1, 0.4e-6, 0.1e-9}, {CT_COPY_FROM, 60e-6, 0.06e-9}};
    static const struct synthetic_regime sharing[] = {
        {0, 0.5e-6, 0}, {CT_CELL_BYTES + 1, 4e-6, 0.4e-9}, {CT_COPY_FROM_SHARING, 9e-6, 0.1e-9}};
    static const struct synthetic_regime all[] = {{0, 0.2e-6, 0},
                                                  {CT_CELL_BYTES + 1, 0.6e-6, 0.3e-9},
                                                  {CT_COPY_FROM_SHARING, 11e-6, 0.1e-9},
                                                  {CT_COPY_FROM, 120e-6, 0.2e-9}};
    static const struct {
        const struct synthetic_regime *regimes;
        size_t count;
    } cases[] = {{spin, 1}, {spin, 2}, {spin, 3}, {sharing, 3}, {all, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct synthetic_link synthetic = {.latency = 0.1e-6,
                                                 .send_overhead = 0.03e-6,
                                                 .receive_overhead = 0.04e-6,
                                                 .noise = 0.05,
                                                 .repetitions = 30,
                                                 .regimes = cases[i].regimes,
                                                 .regime_count = cases[i].count};
        size_t elsewhere = 0, off[CT_MODEL_PLOGP] = {0}, near = 0;
        for (unsigned long seed = 1; seed <= SEEDS; seed++) {
            struct ct_link link = fit(&synthetic, seed);
            elsewhere += !begin_there(&link, &synthetic);
            for (int model = 0; model < CT_MODEL_PLOGP; model++)
                off[model] += worst_error(&link, &synthetic, (enum ct_communication_model)model) > 0.05;
            link.regime_count = 0;
            near += worst_error(&link, &synthetic, CT_MODEL_HOCKNEY) < 0.3;
            free_link(&link);
        }
        char what[80];
        snprintf(what, sizeof what, "%zu regimes, case %zu", cases[i].count, i);
        few(what, elsewhere, SEEDS, SEEDS / 50);
        few("  times of Hockney", off[CT_MODEL_HOCKNEY], SEEDS, SEEDS / 25);
        few("  times of LogGP", off[CT_MODEL_LOGGP], SEEDS, SEEDS / 25);
        few("  the first regime for all sizes", near, SEEDS, cases[i].count == 1 ? SEEDS : 0);
    }
}

/* Regimes have intervals around their parameters and state how well they fit; extremes have none. */
static void judges_each_regime(void **state)
{
    (void)state;
    static const struct synthetic_regime regimes[] = {{0, 0.1e-6, 0}, {CT_CELL_BYTES + 1, 0.4e-6, 0.1e-9}};
    struct synthetic_link synthetic = plain;
    synthetic.latency = 0.1e-6;
    synthetic.send_overhead = synthetic.receive_overhead = 0.03e-6;
    synthetic.regimes = regimes;
    synthetic.regime_count = 2;
    struct ct_link_times times = synthetic_times(&synthetic, 1);
    times.regime_starts = ct_regime_starts;
    times.regime_start_count = CT_REGIME_STARTS;
    const struct ct_fit_options ways[] = {{.seed = 1, .resamples = 200},
                                          {.seed = 1, .resamples = 200, .extremes = true}};
    struct ct_link link, one;
    struct ct_error error = {""};
    assert_int_equal(ct_fit_link(&times, &ways[0], &error, &link), CT_OK);
    assert_int_equal(link.regime_count, 1);
    const struct ct_link *longer = &link.regimes[0];
    assert_true(longer->intervals[1].low < 0.1e-9 && longer->intervals[1].high > 0.1e-9);
    assert_true(longer->intervals[1].high < 0.11e-9);
    assert_false(longer->known[CT_MODEL_PLOGP]);
    const struct ct_goodness *whole = &link.goodness[CT_MODEL_HOCKNEY],
                             *part = &longer->goodness[CT_MODEL_HOCKNEY];
    assert_true(part->sizes > 0 && part->sizes < whole->sizes && part->samples < whole->samples);
    assert_true(part->mean_error < 0.05 && whole->mean_error < 0.05);
    assert_int_equal(ct_fit_link(&times, &ways[1], &error, &one), CT_OK);
    assert_int_equal(one.regime_count, 0);
    free_link(&link);
    free_link(&one);
    synthetic_free(&times);
}

/* The pieces of half a round trip. */
static struct ct_pieces pieces_of(const struct synthetic_link *synthetic, unsigned long seed)
{
    struct ct_link_times times = synthetic_times(synthetic, seed);
    struct ct_fit_point points[CT_SIZES_MAX];
    struct ct_pieces pieces;
    ct_times_medians(&times.kinds[CT_POINT_ROUND_TRIP], points);
    ct_pieces_find(points, times.kinds[CT_POINT_ROUND_TRIP].count, NULL, &pieces);
    synthetic_free(&times);
    return pieces;
}

static void finds_no_switch_where_there_is_none(void **state)
{
    (void)state;
    static const double noises[] = {0, 0.05, 0.2};
    for (size_t i = 0; i < sizeof noises / sizeof noises[0]; i++) {
        struct synthetic_link link = plain;
        link.noise = noises[i];
        size_t failed = 0;
        for (unsigned long seed = 1; seed <= SEEDS; seed++)
            failed += pieces_of(&link, seed).count != 1;
        char what[64];
        snprintf(what, sizeof what, "no switch, noise of %g %%", 100 * noises[i]);
        few(what, failed, SEEDS, SEEDS / 50);
    }
}

/* Within one step of the grid, and nothing else. */
static bool is_found(const struct ct_pieces *pieces, size_t expected)
{
    return pieces->count == 2 && pieces->first[1] + 1 >= expected && pieces->first[1] <= expected + 1;
}

static void finds_a_switch_within_one_step(void **state)
{
    (void)state;
    static const struct {
        double bytes, step, per_byte;
    } switches[] = {
        {65536, 30e-6, 0},     /* a jump */
        {4096, 8e-6, 0},       /* a jump of less, early */
        {8192, 0, 1e-9},       /* a bend: half the bandwidth */
        {524288, 200e-6, 0},   /* late */
        {32768, 20e-6, -5e-10} /* later, but faster from there */
    };
    size_t sizes[CT_SIZES_MAX], size_count = synthetic_sizes(sizes);
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
        struct synthetic_link link = plain;
        link.switch_bytes = switches[i].bytes;
        link.switch_step = switches[i].step;
        link.switch_per_byte = switches[i].per_byte;
        size_t expected = 0, failed = 0;
        while (expected < size_count && (double)sizes[expected] < switches[i].bytes)
            expected++;
        for (unsigned long seed = 1; seed <= SEEDS; seed++) {
            struct ct_pieces pieces = pieces_of(&link, seed);
            failed += !is_found(&pieces, expected);
        }
        char what[80];
        snprintf(what, sizeof what, "switch at %g bytes of %g us and %g ns a byte", switches[i].bytes,
                 1e6 * switches[i].step, 1e9 * switches[i].per_byte);
        few(what, failed, SEEDS, SEEDS / 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovers_what_is_known),
        cmocka_unit_test(finds_the_regimes_of_a_node),
        cmocka_unit_test(judges_each_regime),
        cmocka_unit_test(finds_no_switch_where_there_is_none),
        cmocka_unit_test(finds_a_switch_within_one_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
