/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "models/fit/fit_model.h"
#include "models/model_file.h"
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

static const struct synthetic_link plain = {.latency = 20e-6,
                                            .send_overhead = 3e-6,
                                            .receive_overhead = 4e-6,
                                            .gap = 6e-6,
                                            .gap_per_byte = 1e-9,
                                            .noise = 0.05,
                                            .repetitions = 20};

static const struct ct_fit_options options = {.seed = 1, .resamples = 60};

static int fit_text(const char *rows, struct ct_error *error, struct ct_text *notes,
                    struct ct_model *ret_model)
{
    struct ct_point_samples samples;
    char *heading = ct_point_samples_heading("made\nup"), *text = ct_format("%s%s", heading, rows);
    int status = ct_point_samples_parse(text, strlen(text), "t.csv", error, &samples);
    free(heading);
    free(text);
    if (status != CT_OK)
        return status;
    status = ct_fit_model(&samples, &options, error, notes, ret_model);
    ct_point_samples_free(&samples);
    return status;
}

/* Gamma, delta and all models of a link, by hand: half a round trip of 10 + m us, streams of 4 us. */
static void fits_what_a_file_tells(void **state)
{
    (void)state;
    struct ct_model model;
    struct ct_error error = {""};
    struct ct_text notes = {0}, text = {0};
    if (fit_text("round_trip,node,1,0,0,20e-6\nround_trip,node,1,10,0,40e-6\nround_trip,node,1,100,0,220e-6\n"
                 "gap,node,1,0,0,4e-6\nsend,node,1,0,0,1e-6\nreceive,node,1,0,0,2e-6\n"
                 "work,sum/int,0,1024,0,2048e-9\nwork,sum/int,0,4096,0,4096e-9\n"
                 "work,sum/double,0,4096,0,8192e-9\nwork,copy/byte,0,1000,0,500e-9\n",
                 &error, &notes, &model) != CT_OK)
        fail_msg("%s", error.text);
    const struct ct_link *link = &model.links[CT_LINK_NODE];
    assert_true(fabs(link->hockney.alpha - 10e-6) < 1e-12 && fabs(link->hockney.beta - 1e-6) < 1e-12);
    assert_true(fabs(link->plogp.latency - 6e-6) < 1e-12);
    assert_true(fabs(ct_curve_at(&link->plogp.gap, 50) - 54e-6) < 1e-12);
    assert_true(fabs(link->loggp.latency - 8e-6) < 1e-12 && fabs(link->loggp.overhead - 1.5e-6) < 1e-12);
    assert_true(fabs(model.gamma - 2e-9) < 1e-15 && fabs(model.delta - 0.5e-9) < 1e-15);
    assert_true(fabs(model.work[0].seconds_per_byte - 1e-9) < 1e-15);
    assert_non_null(strstr(notes.data, "no size has times that differ"));
    assert_true(link->goodness[CT_MODEL_PLOGP].worst_error < 1e-9);

    /* and it can be kept */
    model.name = strdup("by-hand");
    model.source = strdup("this test");
    struct ct_model back;
    ct_model_format(&model, &text);
    if (ct_model_parse(text.data, text.length, "m.xml", &error, &back) != CT_OK)
        fail_msg("%s", error.text);
    ct_model_free(&back);
    ct_text_free(&text);
    ct_text_free(&notes);
    ct_model_free(&model);
}

/* Within a node messages travel through MPI or through shared memory. A model may have both, and uses the
 * second. */
