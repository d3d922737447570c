/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/colours.h"
#include "report/field_map.h"
#include "report/markup.h"
#include "report/picture.h"
#include "report/places.h"
#include "synthetic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void html_is_escaped(void **state)
{
    (void)state;
    struct ct_text text = {0};
    ct_html_text(&text, "<a href=\"x\" b='y'>&\n\x01µ\xff\xc3");
    assert_string_equal(text.data, "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;  µ??");
    ct_text_free(&text);
}

static void gnuplot_strings_cannot_end_early(void **state)
{
    (void)state;
    struct ct_text text = {0};
    ct_gnuplot_string(&text, "it's `date`\n\"$x\"");
    assert_string_equal(text.data, "'it''s `date` \"$x\"'");
    ct_text_free(&text);
}

static void numbers_read_well(void **state)
{
    (void)state;
    char text[CT_NUMBER_TEXT];
    assert_string_equal(ct_penalty_text(0, text), "0.0 %");
    assert_string_equal(ct_penalty_text(0.004, text), "0.4 %");
    assert_string_equal(ct_penalty_text(0.37, text), "37 %");
    assert_string_equal(ct_penalty_text(11, text), "1100 %");
    assert_string_equal(ct_penalty_text(NAN, text), "–");
    assert_string_equal(ct_ratio_text(1.451, text), "1.45 ×");
    assert_string_equal(ct_factor_text(147.2, text), "147");
    assert_string_equal(ct_seconds_text(1.234e-6, text), "1.23 µs");
    assert_string_equal(ct_seconds_text(1e-3, text), "1.00 ms");
    assert_string_equal(ct_seconds_text(12.3, text), "12.3 s");
    assert_string_equal(ct_share_text(1, 3, text), "33 %");
    assert_string_equal(ct_share_text(0, 0, text), "0 %");
    assert_string_equal(ct_colour_text(0x0072b2, text), "#0072b2");
}

static void grids_lay_places_out(void **state)
{
    (void)state;
    const struct ct_place places[] = {{8, 1024}, {2, 64}, {8, 64}, {2, 64}};
    struct ct_grid grid;
    assert_int_equal(ct_grid_make(places, 4, true, &grid), CT_OK);
    assert_int_equal(grid.x_count, 2);
    assert_int_equal(grid.y_count, 2);
    assert_int_equal(grid.x[1], 1024);
    assert_int_equal(grid.y[1], 8);
    assert_int_equal(grid.at[0], 1);
    assert_true(grid.at[1] == SIZE_MAX);
    assert_int_equal(grid.at[2], 2);
    assert_int_equal(grid.at[3], 0);
    assert_int_equal(grid.shadowed, 1);
    size_t rows[4];
    assert_int_equal(ct_grid_pick_rows(&grid, 4, rows), 2);
    assert_int_equal(rows[1], 1);
    ct_grid_free(&grid);

    assert_int_equal(ct_grid_make(places, 4, false, &grid), CT_OK);
    assert_int_equal(grid.x_count, 2);
    assert_int_equal(grid.y_count, 1);
    assert_int_equal(grid.shadowed, 2);
    ct_grid_free(&grid);
}

static void every_method_has_a_colour_of_its_own(void **state)
{
    (void)state;
    for (int collective = 0; collective < CT_COLLECTIVES; collective++) {
        struct ct_map map = synthetic_map((enum ct_collective)collective, "2-4", "8,16");
        uint32_t *colours = malloc(map.method_count * sizeof *colours);
        ct_colours_of_methods(map.methods, map.method_count, colours);
        for (size_t i = 0; i < map.method_count; i++)
            for (size_t j = 0; j < i; j++)
                assert_int_not_equal(colours[i], colours[j]);
        assert_int_equal(colours[0], CT_NATIVE_COLOUR);
        free(colours);
        ct_map_free(&map);
    }
}

