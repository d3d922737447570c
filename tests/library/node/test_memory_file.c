/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory in a file without a name: another process finds it by what it is told, and nothing else. */
#include "library/node/memory_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { BYTES = 3 * 4096 };

struct made {
    struct ct_memory_file file;
    unsigned char *memory;
};

static int make(void **state)
{
    struct made *made = calloc(1, sizeof *made);
    *state = made;
    if (made)
        made->memory = ct_memory_file_make(BYTES, &made->file);
    return made && made->memory ? 0 : -1;
}

static int release(void **state)
{
    struct made *made = *state;
    ct_memory_file_close(&made->file);
    ct_memory_file_unmap(made->memory, BYTES);
    free(made);
    return 0;
}

/* Asks a process that has not mapped the memory whether it finds it, and lets it write there. */
static bool is_found_by_another(const struct made *made, size_t bytes)
{
    int status;
    const pid_t process = fork();
    if (process == 0) {
        ct_memory_file_unmap(made->memory, BYTES);
        unsigned char *found = ct_memory_file_map(&made->file, bytes);
        if (found)
            found[BYTES - 1]++;
        _exit(found ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    assert_true(process > 0);
    assert_int_equal(waitpid(process, &status, 0), process);
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

static void another_process_writes_into_the_memory(void **state)
{
    const struct made *made = *state;
    static const unsigned char zeros[BYTES];
    assert_memory_equal(made->memory, zeros, BYTES);
    assert_true(is_found_by_another(made, BYTES));
    assert_int_equal(made->memory[BYTES - 1], 1);
    assert_true(is_found_by_another(made, BYTES));
    assert_int_equal(made->memory[BYTES - 1], 2);
}

static void other_memory_is_not_found(void **state)
{
    struct made *made = *state, other = *made;
    other.file.secret ^= 1;
    assert_false(is_found_by_another(&other, BYTES));
    other = *made;
    other.file.process = 0; /* no process has this number */
    assert_false(is_found_by_another(&other, BYTES));
    other.file = (struct ct_memory_file){.file = -1};
    assert_false(is_found_by_another(&other, BYTES));
    assert_false(is_found_by_another(made, BYTES + 1));
    assert_false(is_found_by_another(made, BYTES - 1));
    assert_true(is_found_by_another(made, BYTES));
}

/* The number of a file may be that of something else by the time that it is looked for. */
static void what_has_the_number_now_is_not_taken(void **state)
{
    struct made *made = *state;
    int ends[2];
    const struct made before = *made;
    assert_int_equal(pipe(ends), 0);
    ct_memory_file_close(&made->file);
    assert_true(made->file.file < 0);
    assert_false(is_found_by_another(&before, BYTES));
    assert_int_equal(dup2(ends[0], (int)before.file.file), (int)before.file.file);
    assert_false(is_found_by_another(&before, BYTES));
    made->memory[0] = 7; /* it stays */
    close((int)before.file.file);
    close(ends[0]);
    close(ends[1]);
}

static void a_process_without_files_has_no_memory(void **state)
{
    struct rlimit limit, none;
    struct ct_memory_file file = {.file = 3};
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    unsigned char *memory = ct_memory_file_make(BYTES, &file);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_null(memory);
    assert_true(file.file < 0);
    assert_null(ct_memory_file_map(&file, BYTES));
    ct_memory_file_close(&file);
    ct_memory_file_unmap(memory, BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(another_process_writes_into_the_memory, make, release),
        cmocka_unit_test_setup_teardown(other_memory_is_not_found, make, release),
        cmocka_unit_test_setup_teardown(what_has_the_number_now_is_not_taken, make, release),
        cmocka_unit_test(a_process_without_files_has_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
