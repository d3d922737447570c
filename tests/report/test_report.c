/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/process.h"
#include "decision/table.h"
#include "report/choices.h"
#include "report/report.h"
#include "synthetic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAPS = 2 };

/* A run with barrier and bcast, a table for bcast, and a validation of one point; in a folder of its own. */
struct fixture {
    char folder[64];
    char *path; /* for the report */
    struct ct_map maps[MAPS];
    struct ct_decision_tree tree;
    struct ct_table_run run;
    struct ct_table_tree origin;
    struct ct_table table;
    struct ct_property property;
    struct ct_run_description description;
    struct ct_report_table named;
    struct ct_validation_point point;
    struct ct_validation validation;
    struct ct_report report;
};

static char hostile[] = "<script>alert('x')</script> & \"q\"";
static char plain[] = "quadtree";
static char property_name[] = "machine.cpu";

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/colltune-test.XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    f->path = ct_format("%s/report's", f->folder);
    f->maps[0] = synthetic_map(CT_COLLECTIVE_BARRIER, "2-9", "0");
    f->maps[1] = synthetic_map(CT_COLLECTIVE_BCAST, "2-12", "1-1M*4");
    f->tree = synthetic_tree(CT_COLLECTIVE_BCAST, (const char *const[]){"binomial", "pipeline:seg=1K",
                                                                        "native", "split_binary:seg=8K"});
    f->run = (struct ct_table_run){.name = hostile};
    f->origin = (struct ct_table_tree){.learner = plain, .options = hostile};
    f->table =
        (struct ct_table){.runs = &f->run, .run_count = 1, .decisions = {&f->tree, 1}, .trees = &f->origin};
    f->named = (struct ct_report_table){hostile, &f->table};
    f->property = (struct ct_property){.name = property_name, .value = hostile};
    f->description.properties = &f->property;
    f->description.property_count = 1;
    f->point = (struct ct_validation_point){
        CT_COLLECTIVE_BCAST, {.comm_size = 4, .msg_bytes = 8}, f->tree.methods[0], 1e-5, 2e-5};
    f->validation = (struct ct_validation){&f->point, 1};
    f->report = (struct ct_report){.name = hostile,
                                   .description = &f->description,
                                   .maps = f->maps,
                                   .map_count = MAPS,
                                   .tables = &f->named,
                                   .table_count = 1,
                                   .validation = &f->validation};
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    ct_remove_all(f->folder, NULL);
    for (int i = 0; i < MAPS; i++)
        ct_map_free(&f->maps[i]);
    ct_tree_free(&f->tree);
    free(f->path);
    free(f);
    return 0;
}

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}

static bool have_gnuplot(void)
{
    char *path = ct_program_find("gnuplot");
    free(path);
    return path != NULL;
}

static void page_is_whole_and_safe(void **state)
{
    struct fixture *f = *state;
    struct ct_error error = {""};
    if (!have_gnuplot())
        skip();
    if (ct_report_write(&f->report, f->path, &error) != CT_OK)
        fail_msg("%s", error.text);
    char *file = ct_format("%s/index.html", f->path), *page;
    size_t length;
    assert_int_equal(ct_file_read(file, &error, &page, &length), CT_OK);
    /* barrier: best, native, curves; bcast: best, native, the table's two, four curves; a map to validate */
    assert_int_equal(occurrences(page, "<svg"), 3 + 8 + 1);
    assert_int_equal(occurrences(page, "</svg>"), 3 + 8 + 1);
    assert_int_equal(occurrences(page, "<figure>"), occurrences(page, "</figure>"));
    assert_int_equal(occurrences(page, "<section"), MAPS + 1);
    assert_int_equal(occurrences(page, "<script"), 0);
    assert_true(occurrences(page, "&lt;script&gt;") >= 5);
    assert_int_equal(occurrences(page, "src="), 0);
    assert_null(strstr(page, "nan"));
    assert_null(strstr(page, "SIZE_MAX"));
    assert_non_null(strstr(page, "2.00 ×"));
    assert_int_equal(strcmp(page + length - strlen("</html>\n"), "</html>\n"), 0);

    /* a report that is there is not touched */
    assert_int_equal(ct_report_write(&f->report, f->path, &error), CT_E_INPUT);
    assert_non_null(strstr(error.text, "not empty"));
    free(page);
    free(file);
}

