/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/point_foreign.h"
#include "samples/point_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NETPIPE                                                                                              \
    "       1 3.814697   0.00000200\n\n    1024 1562.500000   0.00000500\r\n    1024 1302.08 0.000006\n"
#define CONSOLE                                                                                              \
    "0: node1\n1: node2\nNow starting the main loop\n"                                                       \
    "  0:       1 bytes   5000 times -->      3.81 Mbps in       2.00 usec\n"                                \
    "  1:    1024 bytes   5000 times -->   1562.50 Mbps in       5.00 usec\n"
#define LATENCY "# Latency = 0.0000120\n"
#define LOGP    "# LogP network performance data: logp_test.Send.Recv\n" LATENCY TABLE
#define TABLE   "# time      bytes os        os_min    os_cnfint or        or_min    or_cnfint g\n"
#define ROW_0   "1000000000       0 0.0000010 0.0000009 0.0000001 0.0000020 0.0000019 0.0000001 0.0000040\n"
#define ROW_1   "1000000001    1024 0.0000000 0.0000009 0.0000001 0.0000030 0.0000019 0.0000001 0.0000080\n"

#define SKAMPI_ROW "count= 1        4       6.0       0.1       16       5.7       5.9\n"
#define SKAMPI(name, row)                                                                                    \
    "# SKaMPI Version 5.0.4 rev. 355\n\n# begin result \"" name "\"\n" row "# end result \"" name "\"\n"

/* Converts and reads back. */
static int convert(const char *text, const char *link, struct ct_error *error,
                   struct ct_point_samples *ret_samples)
{
    struct ct_text converted = {0};
    const struct ct_point_format *format = ct_point_format_of(text);
    if (!format)
        return CT_E_ANSWER;
    int status = ct_point_convert(format, link, text, "given", error, &converted);
    if (status == CT_OK)
        status = ct_point_samples_parse(converted.data, converted.length, "given", error, ret_samples);
    ct_text_free(&converted);
    return status;
}

/* The seconds of the first sample of a kind and size; 0 if there is none. */
static double seconds_of(const struct ct_point_samples *samples, enum ct_point_kind kind, size_t bytes)
{
    for (size_t i = 0; i < samples->sample_count; i++)
        if (samples->samples[i].kind == kind && samples->samples[i].bytes == bytes)
            return samples->samples[i].seconds;
    return 0;
}

static void test_netpipe(void **state)
{
    (void)state;
    struct ct_point_samples samples;
    struct ct_error error = {""};
    if (convert(NETPIPE, "network", &error, &samples) != CT_OK)
        fail_msg("%s", error.text);
    assert_string_equal(samples.about, "NetPIPE");
    assert_string_equal(samples.subjects[0], "network");
    assert_int_equal(samples.sample_count, 3);
    assert_true(seconds_of(&samples, CT_POINT_ROUND_TRIP, 1) == 4e-6);
    assert_true(seconds_of(&samples, CT_POINT_ROUND_TRIP, 1024) == 1e-5);
    ct_point_samples_free(&samples);

    if (convert(CONSOLE, "network", &error, &samples) != CT_OK)
        fail_msg("%s", error.text);
    assert_string_equal(samples.about, "NetPIPE");
    assert_int_equal(samples.sample_count, 2);
    assert_true(seconds_of(&samples, CT_POINT_ROUND_TRIP, 1) == 2 * (2.0 * 1e-6));
    assert_true(seconds_of(&samples, CT_POINT_ROUND_TRIP, 1024) == 2 * (5.0 * 1e-6));
    ct_point_samples_free(&samples);
    /* so slow that nothing of the rate is left */
    assert_int_equal(
        convert("0: 1 bytes 7 times --> 0.00 Mbps in 10000.00 usec\n", "network", &error, &samples), CT_OK);
    ct_point_samples_free(&samples);
}

