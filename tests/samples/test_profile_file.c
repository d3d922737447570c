/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "samples/profile_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER "rank,collective,mode,comm_size,msg_bytes,method,calls,bytes,seconds,waiting\n"
#define RANK_0                                                                                               \
    "0,bcast,blocking,4,64,\"chain:seg=8K,radix=4\",10,1000,0.500000000,0.250000000\n"                       \
    "0,barrier,blocking,4,0,native,1,0,0.1,0\n"
#define RANK_1                                                                                               \
    "1,bcast,blocking,4,64,native,10,1000,1.5,0.5\n"                                                         \
    "1,bcast,persistent,4,64,native,1,100,0.25,0\n"

static void adds_up_ranks(void **state)
{
    (void)state;
    const char *text = HEADER RANK_0 RANK_1;
    struct ct_error error = {""};
    struct ct_profile_file profile;
    struct ct_profile_cell *cells;
    size_t count;
    assert_int_equal(ct_profile_file_parse(text, strlen(text), "p.csv", &error, &profile), CT_OK);
    assert_int_equal(profile.count, 4);
    assert_int_equal(ct_profile_cells(&profile, &cells, &count), CT_OK);
    assert_int_equal(count, 3);
    assert_int_equal(cells[0].collective, CT_COLLECTIVE_BCAST);
    assert_int_equal(cells[0].mode, CT_MODE_BLOCKING);
    assert_int_equal(cells[0].msg_bytes, 64);
    assert_true(cells[0].calls == 20 && cells[0].bytes == 2000);
    assert_true(cells[0].seconds == 2.0 && cells[0].waiting == 0.75);
    assert_int_equal(cells[1].mode, CT_MODE_PERSISTENT);
    assert_int_equal(cells[2].collective, CT_COLLECTIVE_BARRIER);
    free(cells);
    ct_profile_file_free(&profile);
}

/* Each is wrong in one way. */
static const struct {
    const char *text;
    const char *place;
    const char *says;
} broken[] = {
    {"", "p.csv:1:", "header"},
    {"rank,collective,comm_size,msg_bytes,method,calls,seconds\n", "p.csv:1:", "header"},
    {HEADER "0,bcast,blocking,4,64,native,1,100,1\n", "p.csv:2:", "9 fields: expected 10"},
    {HEADER "x,bcast,blocking,4,64,native,1,100,1,0\n", "p.csv:2:", "rank"},
    {HEADER "0,broadcast,blocking,4,64,native,1,100,1,0\n", "p.csv:2:", "collective"},
    {HEADER "0,bcast,slow,4,64,native,1,100,1,0\n", "p.csv:2:", "blocking"},
    {HEADER "0,bcast,blocking,0,64,native,1,100,1,0\n", "p.csv:2:", "comm_size"},
    {HEADER "0,bcast,blocking,4,65,native,1,100,1,0\n", "p.csv:2:", "power of two"},
    {HEADER "0,barrier,blocking,4,64,native,1,100,1,0\n", "p.csv:2:", "no message size"},
    {HEADER "0,bcast,blocking,4,64,nonsense,1,100,1,0\n", "p.csv:2:", "nonsense"},
    {HEADER "0,bcast,blocking,4,64,native,0,100,1,0\n", "p.csv:2:", "calls"},
    {HEADER "0,bcast,blocking,4,64,native,1,-100,1,0\n", "p.csv:2:", "bytes"},
    {HEADER "0,bcast,blocking,4,0,native,1,100,1,0\n", "p.csv:2:", "bytes 100"},
    {HEADER "0,bcast,blocking,4,64,native,1,100,-1,0\n", "p.csv:2:", "seconds"},
    {HEADER "0,bcast,blocking,4,64,native,1,100,nan,0\n", "p.csv:2:", "seconds"},
    {HEADER "0,bcast,blocking,4,64,native,1,100,1,2\n", "p.csv:2:", "waiting 2"},
    {HEADER "0,bcast,blocking,4,64,native,1,100,1,0\n0,bcast", "p.csv:3:", "no end"},
};

static void refuses_what_is_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct ct_profile_file profile = {.count = 77};
        struct ct_error error = {""};
        int status = ct_profile_file_parse(broken[i].text, strlen(broken[i].text), "p.csv", &error, &profile);
        if (status != CT_E_INPUT || !strstr(error.text, broken[i].says) ||
            strncmp(error.text, broken[i].place, strlen(broken[i].place)) != 0 || strchr(error.text, '\n'))
            fail_msg("case %zu gives %d and says: %s", i, status, error.text);
        assert_int_equal(profile.count, 77);
    }
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char *path = ct_format("%s/%s", folder, name);
    assert_int_equal(ct_file_write(path, text, strlen(text), NULL), CT_OK);
    free(path);
}

/* Of a job that was ended, each rank has left a part, or none. */
static void reads_parts(void **state)
{
    (void)state;
    struct ct_error error = {""};
    struct ct_profile_file profile;
    char *folder;
    assert_int_equal(ct_folder_temporary(&error, &folder), CT_OK);
    char *path = ct_format("%s/p", folder);
    assert_int_equal(ct_profile_file_read(path, &error, &profile), CT_E_SYSTEM);
    assert_non_null(strstr(error.text, path));
    write_text(folder, "p.0", HEADER RANK_0);
    write_text(folder, "p.11", HEADER RANK_1);
    write_text(folder, "p.11.new", "half of a li");
    write_text(folder, "other.1", "something else");
    assert_int_equal(ct_profile_file_read(path, &error, &profile), CT_OK);
    assert_int_equal(profile.count, 4);
    ct_profile_file_free(&profile);
    write_text(folder, "p.12", "spoilt");
    assert_int_equal(ct_profile_file_read(path, &error, &profile), CT_E_INPUT);
    assert_non_null(strstr(error.text, "p.12:1:"));
    write_text(folder, "p", HEADER); /* the whole counts alone */
    assert_int_equal(ct_profile_file_read(path, &error, &profile), CT_OK);
    assert_int_equal(profile.count, 0);
    ct_profile_file_free(&profile);
    assert_int_equal(ct_remove_all(folder, &error), CT_OK);
    free(path);
    free(folder);
}

static void knows_classes(void **state)
{
    (void)state;
    assert_int_equal(ct_profile_class(0), 0);
    assert_int_equal(ct_profile_class(1), 1);
    assert_int_equal(ct_profile_class(1023), 512);
    assert_int_equal(ct_profile_class(1024), 1024);
    assert_true(ct_profile_class(SIZE_MAX) == SIZE_MAX / 2 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_up_ranks),
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(reads_parts),
        cmocka_unit_test(knows_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
