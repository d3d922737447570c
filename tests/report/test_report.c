/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/process.h"
#include "decision/table.h"
#include "report/choices.h"
#include "report/page_folder.h"
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
/* 13 ranks and 16M were not measured. */
static size_t comm_sizes[] = {2, 3, 13}, msg_sizes[] = {1, 4, 16 << 20};

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
    f->description.comm_sizes = comm_sizes;
    f->description.comm_size_count = sizeof comm_sizes / sizeof comm_sizes[0];
    f->description.msg_sizes = msg_sizes;
    f->description.msg_size_count = sizeof msg_sizes / sizeof msg_sizes[0];
    f->point = (struct ct_validation_point){
        CT_COLLECTIVE_BCAST, {.comm_size = 4, .msg_bytes = 8}, f->tree.methods[0], 1e-5, 2e-5, 1.9, 2.1};
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

/* What the page looks like hangs on these. */
static void check_structure(const char *page)
{
    static const char *const sections[] = {"validation", "slowdowns", "run", "barrier", "bcast"};
    assert_int_equal(occurrences(page, "<h1>"), 1);
    assert_int_equal(occurrences(page, "<section"), sizeof sections / sizeof sections[0]);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        char *id = ct_format("<section id=\"%s\">", sections[i]);
        assert_int_equal(occurrences(page, id), 1);
        free(id);
    }
    /* every chapter leads back, and the first screen leads to every collective */
    assert_int_equal(occurrences(page, "href=\"#top\""), sizeof sections / sizeof sections[0]);
    assert_int_equal(occurrences(page, "id=\"top\""), 1);
    assert_int_equal(occurrences(page, "href=\"#bcast\""), 1);
    /* a wide table scrolls in its own box, and says so; a method is one word */
    assert_int_equal(occurrences(page, "<table"), occurrences(page, "<div class=\"table\"><table"));
    assert_non_null(strstr(page, ".table { overflow-x: auto;"));
    assert_non_null(strstr(page, ".table.wide::before { content: 'more columns"));
    assert_null(strstr(page, "td.w {"));
    /* what is folded stays folded on paper */
    assert_non_null(strstr(page, "a.up, details, .table.wide::before { display: none; }"));
    assert_int_equal(occurrences(page, "<details"), occurrences(page, "</details>"));
    assert_int_equal(occurrences(page, "<div"), occurrences(page, "</div>"));
    assert_int_equal(occurrences(page, "<tr"), occurrences(page, "</tr>"));
    assert_int_equal(occurrences(page, "<svg"), occurrences(page, "</svg>"));
    assert_int_equal(occurrences(page, "<figure>"), occurrences(page, "</figure>"));
    /* the table decides in the five cells that were not measured, too; neighbours are hatched together */
    assert_int_equal(occurrences(page, "class=\"hatch\"/>"), 4);
    assert_int_equal(occurrences(page, "; this cell was not measured</title>"), 5);
    assert_non_null(strstr(page, "<title>2 ranks, 1 byte: the table takes binomial, "));
    assert_non_null(strstr(page, " (12 samples); best "));
    /* a narrow column breaks the line behind a word */
    assert_non_null(strstr(page, "<code>split_<wbr>binary:<wbr>seg=8K</code>"));
    assert_non_null(strstr(page, "<title>4 ranks, 8 bytes: tuned 10.0 µs by binomial, native 20.0 µs; 1.90 "
                                 "to 2.10 times as fast</title>"));
}

static void page_is_whole_and_safe(void **state)
{
    struct fixture *f = *state;
    struct ct_error error = {""};
    bool curves;
    if (ct_report_write(&f->report, f->path, &error, &curves) != CT_OK)
        fail_msg("%s", error.text);
    char *file = ct_format("%s/index.html", f->path), *page;
    size_t length;
    assert_int_equal(ct_file_read(file, &error, &page, &length), CT_OK);
    check_structure(page);
    /* the pattern; a map to validate; barrier: best, native; bcast: the table's two, and two that are folded
     */
    assert_int_equal(occurrences(page, "<svg"), 1 + 1 + 2 + 4 + (curves ? 5 : 0));
    assert_int_equal(occurrences(page, "<script"), 1);
    assert_int_equal(occurrences(page, "curves, was not installed"), curves ? 0 : MAPS);
    assert_true(occurrences(page, "&lt;script&gt;") >= 5);
    assert_int_equal(occurrences(page, "src="), 0);
    assert_int_equal(occurrences(page, "http"), curves ? occurrences(page, "http://www.w3.org/") : 0);
    assert_null(strstr(page, ">nan"));
    assert_null(strstr(page, "SIZE_MAX"));
    assert_non_null(strstr(page, "<b>2.00 times as fast as native</b>"));
    assert_int_equal(strcmp(page + length - strlen("</html>\n"), "</html>\n"), 0);

    /* a report that is there is not touched */
    assert_int_equal(ct_report_write(&f->report, f->path, &error, &curves), CT_E_INPUT);
    assert_non_null(strstr(error.text, "not empty"));
    free(page);
    free(file);
}

