/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_FIELD_MAP_H
#define CT_REPORT_FIELD_MAP_H

#include "report/grid.h"
#include "report/picture.h"

#include <stdint.h>

/* Maps: a field for each place of a grid in the colour of its class, drawn as SVG. */

/* What fields of a map belong to, and how they look. */
struct ct_class {
    const char *text; /* shown where the pointer rests, unless a field has a text of its own */
    uint32_t colour;
    char letter; /* written into its larger regions; '\0' for none */
};

struct ct_field_map {
    const struct ct_grid *grid;
    const size_t *class_of; /* by place: index into `classes`; SIZE_MAX leaves the field empty */
    const struct ct_class *classes;
    size_t class_count;
    size_t measured; /* the fields of places from this one on are hatched */

    /* Appends what is shown where the pointer rests on the field, as HTML. May be NULL. */
    void (*describe)(const void *context, size_t place, struct ct_text *html);
    const void *context;
    const double *factors; /* by place: ratios that are written into fields wide enough; may be NULL */

    const char *label; /* says to those who do not see it what the picture is */
};

/* Appends the <svg> element. Without `describe`, adjacent fields of a class are one rectangle. */
void ct_field_map_add(const struct ct_field_map *map, struct ct_page *page);

/* Appends the pattern by which fields are hatched; once a page, before its maps. */
void ct_field_hatch_add(struct ct_page *page);

#endif
