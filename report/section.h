/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_SECTION_H
#define CT_REPORT_SECTION_H

#include "report/choices.h"
#include "report/colours.h"
#include "report/picture.h"
#include "report/report.h"

/* The parts of the page; all append to it. */

enum { CT_SECTION_NAME = 64 };

/* What is known of one collective, under one mapping of ranks, before anything is drawn. */
struct ct_section {
    const struct ct_report *report;
    const struct ct_map *map;
    enum ct_mapped_by by;        /* the mapping of all its cells */
    enum ct_call_mode mode;      /* how their calls are made */
    char title[CT_SECTION_NAME]; /* "bcast"; "bcast, nonblocking, by core" */
    char id[CT_SECTION_NAME];    /* for links: "bcast", "bcast-core" */
    struct ct_places places;
    struct ct_grid grid; /* of the places */
    struct ct_method_list methods;
    uint32_t *colours; /* by method */
    char *letters;     /* by method; '\0' where no picture shows it */
    struct ct_choices best;
    struct ct_choices native; /* count 0 where native was not measured */
    struct ct_choices single; /* the one best method; count 0 where that is native */
    size_t single_method;
    struct ct_choices *tables; /* by table of the report; count 0 where it does not decide this collective */
};

/* Caller frees with ct_section_free(), also after a failure. */
int ct_section_make(const struct ct_report *report, const struct ct_map *map, struct ct_section *ret_section);
void ct_section_free(struct ct_section *section);

/* The first screen: what was gained, which method is taken where, and how far to trust it. */
void ct_overview_add(const struct ct_report *report, const struct ct_section *sections, struct ct_page *page);

/* Its part on trust: how much was measured, with how many samples, what is slower than native. */
void ct_trust_add(const struct ct_report *report, const struct ct_section *sections, struct ct_page *page);

/* The name of the machine that was measured: its host, or the platform or model. */
const char *ct_report_title(const struct ct_report *report);

/* The slowdowns of all decisions, and the run with its conditions. */
void ct_summary_add(const struct ct_report *report, const struct ct_section *sections, struct ct_page *page);

/* A section's maps, methods and curves. */
void ct_section_add(const struct ct_section *section, struct ct_page *page);

/* Tuned against native as measured. */
void ct_validation_add(const struct ct_report *report, struct ct_page *page);

#endif
