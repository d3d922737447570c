/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/trust.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "base/text.h"
#include "report/markup.h"

#include <stdlib.h>

/* How far the figures can be trusted. */

enum { SLOWEST_SHOWN = 3 };

static void add_slower(const struct ct_validation *validation, struct ct_page *page)
{
    const struct ct_validation_point **slower;
    size_t count;
    char share[CT_NUMBER_TEXT], number[CT_NUMBER_TEXT];
    if (ct_validation_slower(validation, &slower, &count) != CT_OK) {
        ct_page_note(page, CT_E_MEMORY);
        return;
    }
    ct_text_append(&page->html,
                   "<li><b>%s slower than native</b> %zu of %zu <a href=\"#validation\">validated points</a>",
                   ct_share_text(count, validation->count, share), count, validation->count);
    for (size_t i = 0; i < count && i < SLOWEST_SHOWN; i++) {
        struct ct_text name = {0};
        ct_validation_name(slower[i], &name);
        ct_text_append(&page->html, "%s", i == 0 ? ": " : ", ");
        if (name.failed)
            ct_page_note(page, CT_E_MEMORY);
        else
            ct_html_text(&page->html, name.data);
        ct_text_append(&page->html, " %s%s", ct_ratio_text(ct_validation_speed_up(slower[i]), number),
                       ct_validation_remark(slower[i]));
        ct_text_free(&name);
    }
    ct_text_append(&page->html, count > SLOWEST_SHOWN ? ", …</li>\n" : "</li>\n");
    free(slower);
}

/* Was the cell measured by a sweep, and not by validations alone, which measure only two methods? */
static bool is_swept(const struct ct_cell *cell, const struct ct_run_description *description)
{
    for (size_t i = 0; i < cell->launch_count; i++)
        if (!ct_run_is_validation(description, cell->launches[i].launch))
            return true;
    return cell->launch_count == 0;
}

/* How many samples are behind the fastest methods of the cells that a sweep measured. */
static void add_samples(const struct ct_report *report, const struct ct_section *sections,
                        struct ct_page *page)
{
    size_t cells = 0, single = 0;
    for (size_t s = 0; s < report->map_count; s++)
        cells += sections[s].places.measured;
    double *counts = ct_allocate(cells + 1, sizeof *counts);
    cells = 0;
    for (size_t s = 0; counts && s < report->map_count; s++) {
        const struct ct_map *map = sections[s].map;
        for (size_t i = 0; i < map->cell_count; i++) {
            if (map->cells[i].best == SIZE_MAX || !is_swept(&map->cells[i], report->description))
                continue;
            counts[cells] = (double)map->cells[i].methods[map->cells[i].best].count;
            single += counts[cells++] < 2;
        }
    }
    if (!counts || cells == 0) {
        ct_page_note(page, counts ? CT_OK : CT_E_MEMORY);
        free(counts);
        return;
    }
    const double median = ct_median(counts, cells);
    if (report->maps[0].exact)
        ct_text_append(&page->html, "<li><b>Computed times</b> they repeat exactly, so one sample is "
                                    "enough</li>\n");
    else
        ct_text_append(&page->html,
                       "<li><b>%.3g sample%s</b> of the fastest method in the median cell; one sample in %zu "
                       "of %zu cell%s</li>\n",
                       median, median == 1 ? "" : "s", single, cells, ct_s(cells));
    free(counts);
}

void ct_trust_add(const struct ct_report *report, const struct ct_section *sections, struct ct_page *page)
{
    size_t measured = 0, cells = 0;
    char share[CT_NUMBER_TEXT];
    for (size_t s = 0; s < report->map_count; s++) {
        for (size_t i = 0; i < sections[s].map->cell_count; i++)
            measured += is_swept(&sections[s].map->cells[i], report->description);
        cells += sections[s].places.count;
    }
    ct_text_append(&page->html, "<ul class=\"trust\">\n<li><b>%s measured</b> %zu of %zu cell%s</li>\n",
                   ct_share_text(measured, cells, share), measured, cells, ct_s(cells));
    add_samples(report, sections, page);
    if (report->validation)
        add_slower(report->validation, page);
    else if (report->table_count > 0)
        ct_text_append(&page->html, "<li><b>Not validated</b> the table may have been learned from these "
                                    "very cells; <code>colltune validate</code> measures the gain</li>\n");
    ct_text_append(&page->html, "</ul>\n");
    for (size_t i = 0; i < report->table_count; i++) {
        if (!report->tables[i].outdated)
            continue;
        ct_text_append(&page->html, "<p class=\"warning\">");
        ct_html_text(&page->html, report->tables[i].name);
        ct_text_append(&page->html, " was learned from an earlier state of this run: learn again.</p>\n");
    }
}
