/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_SECTION_H
#define CT_REPORT_SECTION_H

#include "report/choices.h"
#include "report/colours.h"
#include "report/picture.h"
#include "report/report.h"

/* The parts of the page; all append to it and return CT_OK or what went wrong, with a line in `error`. */

/* What is known of one collective before anything is drawn. */
struct ct_section {
    const struct ct_report *report;
    const struct ct_map *map;
    struct ct_grid grid; /* of the map's cells */
    uint32_t *colours;   /* by method of the map */
    char *letters;       /* by method; '\0' where no picture shows it */
    struct ct_choices best;
    struct ct_choices native; /* count 0 where native was not measured */
    struct ct_choices single; /* the one best method; count 0 where that is native */
    size_t single_method;
    struct ct_choices *tables; /* by table of the report; count 0 where it does not decide this collective */
};

/* Caller frees with ct_section_free(), also after a failure. */
int ct_section_make(const struct ct_report *report, const struct ct_map *map, struct ct_section *ret_section);
void ct_section_free(struct ct_section *section);

/* The head of the page: the run, its sweep, and the losses of all that decide. */
int ct_summary_add(const struct ct_report *report, const struct ct_section *sections, struct ct_text *page);

/* One collective with its maps, methods and curves. */
int ct_section_add(const struct ct_section *section, struct ct_studio *studio, struct ct_error *error,
                   struct ct_text *page);

/* Tuned against native as measured. `sections` lend the methods' colours. */
int ct_validation_add(const struct ct_report *report, const struct ct_section *sections,
                      struct ct_studio *studio, struct ct_error *error, struct ct_text *page);

/* --- what they share --- */

/* A map whose fields are bands of a value (by place of the grid; NAN leaves a field empty), with its legend.
 * `caption` is HTML, `label` plain text. */
int ct_band_map_add(const struct ct_grid *grid, const double *values, const struct ct_band *bands,
                    size_t band_count, const char *label, const char *caption, struct ct_studio *studio,
                    struct ct_error *error, struct ct_text *page);

#endif
