/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "cli/choice_map.h"
#include "cli/map_csv.h"
#include "cli/map_notes.h"
#include "cli/map_picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const spellings[] = {"native", "chain:seg=1K,radix=4", "binomial:seg=8K"};
enum { METHODS = sizeof spellings / sizeof spellings[0] };

static void begin(struct ct_map *map, enum ct_collective collective, size_t methods)
{
    *map = (struct ct_map){.collective = collective,
                           .margin = CT_MARGIN,
                           .exact = true,
                           .methods = ct_allocate(methods, sizeof *map->methods)};
    for (size_t i = 0; i < methods; i++)
        assert_int_equal(ct_method_parse(spellings[i], collective, NULL, &map->methods[map->method_count++]),
                         CT_OK);
}

static struct ct_cell cell_of(size_t nodes, size_t ppn, size_t comm_size, size_t msg_bytes)
{
    return (struct ct_cell){
        .key = {.nodes = nodes, .ppn = ppn, .comm_size = comm_size, .msg_bytes = msg_bytes}};
}

/* A cell where method m took times[m] seconds; 0 where it has none. */
static void add(struct ct_map *map, struct ct_cell cell, const double times[METHODS])
{
    map->cells = realloc(map->cells, (map->cell_count + 1) * sizeof *map->cells);
    assert_non_null(map->cells);
    cell.methods = ct_allocate(METHODS, sizeof *cell.methods);
    cell.standings = ct_allocate(METHODS, sizeof *cell.standings);
    cell.launches = ct_allocate(METHODS, sizeof *cell.launches);
    cell.launch_count = METHODS;
    cell.best = SIZE_MAX;
    for (size_t m = 0; m < map->method_count; m++) {
        if (times[m] <= 0)
            continue;
        cell.launches[m] = (struct ct_launch_median){.launch = 0, .count = 1, .median = times[m]};
        cell.methods[m] = (struct ct_statistics){.count = 1,
                                                 .median = times[m],
                                                 .low = times[m],
                                                 .high = times[m],
                                                 .launches = 1,
                                                 .first_launch = m};
        if (cell.best == SIZE_MAX || times[m] < times[cell.best])
            cell.best = m;
    }
    for (size_t m = 0; m < map->method_count && cell.best != SIZE_MAX; m++)
        if (times[m] > 0)
            cell.standings[m] = m == cell.best                 ? CT_STANDING_BEST
                                : times[m] == times[cell.best] ? CT_STANDING_EQUIVALENT
                                                               : CT_STANDING_WORSE;
    map->cells[map->cell_count++] = cell;
}

static void expect(struct ct_map *map, const char *picture)
{
    struct ct_text text = {0};
    assert_int_equal(ct_map_picture(map, &text), CT_OK);
    assert_string_equal(text.data, picture);
    ct_text_free(&text);
    ct_map_free(map);
}

/* Letters by falling share; a cell where all failed; a place that was not measured. */
static void test_picture(void **state)
{
    (void)state;
    struct ct_map map;
    begin(&map, CT_COLLECTIVE_BCAST, METHODS);
    add(&map, cell_of(1, 2, 2, 8192), (const double[METHODS]){3, 1, 2});
    add(&map, cell_of(1, 2, 2, 1 << 20), (const double[METHODS]){3, 0, 0.5});
    add(&map, cell_of(1, 16, 16, 1), (const double[METHODS]){0, 0, 0});
    add(&map, cell_of(1, 16, 16, 8192), (const double[METHODS]){3, 2, 2});
    add(&map, cell_of(1, 16, 16, 1 << 20), (const double[METHODS]){1, 1, 1});
    expect(&map, "bcast: the best method by communicator size (across) and message size in bytes (down)\n"
                 "\n"
                 "    2 16\n"
                 " 1     -\n"
                 "8K  A  A\n"
                 "1M  B  C\n"
                 "\n"
                 "   method                   best  equivalent   undecided       worse\n"
                 "A  chain:seg=1K,radix=4   40.0 %      20.0 %       0.0 %       0.0 %\n"
                 "B  binomial:seg=8K        20.0 %      40.0 %       0.0 %      20.0 %\n"
                 "C  native                 20.0 %       0.0 %       0.0 %      60.0 %\n"
                 "-  (all failed)           20.0 %\n"
                 "\n"
                 "Times are computed and compared as they are. Equivalent: at most 5 % more than\n"
                 "the best; worse: more.\n");
}

