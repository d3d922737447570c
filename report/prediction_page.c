/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/prediction_page.h"
#include "base/memory.h"
#include "report/figure.h"
#include "report/markup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Predicted times beside measured ones. */

enum { METHODS_SHOWN = 4, SOLID = 1, DASHED = 2 };

static bool is_of(const struct ct_predicted_map *predicted, const struct ct_section *section)
{
    return predicted->map->collective == section->map->collective;
}

/* --- curves --- */

/* Up to METHODS_SHOWN methods that the model predicts, those that are best in most cells first. */
static size_t pick_methods(const struct ct_section *section, const struct ct_predicted_map *predicted,
                           size_t methods[METHODS_SHOWN])
{
    const struct ct_map *map = section->map;
    size_t count = 0, *best_in = ct_allocate(map->method_count + 1, sizeof *best_in);
    for (size_t c = 0; best_in && c < map->cell_count; c++)
        for (size_t m = 0; m < map->method_count; m++)
            if (!isnan(ct_predicted_map_at(predicted, &map->cells[c].key, m)))
                best_in[m] += 1 + (map->cells[c].best == m) * map->cell_count;
    while (best_in && count < METHODS_SHOWN) {
        size_t most = 0;
        for (size_t m = 0; m < map->method_count; m++)
            most = best_in[m] > best_in[most] ? m : most;
        if (map->method_count == 0 || best_in[most] == 0)
            break;
        best_in[most] = 0;
        methods[count++] = most;
    }
    free(best_in);
    return count;
}

/* Times by place: measured, their intervals, then predicted. */
static void take_times(const struct ct_section *section, const struct ct_predicted_map *predicted,
                       size_t method, double *const measured[3], double *forecast)
{
    for (size_t i = 0; i < section->places.count; i++) {
        const struct ct_statistics *timed =
            i < section->places.measured ? &section->map->cells[i].methods[method] : NULL;
        const bool known = timed && timed->count > 0;
        measured[0][i] = known ? timed->median : NAN;
        measured[1][i] = known ? timed->low : NAN;
        measured[2][i] = known ? timed->high : NAN;
        forecast[i] = ct_predicted_map_at(predicted, &section->places.keys[i], method);
    }
}

static void add_panels(const struct ct_section *section, const struct ct_predicted_map *predicted,
                       struct ct_page *page)
{
    size_t methods[METHODS_SHOWN], rows[CT_FIGURE_PANELS];
    const size_t count = pick_methods(section, predicted, methods), places = section->places.count;
    const size_t row_count = ct_grid_pick_rows(&section->grid, CT_FIGURE_PANELS, rows);
    struct ct_plot_curve curves[2 * METHODS_SHOWN];
    char names[METHODS_SHOWN][CT_METHOD_TEXT];
    double *times = ct_allocate(4 * METHODS_SHOWN * (places + 1), sizeof *times);
    if (!times) {
        ct_page_note(page, CT_E_MEMORY);
        return;
    }
    ct_text_append(&page->html, "<ul class=\"legend\">");
    for (size_t i = 0; i < count; i++) {
        double *at = times + 4 * i * places, *const measured[] = {at, at + places, at + 2 * places};
        double *forecast = at + 3 * places;
        const uint32_t colour = section->colours[methods[i]];
        take_times(section, predicted, methods[i], measured, forecast);
        ct_method_format(&section->methods.items[methods[i]], false, names[i]);
        curves[2 * i] = (struct ct_plot_curve){
            names[i], measured[0], NULL, colour, 1.6, SOLID, {measured[1], measured[2]}};
        curves[2 * i + 1] = (struct ct_plot_curve){names[i], forecast, NULL, colour, 1.4, DASHED, {0}};
        ct_text_append(&page->html, "<li>");
        ct_swatch_add(page, colour, '\0');
        ct_html_method(&page->html, &section->methods.items[methods[i]]);
        ct_text_append(&page->html, "</li>");
    }
    ct_text_append(&page->html,
                   "<li class=\"soft\">solid: measured; dashed: predicted by %s</li></ul>\n"
                   "<div class=\"pair\">\n",
                   ct_communication_model_names[predicted->kind]);
    for (size_t r = 0; r < row_count; r++) {
        char caption[80] = "";
        if (section->grid.has_size)
            snprintf(caption, sizeof caption, "<b>%zu ranks</b>", section->grid.y[rows[r]]);
        ct_curves_add(&section->grid, rows[r], curves, 2 * count, section->colours,
                      "measured and predicted times", caption, page);
    }
    ct_text_append(&page->html, "</div>\n");
    free(times);
}

void ct_prediction_curves_add(const struct ct_section *section, struct ct_page *page)
{
    const struct ct_predicted_map *shown = NULL;
    for (size_t i = 0; i < section->report->predicted_count; i++)
        if (is_of(&section->report->predicted[i], section)) /* the last kind of model */
            shown = &section->report->predicted[i];
    if (!shown || !page->gnuplot)
        return;
    ct_text_append(&page->html, "<details open><summary>Measured and predicted times</summary>\n");
    add_panels(section, shown, page);
    ct_text_append(&page->html, "</details>\n");
}

/* --- the table of errors --- */

static void add_errors(const struct ct_predicted_map *predicted, struct ct_page *page)
{
    struct ct_prediction_errors *errors;
    size_t count;
    if (ct_prediction_errors_find(predicted, &errors, &count) != CT_OK) {
        ct_page_note(page, CT_E_MEMORY);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const bool all = errors[i].method == SIZE_MAX;
        char numbers[3][CT_NUMBER_TEXT];
        ct_text_append(&page->html, "<tr%s><td class=\"t\">%s</td><td class=\"t\">%s</td><td class=\"t\">",
                       all ? " class=\"ours\"" : "", ct_collectives[predicted->map->collective].name,
                       ct_communication_model_names[predicted->kind]);
        if (all)
            ct_text_append(&page->html, "all methods");
        else
            ct_html_method(&page->html, &predicted->map->methods[errors[i].method]);
        ct_text_append(&page->html, "</td><td>%s</td><td>%s</td><td>%s</td><td>%zu</td></tr>\n",
                       ct_penalty_text(errors[i].median, numbers[0]),
                       ct_penalty_text(errors[i].percentile95, numbers[1]),
                       ct_penalty_text(errors[i].most, numbers[2]), errors[i].cells);
    }
    free(errors);
}

void ct_prediction_errors_add(const struct ct_report *report, struct ct_page *page)
{
    ct_chapter_begin("predictions", "Predicted durations", page);
    ct_text_append(&page->html,
                   "<p class=\"soft\">The relative error is |predicted / measured - 1|. The model is ");
    ct_html_text(&page->html, report->model_name ? report->model_name : "");
    ct_text_append(&page->html, ".</p>\n");
    ct_columns_begin("<collective|<model|<method|median|95th percentile|worst|cells", page);
    for (size_t i = 0; i < report->predicted_count; i++)
        add_errors(&report->predicted[i], page);
    ct_columns_end(page);
    ct_text_append(&page->html, "</section>\n");
}