static void knows_the_channel_within_a_node(void **state)
{
    (void)state;
    struct ct_model model;
    struct ct_error error = {""};
    struct ct_text notes = {0};
    static const char shared[] = "round_trip,shared,1,0,0,2e-6\nround_trip,shared,1,8,0,3e-6\n";
    static const char both[] = "round_trip,shared,1,0,0,2e-6\nround_trip,shared,1,8,0,3e-6\n"
                               "round_trip,node,1,0,0,4e-6\nround_trip,node,1,8,0,6e-6\n";
    assert_int_equal(fit_text(shared, &error, &notes, &model), CT_OK);
    assert_int_equal(model.node_channel, CT_NODE_CHANNEL_SHARED);
    assert_true(model.links[CT_LINK_NODE].known[CT_MODEL_HOCKNEY]);
    ct_model_free(&model);
    assert_int_equal(fit_text(strstr(both, "round_trip,node"), &error, &notes, &model), CT_OK);
    assert_int_equal(model.node_channel, CT_NODE_CHANNEL_MPI);
    ct_model_free(&model);
    for (int order = 0; order < 2; order++) {
        const char *second = strstr(both, "round_trip,node");
        char *text =
            order == 0 ? ct_format("%s", both) : ct_format("%s%.*s", second, (int)(second - both), both);
        if (fit_text(text, &error, &notes, &model) != CT_OK)
            fail_msg("%s", error.text);
        assert_int_equal(model.node_channel, CT_NODE_CHANNEL_SHARED);
        assert_true(fabs(model.links[CT_LINK_NODE].hockney.alpha - 1e-6) < 1e-12);
        assert_true(fabs(model.other_node.hockney.alpha - 2e-6) < 1e-12);
        ct_model_free(&model);
        free(text);
    }
    ct_text_free(&notes);
}

/* What cannot be told is not told. */
static void leaves_out_what_was_not_measured(void **state)
{
    (void)state;
    struct ct_model model;
    struct ct_error error = {""};
    struct ct_text notes = {0};
    assert_int_equal(
        fit_text("round_trip,network,1,0,0,2e-6\nround_trip,network,1,8,0,3e-6\n", &error, &notes, &model),
        CT_OK);
    const struct ct_link *link = &model.links[CT_LINK_NETWORK];
    assert_true(link->known[CT_MODEL_HOCKNEY] && !link->known[CT_MODEL_LOGGP] &&
                !link->known[CT_MODEL_PLOGP]);
    assert_false(model.links[CT_LINK_NODE].known[CT_MODEL_HOCKNEY]);
    ct_text_free(&notes);
    ct_model_free(&model);
}

