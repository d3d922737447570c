/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/xml.h"
#include "samples/run_xml.h"
#include "tests/base/text_flaws.h"
#include "tests/samples/run_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct ct_text fixture_text(void)
{
    struct ct_run_description description;
    struct ct_text text = {0};
    fixture_description(&description);
    ct_run_description_write(&description, &text);
    ct_run_description_free(&description);
    assert_false(text.failed);
    return text;
}

static void test_round_trip(void **state)
{
    (void)state;
    struct ct_text text = fixture_text(), again = {0};
    struct ct_run_description back;
    struct ct_error error = {""};
    if (ct_run_description_read(text.data, text.length, "run.xml", &error, &back) != CT_OK)
        fail_msg("%s", error.text);
    ct_run_description_write(&back, &again);
    assert_string_equal(text.data, again.data);
    assert_string_equal(back.launcher, "cluster \"a\" <b> & c");
    assert_string_equal(ct_run_property(&back, "machine.cpu"), "two\nlines\tand a tab");
    assert_string_equal(ct_run_property(&back, "env.NAME"), "");
    assert_null(ct_run_property(&back, "env.OTHER"));
    assert_int_equal(back.seed, 42);
    assert_true(back.most_seconds == 1.0 / 3);
    assert_int_equal(back.msg_sizes[2], 1048576);
    ct_run_description_free(&back);
    ct_text_free(&again);
    ct_text_free(&text);
}

static int read_description(const char *text, size_t length, const char *name, struct ct_error *error)
{
    struct ct_run_description description;
    int status = ct_run_description_read(text, length, name, error, &description);
    if (status == CT_OK)
        ct_run_description_free(&description);
    return status;
}

static void test_flaws(void **state)
{
    (void)state;
    static const struct text_flaw flaws[] = {
        {"</run>", "", 0, "well-formed"},
        {"<grid>", "<gird>", 0, "well-formed"},
        {"version=\"2\" tool", "version=\"1\" tool", 2, "expected <run version=\"2\""},
        {"version=\"2\" tool", "tool", 2, "expected <run version=\"2\""},
        {"2024-05-17T09:30:00Z", "yesterday", 2, "expected <run version=\"2\""},
        {"kind=\"simulated\"", "kind=\"dreamt\"", 3, "kind=\"real|simulated"},
        {"<backend", "<nonsense/><backend", 3, "expected <run"},
        {"time=\"global\"", "time=\"global\" more=\"1\"", 4, "expected <timing time=\"global|local"},
        {"barrier/dissemination", "somehow, I think", 4, "expected <timing time=\"global|local"},
        {"barrier/dissemination", "vote/hockney=1,loggp", 4, "expected <timing time=\"global|local"},
        {"seed=\"42\"", "seed=\"42\" by=\"rack\"", 4, "expected <timing time=\"global|local"},
        {"seed=\"42\"", "seed=\"42\" by=\"core,core,core,core,node\"", 4, "by has 5 mappings: expected one"},
        {"seed=\"42\"", "seed=\"42\" mode=\"asleep\"", 4, "expected <timing time=\"global|local"},
        {"seed=\"42\"", "seed=\"42\" mode=\"blocking,blocking,persistent\"", 4, "mode has 3 words: expected"},
        {"seed=\"42\"", "seed=\"42\" node-channel=\"pipe\"", 4, "expected <timing time=\"global|local"},
        {"seed=\"42\"", "seed=\"42\" yield-from=\"2,\"", 4, "expected <timing time=\"global|local"},
        {"seed=\"42\"", "seed=\"42\" yield-from=\"2\"", 4, "yield-from has 1 numbers: expected one"},
        {"seed=\"42\"", "seed=\"42\" validation=\"0,2\"", 4, "expected <timing time=\"global|local"},
        {"seed=\"42\"", "seed=\"42\" validation=\"1\"", 4, "validation has 1 numbers: expected one"},
        {"seed=\"42\"", "seed=\"-42\"", 4, "expected <timing time=\"global|local"},
        {"seed=\"42\"", "seed=\"99999999999999999999\"", 4, "seed"},
        {"precision=\"0.1\"", "precision=\"nan\"", 4, "expected <timing time=\"global|local"},
        {"precision=\"0.1\"", "precision=\"1e999\"", 4, "precision"},
        {"launches=\"2\"", "launches=\"0\"", 4, "launches"},
        {"least-repetitions=\"1\"", "least-repetitions=\"101\"", 4, "least-repetitions"},
        {"<collective name=\"bcast\"/>", "<collective name=\"bcst\"/>", 7, "unknown collective 'bcst'"},
        {"<collective name=\"bcast\"/>", "<collective name=\"barrier\"/>", 7, "given twice"},
        {"<collective name=\"bcast\"/>", "", 14, "belongs to no collective"},
        {"2,4,8<", "2,4,2<", 8, "twice"},
        {"2,4,8<", "0,4<", 8, "'0'"},
        {"2,4,8<", "2-8<", 8, "'2-8'"},
        {"2,4,8<", "2,<", 8, "''"},
        {"2,4,8<", "<", 8, "at least one"},
        {"2,4,8<", "99999999999<", 8, "99999999999"},
        {"1,8K,1M<", "<", 9, "message sizes for bcast"},
        {"bcast/native", "bcast/nativ", 14, "unknown algorithm"},
        {"bcast/native", "native", 14, "no collective"},
        {"seg=8K", "seg=8192", 15, "is spelled 'bcast/binomial:seg=8K'"},
        {"bcast/binomial:seg=8K", "bcast/native", 15, "given twice"},
        {"env.NAME", "machine.cpu", 20, "given twice"},
        {"env.NAME", "", 20, "<property name="},
        {"<run ", "<!DOCTYPE run [<!ENTITY a \"b\">]><run ", 2, "document type"},
        {"<run ", "<!DOCTYPE run SYSTEM \"http://example.org/run.dtd\"><run ", 2, "document type"},
        {"value=\"\"", "value=\"&unknown;\"", 20, "well-formed"},
        {"</properties>", "<a><a><a><a><a><a><a><a/></a></a></a></a></a></a></a></properties>", 21, "8 deep"},
    };
    struct ct_text good = fixture_text();
    expect_flaws_refused(good.data, flaws, sizeof flaws / sizeof flaws[0], read_description);
    ct_text_free(&good);
}

