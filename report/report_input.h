/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_REPORT_INPUT_H
#define CT_REPORT_REPORT_INPUT_H

#include "base/progress.h"
#include "decision/map.h"
#include "decision/table.h"
#include "models/predict/predicted_map.h"
#include "report/validation.h"

/* What the page of a run is made from. */

struct ct_report_table {
    const char *name;
    const struct ct_table *table;
    bool outdated; /* it was learned from an earlier state of the run */
};

struct ct_report {
    const char *name; /* of the run */
    const struct ct_run_description *description;
    size_t sample_count;
    const struct ct_map *maps; /* one a collective; the page shows its mappings of ranks apart */
    size_t map_count;
    const struct ct_report_table *tables; /* that decide for at least one of the collectives */
    size_t table_count;
    const struct ct_validation *validation; /* NULL: none */

    const struct ct_predicted_map *predicted; /* of these maps, for each kind of model; may be NULL */
    size_t predicted_count;
    const char *model_name; /* the file of the model; NULL: nothing was predicted */

    /* Is told what share of the page is done, 0..1, and may be NULL. */
    const struct ct_watch *watch; /* or NULL */
};

#endif
