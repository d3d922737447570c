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

static struct ct_link fit(const struct synthetic_link *synthetic, unsigned long seed)
{
    struct ct_link_times times = synthetic_times(synthetic, seed);
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

/* The pieces of half a round trip. */
static struct ct_pieces pieces_of(const struct synthetic_link *synthetic, unsigned long seed)
{
    struct ct_link_times times = synthetic_times(synthetic, seed);
    struct ct_fit_point points[CT_SIZES_MAX];
    struct ct_pieces pieces;
    ct_times_medians(&times.kinds[CT_POINT_ROUND_TRIP], points);
    ct_pieces_find(points, times.kinds[CT_POINT_ROUND_TRIP].count, &pieces);
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
        cmocka_unit_test(finds_no_switch_where_there_is_none),
        cmocka_unit_test(finds_a_switch_within_one_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
