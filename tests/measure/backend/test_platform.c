/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "measure/backend/platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void shipped_platforms_load(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t hosts;
        const char *last;
    } shipped[] = {{"ethernet100", 64, "node-63"},
                   {"gigabit", 64, "node-63"},
                   {"fattree", 256, "node-255"},
                   {"dragonfly", 1056, "node-1055"}};
    for (size_t i = 0; i < sizeof shipped / sizeof shipped[0]; i++) {
        struct ct_platform platform;
        struct ct_error error = {""};
        assert_int_equal(ct_platform_load(shipped[i].name, &error, &platform), CT_OK);
        assert_int_equal(platform.host_count, shipped[i].hosts);
        assert_string_equal(platform.hosts[platform.host_count - 1], shipped[i].last);
        assert_true(strtod(platform.gamma_flops, NULL) > strtod(platform.delta_flops, NULL));
        assert_string_equal(ct_platform_choice(i), shipped[i].name);
        assert_true(platform.is_plain);
        ct_platform_free(&platform);
    }
}

/* Loads a file with this text; returns the status. */
static int load_text(const char *text, struct ct_error *error, struct ct_platform *ret_platform)
{
    char path[] = "platform-XXXXXX.xml";
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    int status = ct_platform_load(path, error, ret_platform);
    unlink(path);
    return status;
}

/* In our spelling of it. */
static void topologies_are_noted(void **state)
{
    (void)state;
    static const struct {
        const char *attributes, *topology;
    } clusters[] = {{"topology=\"TORUS\" topo_parameters=\"2,3,4\"", "torus:2x3x4"},
                    {"topology=\"FAT_TREE\" topo_parameters=\"2;4,6;1,2;1,1\"", "fattree:2;4,6;1,2;1,1"}};
    for (size_t i = 0; i < sizeof clusters / sizeof clusters[0]; i++) {
        struct ct_platform platform;
        char text[300];
        snprintf(text, sizeof text,
                 "<platform><cluster id=\"c\" radical=\"0-23\" %s lat=\"2us\"/></platform>",
                 clusters[i].attributes);
        assert_int_equal(load_text(text, NULL, &platform), CT_OK);
        assert_string_equal(platform.topology, clusters[i].topology);
        assert_true(platform.hop_latency == 2e-6);
        ct_platform_free(&platform);
    }
}

