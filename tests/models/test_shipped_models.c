/* SPDX-License-Identifier: BSD-3-Clause */
/* The models in models/systems/ are those in print. */
#include "base/data.h"
#include "base/file.h"
#include "models/model_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void is_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-9 * fabs(expected))
        fail_msg("%.15g: expected %.15g", value, expected);
}

/* Table 4.1: L = L + g(1) - o_s(1) - o_r(1); o = (o_s(1) + o_r(1)) / 2; g = g(1); G = g(m) / m for large m.
 */
static struct ct_loggp loggp_of_plogp(const struct ct_plogp *plogp)
{
    const double sending = ct_curve_at(&plogp->send_overhead, 1);
    const double receiving = ct_curve_at(&plogp->receive_overhead, 1), gap = ct_curve_at(&plogp->gap, 1);
    return (struct ct_loggp){.latency = plogp->latency + gap - sending - receiving,
                             .overhead = (sending + receiving) / 2,
                             .gap = gap,
                             .gap_per_byte = ct_curve_slope_at_end(&plogp->gap)};
}

/* Tables 4.12 and 4.13 in microseconds, and PLogP of the same LogGP by table 4.1. */
static void ships_the_systems_in_print(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double alpha, beta, latency, overhead, gap, gap_per_byte, gamma;
    } printed[] = {
        {"grig-mx", 5.64, 0.0042, 2.1, 1.6, 2.3, 0.0044, 5e-4},
        {"grig-tcp", 110.65, 0.0851, 106.6, 19.5, 1, 0.0859, 5e-4},
        {"boba", 47.6, 0.0151, 30.40, 8.15, 8.683, 0.0150, 1.7e-3},
        {"frodo-mx", 4.23, 0.0042, 1.8, 1.3, 1.6, 0.0044, 3e-3},
        {"frodo-tcp", 80.2, 0.0854, 61.22, 8.2, 23.8, 0.0840, 3e-3},
    };
    const double us = 1e-6;
    for (size_t i = 0; i < sizeof printed / sizeof printed[0]; i++) {
        char *name = ct_format("models/systems/%s.xml", printed[i].name), *path;
        struct ct_model model;
        struct ct_error error = {""};
        assert_int_equal(ct_data_path(name, &error, &path), CT_OK);
        if (ct_model_read(path, &error, &model) != CT_OK)
            fail_msg("%s", error.text);
        const struct ct_link *link = &model.links[CT_LINK_NETWORK];
        assert_string_equal(model.name, printed[i].name);
        is_near(link->hockney.alpha, printed[i].alpha * us);
        is_near(link->hockney.beta, printed[i].beta * us);
        is_near(model.gamma, printed[i].gamma * us);
        const struct ct_loggp loggp[] = {link->loggp, loggp_of_plogp(&link->plogp)};
        for (size_t k = 0; k < 2; k++) {
            is_near(loggp[k].latency, printed[i].latency * us);
            is_near(loggp[k].overhead, printed[i].overhead * us);
            is_near(loggp[k].gap, printed[i].gap * us);
            is_near(loggp[k].gap_per_byte, printed[i].gap_per_byte * us);
        }
        ct_model_free(&model);
        free(path);
        free(name);
    }
}

/* Sections 6.4.1 and 6.7 print parameters for Hockney alone. */
static void ships_what_is_in_print(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double alpha, beta, gamma;
    } systems[] = {{"models/systems/thunderbird.xml", 3.65e-6, 1.1e-9, 1.75e-11},
                   {"models/systems/xt4-cm.xml", 4.91e-6, 1 / 1.985e9, 0},
                   {"models/systems/xt4-ob1.xml", 6.16e-6, 1 / 1.985e9, 0},
                   {"models/systems/xt4-cray.xml", 4.75e-6, 1 / 1.985e9, 0}};
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        char *path;
        struct ct_model model;
        struct ct_error error = {""};
        assert_int_equal(ct_data_path(systems[i].file, &error, &path), CT_OK);
        if (ct_model_read(path, &error, &model) != CT_OK)
            fail_msg("%s", error.text);
        const struct ct_link *link = &model.links[CT_LINK_NETWORK];
        is_near(link->hockney.alpha, systems[i].alpha);
        is_near(link->hockney.beta, systems[i].beta);
        is_near(model.gamma, systems[i].gamma);
        assert_false(link->known[CT_MODEL_LOGGP] || link->known[CT_MODEL_PLOGP]);
        ct_model_free(&model);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ships_the_systems_in_print),
        cmocka_unit_test(ships_what_is_in_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
