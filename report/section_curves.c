/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "report/colours.h"
#include "report/markup.h"
#include "report/section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PANELS = 4, DASHES = 5, SOLID = 1 };

/* The curves of one panel with the memory they point to: a row of values, and of colours, per curve. */
struct panel {
    struct ct_curve *curves;
    size_t count;
    double *values;
    uint32_t *colours;
    size_t x_count;
};

static int panel_make(size_t curve_count, size_t x_count, struct panel *ret_panel)
{
    size_t area;
    if (!ct_multiply(curve_count + 1, x_count + 1, &area))
        return CT_E_LIMIT;
    struct panel panel = {.curves = ct_allocate(curve_count + 1, sizeof *panel.curves),
                          .values = ct_allocate(area, sizeof *panel.values),
                          .colours = ct_allocate(area, sizeof *panel.colours),
                          .x_count = x_count};
    *ret_panel = panel;
    return panel.curves && panel.values && panel.colours ? CT_OK : CT_E_MEMORY;
}

static void panel_free(struct panel *panel)
{
    free(panel->curves);
    free(panel->values);
    free(panel->colours);
}

/* Adds the times of these choices in a row of the grid; `look` says how, its values and colours are set here.
 */
static void panel_add(struct panel *panel, const struct ct_section *section, const struct ct_choices *choices,
                      size_t row, struct ct_curve look, bool points)
{
    double *values = panel->values + panel->count * panel->x_count;
    uint32_t *colours = panel->colours + panel->count * panel->x_count;
    const size_t *at = section->grid.at + row * section->grid.x_count;
    for (size_t x = 0; x < panel->x_count; x++) {
        values[x] = at[x] == SIZE_MAX ? NAN : choices->seconds[at[x]];
        size_t method = at[x] == SIZE_MAX ? SIZE_MAX : choices->methods[at[x]];
        colours[x] = method == SIZE_MAX ? 0 : section->colours[method];
    }
    look.values = values;
    look.colours = points ? colours : NULL;
    panel->curves[panel->count++] = look;
}

static int add_panel(const struct ct_section *section, size_t row, struct ct_studio *studio,
                     struct ct_error *error, struct ct_text *page)
{
    struct panel panel = {0};
    struct ct_text script = {0};
    int status = panel_make(2 + section->report->table_count, section->grid.x_count, &panel);
    if (status != CT_OK)
        goto done;
    if (section->native.count > 0)
        panel_add(
            &panel, section, &section->native, row,
            (struct ct_curve){.text = "native", .colour = CT_NATIVE_COLOUR, .width = 2.2, .dash = SOLID},
            true);
    size_t drawn = 0;
    for (size_t i = 0; i < section->report->table_count; i++)
        if (section->tables[i].count > 0)
            panel_add(
                &panel, section, &section->tables[i], row,
                (struct ct_curve){.text = "tuned", .width = 1.4, .dash = SOLID + (int)(drawn++ % DASHES)},
                true);
    panel_add(&panel, section, &section->best, row,
              (struct ct_curve){.text = "best", .width = drawn ? 0.9 : 1.4, .dash = drawn ? 3 : SOLID},
              drawn == 0);
    ct_curves_script(&section->grid, panel.curves, panel.count, CT_QUANTITY_SECONDS, &script);

    char label[CT_METHOD_TEXT], caption[80] = "";
    snprintf(label, sizeof label, "times of %s", ct_collectives[section->map->collective].name);
    if (section->grid.has_size)
        snprintf(caption, sizeof caption, "<b>%zu processes</b>", section->grid.y[row]);
    ct_text_append(page, "<figure><figcaption>%s</figcaption>\n", caption);
    status = ct_picture_draw(studio, &script, label, error, page);
    ct_text_append(page, "</figure>\n");
done:
    ct_text_free(&script);
    panel_free(&panel);
    return status;
}

static void add_key(const struct ct_section *section, struct ct_text *page)
{
    static const char *const strokes[DASHES] = {"solid", "dashed", "dotted", "dashed", "dashed"};
    size_t drawn = 0;
    ct_text_append(page, "<ul class=\"legend\">");
    if (section->native.count > 0)
        ct_text_append(
            page, "<li><span class=\"stroke\" style=\"border-top:3px solid #8c8c8c\"></span>native</li>");
    for (size_t i = 0; i < section->report->table_count; i++) {
        if (section->tables[i].count == 0)
            continue;
        ct_text_append(page, "<li><span class=\"stroke\" style=\"border-top-style:%s\"></span>",
                       strokes[drawn++ % DASHES]);
        ct_html_text(page, section->report->tables[i].name);
        ct_text_append(page, "</li>");
    }
    ct_text_append(page, "<li><span class=\"stroke\" style=\"border-top:1px %s\"></span>best measured</li>",
                   drawn ? "dotted" : "solid");
    ct_text_append(page, "<li class=\"soft\">points have the colour of the method taken</li></ul>\n");
}

int ct_section_curves_add(const struct ct_section *section, struct ct_studio *studio, struct ct_error *error,
                          struct ct_text *page)
{
    size_t rows[PANELS];
    size_t count = ct_grid_pick_rows(&section->grid, PANELS, rows);
    if (section->grid.x_count < 2)
        return CT_OK;
    ct_text_append(page, "<h3>Times (median) against %s</h3>\n",
                   section->grid.has_size ? "message size" : "communicator size");
    add_key(section, page);
    ct_text_append(page, "<div class=\"pair\">\n");
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = add_panel(section, rows[i], studio, error, page);
    ct_text_append(page, "</div>\n");
    return status;
}
