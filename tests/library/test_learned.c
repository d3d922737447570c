/* SPDX-License-Identifier: BSD-3-Clause */
/* What is written and printed of classes of calls that have ended, from times that are given. */
#include "base/file.h"
#include "library/adapt/learned.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The tuner of this process, as far as learned.c asks for it. */
static struct ct_tuner tuner;

const struct ct_tuner *ct_tuner(void)
{
    return &tuner;
}

static struct ct_choice choice_of(const char *spelling)
{
    struct ct_choice choice = {.calls = 0};
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, NULL, &choice.method), CT_OK);
    return choice;
}

static const struct ct_features features = {.value = {
                                                [CT_FEATURE_COMM_SIZE] = 4,
                                                [CT_FEATURE_MSG_BYTES] = 400,
                                                [CT_FEATURE_NODES] = 2,
                                                [CT_FEATURE_PPN] = 2,
                                            }};

/* Three classes: the table's method is kept, another one is chosen after a trial, and another one is
 * predicted, so that no time of the table's is known. */
static void add_classes(void)
{
    const struct ct_choice ring = choice_of("allreduce/ring"), native = choice_of("allreduce/native");
    struct ct_learned_class class = {.features = &features, .decided = &ring, .chosen = &ring};
    ct_learned_add_class(&class);
    class.chosen = &native;
    class.is_settled = true;
    class.chosen_seconds = 7.1e-7;
    class.decided_seconds = 4.1e-5;
    ct_learned_add_class(&class);
    class.decided_seconds = 0;
    ct_learned_add_class(&class);
}

/* Does ct_learned_print() print this on standard error? */
static void check_print(const char *expected)
{
    char text[1024];
    FILE *file = tmpfile();
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    assert_non_null(file);
    assert_true(kept >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    ct_learned_print();
    fflush(stderr);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

#define SUMMARY "colltune: 3 classes of calls adapted: 2 settled, 2 changed\n"
#define CHANGED "colltune: allreduce of 400 bytes on 4 ranks: native (0.71 us) instead of ring"

static void summary_is_printed_if_asked_for(void **state)
{
    (void)state;
    static const struct {
        int verbose;
        int rank;
        const char *expected;
    } cases[] = {{0, 0, ""}, {1, 0, SUMMARY}, {2, 0, SUMMARY CHANGED " (41 us)\n" CHANGED "\n"}, {2, 1, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tuner = (struct ct_tuner){.configuration = {.verbose = cases[i].verbose}, .rank = cases[i].rank};
        add_classes();
        check_print(cases[i].expected);
        check_print("");
    }
}

/* Nothing of what was printed is counted again. */
static void each_summary_counts_anew(void **state)
{
    (void)state;
    tuner = (struct ct_tuner){.configuration = {.verbose = 1}};
    add_classes();
    check_print(SUMMARY);
    add_classes();
    check_print(SUMMARY);
    const struct ct_choice ring = choice_of("allreduce/ring");
    ct_learned_add_class(
        &(struct ct_learned_class){.features = &features, .decided = &ring, .chosen = &ring});
    check_print("colltune: 1 class of calls adapted: 0 settled, 0 changed\n");
}

static void times_are_written(void **state)
{
    (void)state;
    const struct ct_choice chain = choice_of("bcast/chain:seg=8K,radix=4");
    char *folder, *path, *text;
    size_t length;
    assert_int_equal(ct_folder_temporary(NULL, &folder), CT_OK);
    path = ct_format("%s/learned.csv", folder);
    tuner = (struct ct_tuner){.configuration = {.learned = path}};
    ct_learned_write();
    assert_int_not_equal(access(path, F_OK), 0);
    ct_learned_add(&chain, &features, 1.25e-6);
    tuner.rank = 1;
    ct_learned_add(&chain, &features, 1);
    tuner.rank = 0;
    ct_learned_write();
    assert_int_equal(ct_file_read(path, NULL, &text, &length), CT_OK);
    assert_string_equal(text, "collective,method,nodes,ppn,comm_size,msg_bytes,seconds\n"
                              "bcast,\"chain:seg=8K,radix=4\",2,2,4,400,1.25e-06\n");
    free(text);
    unlink(path);
    rmdir(folder);
    free(path);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_is_printed_if_asked_for),
        cmocka_unit_test(each_summary_counts_anew),
        cmocka_unit_test(times_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
