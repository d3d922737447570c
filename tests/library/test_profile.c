/* SPDX-License-Identifier: BSD-3-Clause */
/* What a profile adds up, from times that are given. */
#include "base/file.h"
#include "library/decide/profile.h"
#include "library/decide/tuner.h"
#include "samples/profile_file.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct ct_choice choice_of(const char *spelling)
{
    struct ct_choice choice = {.calls = 0};
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, NULL, &choice.method), CT_OK);
    ct_method_format(&choice.method, true, choice.spelling);
    return choice;
}

static struct ct_call call_of(size_t bytes)
{
    return (struct ct_call){.size = 4, .count = bytes, .unit_bytes = 1};
}

static char *part_of(const char *folder)
{
    return ct_format("%s/profile.3", folder);
}

static void check_text(const char *folder, const char *expected)
{
    char *path = part_of(folder), *text;
    size_t length;
    assert_int_equal(ct_file_read(path, NULL, &text, &length), CT_OK);
    assert_string_equal(text, expected);
    free(text);
    free(path);
}

#define HEADER "rank,collective,mode,comm_size,msg_bytes,method,calls,bytes,seconds,waiting\n"

static void writes_sums(void **state)
{
    (void)state;
    const struct ct_choice chain = choice_of("bcast/chain:seg=8K,radix=4");
    struct ct_call small = call_of(70), larger = call_of(127);
    char *folder, *path;
    assert_int_equal(ct_folder_temporary(NULL, &folder), CT_OK);
    path = ct_format("%s/profile", folder);
    struct ct_profile *profile = ct_profile_make(path, 3, false);
    assert_non_null(profile);
    ct_profile_write_part(profile);
    check_text(folder, HEADER);
    ct_profile_add(profile, CT_MODE_BLOCKING, &chain, &small, 3000000000);
    ct_profile_add(profile, CT_MODE_BLOCKING, &chain, &larger, 1000000001);
    ct_profile_write_part(profile);
    check_text(folder,
               HEADER "3,bcast,blocking,4,64,\"chain:seg=8K,radix=4\",2,197,4.000000001,1.999999999\n");
    ct_profile_write_part(NULL);
    assert_int_equal(ct_remove_all(folder, NULL), CT_OK);
    free(path);
    free(folder);
}

/* What differs in a column has a line of its own. */
static void keeps_apart(void **state)
{
    (void)state;
    const struct ct_choice native = choice_of("bcast/native"), ring = choice_of("allgather/ring");
    char *folder, *path;
    assert_int_equal(ct_folder_temporary(NULL, &folder), CT_OK);
    path = ct_format("%s/profile", folder);
    struct ct_profile *profile = ct_profile_make(path, 3, false);
    assert_non_null(profile);
    for (size_t i = 0; i < 2000; i++) { /* bytes of all classes, so that buckets have several lines */
        struct ct_call call = call_of(i % 50 == 0 ? 0 : (size_t)1 << i % 50);
        call.size = 2 + (int)(i / 100);
        ct_profile_add(profile, CT_MODE_BLOCKING, &native, &call, 1);
        ct_profile_add(profile, CT_MODE_PERSISTENT, &native, &call, 1);
        ct_profile_add(profile, CT_MODE_BLOCKING, &ring, &call, 1);
    }
    ct_profile_write_part(profile);
    struct ct_profile_file file;
    assert_int_equal(ct_profile_file_read(path, NULL, &file), CT_OK); /* the part: there is no whole */
    assert_int_equal(file.count, 3 * 1000);
    for (size_t i = 0; i < file.count; i++)
        assert_int_equal(file.lines[i].calls, 2);
    ct_profile_file_free(&file);
    assert_int_equal(ct_remove_all(folder, NULL), CT_OK);
    free(path);
    free(folder);
}

enum { THREADS = 4, ROUNDS = 20000 };

struct shared {
    struct ct_profile *profile;
    struct ct_choice choice;
};

static void *add_many(void *given)
{
    const struct shared *shared = given;
    for (size_t i = 0; i < ROUNDS; i++) {
        const struct ct_call call = call_of((size_t)1 << i % 20);
        ct_profile_add(shared->profile, CT_MODE_BLOCKING, &shared->choice, &call, 1 + i % 20);
    }
    return NULL;
}

static void counts_calls_of_threads(void **state)
{
    (void)state;
    char *folder, *path;
    pthread_t threads[THREADS];
    assert_int_equal(ct_folder_temporary(NULL, &folder), CT_OK);
    path = ct_format("%s/profile", folder);
    struct shared shared = {ct_profile_make(path, 3, true), choice_of("bcast/native")};
    assert_non_null(shared.profile);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, &shared), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ct_profile_write_part(shared.profile);
    struct ct_profile_file file;
    assert_int_equal(ct_profile_file_read(path, NULL, &file), CT_OK);
    assert_int_equal(file.count, 20);
    for (size_t i = 0; i < file.count; i++) {
        assert_int_equal(file.lines[i].calls, THREADS * ROUNDS / 20);
        assert_int_equal(file.lines[i].bytes, file.lines[i].calls * file.lines[i].msg_bytes);
        assert_true(file.lines[i].waiting == 0); /* calls of a line took equally long */
    }
    ct_profile_file_free(&file);
    assert_int_equal(ct_remove_all(folder, NULL), CT_OK);
    free(path);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_sums),
        cmocka_unit_test(keeps_apart),
        cmocka_unit_test(counts_calls_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
