/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/launcher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const command[] = {"./a b", "job", NULL};

/* The words of the expansion, each in brackets. */
static void expands_to(const char *launcher, const struct ct_launch *launch, const char *expected)
{
    char **argv, text[300] = "";
    assert_int_equal(ct_launcher_expand(launcher, launch, command, NULL, &argv), CT_OK);
    for (size_t i = 0, length = 0; argv[i]; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "[%s]", argv[i]);
    assert_string_equal(text, expected);
    ct_launcher_free(argv);
}

static void expands(const char *launcher, const char *expected)
{
    const struct ct_launch launch = {.np = 12};
    expands_to(launcher, &launch, expected);
}

static void plain_commands_get_n(void **state)
{
    (void)state;
    expands("mpiexec", "[mpiexec][-n][12][./a b][job]");
    expands("  mpiexec -bind-to  core ", "[mpiexec][-bind-to][core][-n][12][./a b][job]");
}

static void templates_are_filled_in(void **state)
{
    (void)state;
    expands("srun -n {np} {cmd}", "[srun][-n][12][./a b][job]");
    expands("run --ranks={np} -- {cmd} last", "[run][--ranks=12][--][./a b][job][last]");
    expands("ssh host 'cd x; mpiexec -n {np} {cmd}'", "[ssh][host][cd x; mpiexec -n 12 ./a b job]");
    expands("a \"\" 'b\"c' d\"e f\"g {np} {cmd}", "[a][][b\"c][de fg][12][./a b][job]");
}

/* Each in its own words; which mpiexec it is its name tells, else the MPI. */
static void known_launchers_are_told_where(void **state)
{
    (void)state;
    const struct ct_launch hosts = {.np = 7, .hostfile = "/my hosts", .mpi = "mpich"};
    const struct ct_launch mpich = {.np = 7, .ppn = 2, .mpi = "mpich"};
    const struct ct_launch openmpi = {.np = 7, .hostfile = "/h", .ppn = 2, .mpi = "openmpi"};
    expands_to("mpiexec", &hosts, "[mpiexec][-n][7][-f][/my hosts][./a b][job]");
    expands_to("mpiexec -bind-to core", &mpich, "[mpiexec][-bind-to][core][-n][7][-ppn][2][./a b][job]");
    expands_to("/opt/b.c/mpirun", &openmpi,
               "[/opt/b.c/mpirun][-n][7][--hostfile][/h][--map-by][ppr:2:node][./a b][job]");
    expands_to("orterun", &openmpi, "[orterun][-n][7][--hostfile][/h][--map-by][ppr:2:node][./a b][job]");
    expands_to("mpiexec.mpich", &openmpi, "[mpiexec.mpich][-n][7][-f][/h][-ppn][2][./a b][job]");
    expands_to("mpiexec.hydra", &openmpi, "[mpiexec.hydra][-n][7][-f][/h][-ppn][2][./a b][job]");
    expands_to("mpiexec.openmpi", &mpich, "[mpiexec.openmpi][-n][7][--map-by][ppr:2:node][./a b][job]");
    const struct ct_launch oversubscribed = {.np = 7, .mpi = "openmpi", .oversubscribed = true};
    expands_to("mpiexec", &oversubscribed, "[mpiexec][-n][7][--oversubscribe][./a b][job]");
    expands_to("mpiexec.mpich", &oversubscribed, "[mpiexec.mpich][-n][7][./a b][job]");
    expands_to("srun", &oversubscribed, "[srun][-n][7][./a b][job]");
    expands_to("mpiexec -n {np} {cmd}", &oversubscribed, "[mpiexec][-n][7][./a b][job]");
    expands_to("srun --exclusive", &openmpi,
               "[srun][--exclusive][-n][7][--nodelist=/h][--nodes=4][--ntasks-per-node=2][./a b][job]");
}

