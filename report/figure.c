/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/figure.h"
#include "base/memory.h"
#include "report/markup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ct_chapter_begin(const char *id, const char *name, struct ct_page *page)
{
    ct_text_append(&page->html, "<section id=\"%s\"><h2>%s <a class=\"up\" href=\"#top\">↑ top</a></h2>\n",
                   id, name);
}

void ct_columns_begin(const char *columns, struct ct_page *page)
{
    ct_text_append(&page->html, "<div class=\"table\"><table class=\"sorts\"><thead><tr>");
    for (const char *at = columns; *at;) {
        const bool is_left = *at == '<';
        const char *name = at + is_left;
        const size_t length = strcspn(name, "|");
        ct_text_append(&page->html, "<th%s>%.*s</th>", is_left ? " class=\"t\"" : "", (int)length, name);
        at = name + length + (name[length] == '|');
    }
    ct_text_append(&page->html, "</tr></thead><tbody>\n");
}

void ct_columns_end(struct ct_page *page)
{
    ct_text_append(&page->html, "</tbody></table></div>\n");
}

void ct_swatch_add(struct ct_page *page, uint32_t colour, char letter)
{
    char text[CT_NUMBER_TEXT];
    ct_text_append(&page->html, "<span class=\"swatch\" style=\"background:%s;color:%s\">%.1s</span>",
                   ct_colour_text(colour, text), ct_colour_is_light(colour) ? "#1a1a1a" : "#fff",
                   letter && letter != ' ' ? (char[]){letter, '\0'} : "");
}

void ct_class_map_add(const struct ct_field_map *map, const char *caption, struct ct_page *page)
{
    ct_text_append(&page->html, "<figure><figcaption>%s</figcaption>\n", caption);
    ct_field_map_add(map, page);
    ct_text_append(&page->html, "</figure>\n");
}

void ct_band_legend_add(const struct ct_band *bands, const size_t *counts, struct ct_page *page)
{
    const size_t band_count = ct_band_find(bands, INFINITY) + 1;
    ct_text_append(&page->html, "<ul class=\"legend\">");
    for (size_t i = 0; i < band_count; i++) {
        if (counts && counts[i] == 0)
            continue;
        ct_text_append(&page->html, "<li>");
        ct_swatch_add(page, bands[i].colour, '\0');
        ct_text_append(&page->html, "%s</li>", bands[i].text);
    }
    ct_text_append(&page->html, "</ul>");
}

void ct_band_map_add(struct ct_field_map map, const double *values, size_t count, const struct ct_band *bands,
                     const char *caption, struct ct_page *page)
{
    const size_t band_count = ct_band_find(bands, INFINITY) + 1;
    size_t *band_of = ct_allocate(count + 1, sizeof *band_of);
    size_t *counts = ct_allocate(band_count, sizeof *counts);
    struct ct_class *classes = ct_allocate(band_count, sizeof *classes);
    if (!band_of || !counts || !classes) {
        ct_page_note(page, CT_E_MEMORY);
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        band_of[i] = isnan(values[i]) ? SIZE_MAX : ct_band_find(bands, values[i]);
        if (band_of[i] != SIZE_MAX)
            counts[band_of[i]]++;
    }
    for (size_t i = 0; i < band_count; i++)
        classes[i] = (struct ct_class){.text = bands[i].text, .colour = bands[i].colour};
    map.class_of = band_of;
    map.classes = classes;
    map.class_count = band_count;
    ct_text_append(&page->html, "<figure><figcaption>%s</figcaption>\n", caption);
    ct_field_map_add(&map, page);
    ct_band_legend_add(bands, counts, page);
    ct_text_append(&page->html, "</figure>\n");
done:
    free(band_of);
    free(counts);
    free(classes);
}

void ct_curves_add(const struct ct_grid *grid, size_t row, const struct ct_plot_curve *curves, size_t count,
                   const uint32_t *colours, const char *label, const char *caption, struct ct_page *page)
{
    struct ct_text script = {0};
    ct_curves_script(grid, row, curves, count, colours, &script);
    ct_text_append(&page->html, "<figure><figcaption>%s</figcaption>\n", caption);
    ct_picture_add(page, &script, label);
    ct_text_append(&page->html, "</figure>\n");
    ct_text_free(&script);
}