/* A time that does not grow with the message, or falls in small steps, is no model without a word. */
static void notes_times_that_do_not_grow(void **state)
{
    (void)state;
    static const struct {
        const char *seconds[4];
        bool flat, falls;
    } cases[] = {{{"2e-6", "3e-6", "4e-6", "5e-6"}, false, false},
                 {{"2e-6", "2e-6", "2e-6", "2e-6"}, true, false},
                 {{"9e-6", "6e-6", "4e-6", "3e-6"}, true, true},
                 {{"1e-6", "9e-6", "6e-6", "4e-6"}, false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ct_model model;
        struct ct_error error = {""};
        struct ct_text notes = {0}, rows = {0};
        for (size_t k = 0; k < 4; k++)
            ct_text_append(&rows, "round_trip,network,1,%zu,0,%s\n", 8 * k, cases[i].seconds[k]);
        if (fit_text(rows.data, &error, &notes, &model) != CT_OK)
            fail_msg("case %zu: %s", i, error.text);
        if (!strstr(notes.data, "no longer than short ones") == cases[i].flat ||
            !strstr(notes.data, "something else") == cases[i].falls)
            fail_msg("case %zu: %s", i, notes.data);
        ct_text_free(&rows);
        ct_text_free(&notes);
        ct_model_free(&model);
    }
}

static void refuses_flaws(void **state)
{
    (void)state;
    static const char ends[] = "round_trip,node,1,0,0,2e-6\n";
    static const struct {
        const char *rows, *text;
    } flaws[] = {
        {"", "no samples"},
        {"round_trip,node,1,0,0\n", "t.csv:3: 5 fields: expected 6"},
        {"round_trip,node,1,0,0,1,1\n", "t.csv:3: 7 fields"},
        {"\n", "t.csv:3: an empty line"},
        {"ping,node,1,0,0,1\n", "kind 'ping'"},
        {"round_trip,sum/int,1,0,0,1\n", "expected network, node or shared"},
        {"work,node,0,8,0,1e-6\n", "expected OPERATION/TYPE"},
        {"work,/,0,8,0,1e-6\n", "expected OPERATION/TYPE"},
        {"work,sum/int,0,0,0,1e-6\n", "on 0 bytes"},
        {"work,sum/int,0,8,0,1e-6\n", "no times of messages"},
        {"round_trip,moon,1,0,0,1e-6\n", "messages over 'moon'"},
        {"round_trip,Node,1,0,0,1e-6\n", "subject 'Node'"},
        {"round_trip,node,-1,0,0,1e-6\n", "partner '-1'"},
        {"round_trip,node,1,1.5,0,1e-6\n", "bytes '1.5'"},
        {"round_trip,node,1,18446744073709551616,0,1e-6\n", "bytes '18446744073709551616'"},
        {"round_trip,node,1,8K,0,1e-6\n", "bytes '8K'"},
        {"round_trip,node,1,0,0,0\n", "seconds '0': expected a number from 1e-12 to 1e+06"},
        {"round_trip,node,1,0,0,-1e-6\n", "seconds '-1e-6'"},
        {"round_trip,node,1,0,0,nan\n", "seconds 'nan'"},
        {"round_trip,node,1,0,0,1e-6 s\n", "seconds '1e-6 s'"},
        {"round_trip,node,1,0,0,1e-6\r\n", "end in a newline alone"},
        {"round_trip,node,1,0,0,1e-6", "does not end in a newline"},
        {"round_trip,node,1,0,1,1e-6\nround_trip,node,1,0,1,1e-6\n",
         "rep 1 of round_trip, node with partner 1, 0 bytes, occurs twice"},
        {ends, "round trips at 1 size: expected at least 2"},
        {"gap,node,1,0,0,2e-6\n", "round trips at 0 sizes"},
        {"round_trip,node,1,0,0,12.5\nround_trip,node,1,8,0,12.8\n", "are these times in seconds?"},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        struct ct_model model;
        struct ct_error error = {""};
        struct ct_text notes = {0};
        if (fit_text(flaws[i].rows, &error, &notes, &model) != CT_E_INPUT)
            fail_msg("flaw %zu (%s) passed", i, flaws[i].rows);
        if (!strstr(error.text, flaws[i].text) || strchr(error.text, '\n'))
            fail_msg("flaw %zu: expected '%s', got: %s", i, flaws[i].text, error.text);
        ct_text_free(&notes);
    }
    struct ct_point_samples samples;
    struct ct_error error = {""};
    assert_int_equal(ct_point_samples_parse("kind,subject\n", 13, "t.csv", &error, &samples), CT_E_INPUT);
    assert_non_null(strstr(error.text, "t.csv:1: expected a file that begins with"));
    static const char wrong_header[] = "colltune point-to-point 1: x\nkind,bytes\n";
    assert_int_equal(ct_point_samples_parse(wrong_header, strlen(wrong_header), "t.csv", &error, &samples),
                     CT_E_INPUT);
    assert_non_null(strstr(error.text, "t.csv:2: wrong header"));
}

/* A second partner like the first is welcome; one that is 100 times slower is named, not averaged. */
static void names_a_slow_partner(void **state)
{
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        struct ct_point_samples samples = synthetic_samples(&plain, 7), more = synthetic_samples(&plain, 8);
        struct ct_model model;
        struct ct_error error = {""};
        struct ct_text notes = {0};
        size_t count = samples.sample_count;
        samples.samples = reallocarray(samples.samples, 2 * count, sizeof *samples.samples);
        assert_non_null(samples.samples);
        for (size_t i = 0; i < count; i++) {
            samples.samples[count + i] = more.samples[i];
            samples.samples[count + i].partner = 5;
            samples.samples[count + i].seconds *= slow ? 100 : 1.2;
        }
        samples.sample_count *= 2;
        int status = ct_fit_model(&samples, &options, &error, &notes, &model);
        if (slow) {
            assert_int_equal(status, CT_E_INPUT);
            assert_non_null(strstr(error.text, "partner 5 takes 1"));
        } else {
            assert_int_equal(status, CT_OK);
            ct_model_free(&model);
        }
        ct_text_free(&notes);
        ct_point_samples_free(&samples);
        ct_point_samples_free(&more);
    }
}

/* One time in ten is 100 times too long: the estimate stays, and the user is told where the middle half is
 * wide. */
