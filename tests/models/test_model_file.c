/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "models/model_file.h"
#include "tests/base/text_flaws.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Each part once, with numbers that no short decimal holds. */
static const char whole[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n"
    "<model version=\"1\" name=\"whole\">\n"
    "  <source>a &lt;b&gt; &amp; c</source>\n"
    "  <link kind=\"network\">\n"
    "    <hockney alpha=\"0.1\" beta=\"0.3333333333333333\">\n"
    "      <fit sizes=\"40\" samples=\"400\" mean-error=\"0.01\" worst-error=\"0.02\" "
    "worst-bytes=\"65536\">\n"
    "        <interval parameter=\"alpha\" low=\"0.09\" high=\"0.11\"/>\n"
    "        <interval parameter=\"beta\" low=\"0.3\" high=\"0.4\"/>\n"
    "      </fit>\n"
    "    </hockney>\n"
    "    <loggp latency=\"1\" overhead=\"2\" gap=\"3\" gap-per-byte=\"4e-12\"/>\n"
    "  </link>\n"
    "  <link kind=\"node\">\n"
    "    <plogp latency=\"5\">\n"
    "      <send-overhead>\n"
    "        <point bytes=\"0\" seconds=\"1\"/>\n"
    "      </send-overhead>\n"
    "      <receive-overhead>\n"
    "        <point bytes=\"0\" seconds=\"1\"/>\n"
    "      </receive-overhead>\n"
    "      <gap>\n"
    "        <point bytes=\"0\" seconds=\"2\" low=\"1\" high=\"3\"/>\n"
    "        <point bytes=\"8\" seconds=\"4\" low=\"4\" high=\"5\"/>\n"
    "      </gap>\n"
    "      <fit sizes=\"4\" samples=\"4\" mean-error=\"0\" worst-error=\"0\" worst-bytes=\"0\">\n"
    "        <interval parameter=\"latency\" low=\"4\" high=\"6\"/>\n"
    "      </fit>\n"
    "    </plogp>\n"
    "  </link>\n"
    "  <work gamma=\"1e-10\" delta=\"2e-10\">\n"
    "    <operation name=\"sum\" type=\"double\" seconds-per-byte=\"1e-10\" low=\"0\" high=\"2e-10\"/>\n"
    "    <operation name=\"copy\" type=\"byte\" seconds-per-byte=\"2e-10\" low=\"2e-10\" high=\"2e-10\"/>\n"
    "  </work>\n"
    "</model>\n";

static void comes_back_as_it_was(void **state)
{
    (void)state;
    struct ct_model model;
    struct ct_error error = {""};
    struct ct_text text = {0};
    if (ct_model_parse(whole, strlen(whole), "m.xml", &error, &model) != CT_OK)
        fail_msg("%s", error.text);
    assert_string_equal(model.source, "a <b> & c");
    assert_true(model.links[CT_LINK_NETWORK].known[CT_MODEL_LOGGP] &&
                !model.links[CT_LINK_NETWORK].known[CT_MODEL_PLOGP]);
    assert_true(model.links[CT_LINK_NETWORK].hockney.beta == 1.0 / 3);
    assert_true(model.links[CT_LINK_NODE].gap_interval[1].high == 5);
    assert_int_equal(model.links[CT_LINK_NETWORK].goodness[CT_MODEL_HOCKNEY].samples, 400);
    assert_true(model.work[0].interval.high == 2e-10);
    ct_model_format(&model, &text);
    assert_string_equal(text.data, whole);
    ct_text_free(&text);
    ct_model_free(&model);
}

/* A model without the channel within a node is one of messages through MPI. */
static void keeps_the_channel_within_a_node(void **state)
{
    (void)state;
    static const char node[] = "kind=\"node\"";
    static const struct {
        const char *read, *written;
        enum ct_node_channel channel;
    } cases[] = {{"", "kind=\"node\">", CT_NODE_CHANNEL_MPI},
                 {" channel=\"mpi\"", "kind=\"node\">", CT_NODE_CHANNEL_MPI},
                 {" channel=\"shared\"", "kind=\"node\" channel=\"shared\">", CT_NODE_CHANNEL_SHARED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *at = strstr(whole, node) + strlen(node);
        char *edited = ct_format("%.*s%s%s", (int)(at - whole), whole, cases[i].read, at);
        struct ct_model model;
        struct ct_error error = {""};
        struct ct_text text = {0};
        if (ct_model_parse(edited, strlen(edited), "m.xml", &error, &model) != CT_OK)
            fail_msg("%s", error.text);
        assert_int_equal(model.node_channel, cases[i].channel);
        ct_model_format(&model, &text);
        assert_non_null(strstr(text.data, cases[i].written));
        ct_text_free(&text);
        ct_model_free(&model);
        free(edited);
    }
}

static int read_model(const char *text, size_t length, const char *name, struct ct_error *error)
{
    struct ct_model model;
    int status = ct_model_parse(text, length, name, error, &model);
    if (status == CT_OK)
        ct_model_free(&model);
    return status;
}

static void refuses_flaws(void **state)
{
    (void)state;
    static const struct text_flaw flaws[] = {
        {"</model>", "", 0, "well-formed"},
        {"version=\"1\" name", "version=\"5\" name", 3, "expected <model version=\"1|2|3|4\""},
        {"name=\"whole\"", "name=\"two words\"", 3, "expected <model version=\"1|2|3|4\""},
        {"kind=\"node\"", "kind=\"moon\"", 14, "kind=\"network|node\""},
        {"kind=\"node\"", "kind=\"node\" channel=\"pipe\"", 14, "expected <link"},
        {"kind=\"network\"", "kind=\"network\" channel=\"shared\"", 5, "expected only at"},
        {"kind=\"node\"", "kind=\"network\"", 14, "a second link of the kind network"},
        {"alpha=\"0.1\"", "alpha=\"-0.1\"", 6, "expected <hockney"},
        {"alpha=\"0.1\"", "alpha=\"nan\"", 6, "expected <hockney"},
        {"alpha=\"0.1\"", "alpha=\"1e999\"", 6, "alpha"},
        {"alpha=\"0.1\" ", "", 6, "expected <hockney"},
        {"sizes=\"40\"", "sizes=\"0\"", 7, "expected at least 1"},
        {"parameter=\"beta\"", "parameter=\"gamma\"", 9, "'gamma' is no parameter of hockney"},
        {"parameter=\"beta\"", "parameter=\"latency\"", 9, "'latency' is no parameter of hockney"},
        {"parameter=\"beta\"", "parameter=\"alpha\"", 9, "a second interval of 'alpha'"},
        {"        <interval parameter=\"beta\" low=\"0.3\" high=\"0.4\"/>\n", "", 7, "interval of 'beta'"},
        {"low=\"0.3\"", "low=\"0.5\"", 9, "low is more than high"},
        {"bytes=\"8\"", "bytes=\"0\"", 22, "point 2: 0 bytes"},
        {"bytes=\"8\" seconds=\"4\" low=\"4\" high=\"5\"", "bytes=\"8\" seconds=\"4\"", 24, "at all points"},
        {"bytes=\"0\" seconds=\"1\"", "bytes=\"0\" seconds=\"1\" low=\"1\" high=\"1\"", 17,
         "only at points of the gap"},
        {"<point bytes=\"0\" seconds=\"1\"/>", "", 16, "expected <send-overhead>"},
        {"name=\"copy\" type=\"byte\"", "name=\"sum\" type=\"double\"", 33, "a second 'sum' of 'double'"},
        {"<work", "<play/><work", 31, "expected <model"},
        {"<model ", "<!DOCTYPE model [<!ENTITY a \"b\">]><model ", 3, "document type"},
    };
    expect_flaws_refused(whole, flaws, sizeof flaws / sizeof flaws[0], read_model);
}

/* Version 3: how nodes are joined. */
static const char joined[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                             "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n"
                             "<model version=\"3\" name=\"joined\">\n"
                             "  <source>x</source>\n"
                             "  <link kind=\"network\">\n"
                             "    <hockney alpha=\"1\" beta=\"2\"/>\n"
                             "  </link>\n"
                             "  <topology shape=\"torus:4x4\" latency=\"0.1\" hops=\"1.5\"/>\n"
                             "  <work gamma=\"0\" delta=\"0\"/>\n"
                             "</model>\n";

static void holds_a_topology(void **state)
{
    (void)state;
    struct ct_model model;
    struct ct_error error;
    struct ct_text text = {0};
    assert_int_equal(ct_model_parse(joined, strlen(joined), "m.xml", &error, &model), CT_OK);
    assert_string_equal(model.topology, "torus:4x4");
    assert_true(model.hop_latency == 0.1 && model.hops == 1.5);
    ct_model_format(&model, &text);
    assert_string_equal(text.data, joined);
    ct_text_free(&text);
    ct_model_free(&model);
}

static void refuses_flaws_of_a_topology(void **state)
{
    (void)state;
    static const struct text_flaw flaws[] = {
        {"version=\"3\" name", "version=\"2\" name", 8, "a topology: expected version=\"3\""},
        {"torus:4x4", "torus:4x", 8, "unknown topology 'torus:4x'"},
        {"torus:4x4", "mesh:4x4", 8, "unknown topology 'mesh:4x4'"},
        {"torus:4x4", "torus 4", 8, "expected <topology"},
        {"torus:4x4", "routes:0,1,0,0;;1,1;9,1,1;0,0", 8, "unknown topology 'routes:"},
        {" latency=\"0.1\"", "", 8, "expected <topology"},
        {"hops=\"1.5\"", "hops=\"-1\"", 8, "expected <topology"},
    };
    expect_flaws_refused(joined, flaws, sizeof flaws / sizeof flaws[0], read_model);
}

/* Version 4: all ways from node to node. */
static const char ways[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n"
    "<model version=\"4\" name=\"ways\">\n"
    "  <source>x</source>\n"
    "  <link kind=\"network\">\n"
    "    <hockney alpha=\"1\" beta=\"2\"/>\n"
    "  </link>\n"
    "  <routes latency=\"0.3333333333333333\" rate=\"1000000\" window=\"4194304\" weight=\"20537\">\n"
    "    <factor above=\"0\" factor=\"13.01\"/>\n"
    "    <factor above=\"65536\" factor=\"1.5\"/>\n"
    "    <node slowness=\"1\"/>\n"
    "    <node slowness=\"2\"/>\n"
    "    <node slowness=\"0.5\"/>\n"
    "    <wire rate=\"1000000\" latency=\"0.1\" shared=\"true\"/>\n"
    "    <wire rate=\"500000\" latency=\"0\" shared=\"false\"/>\n"
    "    <way from=\"0\" to=\"1\" wires=\"0\"/>\n"
    "    <way from=\"0\" to=\"2\" wires=\"0 1\"/>\n"
    "    <way from=\"1\" to=\"0\" wires=\"1 0 1\"/>\n"
    "    <way from=\"1\" to=\"2\" wires=\"1\"/>\n"
    "    <way from=\"2\" to=\"0\" wires=\"0\"/>\n"
    "    <way from=\"2\" to=\"1\" wires=\"0\"/>\n"
    "  </routes>\n"
    "  <work gamma=\"0\" delta=\"0\"/>\n"
    "</model>\n";

static void holds_routes(void **state)
{
    (void)state;
    struct ct_model model;
    struct ct_error error = {""};
    struct ct_text text = {0};
    if (ct_model_parse(ways, strlen(ways), "m.xml", &error, &model) != CT_OK)
        fail_msg("%s", error.text);
    const struct ct_network_routes *routes = model.routes;
    assert_null(model.topology);
    assert_true(routes->nodes == 3 && routes->links == 2 && routes->longest == 3);
    assert_true(routes->measured.latency == 1.0 / 3 && routes->measured.rate == 1e6);
    assert_true(routes->window == 4194304 && routes->weight == 20537);
    assert_true(ct_network_factor_of(&routes->factors, 65537) == 1.5);
    assert_true(routes->slowness[1] == 2 && routes->slowness[2] == 0.5);
    assert_true(routes->all_links[0].is_shared && !routes->all_links[1].is_shared);
    assert_true(routes->ways[3].latency == 0.1 && routes->ways[3].rate == 5e5);
    ct_model_format(&model, &text);
    assert_string_equal(text.data, ways);
    ct_text_free(&text);
    ct_model_free(&model);
}

static void refuses_flaws_of_routes(void **state)
{
    (void)state;
    static const struct text_flaw flaws[] = {
        {"version=\"4\" name", "version=\"3\" name", 8, "routes: expected version=\"4\""},
        {"<routes", "<topology shape=\"torus:4\" latency=\"0\" hops=\"1\"/><routes", 8, "element routes"},
        {"rate=\"1000000\" window", "rate=\"0\" window", 8, "rate: expected more than 0"},
        {" window=\"4194304\"", "", 8, "expected <routes latency"},
        {"factor=\"13.01\"", "factor=\"0\"", 9, "factor: expected more than 0"},
        {"above=\"65536\"", "above=\"0\"", 10, "above: expected more than 0, since"},
        {"slowness=\"2\"", "slowness=\"0\"", 12, "slowness: expected more than 0"},
        {"    <node slowness=\"2\"/>\n", "", 8, "6 ways between 2 nodes: expected 2"},
        {"rate=\"500000\"", "rate=\"0\"", 15, "rate: expected more than 0"},
        {"rate=\"500000\"", "rate=\"1e999\"", 15, "rate"},
        {"shared=\"false\"", "shared=\"no\"", 15, "shared=\"true|false\""},
        {"wires=\"0 1\"", "wires=\"0 2\"", 17, "there is no wire 2; expected 0 to 1"},
        {"wires=\"0 1\"", "wires=\"0  1\"", 17, "expected <way from"},
        {"wires=\"0 1\"", "wires=\"\"", 17, "expected <way from"},
        {"wires=\"0 1\"", "wires=\"99999999999999999999\"", 17, "there is no wire 99999999999999999999"},
        {"from=\"0\" to=\"1\"", "from=\"0\" to=\"0\"", 16, "a way from 0 to 0: expected that from 0 to 1"},
        {"from=\"1\" to=\"2\"", "from=\"2\" to=\"1\"", 19, "a way from 2 to 1: expected that from 1 to 2"},
        {"    <way from=\"2\" to=\"1\" wires=\"0\"/>\n", "", 8, "5 ways between 3 nodes: expected 6"},
    };
    expect_flaws_refused(ways, flaws, sizeof flaws / sizeof flaws[0], read_model);
}

/* More nodes than there may be, though their ways would be right. */
static void refuses_too_many_nodes(void **state)
{
    (void)state;
    struct ct_text text = {0};
    struct ct_error error = {""};
    ct_text_append(&text, "%.*s", (int)(strstr(ways, "    <node") - ways), ways);
    for (int i = 0; i <= CT_NETWORK_ROUTES_MAX; i++)
        ct_text_append(&text, "<node slowness=\"1\"/>");
    ct_text_append(&text, "%s", strstr(ways, "    <wire"));
    assert_int_equal(read_model(text.data, text.length, "m.xml", &error), CT_E_INPUT);
    assert_non_null(strstr(error.text, "m.xml:8: 129 nodes: expected 2 to 128"));
    ct_text_free(&text);
}

/* Version 2: both channels within a node, and regimes. */
static const char both[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n"
                           "<model version=\"2\" name=\"both\">\n"
                           "  <source>x</source>\n"
                           "  <link kind=\"node\">\n"
                           "    <hockney alpha=\"1\" beta=\"0.5\"/>\n"
                           "  </link>\n"
                           "  <link kind=\"node\" channel=\"shared\">\n"
                           "    <hockney alpha=\"0.1\" beta=\"0\"/>\n"
                           "    <loggp latency=\"1\" overhead=\"2\" gap=\"3\" gap-per-byte=\"4e-12\"/>\n"
                           "    <regime from=\"49\">\n"
                           "      <hockney alpha=\"0.2\" beta=\"0.01\"/>\n"
                           "      <loggp latency=\"2\" overhead=\"3\" gap=\"4\" gap-per-byte=\"5e-12\"/>\n"
                           "    </regime>\n"
                           "    <regime from=\"2097152\">\n"
                           "      <hockney alpha=\"7\" beta=\"0.005\"/>\n"
                           "      <loggp latency=\"3\" overhead=\"4\" gap=\"5\" gap-per-byte=\"6e-12\"/>\n"
                           "    </regime>\n"
                           "  </link>\n"
                           "  <work gamma=\"0\" delta=\"0\"/>\n"
                           "</model>\n";

static struct ct_model parse(const char *text)
{
    struct ct_model model;
    struct ct_error error = {""};
    if (ct_model_parse(text, strlen(text), "m.xml", &error, &model) != CT_OK)
        fail_msg("%s", error.text);
    return model;
}

/* Shared memory is used, in whatever order the links stand; the other link is there, too. */
static void holds_both_channels_and_regimes(void **state)
{
    (void)state;
    struct ct_model model = parse(both);
    struct ct_error error = {""};
    struct ct_text text = {0};
    const struct ct_link *node = &model.links[CT_LINK_NODE];
    assert_int_equal(model.node_channel, CT_NODE_CHANNEL_SHARED);
    assert_int_equal(node->regime_count, 2);
    assert_true(ct_link_of_size(node, 0) == node && ct_link_of_size(node, 48) == node);
    assert_true(ct_link_of_size(node, 49) == &node->regimes[0]);
    assert_true(ct_link_of_size(node, 2097151) == &node->regimes[0]);
    assert_true(ct_link_of_size(node, 2097152)->hockney.alpha == 7);
    assert_true(node->regimes[1].loggp.gap == 5 && !node->regimes[1].known[CT_MODEL_PLOGP]);
    ct_model_format(&model, &text);
    assert_string_equal(text.data, both);

    assert_int_equal(ct_model_use_channel(&model, CT_NODE_CHANNEL_MPI, "m.xml", &error), CT_OK);
    assert_true(node->hockney.alpha == 1 && node->regime_count == 0);
    assert_true(ct_model_node_link(&model, CT_NODE_CHANNEL_SHARED)->regime_count == 2);
    ct_text_free(&text);
    ct_model_format(&model, &text);
    assert_string_equal(text.data, both);
    ct_text_free(&text);
    ct_model_free(&model);

    const char *first = strstr(both, "  <link kind=\"node\">"),
               *second = strstr(both, "  <link kind=\"node\" c");
    const char *work = strstr(both, "  <work");
    char *turned = ct_format("%.*s%.*s%.*s%s", (int)(first - both), both, (int)(work - second), second,
                             (int)(second - first), first, work);
    model = parse(turned);
    assert_int_equal(model.node_channel, CT_NODE_CHANNEL_SHARED);
    ct_model_format(&model, &text);
    assert_string_equal(text.data, both);
    free(turned);
    ct_text_free(&text);
    ct_model_free(&model);
}

static void refuses_flaws_of_version_2(void **state)
{
    (void)state;
    static const struct text_flaw flaws[] = {
        {"version=\"2\" name", "version=\"1\" name", 8,
         "a second link of the kind node: expected version=\"2\""},
        {" channel=\"shared\"", "", 8, "a second link of the kind node with the channel mpi"},
        {"from=\"49\"", "from=\"0\"", 11, "expected more than 0"},
        {"from=\"2097152\"", "from=\"49\"", 15, "expected more than 49"},
        {"from=\"49\"", "", 11, "expected <regime"},
        {"from=\"49\"", "from=\"-1\"", 11, "expected <regime"},
        {"      <hockney alpha=\"0.2\" beta=\"0.01\"/>\n", "", 11, "hockney: expected in the regime"},
        {"    <loggp latency=\"1\" overhead=\"2\" gap=\"3\" gap-per-byte=\"4e-12\"/>\n", "", 10,
         "loggp: expected in the regime"},
    };
    expect_flaws_refused(both, flaws, sizeof flaws / sizeof flaws[0], read_model);
    static const char regime[] = "  <link kind=\"node\" channel=\"shared\">";
    char *old = ct_format("<model version=\"1\" name=\"old\"><source>x</source>\n%s", strstr(both, regime));
    struct ct_model model;
    struct ct_error error = {""};
    assert_int_equal(ct_model_parse(old, strlen(old), "m.xml", &error, &model), CT_E_INPUT);
    assert_non_null(strstr(error.text, "m.xml:5: regimes: expected version=\"2\""));
    free(old);
}

static void cut_anywhere_it_is_refused(void **state)
{
    (void)state;
    const size_t end = strlen(whole) - strlen("</model>\n");
    for (size_t length = 0; length < end; length += 11) {
        struct ct_model model;
        struct ct_error error = {""};
        assert_int_equal(ct_model_parse(whole, length, "m.xml", &error, &model), CT_E_INPUT);
        assert_true(strncmp(error.text, "m.xml:", 6) == 0);
    }
}

/* Whole or not there: what exists is not overwritten, and what could not be read is not written. */
static void writes_what_can_be_read(void **state)
{
    (void)state;
    char folder[] = "model-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = ct_format("%s/m.xml", folder);
    struct ct_model model, back;
    struct ct_error error = {""};
    assert_int_equal(ct_model_parse(whole, strlen(whole), "m.xml", &error, &model), CT_OK);
    model.gamma = -1;
    assert_int_equal(ct_model_write(path, &model, &error), CT_E_INPUT);
    assert_int_not_equal(access(path, F_OK), 0);
    model.gamma = 1e-10;
    assert_int_equal(ct_model_write(path, &model, &error), CT_OK);
    assert_int_equal(ct_model_read(path, &error, &back), CT_OK);
    assert_string_equal(back.name, "whole");
    assert_int_equal(ct_model_write(path, &model, &error), CT_E_INPUT);
    ct_model_free(&back);
    ct_model_free(&model);
    free(path);
    assert_int_equal(ct_remove_all(folder, NULL), CT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_as_it_was),
        cmocka_unit_test(keeps_the_channel_within_a_node),
        cmocka_unit_test(refuses_flaws),
        cmocka_unit_test(holds_a_topology),
        cmocka_unit_test(refuses_flaws_of_a_topology),
        cmocka_unit_test(holds_routes),
        cmocka_unit_test(refuses_flaws_of_routes),
        cmocka_unit_test(refuses_too_many_nodes),
        cmocka_unit_test(holds_both_channels_and_regimes),
        cmocka_unit_test(refuses_flaws_of_version_2),
        cmocka_unit_test(cut_anywhere_it_is_refused),
        cmocka_unit_test(writes_what_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