/* No message size: one row. Cells that share their sizes get a picture each. */
static void test_layouts(void **state)
{
    (void)state;
    struct ct_map map;
    begin(&map, CT_COLLECTIVE_BARRIER, 1);
    add(&map, cell_of(4, 1, 4, 0), (const double[METHODS]){1});
    add(&map, cell_of(8, 1, 8, 0), (const double[METHODS]){1});
    expect(&map, "barrier: the best method by communicator size\n"
                 "\n"
                 "  4 8\n"
                 "  A A\n"
                 "\n"
                 "   method     best  equivalent   undecided       worse\n"
                 "A  native  100.0 %       0.0 %       0.0 %       0.0 %\n"
                 "\n"
                 "Times are computed and compared as they are. Equivalent: at most 5 % more than\n"
                 "the best; worse: more.\n");

    begin(&map, CT_COLLECTIVE_BARRIER, 1);
    add(&map, cell_of(2, 2, 4, 0), (const double[METHODS]){1});
    add(&map, cell_of(4, 1, 4, 0), (const double[METHODS]){0});
    add(&map, cell_of(8, 1, 8, 0), (const double[METHODS]){1});
    expect(&map, "barrier: the best method by communicator size\n"
                 "\n2 processes a node:\n"
                 "  4 8\n"
                 "  A\n"
                 "\n1 process a node:\n"
                 "  4 8\n"
                 "  - A\n"
                 "\n"
                 "   method           best  equivalent   undecided       worse\n"
                 "A  native         66.7 %       0.0 %       0.0 %       0.0 %\n"
                 "-  (all failed)   33.3 %\n"
                 "\n"
                 "Times are computed and compared as they are. Equivalent: at most 5 % more than\n"
                 "the best; worse: more.\n");

    begin(&map, CT_COLLECTIVE_BARRIER, 1);
    add(&map, cell_of(2, 4, 4, 0), (const double[METHODS]){1});
    add(&map, cell_of(4, 4, 4, 0), (const double[METHODS]){1});
    struct ct_text text = {0};
    assert_int_equal(ct_map_picture(&map, &text), CT_OK);
    assert_non_null(strstr(text.data, "2 nodes, 4 processes a node:"));
    assert_non_null(strstr(text.data, "4 nodes, 4 processes a node:"));
    ct_text_free(&text);
    ct_map_free(&map);
}

/* However many communicator sizes, no line is wider than a terminal and no cell is lost. */
static void test_width(void **state)
{
    (void)state;
    for (size_t count = 1; count <= 130; count += 3) {
        struct ct_map map;
        begin(&map, CT_COLLECTIVE_BCAST, 1);
        for (size_t i = 0; i < count; i++)
            add(&map, cell_of(i + 2, 1, i + 2, 8192), (const double[METHODS]){1});
        struct ct_text text = {0};
        assert_int_equal(ct_map_picture(&map, &text), CT_OK);
        size_t letters = 0;
        for (const char *line = strchr(text.data, '\n') + 1; *line; line += strcspn(line, "\n") + 1) {
            assert_true(strcspn(line, "\n") <= 80);
            if (strncmp(line, "8K", 2) == 0)
                for (const char *at = line; *at != '\n'; at++)
                    letters += *at == 'A';
        }
        assert_int_equal(letters, count);
        ct_text_free(&text);
        ct_map_free(&map);
    }
}

/* What measured times leave open is said. */
static void test_notes(void **state)
{
    (void)state;
    struct ct_map map;
    struct ct_text text = {0};
    begin(&map, CT_COLLECTIVE_BCAST, METHODS);
    map.exact = false;
    map.margin = 0.025;
    add(&map, cell_of(1, 2, 2, 8192), (const double[METHODS]){0, 0.1, 2e-6});
    add(&map, cell_of(1, 4, 4, 8192), (const double[METHODS]){0, 0.1, 2e-6});
    map.cells[0].methods[2].constant = true;
    /* the second cell's best method: two launches that differ by 100 */
    map.cells[1].launches[0].median = 0.1;
    map.cells[1].launches[1].median = 2e-4;
    map.cells[1].methods[1].first_launch = 0;
    map.cells[1].methods[2] =
        (struct ct_statistics){.count = 2, .median = 1.01e-4, .launches = 2, .first_launch = 1};
    map.cells[1].launches[2].median = 2e-6;
    ct_map_write_notes(&map, &text);
    assert_string_equal(
        text.data,
        "\nEquivalent: significantly less than 2.5 % slower than the best. Worse: significantly slower.\n"
        "Undecided: neither. The family-wise error rate per cell is at most 5 %.\n"
        "One sample in 1 of 2 cells: not enough for a comparison.\n"
        "All samples of the best method are the same time in 1 of 2 cells: was its clock too\n"
        "coarse?\n"
        "One launch in 1 of 2 cells: significant for that launch only, another may differ.\n"
        "Launches of a method differ by more than 2 times in 1 of 2 cells, by up to 100 times:\n"
        "binomial:seg=8K on 4 ranks, 8K bytes.\n");
    ct_text_free(&text);
    ct_map_free(&map);
}

