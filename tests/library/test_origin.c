/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/origin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char mpich[] = "MPICH Version:\t4.0.2\nMPICH Release date:\tnever\n";
static const char open_mpi[] = "Open MPI v4.1.4, package: Some Open MPI";
static const char learned[] = "run my-run: real, mpiexec, 2024-05-17T09:30:00Z\n"
                              "  mpi.name: mpich\n  mpi.version: 4.0.2\n  machine.cpu: Some CPU 1\n";

static void the_same_is_silent(void **state)
{
    (void)state;
    char line[CT_ORIGIN_TEXT];
    assert_false(ct_origin_differs(learned, mpich, "Some CPU 1", line));
    assert_false(ct_origin_differs(learned, mpich, "", line));
    assert_false(ct_origin_differs("", mpich, "Some CPU 1", line));
    assert_false(ct_origin_differs("# mpi.name: openmpi\n", open_mpi, "Some CPU 1", line));
    assert_false(ct_origin_differs("  mpi.name: of-my-own\n  machine.cpu: unknown\n", mpich, "CPU", line));
    /* the shipped table: machines and MPIs that are nobody's */
    assert_false(
        ct_origin_differs("  default.mpi.name: openmpi\n  default.machine.cpu: Other\n", mpich, "CPU", line));
}

static void a_difference_is_named(void **state)
{
    (void)state;
    char line[CT_ORIGIN_TEXT];
    assert_true(ct_origin_differs(learned, open_mpi, "Some CPU 1", line));
    assert_string_equal(line,
                        "decisions were learned with mpich, this is Open MPI v4.1.4: they may be slower "
                        "than native; tune here");
    assert_true(ct_origin_differs(learned, mpich, "Other CPU", line));
    assert_string_equal(line,
                        "decisions were learned on 'Some CPU 1', this is 'Other CPU': they may be slower "
                        "than native; tune here");
    /* the second of two runs */
    assert_true(ct_origin_differs("# mpi.name: mpich\n# mpi.name: smpi\n", mpich, "", line));
    assert_string_equal(line,
                        "decisions were learned with smpi, this is MPICH Version: 4.0.2: they may be slower "
                        "than native; tune here");
}

static void another_channel_is_named(void **state)
{
    (void)state;
    static const char by_shared[] = "run my-run: real\n  machine.cpu: Some CPU 1\n  node.channel: shared\n";
    char line[CT_ORIGIN_TEXT];
    assert_false(ct_origin_channel_differs(by_shared, CT_NODE_CHANNEL_SHARED, line));
    assert_false(ct_origin_channel_differs("# node.channel: mpi\n", CT_NODE_CHANNEL_MPI, line));
    assert_false(ct_origin_channel_differs(learned, CT_NODE_CHANNEL_SHARED, line));
    assert_false(ct_origin_channel_differs("  node.channel: pigeons\n", CT_NODE_CHANNEL_SHARED, line));
    assert_true(ct_origin_channel_differs(by_shared, CT_NODE_CHANNEL_MPI, line));
    assert_string_equal(line, "decisions were learned with messages within the node through shared memory, "
                              "here they go through MPI: they may be slower than native; tune here");
    /* the second of two runs */
    assert_true(ct_origin_channel_differs("# node.channel: shared\n# node.channel: mpi\n",
                                          CT_NODE_CHANNEL_SHARED, line));
    assert_string_equal(line, "decisions were learned with messages within the node through MPI, here they "
                              "go through shared memory: they may be slower than native; tune here");
}

static void another_family_is_foreign(void **state)
{
    (void)state;
    char line[CT_ORIGIN_TEXT] = "";
    assert_true(ct_origin_is_foreign("openmpi", mpich, line));
    assert_string_equal(line, "the tuned library was built for openmpi, this is MPICH Version: 4.0.2");
    assert_true(ct_origin_is_foreign("mpich", open_mpi, line));
    assert_true(ct_origin_is_foreign("openmpi", "Intel(R) MPI Library 2021.5 for Linux* OS", line));
    assert_false(ct_origin_is_foreign("mpich", mpich, line));
    assert_false(ct_origin_is_foreign("mpich", "Intel(R) MPI Library 2021.5 for Linux* OS", line));
    assert_false(ct_origin_is_foreign("mpich", "An MPI of my own", line));
    assert_false(ct_origin_is_foreign("", open_mpi, line));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_silent),
        cmocka_unit_test(a_difference_is_named),
        cmocka_unit_test(another_channel_is_named),
        cmocka_unit_test(another_family_is_foreign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
