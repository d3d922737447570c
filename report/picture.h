/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_PICTURE_H
#define CT_REPORT_PICTURE_H

#include "base/text.h"
#include "report/grid.h"

#include <stdint.h>

/* Pictures drawn by gnuplot. A *_script() function appends the commands of one picture, behind which
 * ct_picture_draw() runs them and appends the result to a page as an <svg> element: black becomes the page's
 * text colour, and the names in it are made unique. */

/* Where gnuplot is and a folder to work in. */
struct ct_studio {
    char *gnuplot;
    char *folder;
    size_t drawn;
};

/* CT_OK; CT_E_SYSTEM with a line in `error` where gnuplot is not installed. Close also after a failure. */
int ct_studio_open(struct ct_studio *studio, struct ct_error *error);
/* Removes the folder. */
void ct_studio_close(struct ct_studio *studio);

/* `label` says to those who do not see it what the picture is. */
int ct_picture_draw(struct ct_studio *studio, const struct ct_text *script, const char *label,
                    struct ct_error *error, struct ct_text *page);

/* --- maps --- */

/* What fields of a map belong to, and how they look. */
struct ct_class {
    const char *text; /* shown where the pointer rests */
    uint32_t colour;
    char letter; /* written into its larger regions; '\0' for none */
};

/* `fields` is by place in the grid, as grid->at: an index into `classes`; SIZE_MAX leaves the field empty.
 * CT_OK or CT_E_MEMORY. */
int ct_map_script(const struct ct_grid *grid, const size_t *fields, const struct ct_class *classes,
                  size_t class_count, struct ct_text *script);

/* --- curves --- */

struct ct_curve {
    const char *text;        /* shown where the pointer rests */
    const double *values;    /* by x of the grid; NAN leaves a gap */
    const uint32_t *colours; /* of the points; NULL draws none */
    uint32_t colour;         /* of the line; 0 is the page's text colour */
    double width;
    int dash; /* of gnuplot's dash types: 1 is solid */
};

enum ct_quantity { CT_QUANTITY_SECONDS, CT_QUANTITY_SPEED_UP };

/* Curves over the grid's x on a logarithmic y. Nothing that can be drawn gives an empty frame. */
void ct_curves_script(const struct ct_grid *grid, const struct ct_curve *curves, size_t count,
                      enum ct_quantity quantity, struct ct_text *script);

#endif