/* Which best times are predicted, in a map where others are measured; not in one that is predicted. */
static void test_predicted(void **state)
{
    (void)state;
    struct ct_map map;
    begin(&map, CT_COLLECTIVE_BCAST, METHODS);
    for (size_t ranks = 2; ranks <= 16; ranks *= 2)
        add(&map, cell_of(ranks, 1, ranks, 8192), (const double[METHODS]){3, 2, 1});
    map.cells[1].methods[2].predicted = true;
    map.cells[2].methods[1].predicted = true; /* not the best */
    map.cells[3].methods[2].predicted = true;
    struct ct_text text = {0};
    assert_int_equal(ct_map_picture(&map, &text), CT_OK);
    assert_non_null(strstr(text.data, "\n    2  4  8 16\n8K  A ~A  A ~A\n"));
    assert_non_null(strstr(text.data,
                           "\nNot all is measured: 3 times are predicted, and in 2 of 4 cells so is "
                           "the best one's (~).\n"));
    ct_text_free(&text);
    ct_map_free(&map);

    begin(&map, CT_COLLECTIVE_BCAST, METHODS);
    map.predicted = true;
    add(&map, cell_of(2, 1, 2, 8192), (const double[METHODS]){3, 2, 1});
    map.cells[0].methods[2].predicted = true; /* it was supplemented */
    assert_int_equal(ct_map_picture(&map, &text), CT_OK);
    assert_null(strchr(text.data, '~'));
    assert_non_null(strstr(text.data, "\nTimes are predicted and compared"));
    text.length = 0;
    ct_map_write_csv(&map, false, &text);
    assert_non_null(
        strstr(text.data, "binomial:seg=8K,1,1,1,1,1,best,1,1,predicted,unknown,blocking,,,,0\n"));
    ct_text_free(&text);
    ct_map_free(&map);
}

/* Cells of several modes share no picture; what calls hide is shown where ranks compute beside them. */
static void test_modes(void **state)
{
    (void)state;
    struct ct_map map;
    struct ct_text text = {0};
    begin(&map, CT_COLLECTIVE_BCAST, METHODS);
    for (uint32_t mode = CT_MODE_BLOCKING; mode <= CT_MODE_NONBLOCKING; mode++)
        for (size_t bytes = 1; bytes <= 8192; bytes *= 8192) {
            struct ct_cell cell = cell_of(2, 1, 2, bytes);
            cell.key.mode = mode;
            add(&map, cell, (const double[METHODS]){3, 0, 1 + 4 * (double)mode});
            map.cells[map.cell_count - 1].methods[0].overlap =
                (struct ct_overlap){5, 2, 1, mode * (bytes == 1 ? 0.25 : 0.5)};
        }
    assert_int_equal(ct_map_picture(&map, &text), CT_OK);
    assert_non_null(
        strstr(text.data, "\nblocking calls\n   2\n 1 B\n8K B\n\nnonblocking calls\n   2\n 1 A\n8K A\n"));
    assert_non_null(strstr(text.data, "worse    hidden\nA"));
    assert_non_null(strstr(text.data, "    37.5 %\n"));
    text.length = 0;
    ct_map_write_csv(&map, false, &text);
    assert_non_null(
        strstr(text.data, "bcast,2,1,2,1,native,1,3,3,3,0,worse,1,1,measured,unknown,blocking,,,,0\n"));
    assert_non_null(strstr(
        text.data, "bcast,2,1,2,1,native,1,3,3,3,1,best,1,1,measured,unknown,nonblocking,5,2,0.25,0\n"));
    ct_text_free(&text);
    ct_map_free(&map);
}