static void test_logp(void **state)
{
    (void)state;
    struct ct_point_samples samples;
    struct ct_error error = {""};
    if (convert(LOGP ROW_0 ROW_1, "node", &error, &samples) != CT_OK)
        fail_msg("%s", error.text);
    assert_string_equal(samples.about, "logp_mpi");
    assert_string_equal(samples.subjects[0], "node");
    assert_int_equal(samples.sample_count, 6);
    assert_true(seconds_of(&samples, CT_POINT_ROUND_TRIP, 0) == 2 * (0.000012 + 0.000004));
    assert_true(seconds_of(&samples, CT_POINT_ROUND_TRIP, 1024) == 2 * (0.000012 + 0.000008));
    assert_true(seconds_of(&samples, CT_POINT_SEND, 0) == 1e-6);
    assert_true(seconds_of(&samples, CT_POINT_SEND, 1024) == 0); /* below its last digit */
    assert_true(seconds_of(&samples, CT_POINT_RECEIVE, 1024) == 3e-6);
    assert_true(seconds_of(&samples, CT_POINT_GAP, 0) == 4e-6);
    assert_true(seconds_of(&samples, CT_POINT_GAP, 1024) == 0);
    ct_point_samples_free(&samples);
}

/* Only round trips of blocking standard sends are taken. */
static void test_skampi(void **state)
{
    (void)state;
    struct ct_point_samples samples;
    struct ct_error error = {""};
    if (convert(SKAMPI("Pingpong_Ssend_Recv", SKAMPI_ROW) SKAMPI("MPI_Bcast-procs", SKAMPI_ROW)
                    SKAMPI("Pingpong_Send_Recv", SKAMPI_ROW "count= 2 8 7.0 0.1 16 5.7 5.9\n"),
                "node", &error, &samples) != CT_OK)
        fail_msg("%s", error.text);
    assert_string_equal(samples.about, "SKaMPI");
    assert_int_equal(samples.sample_count, 2);
    assert_true(seconds_of(&samples, CT_POINT_ROUND_TRIP, 4) == 6e-6);
    assert_true(seconds_of(&samples, CT_POINT_ROUND_TRIP, 8) == 7e-6);
    ct_point_samples_free(&samples);
}

#define OSU "modules 1 2 3\n# OSU MPI Latency Test v7.0\n# Size          Latency (us)\n"
#define INTEL                                                                                                \
    "# Benchmarking PingPong \n# #processes = 2 \n       #bytes #repetitions      t[usec]   Mbytes/sec\n"
#define PINGPING                                                                                             \
    "# Benchmarking PingPongAnySource \n#bytes #repetitions t[usec] Mbytes/sec\n 1 1000 9.00 2.50\n\n"
#define BCAST "# OSU MPI Broadcast Latency Test v7.0\n# Size       Avg Latency(us)\n1 9.00\n"

/* Of all tables only that of the ping-pong is taken. */
static void test_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } files[] = {
        {BCAST "\n" OSU "0 0.25\n1024 0.50\n\n" BCAST, "OSU micro-benchmarks"},
        {"# OSU MPI Latency Test v7.4\r\n# Datatype: MPI_CHAR.\r\n# Size       Avg Latency(us)\r\n"
         "0 0.25\r\n1024 0.50\r\n",
         "OSU micro-benchmarks"},
        /* only a row can be cut, and one as long as the row before is not */
        {OSU "0    0.25\n1024 0.50", "OSU micro-benchmarks"},
        {OSU "0 0.25 Pass\n1024 0.50 Pass\n# duration", "OSU micro-benchmarks"},
        {PINGPING INTEL "  0 1000 0.25 0.00\n 1024 1000 0.50 2048.00\n\n" PINGPING, "Intel MPI Benchmarks"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct ct_point_samples samples;
        struct ct_error error = {""};
        if (convert(files[i].text, "node", &error, &samples) != CT_OK)
            fail_msg("%s", error.text);
        assert_string_equal(samples.about, files[i].name);
        assert_int_equal(samples.sample_count, 2);
        assert_true(seconds_of(&samples, CT_POINT_ROUND_TRIP, 0) == 5e-7);
        assert_true(seconds_of(&samples, CT_POINT_ROUND_TRIP, 1024) == 1e-6);
        ct_point_samples_free(&samples);
    }
}