/* Cut anywhere, the file is refused. */
static void test_cut(void **state)
{
    (void)state;
    struct ct_text text = fixture_text();
    const size_t end = (size_t)(strstr(text.data, "</run>") - text.data) + strlen("</run>");
    for (size_t length = 0; length < end; length += 7) {
        struct ct_run_description description;
        struct ct_error error = {""};
        assert_int_equal(ct_run_description_read(text.data, length, "run.xml", &error, &description),
                         CT_E_INPUT);
        assert_true(strncmp(error.text, "run.xml:", 8) == 0);
    }
    ct_text_free(&text);
}

/* What XML cannot hold is replaced, all else comes through. */
static void test_escape(void **state)
{
    (void)state;
    static const struct {
        const char *value, *escaped;
    } cases[] = {{"a<b>&\"c\"", "a&lt;b&gt;&amp;&quot;c&quot;"},
                 {"\t\n\r", "&#9;&#10;&#13;"},
                 {"\x01\x1b[0m", "??[0m"},
                 {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9"},
                 {"\xff\xfe", "??"},
                 {"\xc3", "?"},
                 {"\xc0\x80", "??"},
                 {"\xed\xa0\x80", "???"},
                 {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ct_text text = {0};
        ct_xml_escape(&text, cases[i].value);
        assert_string_equal(text.data, cases[i].escaped);
        ct_text_free(&text);
    }
}

/* No schema, no reading: the file is named, and what to do. */
static void test_no_schema(void **state)
{
    (void)state;
    struct ct_text text = fixture_text();
    struct ct_run_description description;
    struct ct_error error = {""};
    setenv("COLLTUNE_DATA", "/nowhere", 1);
    assert_int_equal(ct_run_description_read(text.data, text.length, "run.xml", &error, &description),
                     CT_E_SYSTEM);
    assert_non_null(strstr(error.text, "COLLTUNE_DATA"));
    unsetenv("COLLTUNE_DATA");
    ct_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_flaws),     cmocka_unit_test(test_cut),
        cmocka_unit_test(test_escape),     cmocka_unit_test(test_no_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