/* Only of one cluster whose links are alike and do what they say nothing else must be asked. */
static void plain_platforms_are_known(void **state)
{
    (void)state;
    static const char cluster[] =
        "<cluster id=\"c\" radical=\"0-23\" topology=\"TORUS\" topo_parameters=\"2,3,4\"";
    static const char factor[] = "<config><prop id=\"smpi/lat-factor\" value=\"0:1\"/></config>";
    static const struct {
        const char *before, *attributes, *behind;
        bool is_plain, has_topology;
    } cases[] = {{factor, "", "", true, true},
                 {factor, "sharing_policy=\"SPLITDUPLEX\"", "", true, true},
                 {"", "", "", false, true},
                 {"<config><prop id=\"smpi/lat-factor\" value=\"0:2\"/></config>", "", "", false, true},
                 {factor, "sharing_policy=\"SHARED\"", "", false, true},
                 {factor, "bb_bw=\"1GBps\"", "", false, true},
                 {factor, "limiter_link=\"1GBps\"", "", false, true},
                 {factor, "", "<cluster id=\"d\" radical=\"24-30\"/>", false, false},
                 {factor, "", "<host id=\"h\"/>", false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ct_platform platform;
        char text[400];
        snprintf(text, sizeof text, "<platform>%s%s %s/>%s</platform>", cases[i].before, cluster,
                 cases[i].attributes, cases[i].behind);
        assert_int_equal(load_text(text, NULL, &platform), CT_OK);
        if (platform.is_plain != cases[i].is_plain || !!platform.topology != cases[i].has_topology)
            fail_msg("%s", text);
        ct_platform_free(&platform);
    }
}

static void own_platforms_load(void **state)
{
    (void)state;
    struct ct_platform platform;
    assert_int_equal(
        load_text("<platform version=\"4.1\"><zone id=\"z\"><zone id=\"y\"><host id=\"a\"/></zone>"
                  "<cluster id=\"c\" prefix=\"n\" radical=\"1-2,7\" suffix=\"x\"/>"
                  "<prop id=\"colltune.node_costs\" value=\"1e-7:0;1:2;3:4\"/>"
                  "<prop id=\"colltune.gamma_flops\" value=\"3\"/></zone></platform>",
                  NULL, &platform),
        CT_OK);
    assert_int_equal(platform.host_count, 4);
    assert_string_equal(platform.hosts[0], "a");
    assert_string_equal(platform.hosts[3], "n7x");
    assert_string_equal(platform.gamma_flops, "3");
    assert_string_equal(platform.delta_flops, "0.25");
    assert_string_equal(platform.node_costs, "1e-7:0;1:2;3:4");
    ct_platform_free(&platform);
}

static void copies_have_cores(void **state)
{
    (void)state;
    static const char path[] = "few-cores.xml", copied[] = "more-cores.xml";
    static const char text[] = "<platform><host id=\"a\" core=\"2\"/><host id=\"b\" core=\"8\"/>"
                               "<cluster id=\"c\" radical=\"0-1\"/></platform>";
    struct ct_platform platform;
    struct ct_error error = {""};
    char *copy;
    size_t length;
    assert_int_equal(ct_file_write(path, text, strlen(text), &error), CT_OK);
    assert_int_equal(ct_platform_load(path, &error, &platform), CT_OK);
    assert_int_equal(ct_platform_copy(&platform, 4, copied, &error), CT_OK);
    assert_int_equal(ct_file_read(copied, &error, &copy, &length), CT_OK);
    assert_non_null(strstr(copy, "<host id=\"a\" core=\"4\"/><host id=\"b\" core=\"8\"/>"
                                 "<cluster id=\"c\" radical=\"0-1\" core=\"4\"/>"));
    free(copy);
    unlink(copied);
    unlink(path);
    assert_int_equal(ct_platform_copy(&platform, 4, copied, &error), CT_E_INPUT);
    ct_platform_free(&platform);
}

static void refuses(const char *text, const char *expected)
{
    struct ct_platform platform;
    struct ct_error error = {""};
    assert_int_equal(load_text(text, &error, &platform), CT_E_INPUT);
    if (!strstr(error.text, expected))
        fail_msg("'%s' lacks '%s'", error.text, expected);
}

static void bad_platforms_are_refused(void **state)
{
    (void)state;
    struct ct_platform platform;
    struct ct_error error = {""};
    assert_int_equal(ct_platform_load("ethernet10", &error, &platform), CT_E_INPUT);
    assert_non_null(strstr(error.text, "expected ethernet100, gigabit, fattree or dragonfly"));
    assert_int_equal(ct_platform_load("no/such.xml", &error, &platform), CT_E_INPUT);
    assert_int_equal(ct_platform_load("./", &error, &platform), CT_E_INPUT);
    assert_string_equal(error.text, "./: is a folder: expected a platform file");
    refuses("<run/>", "expected a SimGrid platform");
    refuses("<platform", "expected a SimGrid platform");
    static const char *const costs[] = {"",
                                        "1:0",
                                        "1:0;1:0;1",
                                        "1:0;1:0;1:x",
                                        "1:0;1:0;-1:0",
                                        "1:0;1:0;1:0;1:0",
                                        "1:0;1:0;1:0;",
                                        "1:0:0;1:0;1:0",
                                        "nan:0;1:0;1:0"};
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        char *text = ct_format("<platform>\n<prop id=\"colltune.node_costs\" value=\"%s\"/><host "
                               "id=\"a\"/></platform>",
                               costs[i]);
        char *expected =
            ct_format("line 2: colltune.node_costs '%s': expected SECONDS:SECONDS_PER_BYTE", costs[i]);
        refuses(text, expected);
        free(text);
        free(expected);
    }
    refuses("<platform/>", "no <host>");
    refuses("<platform>\n<cluster id=\"c\" radical=\"3-1\"/></platform>", "line 2: '3-1' is no radical");
    refuses("<platform>\n<cluster id=\"c\" radical=\"0-99999999999\"/></platform>", "is no radical");
    refuses("<platform>\n<cluster id=\"c\" radical=\"x\"/></platform>", "is no radical");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_platforms_load),    cmocka_unit_test(own_platforms_load),
        cmocka_unit_test(copies_have_cores),         cmocka_unit_test(topologies_are_noted),
        cmocka_unit_test(bad_platforms_are_refused), cmocka_unit_test(plain_platforms_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
