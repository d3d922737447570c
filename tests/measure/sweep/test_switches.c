/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/switches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int read_text(const char *text, struct ct_error *error, struct ct_switches *ret_switches)
{
    return ct_switches_parse(text, strlen(text), "switches", error, ret_switches);
}

static void expect_leaf(const struct ct_switches *tree, const char *host, const char *leaf)
{
    const int at = ct_switches_leaf(tree, host, strlen(host));
    assert_string_equal(at == CT_NO_SWITCH ? "none" : tree->switches[at].name, leaf);
}

/* As people write it, and as scontrol prints it: the order of lines does not matter. */
static void reads_trees(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "# two leaves\nSwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Nodes=n[3-10]\n\nSwitchName=top "
        "Switches=s[0-1]\n",
        "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-10] Switches=s[0-1]\r\n"
        "switchname=s0 level=0 LinkSpeed=1 nodes=n[1-2] # the first\nSWITCHNAME=s1 Nodes=n[3-10]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ct_switches tree;
        struct ct_error error = {""};
        assert_int_equal(read_text(texts[i], &error, &tree), CT_OK);
        assert_int_equal(tree.count, 3);
        assert_int_equal(tree.host_count, 10);
        expect_leaf(&tree, "n1", "s0");
        expect_leaf(&tree, "n3", "s1");
        expect_leaf(&tree, "n10", "s1");
        expect_leaf(&tree, "n", "none");
        expect_leaf(&tree, "n11", "none");
        assert_int_equal(ct_switches_leaf(&tree, "n10:4", 3), ct_switches_leaf(&tree, "n10", 3));
        assert_int_equal(ct_switches_leaf(&tree, "n10:4", 2), ct_switches_leaf(&tree, "n1", 2));
        for (int k = 0; k < tree.count; k++)
            assert_int_equal(tree.switches[k].level, strcmp(tree.switches[k].name, "top") == 0);
        ct_switches_free(&tree);
    }
}

static void refuses_broken_files(void **state)
{
    (void)state;
    static const char *const broken[][2] = {
        {"", "switches: expected lines such as 'SwitchName=s1"},
        {"No topology information available\n", "switches:1: 'No': expected SwitchName=NAME"},
        {"SwitchName=a\n", "switches:1: expected SwitchName=NAME and Nodes"},
        {"Nodes=n1\n", "switches:1: expected SwitchName=NAME and Nodes"},
        {"SwitchName=a Nodes=\n", "'Nodes': expected"},
        {"SwitchName=a Ports=3\n", "'Ports': expected"},
        {"SwitchName=a Nodes=n[1-\n", "switches:1: 'n[1-': expected ranges"},
        {"SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n", "switches:2: has the switch a twice"},
        {"SwitchName=a Nodes=n1\nSwitchName=b Nodes=n[1-2]\n", "has the host n1 below two switches, "},
        {"SwitchName=a Nodes=n[1,1]\n", "has the host n1 below two switches, a and a"},
        {"SwitchName=a Switches=b\n", "switches:1: no line describes the switch b"},
        {"SwitchName=a Nodes=n1\nSwitchName=b Switches=a\nSwitchName=c Switches=a\n",
         "switches:3: the switch a is below two switches, b and c"},
        {"SwitchName=a Switches=b\nSwitchName=b Switches=a\nSwitchName=c Nodes=n1\n", "is below itself"},
        {"SwitchName=a Switches=a\n", "the switch a is below itself"},
    };
    struct ct_switches tree;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct ct_error error = {""};
        assert_int_equal(read_text(broken[i][0], &error, &tree), CT_E_INPUT);
        if (!strstr(error.text, broken[i][1]))
            fail_msg("'%s' has no '%s'", error.text, broken[i][1]);
    }
    struct ct_error error = {""};
    assert_int_equal(ct_switches_parse("SwitchName=a Nodes=n1\0x", 23, "switches", &error, &tree),
                     CT_E_INPUT);
    assert_non_null(strstr(error.text, "zero byte"));
    assert_int_equal(ct_switches_read("/nonexistent/switches", &error, &tree), CT_E_SYSTEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_trees),
        cmocka_unit_test(refuses_broken_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