static void bands_hold_their_bounds(void **state)
{
    (void)state;
    assert_int_equal(ct_band_find(ct_penalty_bands, 0), 0);
    assert_int_equal(ct_band_find(ct_penalty_bands, 0.01), 0);
    assert_int_equal(ct_band_find(ct_penalty_bands, 0.011), 1);
    assert_int_equal(ct_band_find(ct_penalty_bands, 1e9), ct_band_find(ct_penalty_bands, INFINITY));
    assert_int_equal(ct_band_find(ct_ratio_bands, 1), 2);
    assert_true(isinf(ct_ratio_bands[ct_band_find(ct_ratio_bands, INFINITY)].most));
}

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}

static void describe(const void *context, size_t place, struct ct_text *html)
{
    ct_text_append(html, "%s %zu", (const char *)context, place);
}

/* Fields of one class that touch are one rectangle, unless each has a text; large regions get their letter;
 * empty fields get nothing; fields that were not measured are hatched. */
static void maps_have_fields(void **state)
{
    (void)state;
    const struct ct_place places[] = {{2, 1}, {2, 2}, {2, 4}, {4, 1}, {4, 2}, {4, 4}};
    const size_t fields[] = {0, 0, 1, 0, SIZE_MAX, 0};
    const struct ct_class classes[] = {
        {"<first>", 0x112233, 'A'}, {"second", 0xeeeeee, 'B'}, {"unused", 0, 'C'}};
    struct ct_page page = {0};
    struct ct_grid grid;
    assert_int_equal(ct_grid_make(places, 6, true, &grid), CT_OK);
    struct ct_field_map map = {.grid = &grid,
                               .class_of = fields,
                               .classes = classes,
                               .class_count = 3,
                               .measured = 3,
                               .label = "a \"map\""};
    ct_field_map_add(&map, &page);
    assert_int_equal(page.status, CT_OK);
    const char *html = page.html.data;
    assert_non_null(strstr(html, "aria-label=\"a &quot;map&quot;\""));
    assert_non_null(strstr(html, "<g fill=\"#112233\">\n"
                                 "<rect x=\"48\" y=\"28\" width=\"112\" height=\"24\">"
                                 "<title>&lt;first&gt;</title></rect>\n"));
    assert_int_equal(occurrences(html, "<title>"), 4);
    assert_null(strstr(html, "unused"));
    assert_int_equal(occurrences(html, ">A</text>"), 2);
    assert_non_null(strstr(html, "fill=\"#1a1a1a\">B</text>"));
    /* of the places from 3 on, the one without a class is not hatched */
    assert_int_equal(occurrences(html, "class=\"hatch\""), 2);
    ct_text_free(&page.html);

    map.describe = describe;
    map.context = "place";
    map.factors = (const double[]){1.5, 2.5, 3.5, 4.5, NAN, 6.5};
    map.measured = 6;
    ct_field_map_add(&map, &page);
    html = page.html.data;
    for (int i = 0; i < 6; i++) {
        char text[40];
        snprintf(text, sizeof text, "<title>place %d</title>", i);
        assert_int_equal(occurrences(html, text), i != 4);
        snprintf(text, sizeof text, ">%d.50</text>", i + 1);
        assert_int_equal(occurrences(html, text), i != 4);
    }
    assert_null(strstr(html, "hatch"));
    ct_text_free(&page.html);
    ct_grid_free(&grid);
}

