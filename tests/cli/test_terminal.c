/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress keeps to one line of the terminal, however narrow this is: a longer one would not be written over.
 */
#include "cli/command.h"
#include "cli/terminal.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

/* Shows the progress on a terminal of so many columns, in place of standard error, ten seconds after `begin`.
 * 0: the terminal does not say. */
static void show_after(unsigned short columns, const struct ct_progress *begin,
                       const struct ct_progress *progress, char *ret_shown, size_t size)
{
    const struct ct_command command = {.name = "wait"};
    const struct winsize window = {.ws_row = 24, .ws_col = columns};
    const double longer_than_patience = 10;
    struct ct_bar bar;
    int screen = posix_openpt(O_RDWR | O_NOCTTY), before = dup(STDERR_FILENO);
    assert_true(screen >= 0 && grantpt(screen) == 0 && unlockpt(screen) == 0);
    int terminal = open(ptsname(screen), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && ioctl(terminal, TIOCSWINSZ, &window) == 0);
    assert_true(dup2(terminal, STDERR_FILENO) >= 0);
    const struct ct_watch watch = ct_bar_watch(&bar, &command);
    ct_watch_progress(&watch, begin);
    bar.begun -= longer_than_patience;
    ct_watch_progress(&watch, progress);
    dup2(before, STDERR_FILENO);
    ssize_t length = read(screen, ret_shown, size - 1);
    assert_true(length > 0);
    ret_shown[length] = '\0';
    close(before);
    close(terminal);
    close(screen);
}

static void show(unsigned short columns, const struct ct_progress *progress, char *ret_shown, size_t size)
{
    const struct ct_progress begin = {.what = progress->what, .units = progress->units, .total = 100};
    show_after(columns, &begin, progress, ret_shown, size);
}

/* The shown line without what moves the cursor to its begin and wipes the rest of it. */
static char *line_of(char *shown)
{
    char *end = strstr(shown, "\033[K");
    assert_int_equal(shown[0], '\r');
    assert_non_null(end);
    *end = '\0';
    assert_null(strpbrk(shown + 1, "\r\n\033"));
    return shown + 1;
}

static void test_width(void **state)
{
    (void)state;
    const struct ct_progress progress = {.what = "reduce_scatter_block",
                                         .units = "communicator sizes",
                                         .done = 25,
                                         .total = 100,
                                         .note = "reduce_scatter_block of 1M bytes on 1024 ranks"};
    const unsigned short widths[] = {1, 2, 10, 40, 79, 80, 81, 100, 132, 140, 200};
    char shown[1024];
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        show(widths[i], &progress, shown, sizeof shown);
        assert_true(strlen(line_of(shown)) < widths[i]);
    }
    show(200, &progress, shown, sizeof shown);
    assert_string_equal(
        line_of(shown),
        "reduce_scatter_block [#####...............]  25 %  25 communicator sizes done, 75 left, "
        "30 s to go  reduce_scatter_block of 1M bytes on 1024 ranks");
    show(0, &progress, shown, sizeof shown);
    assert_int_equal(strlen(line_of(shown)), 79);
}

static void test_short_bar(void **state)
{
    (void)state;
    const struct ct_progress progress = {
        .what = "bcast", .units = "communicator sizes", .done = 50, .total = 100};
    char shown[1024];
    show(74, &progress, shown, sizeof shown);
    assert_string_equal(line_of(shown),
                        "bcast [#####.....]  50 %  50 communicator sizes done, 50 left, 10 s to go");
    show(66, &progress, shown, sizeof shown);
    assert_string_equal(line_of(shown), "bcast  50 %  50 communicator sizes done, 50 left, 10 s to go");
}

/* A part of the next unit counts as a part of it, also of the only one. */
static void test_part(void **state)
{
    (void)state;
    const struct ct_progress part = {.done = 3, .total = 4};
    const struct ct_progress whole = {.what = "learning", .units = "collectives", .total = 1};
    char shown[1024];
    show_after(80, &whole, &part, shown, sizeof shown);
    assert_string_equal(line_of(shown),
                        "learning [###############.....]  75 %  0 collectives done, 1 left, 3 s to go");
}

static void test_one(void **state)
{
    (void)state;
    const struct ct_progress begin = {.what = "measuring", .units = "cells", .total = 2};
    const struct ct_progress progress = {.what = "measuring", .units = "cells", .done = 1, .total = 2};
    char shown[1024];
    show_after(80, &begin, &progress, shown, sizeof shown);
    assert_string_equal(line_of(shown),
                        "measuring [##########..........]  50 %  1 cell done, 1 left, 10 s to go");
}

/* As in a sweep whose time may be up before all cells are measured. */
static void test_limit(void **state)
{
    (void)state;
    const struct ct_progress begin = {.what = "measuring", .units = "cells", .total = 2305};
    const struct ct_progress progress = {
        .what = "measuring", .units = "cells", .done = 1, .total = 2305, .is_at_most = true, .share = 0.5};
    char shown[1024];
    show_after(80, &begin, &progress, shown, sizeof shown);
    assert_string_equal(line_of(shown),
                        "measuring [##########.........]  50 %  1 of at most 2305 cells done, 10 s to go");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_width), cmocka_unit_test(test_short_bar),
                                       cmocka_unit_test(test_part), cmocka_unit_test(test_one),
                                       cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