static void empty_folder_will_do(void **state)
{
    struct fixture *f = *state;
    struct ct_error error = {""};
    if (!have_gnuplot())
        skip();
    f->report.map_count = 1;
    f->report.validation = NULL;
    assert_int_equal(mkdir(f->path, 0777), 0);
    assert_int_equal(ct_report_write(&f->report, f->path, &error), CT_OK);
}

static void files_are_no_folders(void **state)
{
    struct fixture *f = *state;
    struct ct_error error = {""};
    assert_int_equal(ct_file_create(f->path, "x", 1, &error), CT_OK);
    assert_int_equal(ct_report_check(f->path, &error), CT_E_INPUT);
    assert_non_null(strstr(error.text, "is not a folder"));
    assert_int_equal(ct_report_check("", &error), CT_E_INPUT);
}

static void without_gnuplot_nothing_is_left(void **state)
{
    struct fixture *f = *state;
    struct ct_error error = {""};
    char *path = strdup(getenv("PATH"));
    setenv("PATH", f->folder, 1);
    int status = ct_report_write(&f->report, f->path, &error);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, CT_E_SYSTEM);
    assert_non_null(strstr(error.text, "gnuplot-nox"));
    assert_int_not_equal(access(f->path, F_OK), 0);
}

/* A gnuplot that fails half-way, and one that writes nothing. */
static void failing_gnuplot_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    static const char *const scripts[] = {"#!/bin/sh\necho 'line 7: no memory' >&2\nexit 3\n",
                                          "#!/bin/sh\nexit 0\n"};
    static const char *const words[] = {"code 3", ".svg"};
    for (int i = 0; i < 2; i++) {
        struct ct_error error = {""};
        char *program = ct_format("%s/gnuplot", f->folder), *path = strdup(getenv("PATH"));
        assert_int_equal(ct_file_write(program, scripts[i], strlen(scripts[i]), &error), CT_OK);
        assert_int_equal(chmod(program, 0755), 0);
        setenv("PATH", f->folder, 1);
        int status = ct_report_write(&f->report, f->path, &error);
        setenv("PATH", path, 1);
        assert_int_equal(status, CT_E_SYSTEM);
        assert_non_null(strstr(error.text, words[i]));
        assert_int_not_equal(access(f->path, F_OK), 0);
        free(path);
        free(program);
    }
}

static void choices_know_what_they_cost(void **state)
{
    struct fixture *f = *state;
    struct ct_choices best, tree, native, none = {0};
    assert_int_equal(ct_choices_make(&f->maps[1], NULL, SIZE_MAX, &best), CT_OK);
    assert_int_equal(ct_choices_make(&f->maps[1], &f->tree, SIZE_MAX, &tree), CT_OK);
    assert_int_equal(ct_choices_make(&f->maps[1], NULL, 0, &native), CT_OK);
    for (size_t i = 0; i < best.count; i++) {
        const struct ct_cell *cell = &f->maps[1].cells[i];
        assert_true(best.penalties[i] == 0);
        assert_true(isnan(tree.penalties[i]) || tree.penalties[i] >= 0);
        if (cell->key.comm_size <= 8 && cell->key.msg_bytes <= 4096)
            assert_true(f->maps[1].methods[tree.methods[i]].algorithm ==
                        ct_algorithm_find(CT_COLLECTIVE_BCAST, "binomial"));
        assert_true(native.seconds[i] == cell->methods[0].median);
    }
    assert_true(fabs(ct_choices_speed_up(&native, &native) - 1) < 1e-12);
    assert_true(ct_choices_speed_up(&best, &native) > 1);
    assert_true(isnan(ct_choices_speed_up(&best, &none)));
    ct_choices_free(&best);
    ct_choices_free(&tree);
    ct_choices_free(&native);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(page_is_whole_and_safe, setup, teardown),
        cmocka_unit_test_setup_teardown(empty_folder_will_do, setup, teardown),
        cmocka_unit_test_setup_teardown(files_are_no_folders, setup, teardown),
        cmocka_unit_test_setup_teardown(without_gnuplot_nothing_is_left, setup, teardown),
        cmocka_unit_test_setup_teardown(failing_gnuplot_leaves_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(choices_know_what_they_cost, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