/* What the run was to measure comes behind what it has measured, once. */
static void places_hold_what_was_asked_for(void **state)
{
    (void)state;
    struct ct_map map = synthetic_map(CT_COLLECTIVE_ALLREDUCE, "2,4", "8,64");
    size_t comms[] = {2, 3, 4}, bytes[] = {8, 12, 64, 512};
    const struct ct_run_description description = {
        .comm_sizes = comms, .comm_size_count = 3, .msg_sizes = bytes, .msg_size_count = 4};
    struct ct_places places;
    assert_int_equal(ct_places_make(&map, &description, &places), CT_OK);
    assert_int_equal(places.measured, 4);
    /* 3 times 3 without the size that is no whole number of elements */
    assert_int_equal(places.count, 9);
    for (size_t i = places.measured; i < places.count; i++) {
        assert_true(places.keys[i].comm_size == 3 || places.keys[i].msg_bytes == 512);
        assert_int_equal(places.keys[i].nodes, 1);
        assert_int_equal(places.keys[i].ppn, places.keys[i].comm_size);
    }
    ct_places_free(&places);
    for (size_t i = 0; i < map.cell_count; i++) {
        map.cells[i].key.nodes = map.cells[i].key.comm_size / 2;
        map.cells[i].key.ppn = 2;
    }
    assert_int_equal(ct_places_make(&map, &description, &places), CT_OK);
    for (size_t i = places.measured; i < places.count; i++) {
        assert_int_equal(places.keys[i].nodes, (places.keys[i].comm_size + 1) / 2);
        assert_int_equal(places.keys[i].ppn, 2);
    }
    ct_places_free(&places);
    ct_map_free(&map);
}

static void curves_have_axes_in_units(void **state)
{
    (void)state;
    const struct ct_place places[] = {{2, 1}, {2, 1024}, {2, 1048576}};
    const double values[] = {2e-6, NAN, 0.04};
    const struct ct_plot_curve curve = {.text = "tuned", .values = values, .width = 1, .dash = 1};
    struct ct_grid grid;
    struct ct_text script = {0};
    assert_int_equal(ct_grid_make(places, 3, true, &grid), CT_OK);
    ct_curves_script(&grid, 0, &curve, 1, NULL, &script);
    assert_non_null(strstr(script.data, "set xtics ('1' 0, '1K' 1, '1M' 2)"));
    assert_non_null(strstr(script.data, "'10 µs' "));
    assert_non_null(strstr(script.data, "'10 ms' "));
    assert_non_null(strstr(script.data, "\n1 NaN 0\n"));
    ct_text_free(&script);
    ct_grid_free(&grid);
}

/* Intervals are drawn where they have a width and hold the value. */
static void curves_have_intervals(void **state)
{
    (void)state;
    const struct ct_place places[] = {{2, 1}, {2, 1024}, {2, 2048}, {2, 1048576}};
    const double values[] = {2e-6, 4e-6, NAN, 0.04};
    const double low[] = {1e-6, 4e-6, NAN, 0.05}, high[] = {3e-6, 4e-6, NAN, 0.06};
    const struct ct_plot_curve curves[] = {
        {.text = "tuned", .values = values, .width = 1, .dash = 1, .bounds = {low, high}},
        {.text = "best", .values = values, .width = 1, .dash = 1}};
    struct ct_grid grid;
    struct ct_text script = {0};
    assert_int_equal(ct_grid_make(places, 4, true, &grid), CT_OK);
    ct_curves_script(&grid, 0, curves, 2, NULL, &script);
    const char *data = strstr(script.data, "$bounds0 << EOD\n0 ");
    assert_non_null(data);
    assert_non_null(strstr(data, "EOD\n"));
    assert_int_equal(strncmp(strchr(strchr(data, '\n') + 1, '\n'), "\nEOD", 4), 0); /* one line alone */
    assert_non_null(strstr(script.data, "plot $bounds0 using 1:2:3:4 with yerrorbars"));
    assert_null(strstr(script.data, "$bounds1"));
    ct_text_free(&script);
    ct_grid_free(&grid);
}

/* An interval of two samples may span forty powers of ten: it does not press the values into one line. */
static void intervals_leave_room(void **state)
{
    (void)state;
    const struct ct_place places[] = {{2, 1}, {2, 1024}};
    const double values[] = {1e-3, 2e-3}, low[] = {1e-19, 5e-4}, high[] = {1e19, 8e-3};
    const struct ct_plot_curve curve = {
        .text = "tuned", .values = values, .width = 1, .dash = 1, .bounds = {low, high}};
    struct ct_grid grid;
    struct ct_text script = {0};
    double least = 0, most = 0;
    assert_int_equal(ct_grid_make(places, 2, true, &grid), CT_OK);
    ct_curves_script(&grid, 0, &curve, 1, NULL, &script);
    assert_int_equal(sscanf(strstr(script.data, "set yrange"), "set yrange [%lf:%lf]", &least, &most), 2);
    assert_true(least > 1e-5 && least <= 1e-4);
    assert_true(most >= 2e-2 && most < 0.1);
    ct_text_free(&script);
    ct_grid_free(&grid);
}