static void templates_say_where_themselves(void **state)
{
    (void)state;
    const struct ct_launch known = {.np = 7, .hostfile = "/h", .ppn = 2, .mpi = "mpich"};
    expands_to("mpiexec -hostfile {hostfile}", &known,
               "[mpiexec][-hostfile][/h][-n][7][-ppn][2][./a b][job]");
    expands_to("go -h {hostfile} -N {nodes}", &known, "[go][-h][/h][-N][4][-n][7][./a b][job]");
    const struct ct_launch launch = {.np = 7, .hostfile = "/my hosts", .ppn = 2};
    expands_to("go -h {hostfile} -N {nodes}x{ppn} {np} {cmd}", &launch,
               "[go][-h][/my hosts][-N][4x2][7][./a b][job]");
    expands_to("go -h {hostfile} -N {nodes} {np} {cmd}", &launch,
               "[go][-h][/my hosts][-N][4][7][./a b][job]");
    const struct ct_launch hosts = {.np = 7, .hostfile = "/my hosts"};
    expands_to("go {hostfile}${hosts}{ {np} {cmd}", &hosts, "[go][/my hosts${hosts}{][7][./a b][job]");
    expands_to("sh -c 'f() { {cmd}; }; f # {} {np}'", &(struct ct_launch){.np = 7},
               "[sh][-c][f() { ./a b job; }; f # {} 7]");
}

static void refuses_launch(const char *launcher, const struct ct_launch *launch, const char *expected)
{
    struct ct_error error = {""};
    assert_int_equal(ct_launcher_check(launcher, launch, &error), CT_E_INPUT);
    if (!strstr(error.text, expected))
        fail_msg("'%s' lacks '%s'", error.text, expected);
}

static void what_has_no_place_is_refused(void **state)
{
    (void)state;
    const struct ct_launch plain = {.np = 2, .mpi = "mpich"};
    const struct ct_launch hosts = {.np = 2, .hostfile = "/h", .mpi = "mpich"};
    const struct ct_launch ppn = {.np = 2, .ppn = 2, .mpi = "mpi"};
    refuses_launch("aprun", &hosts, "has no known option for a hostfile");
    refuses_launch("mpiexec", &ppn, "has no known option for the ranks per node");
    refuses_launch("ssh a mpiexec", &hosts, "no known option");
    refuses_launch("srun {np} {cmd}", &hosts, "expected {hostfile} in it");
    refuses_launch("srun {np} {cmd}", &ppn, "expected {ppn} in it");
    refuses_launch("srun {np} {hostfile} {cmd}", &plain, "expected --hostfile, too");
    refuses_launch("srun {np} {nodes} {cmd}", &plain, "expected --ppn, too");
    refuses_launch("mpiexec -f {hostfile}", &plain, "expected --hostfile, too");
    refuses_launch("mpiexec -N {ppn}", &hosts, "expected --ppn, too");
}

static void refuses(const char *launcher, const char *expected)
{
    const struct ct_launch launch = {.np = 1};
    refuses_launch(launcher, &launch, expected);
}

static void bad_templates_are_refused(void **state)
{
    (void)state;
    refuses("", "empty");
    refuses("  ", "empty");
    refuses("srun -n {np}", "{np} without {cmd}");
    refuses("srun {cmd}", "{cmd} without {np}");
    refuses("srun 'a {np} {cmd}", "not closed");
    refuses("srun -n {np} -x {bogus} {cmd}",
            "has {bogus}: expected {np}, {hostfile}, {ppn}, {nodes} or {cmd}");
    refuses("mpiexec --on={Host}", "has {Host}: expected {np}");
    refuses("{cmds} {np} {cmd}", "has {cmds}: expected {np}");
}

/* Wherever an mpiexec lies. */
static void paths_are_one_word(void **state)
{
    (void)state;
    static const char *const paths[] = {"/usr/bin/mpiexec", "/my home/mpiexec", "/a\tb/mpiexec",
                                        "/o'hara's \"own\"/mpiexec", "'"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char expected[100], *launcher = ct_launcher_of(paths[i]);
        assert_non_null(launcher);
        snprintf(expected, sizeof expected, "[%s][-n][12][./a b][job]", paths[i]);
        expands(launcher, expected);
        free(launcher);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_commands_get_n),
        cmocka_unit_test(templates_are_filled_in),
        cmocka_unit_test(known_launchers_are_told_where),
        cmocka_unit_test(templates_say_where_themselves),
        cmocka_unit_test(what_has_no_place_is_refused),
        cmocka_unit_test(bad_templates_are_refused),
        cmocka_unit_test(paths_are_one_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
