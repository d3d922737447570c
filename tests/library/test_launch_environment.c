/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi/launch_environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* This test may have been launched itself. */
static int forget(void **state)
{
    (void)state;
    return clearenv();
}

static void nothing_is_known(void **state)
{
    (void)state;
    assert_int_equal(ct_launch_rank(), -1);
    assert_int_equal(ct_launch_ranks_on_node(), 0);
}

static void hydra(void **state)
{
    (void)state;
    setenv("PMI_RANK", "3", 1);
    setenv("MPI_LOCALNRANKS", "8", 1);
    assert_int_equal(ct_launch_rank(), 3);
    assert_int_equal(ct_launch_ranks_on_node(), 8);
}

/* mpiexec within a script of Slurm: its own variables count. */
static void a_launcher_within_a_resource_manager(void **state)
{
    (void)state;
    setenv("SLURM_PROCID", "0", 1);
    setenv("SLURM_STEP_TASKS_PER_NODE", "1", 1);
    setenv("OMPI_COMM_WORLD_RANK", "5", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "6", 1);
    assert_int_equal(ct_launch_rank(), 5);
    assert_int_equal(ct_launch_ranks_on_node(), 6);
}

static void slurm_lists_nodes(void **state)
{
    (void)state;
    setenv("SLURM_PROCID", "17", 1);
    setenv("SLURM_STEP_TASKS_PER_NODE", "16(x3),4", 1);
    assert_int_equal(ct_launch_rank(), 17);
    assert_int_equal(ct_launch_ranks_on_node(), 16);
}

static void nodes_that_are_played(void **state)
{
    (void)state;
    assert_false(ct_launch_plays_nodes());
    setenv("MPIR_CVAR_NUM_CLIQUES", "2", 1);
    assert_true(ct_launch_plays_nodes());
}

static void nonsense_is_not_read(void **state)
{
    (void)state;
    setenv("PMI_RANK", "none", 1);
    setenv("MPI_LOCALNRANKS", "99999999999999999999", 1);
    assert_int_equal(ct_launch_rank(), -1);
    assert_int_equal(ct_launch_ranks_on_node(), 0);
    setenv("PMI_RANK", "-1", 1);
    assert_int_equal(ct_launch_rank(), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_is_known, forget),
        cmocka_unit_test_setup(hydra, forget),
        cmocka_unit_test_setup(a_launcher_within_a_resource_manager, forget),
        cmocka_unit_test_setup(slurm_lists_nodes, forget),
        cmocka_unit_test_setup(nodes_that_are_played, forget),
        cmocka_unit_test_setup(nonsense_is_not_read, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