static void medians_do_not_follow_outliers(void **state)
{
    (void)state;
    struct ct_point_samples samples = synthetic_samples(&plain, 3);
    struct ct_model model;
    struct ct_error error = {""};
    struct ct_text notes = {0};
    for (size_t i = 0; i < samples.sample_count; i += 10)
        samples.samples[i].seconds *= 100;
    assert_int_equal(ct_fit_model(&samples, &options, &error, &notes, &model), CT_OK);
    assert_true(fabs(model.links[CT_LINK_NETWORK].hockney.alpha / 26e-6 - 1) < 0.03);
    assert_string_equal(notes.data, "no local work: reductions and copies take no time in this model\n");
    ct_model_free(&model);
    for (size_t i = 0; i < samples.sample_count; i++)
        samples.samples[i].seconds *= i % 2 ? 3 : 1;
    assert_int_equal(ct_fit_model(&samples, &options, &error, &notes, &model), CT_OK);
    assert_non_null(strstr(notes.data, "spreads by more than 2 times"));
    assert_null(strstr(notes.data, "something else"));
    ct_model_free(&model);
    ct_text_free(&notes);
    ct_point_samples_free(&samples);
}

/* The truth lies inside some 95 of 100 intervals, and they have a width; the same seed gives the same. */
static void intervals_hold_the_truth(void **state)
{
    (void)state;
    enum { SEEDS = 100, LEAST = 88 };
    size_t held = 0;
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        struct ct_link_times times = synthetic_times(&plain, seed);
        struct ct_link link, again;
        assert_int_equal(ct_fit_link(&times, &options, NULL, &link), CT_OK);
        assert_int_equal(ct_fit_link(&times, &options, NULL, &again), CT_OK);
        assert_memory_equal(link.intervals, again.intervals, sizeof link.intervals);
        const struct ct_interval *beta = &link.intervals[1];
        assert_true(beta->low < beta->high && beta->high < 1.1 * beta->low);
        held += beta->low <= plain.gap_per_byte && plain.gap_per_byte <= beta->high;
        struct ct_model models = {.links = {link, again}};
        ct_model_free(&models);
        synthetic_free(&times);
    }
    print_message("beta: %zu of %d intervals hold it\n", held, SEEDS);
    assert_true(held >= LEAST);
}

/* Also where the times come from elsewhere than a file. */
static void refuses_times_out_of_range(void **state)
{
    (void)state;
    static const double wrong[] = {1e-300, 1e300, INFINITY, NAN};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct ct_link_times times = synthetic_times(&plain, 1);
        struct ct_link link;
        struct ct_error error = {""};
        struct ct_times *round_trips = &times.kinds[CT_POINT_ROUND_TRIP];
        for (size_t k = 0; k < round_trips->at[2].count; k++)
            round_trips->seconds[round_trips->at[2].first + k] = wrong[i];
        assert_int_equal(ct_fit_link(&times, &options, &error, &link), CT_E_INPUT);
        assert_non_null(strstr(error.text, "round_trip of 2 bytes takes"));
        synthetic_free(&times);
    }
}

/* The min/max variant takes the shortest time and the largest bandwidth. */
static void finds_extremes(void **state)
{
    (void)state;
    const struct ct_fit_options extremes = {.seed = 1, .resamples = 60, .extremes = true};
    struct ct_times_at at[] = {{0, 0, 1}, {10, 1, 1}, {100, 2, 1}};
    double seconds[] = {5e-3, 4e-3, 50e-3};
    const struct ct_link_times three = {
        .kinds[CT_POINT_ROUND_TRIP] = {.at = at, .count = 3, .seconds = seconds, .sample_count = 3}};
    struct ct_link link;
    assert_int_equal(ct_fit_link(&three, &extremes, NULL, &link), CT_OK);
    assert_true(link.hockney.alpha == 4e-3 && link.hockney.beta == 4e-3 / 10);

    struct ct_link_times times = synthetic_times(&plain, 1);
    assert_int_equal(ct_fit_link(&times, &extremes, NULL, &link), CT_OK);
    assert_true(link.hockney.alpha < 26e-6 && fabs(link.hockney.beta / plain.gap_per_byte - 1) < 0.05);
    struct ct_model model = {.links = {link}};
    ct_model_free(&model);
    synthetic_free(&times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_what_a_file_tells),
        cmocka_unit_test(knows_the_channel_within_a_node),
        cmocka_unit_test(leaves_out_what_was_not_measured),
        cmocka_unit_test(notes_times_that_do_not_grow),
        cmocka_unit_test(refuses_flaws),
        cmocka_unit_test(names_a_slow_partner),
        cmocka_unit_test(medians_do_not_follow_outliers),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(refuses_times_out_of_range),
        cmocka_unit_test(finds_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