static void pictures_are_inlined(void **state)
{
    (void)state;
    const struct ct_place places[] = {{2, 1}, {2, 8}};
    const double values[] = {1e-6, 2e-6}, low[] = {5e-7, 1e-6}, high[] = {2e-6, 3e-6};
    const struct ct_plot_curve curve = {
        .text = "it's", .values = values, .colour = 0x112233, .width = 1, .dash = 1, .bounds = {low, high}};
    struct ct_page page;
    struct ct_error error = {""};
    assert_int_equal(ct_page_open(&page, &error), CT_OK);
    if (!page.gnuplot) {
        ct_page_close(&page);
        skip();
    }
    struct ct_grid grid;
    struct ct_text script = {0}, wrong = {0};
    assert_int_equal(ct_grid_make(places, 2, true, &grid), CT_OK);
    ct_curves_script(&grid, 0, &curve, 1, NULL, &script);
    ct_text_append(&page.html, "<p>");
    ct_picture_add(&page, &script, "a \"curve\"");
    ct_text_append(&page.html, "</p><p>");
    ct_picture_add(&page, &script, "a curve");
    ct_text_append(&page.html, "</p>");
    ct_pictures_draw(&page);
    assert_int_equal(page.status, CT_OK);
    assert_int_equal(strncmp(page.html.data, "<p><svg role=\"img\" aria-label=\"a &quot;curve&quot;\"", 49),
                     0);
    const char *second = strstr(page.html.data, "</svg>\n\n</p><p><svg role=\"img\" aria-label=\"a curve\"");
    assert_non_null(second);
    assert_non_null(strstr(second, "</svg>\n\n</p>"));
    assert_null(strstr(page.html.data, "<?xml"));
    assert_null(strstr(page.html.data, "black"));
    assert_non_null(strstr(page.html.data, "id=\"p1-gnuplot_plot_1\""));
    assert_null(strstr(page.html.data, "<title>gnuplot")); /* hovering a curve would show it */
    assert_null(strstr(page.html.data, "<title>Gnuplot"));
    assert_null(strstr(page.html.data, "id='gp"));
    assert_non_null(strstr(page.html.data, "id=\"p1-gnuplot_canvas\""));
    assert_non_null(strstr(page.html.data, "id=\"p2-gnuplot_canvas\""));
    assert_non_null(strstr(page.html.data, "rgb( 17,  34,  51)"));

    ct_text_append(&wrong, "set terminal svg\nplot nonsense(\n");
    ct_picture_add(&page, &wrong, "nothing");
    ct_picture_add(&page, &script, "what comes behind it");
    ct_pictures_draw(&page);
    assert_int_equal(page.status, CT_E_SYSTEM);
    assert_non_null(strstr(error.text, "at the picture of: nothing: "));
    assert_null(strchr(error.text, '\n'));
    ct_text_free(&script);
    ct_text_free(&wrong);
    ct_grid_free(&grid);
    ct_page_close(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html_is_escaped),
        cmocka_unit_test(gnuplot_strings_cannot_end_early),
        cmocka_unit_test(numbers_read_well),
        cmocka_unit_test(grids_lay_places_out),
        cmocka_unit_test(every_method_has_a_colour_of_its_own),
        cmocka_unit_test(bands_hold_their_bounds),
        cmocka_unit_test(maps_have_fields),
        cmocka_unit_test(places_hold_what_was_asked_for),
        cmocka_unit_test(curves_have_axes_in_units),
        cmocka_unit_test(curves_have_intervals),
        cmocka_unit_test(intervals_leave_room),
        cmocka_unit_test(pictures_are_inlined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
