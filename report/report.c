/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"
#include "base/memory.h"
#include "decision/map_divided.h"
#include "report/frame.h"
#include "report/overview.h"
#include "report/page_folder.h"
#include "report/prediction_page.h"
#include "report/section.h"
#include "report/section_page.h"
#include "report/summary.h"
#include "report/validation_page.h"

#include <stdlib.h>
#include <string.h>

static void tell_progress(const struct ct_report *report, size_t done)
{
    ct_watch_progress(report->watch, &(struct ct_progress){.what = "drawing",
                                                           .units = "collectives",
                                                           .done = done,
                                                           .total = report->map_count});
}

static void add_page(const struct ct_report *report, const struct ct_section *sections, struct ct_page *page)
{
    ct_page_begin(page, ct_report_title(report));
    ct_overview_add(report, sections, page);
    if (report->validation)
        ct_validation_add(report, page);
    ct_summary_add(report, sections, page);
    if (report->predicted_count > 0)
        ct_prediction_errors_add(report, page);
    for (size_t i = 0; i < report->map_count && page->status == CT_OK; i++) {
        tell_progress(report, i + 1);
        ct_section_add(&sections[i], page);
    }
    ct_page_finish(page, "report");
}

/* --- the parts of the page --- */

/* One map for each mode of calls and mapping of ranks: cells of several would lie over one another. */
static int split(const struct ct_report *report, struct ct_map **ret_parts, size_t *ret_count)
{
    struct ct_map *parts = NULL;
    size_t count = 0, capacity = 0;
    int status = CT_OK;
    for (size_t m = 0; status == CT_OK && m < report->map_count; m++) {
        struct ct_map *divided = NULL;
        size_t more = 0;
        status = ct_map_divide(&report->maps[m], &divided, &more);
        if (status == CT_OK)
            status = ct_grow(&parts, &capacity, count + more, sizeof *parts);
        if (status != CT_OK) {
            ct_map_parts_free(divided, more);
            break;
        }
        memcpy(parts + count, divided, more * sizeof *parts);
        count += more;
        free(divided);
    }
    if (status != CT_OK) {
        ct_map_parts_free(parts, count);
        return status;
    }
    *ret_parts = parts;
    *ret_count = count;
    return CT_OK;
}

static int write_parts(const struct ct_report *report, const char *folder, struct ct_error *error,
                       bool *ret_curves)
{
    struct ct_page page = {0};
    struct ct_section *sections = ct_allocate(report->map_count + 1, sizeof *sections);
    size_t made = 0;
    int status = sections ? ct_page_folder_check(folder, error) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_page_open(&page, error);
    while (status == CT_OK && made < report->map_count) {
        status = ct_section_make(report, &report->maps[made], &sections[made]);
        made++;
    }
    if (status != CT_OK)
        goto done;
    add_page(report, sections, &page);
    status = page.status == CT_OK ? ct_page_folder_fill(folder, &page.html, error) : page.status;
    if (status == CT_OK)
        *ret_curves = page.gnuplot != NULL;
done:
    for (size_t i = 0; i < made; i++)
        ct_section_free(&sections[i]);
    free(sections);
    ct_page_close(&page);
    return status;
}

int ct_report_write(const struct ct_report *report, const char *folder, struct ct_error *error,
                    bool *ret_curves)
{
    struct ct_report parted = *report;
    struct ct_map *parts;
    int status = split(report, &parts, &parted.map_count);
    if (status != CT_OK)
        return status;
    parted.maps = parts;
    status = write_parts(&parted, folder, error, ret_curves);
    ct_map_parts_free(parts, parted.map_count);
    return status;
}
