/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* g(1) is 8 above the larger overhead at first; at 100 bytes the overheads have come nearer than that. */
static void a_gap_of_overhead(void **state)
{
    (void)state;
    struct ct_curve_point sending[] = {{0, 1}, {100, 15}}, receiving = {0, 2}, gap[] = {{1, 10}, {100, 20}};
    struct ct_link link = {.loggp = {.latency = 7, .overhead = 2, .gap = 30, .gap_per_byte = 1},
                           .plogp = {.latency = 5,
                                     .send_overhead = {sending, 2},
                                     .receive_overhead = {&receiving, 1},
                                     .gap = {gap, 2}}};
    ct_link_gap_of_overhead(&link);
    assert_true(link.loggp.gap == 2 && link.loggp.latency == 7 && link.loggp.overhead == 2);
    assert_true(fabs(link.plogp.latency - 13) < 1e-12);
    assert_true(fabs(gap[0].seconds - 2) < 1e-12);
    assert_true(fabs(gap[1].seconds - 15) < 1e-12);
    ct_link_gap_of_overhead(&link);
    assert_true(fabs(link.plogp.latency - 13) < 1e-12 && fabs(gap[0].seconds - 2) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_gap_of_overhead)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