/* Cells of two mappings of ranks have the same sizes: each mapping has a section of its own. */
static void mappings_are_apart(void **state)
{
    struct fixture *f = *state;
    struct ct_map *map = &f->maps[1], original = *map;
    struct ct_error error = {""};
    bool curves;
    const size_t count = map->cell_count;
    map->cells = calloc(2 * count, sizeof *map->cells);
    map->cell_count = 2 * count;
    for (size_t i = 0; i < 2 * count; i++) {
        map->cells[i] = original.cells[i % count];
        map->cells[i].key.by = i < count ? CT_MAPPED_BY_CORE : CT_MAPPED_BY_NODE;
    }
    f->report.validation = NULL;
    int status = ct_report_write(&f->report, f->path, &error, &curves);
    free(map->cells);
    *map = original;
    if (status != CT_OK)
        fail_msg("%s", error.text);
    char *file = ct_format("%s/index.html", f->path), *page;
    size_t length;
    assert_int_equal(ct_file_read(file, &error, &page, &length), CT_OK);
    assert_int_equal(occurrences(page, "<section id=\"bcast-core\">"), 1);
    assert_int_equal(occurrences(page, "<section id=\"bcast-node\">"), 1);
    assert_int_equal(occurrences(page, "<section id=\"bcast\">"), 0);
    assert_int_equal(occurrences(page, "<a href=\"#bcast-node\">bcast, by node</a>"), 1);
    assert_int_equal(occurrences(page, "Only cells whose ranks were mapped by node"), 1);
    /* none is hidden behind another, and each was counted once */
    assert_null(strstr(page, "the pictures show the first of them"));
    char *cells = ct_format("<dt>cells</dt><dd>%zu</dd>", 2 * count + f->maps[0].cell_count);
    assert_non_null(strstr(page, cells));
    assert_non_null(strstr(page, " of 2 collectives</dd>"));
    free(cells);
    free(page);
    free(file);
}

/* A cell in which only a validation measured is not counted among those of the sweep. */
static void validation_is_no_sweep(void **state)
{
    struct fixture *f = *state;
    struct ct_launch_median of_validation = {.launch = 2}, again = {.launch = 3};
    struct ct_cell *cells = f->maps[0].cells;
    struct ct_error error = {""};
    char *page = NULL, *file = ct_format("%s/index.html", f->path), *share;
    size_t length;
    bool curves;
    f->description.launches = 2;
    cells[0].launches = &of_validation;
    cells[1].launches = &again;
    cells[0].launch_count = cells[1].launch_count = 1;
    int status = ct_report_write(&f->report, f->path, &error, &curves);
    cells[0].launches = cells[1].launches = NULL;
    cells[0].launch_count = cells[1].launch_count = 0;
    assert_int_equal(status, CT_OK);
    assert_int_equal(ct_file_read(file, &error, &page, &length), CT_OK);
    share = ct_format(" measured</b> %zu of ", f->maps[0].cell_count + f->maps[1].cell_count - 1);
    assert_non_null(strstr(page, share));
    free(share);
    /* the samples are those of the same cells */
    share = ct_format(" of %zu cells</li>", f->maps[0].cell_count + f->maps[1].cell_count - 1);
    assert_non_null(strstr(strstr(page, "in the median cell"), share));
    free(share);
    free(page);
    free(file);
}

static void empty_folder_will_do(void **state)
{
    struct fixture *f = *state;
    struct ct_error error = {""};
    bool curves;
    f->report.map_count = 1;
    f->report.validation = NULL;
    assert_int_equal(mkdir(f->path, 0777), 0);
    assert_int_equal(ct_report_write(&f->report, f->path, &error, &curves), CT_OK);
}

static void files_are_no_folders(void **state)
{
    struct fixture *f = *state;
    struct ct_error error = {""};
    assert_int_equal(ct_file_create(f->path, "x", 1, &error), CT_OK);
    assert_int_equal(ct_page_folder_check(f->path, &error), CT_E_INPUT);
    assert_non_null(strstr(error.text, "is not a folder"));
    assert_int_equal(ct_page_folder_check("", &error), CT_E_INPUT);
}

/* The page then says so in the place of the curves; all else is there. */
static void without_gnuplot_curves_are_missing(void **state)
{
    struct fixture *f = *state;
    struct ct_error error = {""};
    bool curves = true;
    char *path = strdup(getenv("PATH"));
    setenv("PATH", f->folder, 1);
    int status = ct_report_write(&f->report, f->path, &error, &curves);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, CT_OK);
    assert_false(curves);
    char *file = ct_format("%s/index.html", f->path), *page;
    size_t length;
    assert_int_equal(ct_file_read(file, &error, &page, &length), CT_OK);
    check_structure(page);
    assert_int_equal(occurrences(page, "curves, was not installed"), MAPS);
    free(page);
    free(file);
}

