/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_SECTION_H
#define CT_REPORT_SECTION_H

#include "report/choices.h"
#include "report/picture.h"
#include "report/report_input.h"

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

#endif