static void test_flaws(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } flaws[] = {
        {NETPIPE "8 1\n", "given:5: 2 words: expected bytes, megabits a second, seconds"},
        {NETPIPE "8 1 1 1\n", "given:5: 4 words"},
        {NETPIPE "8.5 1 1\n", "given:5: '8.5': expected a number of bytes"},
        {NETPIPE "-8 1 1\n", "'-8': expected a number of bytes"},
        {NETPIPE "8 x 1\n", "'x': expected megabits a second"},
        {NETPIPE "8 -1 1\n", "'-1': expected megabits a second"},
        {NETPIPE "8 1 0\n", "'0': expected seconds from"},
        {NETPIPE "8 1 nan\n", "'nan': expected seconds from"},
        {NETPIPE "8 1 1e9\n", "'1e9': expected seconds from"},
        {NETPIPE "1024 1562.5 5\n", "1024 bytes in 5 s are not 1562.5 Mbps"},
        {"1024 0.000005 1562.5\n", "'1562.5': expected seconds from"},
        {CONSOLE "  2: 8 bytes 9 times -->\n",
         "given:6: expected 'N: BYTES bytes N times --> RATE Mbps in TIME"},
        {CONSOLE "  2: 8 bytes 9 times --> 1.0 Gbps in 1.0 usec\n", "given:6: expected 'N: BYTES bytes"},
        {CONSOLE "  2: 8 bytes 9 times --> 1.0 Mbps in -1 usec\n",
         "given:6: '-1': expected microseconds from"},
        {CONSOLE "  2: 8 bytes 9 times --> x Mbps in 1 usec\n", "given:6: 'x': expected megabits a second"},
        {CONSOLE "  2: 1024 bytes 9 times --> 9999 Mbps in 5.0 usec\n",
         "1024 bytes in 5e-06 s are not 9999 Mbps"},
        {LOGP, "no samples"},
        {"# LogP network performance data: x\n" TABLE ROW_0, "given:3: expected the line '# Latency"},
        {"# LogP network performance data: x\n# Latency = fast\n",
         "given:2: 'fast': expected seconds from 0"},
        {"# LogP network performance data: x\n# Latency = -1\n", "given:2: '-1': expected seconds from 0"},
        {LOGP "1 2 3\n", "given:4: 3 words: expected a row of the 9 columns"},
        {LOGP "1 x 0 0 0 0 0 0 1e-6\n", "'x': expected a number of bytes"},
        {LOGP "1 8 x 0 0 0 0 0 1e-6\n", "'x': expected seconds from 0"},
        {LOGP "1 8 0 0 0 x 0 0 1e-6\n", "'x': expected seconds from 0"},
        {LOGP "1 8 0 0 0 0 0 0 0.0000000\n", "'0.0000000': expected seconds from 1e-10"},
        {SKAMPI("Pingpong_Send_Recv", "count= 1 4 0.0 0.0 16 0.0 0.0\n"), "given:4: a time of 0 us"},
        {SKAMPI("Pingpong_Send_Recv", "count= 1 4 0.00001 0.0 16 0.0 0.0\n"),
         "given:4: a time of 1e-05 us: expected microseconds from 0.0001 to 1e+08"},
        {SKAMPI("Pingpong_Send_Recv", "count= 1 4 1e300 0.0 16 5.7 5.9\n"), "given:4: a time of 1e+300 us"},
        {SKAMPI("Pingpong_Send_Recv", "count= 1 4 6.0 0.0 16 5.7\n"),
         "given:4: 1 times of ranks: expected two"},
        {SKAMPI("Pingpong_Send_Recv", "count= 1 6.0 0.0 16 5.7 5.7\n"), "given:4: a row without its bytes"},
        {SKAMPI("Pingpong_Send_Recv", "count= 1 x\n"), "given:4: 'x': expected a number of bytes"},
        {SKAMPI("MPI_Bcast", SKAMPI_ROW),
         "given: holds no result of Pingpong_Send_Recv; `colltune import` reads"},
        {OSU "1\n", "given:4: expected a row of bytes and microseconds"},
        {OSU "1K 0.25\n", "given:4: '1K': expected a number of bytes"},
        {OSU "1 0.00\n", "given:4: '0.00': expected microseconds from 0.0001 to 1e+08"},
        {OSU "1 1e180\n", "given:4: '1e180': expected microseconds from 0.0001 to 1e+08"},
        {OSU "1 fast\n", "'fast': expected microseconds"},
        {OSU "1 0.25\nmpiexec: killed\n", "given:5: 'mpiexec:': expected a number of bytes"},
        {OSU "1 0.25\n2 0.25 7\n", "given:5: 3 words: expected 2, as in the rows above"},
        {OSU "1 0.25 Pass\n2 0.25\n", "given:5: 2 words: expected 3, as in the rows above"},
        {OSU "1 0.25 Pass\n2 0.25 Fail\n", "given:5: 'Fail': expected a number, or Pass"},
        /* cut within the last number, which is still one */
        {NETPIPE "1024 1302.08 0.00000", "given:5: '0.00000': expected seconds"},
        {NETPIPE "8 61.04 0.000001", "given:5: the file ends within this row, which is shorter than"},
        {CONSOLE "  2: 8 bytes 9 times --> 61.04 Mbps in 1.0 usec", "given:6: the file ends within this row"},
        {LOGP ROW_0 "1 8 0 0 0 0 0 0 0.00000", "given:5: '0.00000': expected seconds"},
        {LOGP ROW_0 "1 8 0 0 0 0 0 0 0.00001", "given:5: the file ends within this row"},
        {OSU "1 0.25\n2 1", "given:5: the file ends within this row"},
        {INTEL "0 1000 0.20 0.00\n1 1000 0.25 4.0", "given:5: the file ends within this row"},
        {"# OSU MPI Latency Test v7.0\n# Size Latency (ms)\n1 1\n", "given:2: expected a column of micro"},
        {INTEL "1 1000 time-out.;\n", "given:4: 'time-out.;': expected microseconds"},
        {INTEL "1 1000\n", "given:4: expected a row of bytes and microseconds"},
        {"# Benchmarking PingPong \n#bytes #repetitions t_min[usec]\n1 1 1\n", "no samples"},
        {"# begin result \"Pingpong_Send_Recv\"\n" SKAMPI_ROW, "the end of the file within the result"},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        struct ct_point_samples samples;
        struct ct_error error = {""};
        int status = convert(flaws[i].text, "node", &error, &samples);
        if (status != CT_E_INPUT || !strstr(error.text, flaws[i].words))
            fail_msg("flaw %zu: expected '%s', got %d: '%s'", i, flaws[i].words, status, error.text);
    }
}

/* Files of others, and our own, are none of these. */
static void test_unknown(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",         "\n",
        "1 2\n",    "1 2 3 4\n",
        "a b c\n",  "1,2,3\n",
        BCAST,      PINGPING,
        "# LogP\n", "colltune point-to-point 1: here\nkind,subject,partner,bytes,rep,seconds\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_null(ct_point_format_of(texts[i]));
    assert_non_null(ct_point_format_of(NETPIPE));
    assert_non_null(ct_point_format_of(LOGP));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_netpipe), cmocka_unit_test(test_logp),
                                       cmocka_unit_test(test_skampi),  cmocka_unit_test(test_tables),
                                       cmocka_unit_test(test_flaws),   cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
