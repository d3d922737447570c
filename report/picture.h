/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_PICTURE_H
#define CT_REPORT_PICTURE_H

#include "base/text.h"
#include "report/grid.h"

#include <stdint.h>

/* A page while it is made, and its curves, which gnuplot draws: ct_curves_script() appends the commands of
 * one picture; ct_picture_add() keeps them and the picture's place in the page; ct_pictures_draw() runs all
 * of them at once, since gnuplot takes longer to start than to draw, and puts the results in their places as
 * <svg> elements: black becomes the page's text colour, and the names in them are made unique. */

struct ct_picture {
    size_t at;   /* where it belongs in the page */
    char *label; /* says to those who do not see it what it is */
};

/* After a failure nothing more is drawn, and the page is of no use, so that `status` need be checked only
 * once, at the end. */
struct ct_page {
    struct ct_text html;
    int status;                  /* CT_OK or the first failure */
    struct ct_error *error;      /* gets a line about it */
    char *gnuplot;               /* NULL: it is not installed, so there are no curves */
    char *folder;                /* to work in */
    struct ct_text script;       /* of all pictures */
    struct ct_picture *pictures; /* in the order of the page */
    size_t picture_count;
    size_t picture_capacity;
};

/* Looks for gnuplot and makes the folder. CT_OK, CT_E_SYSTEM, CT_E_MEMORY. Close also after a failure. */
int ct_page_open(struct ct_page *page, struct ct_error *error);
/* Removes the folder and frees the page. */
void ct_page_close(struct ct_page *page);

/* Notes a failure; CT_OK and failures after the first change nothing. */
void ct_page_note(struct ct_page *page, int status);

/* Adds a picture at the end of the page as it is now. Needs gnuplot. */
void ct_picture_add(struct ct_page *page, const struct ct_text *script, const char *label);

/* Draws all pictures that were added. Once, when the page is complete. */
void ct_pictures_draw(struct ct_page *page);

struct ct_plot_curve {
    const char *text;      /* shown where the pointer rests */
    const double *values;  /* by place of the grid; NAN leaves a gap */
    const size_t *methods; /* by place: those whose colours the points have; NULL draws no points */
    uint32_t colour;       /* of the line; 0 is the page's text colour */
    double width;
    int dash; /* of gnuplot's dash types: 1 is solid */
    const double
        *bounds[2]; /* by place: intervals of the values, drawn where they have a width; NULL: none */
};

/* Curves of times over the x of a row of the grid, on a logarithmic y. `colours` are by method. If nothing
 * can be drawn, the frame is empty. */
void ct_curves_script(const struct ct_grid *grid, size_t row, const struct ct_plot_curve *curves,
                      size_t count, const uint32_t *colours, struct ct_text *script);

#endif
