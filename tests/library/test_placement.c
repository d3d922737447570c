/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks yield where they outnumber the CPUs, and where nobody knows how many CPUs there are. */
#include "library/mpi/placement.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static int cpus; /* that this process may use; 0: the system does not say */

/* The linker's option --wrap puts this in the place of the system's function. */
int __wrap_sched_getaffinity(pid_t process, size_t size, cpu_set_t *ret_set)
{
    (void)process;
    if (cpus == 0) {
        errno = EINVAL;
        return -1;
    }
    CPU_ZERO_S(size, ret_set);
    for (int i = 0; i < cpus; i++)
        CPU_SET_S((size_t)i, size, ret_set);
    return 0;
}

static enum ct_wait_policy found(void)
{
    enum ct_wait_policy policy;
    assert_int_equal(ct_placement_find(MPI_COMM_WORLD, NULL, &policy), MPI_SUCCESS);
    return policy;
}

/* The policy of a rank that the launcher has started with others. */
static enum ct_wait_policy found_alone(const char *ranks)
{
    setenv("MPI_LOCALNRANKS", ranks, 1);
    return ct_wait_policy_alone();
}

static void ranks_with_a_cpu_of_their_own_spin(void **state)
{
    (void)state;
    cpus = 1;
    assert_int_equal(found(), CT_WAIT_SPIN);
    assert_int_equal(found_alone("1"), CT_WAIT_SPIN);
    assert_int_equal(ct_yield_from(MPI_COMM_WORLD), 2);
}

static void ranks_that_outnumber_the_cpus_yield(void **state)
{
    (void)state;
    cpus = 1;
    assert_int_equal(found_alone("2"), CT_WAIT_YIELD);
}

static void ranks_that_know_of_no_cpu_yield(void **state)
{
    (void)state;
    cpus = 0;
    assert_int_equal(found(), CT_WAIT_YIELD);
    assert_int_equal(found_alone("1"), CT_WAIT_YIELD);
    assert_int_equal(ct_yield_from(MPI_COMM_WORLD), 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_with_a_cpu_of_their_own_spin),
        cmocka_unit_test(ranks_that_outnumber_the_cpus_yield),
        cmocka_unit_test(ranks_that_know_of_no_cpu_yield),
    };
    MPI_Init(&argc, &argv);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
