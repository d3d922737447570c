/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/vote.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { METHODS = 3 };

static enum ct_communication_model vote(double times[CT_COMMUNICATION_MODELS][METHODS], double hockney,
                                        double loggp, double plogp)
{
    const double *const rows[CT_COMMUNICATION_MODELS] = {times[0], times[1], times[2]};
    const double weights[CT_COMMUNICATION_MODELS] = {hockney, loggp, plogp};
    return ct_vote(rows, weights, METHODS);
}

static void most_votes_win(void **state)
{
    (void)state;
    double times[][METHODS] = {{1, 2, 3}, {1, 2, 3}, {2, 1, 3}};
    assert_int_equal(vote(times, 1, 1, 1), CT_MODEL_LOGGP);
    assert_int_equal(vote(times, 1, 1, 1.5), CT_MODEL_LOGGP);
    assert_int_equal(vote(times, 1, 1, 3), CT_MODEL_PLOGP);
    assert_int_equal(vote(times, 2, 1, 1), CT_MODEL_HOCKNEY);
}

static void the_most_trusted_decides_where_all_differ(void **state)
{
    (void)state;
    double times[][METHODS] = {{1, 2, 3}, {2, 1, 3}, {2, 3, 1}};
    assert_int_equal(vote(times, 1, 1, 1), CT_MODEL_PLOGP);
    assert_int_equal(vote(times, 3, 2, 2), CT_MODEL_HOCKNEY);
    assert_int_equal(vote(times, 1, 2, 1), CT_MODEL_LOGGP);
}

static void equally_good_methods_share_a_vote(void **state)
{
    (void)state;
    double times[][METHODS] = {{2, 1, 3}, {1, 1 + 1e-12, 3}, {3, 2, 1}};
    assert_int_equal(vote(times, 1, 1, 1.5), CT_MODEL_LOGGP);
}

static void what_is_missing_gets_no_vote(void **state)
{
    (void)state;
    double times[][METHODS] = {{NAN, 2, 3}, {NAN, 2, 3}, {NAN, 3, 2}};
    assert_int_equal(vote(times, 1, 1, 1.5), CT_MODEL_LOGGP);
    assert_int_equal(vote(times, 0, 0, 1), CT_MODEL_PLOGP);
    assert_int_equal(vote(times, 1, 0, 0), CT_MODEL_HOCKNEY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_votes_win), cmocka_unit_test(the_most_trusted_decides_where_all_differ),
        cmocka_unit_test(equally_good_methods_share_a_vote), cmocka_unit_test(what_is_missing_gets_no_vote)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
