/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_FIGURE_H
#define CT_REPORT_FIGURE_H

#include "report/colours.h"
#include "report/field_map.h"
#include "report/picture.h"

/* Parts of a page: chapters, tables, and figures, which are pictures with captions. `label` is plain text,
 * `caption` HTML. */

/* Appends the heading of a chapter with a link to the top of the page. `name` is plain text. */
void ct_chapter_begin(const char *id, const char *name, struct ct_page *page);

/* The head of a table, which a click on a heading sorts; its columns are separated by '|', a leading '<'
 * aligns a column to the left. */
void ct_columns_begin(const char *columns, struct ct_page *page);
void ct_columns_end(struct ct_page *page);

enum { CT_FIGURE_PANELS = 4 }; /* rows of a grid whose curves are shown, at most */

/* The square that stands for a method or a class in legends; '\0' and ' ' are no letters. */
void ct_swatch_add(struct ct_page *page, uint32_t colour, char letter);

/* A map with its caption. */
void ct_class_map_add(const struct ct_field_map *map, const char *caption, struct ct_page *page);

/* A map whose fields are bands of a value, with its legend; `values` are by place (NAN leaves a field empty).
 * The other members of `map` are as given. */
void ct_band_map_add(struct ct_field_map map, const double *values, size_t count, const struct ct_band *bands,
                     const char *caption, struct ct_page *page);

/* The legend of bands, those alone that `counts` (by band) says to occur; NULL: all. */
void ct_band_legend_add(const struct ct_band *bands, const size_t *counts, struct ct_page *page);

/* Curves over a row of the grid; arguments as of ct_curves_script(). */
void ct_curves_add(const struct ct_grid *grid, size_t row, const struct ct_plot_curve *curves, size_t count,
                   const uint32_t *colours, const char *label, const char *caption, struct ct_page *page);

#endif
