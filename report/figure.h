/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_FIGURE_H
#define CT_REPORT_FIGURE_H

#include "report/colours.h"
#include "report/picture.h"

/* Figures of a page: a picture with its caption. `label` is plain text, `caption` HTML. */

enum { CT_FIGURE_PANELS = 4 }; /* rows of a grid whose curves are shown, at most */

/* The square that stands for a method or a class in legends; '\0' and ' ' are no letters. */
void ct_swatch_add(struct ct_page *page, uint32_t colour, char letter);

/* A map of classes. */
void ct_class_map_add(const struct ct_grid *grid, const size_t *class_of, const struct ct_class *classes,
                      size_t class_count, const char *label, const char *caption, struct ct_page *page);

/* A map whose fields are bands of a value (by place of the grid; NAN leaves a field empty), with its legend;
 * the grid has `count` places. */
void ct_band_map_add(const struct ct_grid *grid, const double *values, size_t count,
                     const struct ct_band *bands, const char *label, const char *caption,
                     struct ct_page *page);

/* Curves over a row of the grid; arguments as of ct_curves_script(). */
void ct_curves_add(const struct ct_grid *grid, size_t row, const struct ct_curve *curves, size_t count,
                   const uint32_t *colours, enum ct_quantity quantity, const char *label, const char *caption,
                   struct ct_page *page);

#endif
