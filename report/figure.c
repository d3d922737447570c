/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/figure.h"
#include "base/memory.h"
#include "report/markup.h"

#include <math.h>
#include <stdlib.h>

void ct_swatch_add(struct ct_page *page, uint32_t colour, char letter)
{
    char text[CT_NUMBER_TEXT];
    ct_text_append(&page->html, "<span class=\"swatch\" style=\"background:%s;color:%s\">%.1s</span>",
                   ct_colour_text(colour, text), ct_colour_is_light(colour) ? "#1a1a1a" : "#fff",
                   letter && letter != ' ' ? (char[]){letter, '\0'} : "");
}

/* The map in a figure that is still open. */
static void begin_map(const struct ct_grid *grid, const size_t *class_of, const struct ct_class *classes,
                      size_t class_count, const char *label, const char *caption, struct ct_page *page)
{
    struct ct_text script = {0};
    ct_page_note(page, ct_map_script(grid, class_of, classes, class_count, &script));
    ct_text_append(&page->html, "<figure>\n");
    ct_picture_draw(page, &script, label);
    ct_text_append(&page->html, "<figcaption>%s", caption);
    ct_text_free(&script);
}

void ct_class_map_add(const struct ct_grid *grid, const size_t *class_of, const struct ct_class *classes,
                      size_t class_count, const char *label, const char *caption, struct ct_page *page)
{
    begin_map(grid, class_of, classes, class_count, label, caption, page);
    ct_text_append(&page->html, "</figcaption></figure>\n");
}

void ct_band_map_add(const struct ct_grid *grid, const double *values, size_t count,
                     const struct ct_band *bands, const char *label, const char *caption,
                     struct ct_page *page)
{
    const size_t area = grid->x_count * grid->y_count, band_count = ct_band_find(bands, INFINITY) + 1;
    size_t *band_of = ct_allocate(count + 1, sizeof *band_of);
    size_t *counts = ct_allocate(band_count, sizeof *counts), known = 0;
    struct ct_class *classes = ct_allocate(band_count, sizeof *classes);
    if (!band_of || !counts || !classes) {
        ct_page_note(page, CT_E_MEMORY);
        goto done;
    }
    for (size_t i = 0; i < count; i++)
        band_of[i] = isnan(values[i]) ? SIZE_MAX : ct_band_find(bands, values[i]);
    for (size_t i = 0; i < area; i++) {
        size_t band = grid->at[i] == SIZE_MAX ? SIZE_MAX : band_of[grid->at[i]];
        known += band != SIZE_MAX;
        if (band != SIZE_MAX)
            counts[band]++;
    }
    for (size_t i = 0; i < band_count; i++)
        classes[i] = (struct ct_class){.text = bands[i].text, .colour = bands[i].colour};
    begin_map(grid, band_of, classes, band_count, label, caption, page);
    ct_text_append(&page->html, "<ul class=\"legend\">");
    for (size_t i = 0; i < band_count; i++) {
        char share[CT_NUMBER_TEXT];
        ct_text_append(&page->html, "<li>");
        ct_swatch_add(page, bands[i].colour, '\0');
        ct_text_append(&page->html, "%s%s%s</li>", bands[i].text, counts[i] ? " · " : "",
                       counts[i] ? ct_share_text(counts[i], known, share) : "");
    }
    ct_text_append(&page->html, "</ul></figcaption></figure>\n");
done:
    free(band_of);
    free(counts);
    free(classes);
}

void ct_curves_add(const struct ct_grid *grid, size_t row, const struct ct_curve *curves, size_t count,
                   const uint32_t *colours, enum ct_quantity quantity, const char *label, const char *caption,
                   struct ct_page *page)
{
    struct ct_text script = {0};
    ct_curves_script(grid, row, curves, count, colours, quantity, &script);
    ct_text_append(&page->html, "<figure><figcaption>%s</figcaption>\n", caption);
    ct_picture_draw(page, &script, label);
    ct_text_append(&page->html, "</figure>\n");
    ct_text_free(&script);
}