/* A table of an earlier state of the run is named; the machine's name is the title; ranks beyond its CPUs
 * stand apart. */
static void page_knows_machine_and_table(void **state)
{
    struct fixture *f = *state;
    struct ct_error error = {""};
    static char names[][20] = {"machine.host", "affinity"}, values[][20] = {"node<7>", "0-3"};
    struct ct_property properties[] = {{names[0], values[0]}, {names[1], values[1]}};
    bool curves;
    f->description.properties = properties;
    f->description.property_count = 2;
    f->named.outdated = true;
    f->report.validation = NULL;
    assert_int_equal(ct_report_write(&f->report, f->path, &error, &curves), CT_OK);
    char *file = ct_format("%s/index.html", f->path), *page;
    size_t length;
    assert_int_equal(ct_file_read(file, &error, &page, &length), CT_OK);
    assert_non_null(strstr(page, "<title>node&lt;7&gt; – colltune</title>"));
    assert_non_null(strstr(page, "<h1>node&lt;7&gt;</h1>"));
    assert_non_null(strstr(page, "with one rank per core <span class=\"whole\">(2–4 ranks)</span>"));
    assert_non_null(strstr(page, "with more ranks than cores <span class=\"whole\">(5–12 ranks)</span>"));
    assert_non_null(strstr(page, "<th class=\"over\""));
    assert_int_equal(occurrences(page, "was learned from an earlier state of this run"), 1);
    assert_int_equal(occurrences(page, "<b>Not validated</b>"), 1);
    free(page);
    free(file);
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
        bool curves;
        char *program = ct_format("%s/gnuplot", f->folder), *path = strdup(getenv("PATH"));
        assert_int_equal(ct_file_write(program, scripts[i], strlen(scripts[i]), &error), CT_OK);
        assert_int_equal(chmod(program, 0755), 0);
        setenv("PATH", f->folder, 1);
        int status = ct_report_write(&f->report, f->path, &error, &curves);
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
    struct ct_method_list methods = {f->maps[1].methods, f->maps[1].method_count};
    struct ct_places places;
    assert_int_equal(ct_places_make(&f->maps[1], &f->description, &places), CT_OK);
    assert_int_equal(ct_choices_make(&f->maps[1], &places, NULL, SIZE_MAX, &methods, &best), CT_OK);
    assert_int_equal(ct_choices_make(&f->maps[1], &places, &f->tree, SIZE_MAX, &methods, &tree), CT_OK);
    assert_int_equal(ct_choices_make(&f->maps[1], &places, NULL, 0, &methods, &native), CT_OK);
    assert_int_equal(methods.count, f->maps[1].method_count);
    for (size_t i = 0; i < places.measured; i++) {
        const struct ct_cell *cell = &f->maps[1].cells[i];
        assert_true(best.penalties[i] == 0);
        assert_true(isnan(tree.penalties[i]) || tree.penalties[i] >= 0);
        if (cell->key.comm_size <= 8 && cell->key.msg_bytes <= 4096)
            assert_true(f->maps[1].methods[tree.methods[i]].algorithm ==
                        ct_algorithm_find(CT_COLLECTIVE_BCAST, "binomial"));
        assert_true(native.seconds[i] == cell->methods[0].median);
    }
    for (size_t i = places.measured; i < places.count; i++) {
        assert_true(best.methods[i] == SIZE_MAX && tree.methods[i] < methods.count);
        assert_true(isnan(tree.seconds[i]) && isnan(tree.penalties[i]));
    }
    assert_true(fabs(ct_choices_speed_up(&native, &native) - 1) < 1e-12);
    assert_true(ct_choices_speed_up(&best, &native) > 1);
    assert_true(isnan(ct_choices_speed_up(&best, &none)));
    ct_places_free(&places);
    ct_choices_free(&best);
    ct_choices_free(&tree);
    ct_choices_free(&native);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(page_is_whole_and_safe, setup, teardown),
        cmocka_unit_test_setup_teardown(mappings_are_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(validation_is_no_sweep, setup, teardown),
        cmocka_unit_test_setup_teardown(empty_folder_will_do, setup, teardown),
        cmocka_unit_test_setup_teardown(files_are_no_folders, setup, teardown),
        cmocka_unit_test_setup_teardown(without_gnuplot_curves_are_missing, setup, teardown),
        cmocka_unit_test_setup_teardown(page_knows_machine_and_table, setup, teardown),
        cmocka_unit_test_setup_teardown(failing_gnuplot_leaves_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(choices_know_what_they_cost, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