/* So do cells of several roots. */
static void test_roots(void **state)
{
    (void)state;
    struct ct_map map;
    struct ct_text text = {0};
    begin(&map, CT_COLLECTIVE_BCAST, METHODS);
    for (uint32_t root = 0; root <= 3; root += 3) {
        struct ct_cell cell = cell_of(4, 1, 4, 8);
        cell.key.root = root;
        add(&map, cell, (const double[METHODS]){root + 1, 0, 2});
    }
    assert_int_equal(ct_map_picture(&map, &text), CT_OK);
    assert_non_null(strstr(text.data, "\nroot 0:\n  4\n8 A\n\nroot 3:\n  4\n8 B\n"));
    text.length = 0;
    ct_map_write_csv(&map, false, &text);
    assert_non_null(strstr(text.data, "blocking,,,,3\n"));
    ct_text_free(&text);
    ct_map_free(&map);
}

/* What a tree chooses, also where nobody has measured that. */
static void test_choices(void **state)
{
    (void)state;
    struct ct_map map, choices;
    struct ct_text text = {0};
    struct ct_tree_node nodes[] = {{.feature = CT_FEATURE_MSG_BYTES, .threshold = 8, .low = 1, .high = 2},
                                   {.feature = CT_LEAF, .method = 0, .fallback = 0},
                                   {.feature = CT_LEAF, .method = 1, .fallback = 1}};
    struct ct_method methods[2];
    assert_int_equal(ct_method_parse("pipeline:seg=16K", CT_COLLECTIVE_BCAST, NULL, &methods[0]), CT_OK);
    assert_int_equal(ct_method_parse("native", CT_COLLECTIVE_BCAST, NULL, &methods[1]), CT_OK);
    const struct ct_decision_tree tree = {.collective = CT_COLLECTIVE_BCAST,
                                          .nodes = nodes,
                                          .node_count = 3,
                                          .methods = methods,
                                          .method_count = 2};
    begin(&map, CT_COLLECTIVE_BCAST, METHODS);
    add(&map, cell_of(4, 1, 4, 8), (const double[METHODS]){1, 0, 2});
    add(&map, cell_of(4, 1, 4, 16), (const double[METHODS]){3, 0, 2});
    add(&map, cell_of(4, 1, 4, 32), (const double[METHODS]){3, 0, 2});
    assert_int_equal(ct_choice_map_make(&tree, &map, &choices), CT_OK);
    assert_int_equal(ct_choice_picture(&choices, "t.xml", &text), CT_OK);
    assert_string_equal(
        text.data,
        "bcast: the choices of t.xml,\nby communicator size (across) and message size in bytes (down)\n"
        "\n   4\n 8 B\n16 A\n32 A\n"
        "\nA   66.7 %  native\nB   33.3 %  pipeline:seg=16K\n");
    ct_choice_map_free(&choices);
    ct_text_free(&text);
    ct_map_free(&map);
}

static void test_csv(void **state)
{
    (void)state;
    struct ct_map map;
    begin(&map, CT_COLLECTIVE_BCAST, METHODS);
    add(&map, cell_of(1, 2, 2, 8192), (const double[METHODS]){0, 0.1, 2e-6});
    map.cells[0].methods[2].predicted = true;
    struct ct_text text = {0};
    ct_map_write_csv(&map, false, &text);
    assert_string_equal(
        text.data,
        "bcast,1,2,2,8192,native,0,,,,0,,,,,unknown,blocking,,,,0\n"
        "bcast,1,2,2,8192,\"chain:seg=1K,radix=4\",1,0.1,0.1,0.1,0,worse,1,1,"
        "measured,unknown,blocking,,,,0\n"
        "bcast,1,2,2,8192,binomial:seg=8K,1,2e-06,2e-06,2e-06,1,best,1,1,predicted,unknown,blocking,,,,0\n");
    ct_text_free(&text);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_picture),   cmocka_unit_test(test_layouts), cmocka_unit_test(test_width),
        cmocka_unit_test(test_predicted), cmocka_unit_test(test_notes),   cmocka_unit_test(test_modes),
        cmocka_unit_test(test_roots),     cmocka_unit_test(test_choices), cmocka_unit_test(test_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
