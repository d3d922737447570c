/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks of a node have the library. This process plays hydra's daemon, and one that it has started
 * plays the ranks, in any order. */
#include "library/communicators/presence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { RANKS = 3 };

static int launch(void **state)
{
    char ranks[16];
    (void)state;
    clearenv();
    snprintf(ranks, sizeof ranks, "%d", RANKS);
    setenv("PMI_RANK", "0", 1);
    setenv("MPI_LOCALNRANKS", ranks, 1);
    return 0;
}

static void announce(struct ct_presence *ranks, int count)
{
    for (int i = 0; i < count; i++)
        ct_presence_announce(&ranks[i]);
}

/* All of them have this verdict, and one tells how many they are. Nothing is left behind. */
static void conclude(struct ct_presence *ranks, int count, enum ct_presence_verdict expected, unsigned number)
{
    unsigned told = 0, counted;
    for (int i = 0; i < count; i++) {
        assert_int_equal(ct_presence_conclude(&ranks[i], &counted), expected);
        assert_true(counted == 0 || told == 0);
        told += counted;
        assert_int_equal(access(ranks[i].path, F_OK), -1);
    }
    assert_int_equal(told, number);
}

static void all_have_it(void **state)
{
    (void)state;
    struct ct_presence ranks[RANKS];
    for (int program = 0; program < 2; program++) { /* one after the other, by the same script */
        announce(ranks, RANKS);
        conclude(ranks, RANKS, CT_PRESENCE_ALL, RANKS);
    }
}

/* A job may be killed between the two. */
static void nothing_is_left_before_the_verdict(void **state)
{
    (void)state;
    struct ct_presence ranks[RANKS];
    announce(ranks, RANKS - 1);
    assert_int_equal(access(ranks[0].path, F_OK), 0);
    ct_presence_announce(&ranks[RANKS - 1]);
    assert_int_equal(access(ranks[0].path, F_OK), -1);
    conclude(ranks, RANKS, CT_PRESENCE_ALL, RANKS);
}

static void some_have_it(void **state)
{
    (void)state;
    struct ct_presence ranks[RANKS];
    announce(ranks, RANKS - 1);
    conclude(ranks, RANKS - 1, CT_PRESENCE_SOME, RANKS - 1);
}

/* If MPI_Init did not wait for all ranks, they would still have one verdict. */
static void late_ranks_have_the_same_verdict(void **state)
{
    (void)state;
    struct ct_presence ranks[RANKS];
    announce(ranks, 1);
    conclude(ranks, 1, CT_PRESENCE_SOME, 1);
    announce(ranks + 1, RANKS - 1);
    conclude(ranks + 1, RANKS - 1, CT_PRESENCE_SOME, RANKS - 1);
}

static void verdict_stands_when_more_are_counted(void **state)
{
    (void)state;
    struct ct_presence ranks[RANKS];
    unsigned counted;
    announce(ranks, 1);
    ct_presence_announce(&ranks[1]);
    assert_int_equal(ct_presence_conclude(&ranks[0], &counted), CT_PRESENCE_SOME);
    assert_int_equal(ct_presence_conclude(&ranks[1], &counted), CT_PRESENCE_SOME);
    assert_int_equal(counted, 0);
}

static void jobs_of_one_daemon_are_apart(void **state)
{
    (void)state;
    struct ct_presence one[RANKS], other[RANKS];
    char ranks[16];
    snprintf(ranks, sizeof ranks, "%d", RANKS);
    clearenv();
    setenv("OMPI_COMM_WORLD_RANK", "0", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", ranks, 1);
    setenv("PMIX_NAMESPACE", "1", 1);
    prctl(PR_SET_NAME, "orted");
    pid_t child = fork();
    if (child == 0) {
        announce(one, RANKS - 1);
        setenv("PMIX_NAMESPACE", "2", 1);
        announce(other, RANKS);
        conclude(one, RANKS - 1, CT_PRESENCE_SOME, RANKS - 1);
        conclude(other, RANKS, CT_PRESENCE_ALL, RANKS);
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    prctl(PR_SET_NAME, "rank");
}

/* A script between daemon and rank, whose name no parser likes. */
static void ancestors_are_looked_through(void **state)
{
    (void)state;
    struct ct_presence near[RANKS - 1], far;
    unsigned counted;
    announce(near, RANKS - 1);
    prctl(PR_SET_NAME, "a) R 1 (");
    pid_t child = fork();
    if (child == 0) {
        ct_presence_announce(&far);
        _exit(ct_presence_conclude(&far, &counted) == CT_PRESENCE_ALL && counted == RANKS ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    conclude(near, RANKS - 1, CT_PRESENCE_ALL, 0);
    prctl(PR_SET_NAME, "rank");
}

/* Slurm's variable is that of the first node. */
static void nothing_is_concluded_from_guesses(void **state)
{
    (void)state;
    struct ct_presence rank;
    unsigned counted;
    clearenv();
    ct_presence_announce(&rank);
    assert_int_equal(ct_presence_conclude(&rank, &counted), CT_PRESENCE_UNKNOWN);
    setenv("SLURM_PROCID", "0", 1);
    setenv("SLURM_STEP_TASKS_PER_NODE", "2", 1);
    ct_presence_announce(&rank);
    assert_int_equal(ct_presence_conclude(&rank, &counted), CT_PRESENCE_UNKNOWN);
    clearenv();
    setenv("OMPI_COMM_WORLD_RANK", "0", 1); /* no such daemon is an ancestor */
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "3", 1);
    ct_presence_announce(&rank);
    assert_int_equal(ct_presence_conclude(&rank, &counted), CT_PRESENCE_UNKNOWN);
}

static int play_ranks(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(all_have_it, launch),
        cmocka_unit_test_setup(nothing_is_left_before_the_verdict, launch),
        cmocka_unit_test_setup(some_have_it, launch),
        cmocka_unit_test_setup(late_ranks_have_the_same_verdict, launch),
        cmocka_unit_test_setup(verdict_stands_when_more_are_counted, launch),
        cmocka_unit_test_setup(jobs_of_one_daemon_are_apart, launch),
        cmocka_unit_test_setup(ancestors_are_looked_through, launch),
        cmocka_unit_test(nothing_is_concluded_from_guesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    prctl(PR_SET_NAME, "hydra_pmi_proxy");
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_NAME, "rank");
        return play_ranks();
    }
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
