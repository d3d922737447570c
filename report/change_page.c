/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/change_page.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "report/colours.h"
#include "report/figure.h"
#include "report/frame.h"
#include "report/markup.h"
#include "report/page_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS_MOST = 200 }; /* of the table of changes */

/* --- the first screen --- */

static void add_head(const struct ct_change_report *report, struct ct_page *page)
{
    struct ct_text *html = &page->html;
    const struct ct_changes *changes = report->changes;
    const size_t *counts = changes->counts;
    ct_text_append(html, "<header><h1>");
    ct_html_text(html, report->names[0]);
    ct_text_append(html, " → ");
    ct_html_text(html, report->names[1]);
    ct_text_append(html, "</h1>\n<p class=\"lead\"><b>%zu slower, %zu faster</b>", counts[CT_CHANGE_SLOWER],
                   counts[CT_CHANGE_FASTER]);
    if (counts[CT_CHANGE_FAILS] + counts[CT_CHANGE_WORKS] > 0)
        ct_text_append(html, ", %zu fail now, %zu work again", counts[CT_CHANGE_FAILS],
                       counts[CT_CHANGE_WORKS]);
    ct_text_append(html, ", %zu the same, %zu undecided: methods in %zu cell%s of both runs.</p>\n",
                   counts[CT_CHANGE_SAME], counts[CT_CHANGE_UNDECIDED], changes->cell_count,
                   ct_s(changes->cell_count));
    ct_text_append(html, "<p class=\"soft\">");
    if (changes->exact)
        ct_text_append(html, "Times are computed and compared as they are.");
    else
        ct_text_append(html, "The family-wise error rate of all comparisons is at most %g %%.",
                       100 * CT_ALPHA);
    if (changes->by_samples > 0)
        ct_text_append(html, " %zu comparison%s of one job launch in each run: others may differ.",
                       changes->by_samples, changes->by_samples == 1 ? " is" : "s are");
    ct_text_append(html, "</p></header>\n<ul class=\"trust\">\n");
    for (int run = 0; run < 2; run++) {
        const size_t items = counts[run == 0 ? CT_CHANGE_FIRST_ONLY : CT_CHANGE_SECOND_ONLY];
        ct_text_append(html, "<li><b>");
        ct_html_text(html, report->names[run]);
        ct_text_append(html, "</b> alone has %zu time%s of methods, and %zu whole cell%s</li>\n", items,
                       ct_s(items), changes->only[run], ct_s(changes->only[run]));
    }
    ct_text_append(html, "</ul>\n");
}

/* --- by collective and communicator size --- */

struct groups {
    struct ct_change_group *items;
    size_t count;
    size_t *comm_sizes;
    size_t comm_size_count;
};

static void add_field(const struct ct_change_group *group, struct ct_page *page)
{
    char colour_text[CT_NUMBER_TEXT], number[CT_NUMBER_TEXT];
    const double ratio = group ? 1 / ct_ratio_mean_value(&group->all) : NAN;
    if (!isfinite(ratio)) {
        ct_text_append(&page->html, "<td class=\"heat\">–</td>");
        return;
    }
    const uint32_t colour = ct_ratio_bands[ct_band_find(ct_ratio_bands, ratio)].colour;
    const size_t slower = group->counts[CT_CHANGE_SLOWER] + group->counts[CT_CHANGE_FAILS];
    const size_t faster = group->counts[CT_CHANGE_FASTER] + group->counts[CT_CHANGE_WORKS];
    ct_text_append(
        &page->html,
        "<td class=\"heat\" style=\"background:%s;color:%s\" title=\"%zu slower, %zu faster, %zu the "
        "same, %zu undecided\">%s%s</td>",
        ct_colour_text(colour, colour_text), ct_colour_is_light(colour) ? "#1a1a1a" : "#fff", slower, faster,
        group->counts[CT_CHANGE_SAME], group->counts[CT_CHANGE_UNDECIDED], ct_factor_text(ratio, number),
        slower + faster > 0 ? " *" : "");
}

static const struct ct_change_group *find_group(const struct groups *groups, enum ct_collective collective,
                                                size_t comm_size)
{
    for (size_t i = 0; i < groups->count; i++)
        if (groups->items[i].collective == collective && groups->items[i].comm_size == comm_size)
            return &groups->items[i];
    return NULL;
}

static void add_row(const struct groups *groups, enum ct_collective collective, struct ct_page *page)
{
    size_t slower = 0, faster = 0, overtaken = 0, cells = 0;
    ct_text_append(&page->html, "<tr><td class=\"t\"><a href=\"#%s\">%s</a></td>",
                   ct_collectives[collective].name, ct_collectives[collective].name);
    for (size_t i = 0; i < groups->comm_size_count; i++) {
        const struct ct_change_group *group = find_group(groups, collective, groups->comm_sizes[i]);
        add_field(group, page);
        if (!group)
            continue;
        slower += group->counts[CT_CHANGE_SLOWER] + group->counts[CT_CHANGE_FAILS];
        faster += group->counts[CT_CHANGE_FASTER] + group->counts[CT_CHANGE_WORKS];
        overtaken += group->overtaken;
        cells += group->cells;
    }
    ct_text_append(&page->html, "<td>%zu</td><td>%zu</td><td>%zu of %zu</td></tr>\n", slower, faster,
                   overtaken, cells);
}

static void add_groups(const struct groups *groups, struct ct_page *page)
{
    ct_text_append(&page->html, "<div class=\"table\"><table class=\"overview sorts\"><thead><tr><th "
                                "class=\"t\">time before over time now</th>");
    for (size_t i = 0; i < groups->comm_size_count; i++)
        ct_text_append(&page->html, "<th class=\"heat\" title=\"ranks\">%zu</th>", groups->comm_sizes[i]);
    ct_text_append(&page->html,
                   "<th>slower</th><th>faster</th><th>other method best</th></tr></thead><tbody>\n");
    for (int i = 0; i < CT_COLLECTIVES; i++) {
        size_t at = 0;
        while (at < groups->count && groups->items[at].collective != (enum ct_collective)i)
            at++;
        if (at < groups->count)
            add_row(groups, (enum ct_collective)i, page);
    }
    ct_text_append(&page->html, "</tbody></table></div>\n");
    ct_band_legend_add(ct_ratio_bands, NULL, page);
    ct_text_append(
        &page->html,
        "<p class=\"soft\">Geometric means over all methods and message sizes, by number of ranks. "
        "*: at least one change is significant.</p>\n");
}

static int make_groups(const struct ct_changes *changes, struct groups *groups)
{
    int status = ct_change_groups_make(changes, &groups->items, &groups->count);
    if (status != CT_OK)
        return status;
    groups->comm_sizes = ct_allocate(groups->count + 1, sizeof *groups->comm_sizes);
    if (!groups->comm_sizes)
        return CT_E_MEMORY;
    for (size_t i = 0; i < groups->count; i++)
        groups->comm_sizes[i] = groups->items[i].comm_size;
    groups->comm_size_count = ct_sort_unique(groups->comm_sizes, groups->count);
    return CT_OK;
}

/* --- the largest changes --- */

static void add_time(const struct ct_statistics *statistics, struct ct_page *page)
{
    char text[CT_NUMBER_TEXT];
    if (statistics && statistics->failed)
        ct_text_append(&page->html, "<td>failed</td>");
    else
        ct_text_append(&page->html, "<td>%s</td>",
                       ct_seconds_text(statistics ? statistics->median : NAN, text));
}

static void add_change(const struct ct_change *change, struct ct_page *page)
{
    char size[CT_SIZE_TEXT] = "", ratio[CT_NUMBER_TEXT];
    if (ct_collectives[change->collective].has_size)
        ct_size_format(change->key.msg_bytes, size);
    ct_text_append(&page->html, "<tr><td class=\"t\">%s</td><td>%u</td><td>%s</td><td class=\"t\">",
                   ct_collectives[change->collective].name, change->key.comm_size, size);
    ct_html_method(&page->html, change->method);
    ct_text_append(&page->html, "</td>");
    add_time(change->before, page);
    add_time(change->after, page);
    ct_text_append(&page->html, "<td>%s</td><td class=\"t\">%s</td></tr>\n",
                   ct_ratio_text(ct_change_ratio(change), ratio), ct_change_names[change->kind]);
}

static void add_largest(const struct ct_changes *changes, struct ct_page *page)
{
    size_t *order, count;
    if (ct_changes_largest(changes, &order, &count) != CT_OK) {
        ct_page_note(page, CT_E_MEMORY);
        return;
    }
    ct_chapter_begin("changes", "The largest changes", page);
    if (count == 0) {
        ct_text_append(&page->html, "<p>No change is significant.</p>\n");
    } else {
        ct_text_append(&page->html,
                       "<p class=\"soft\">%zu of %zu. The ratio is the time now over the time "
                       "before.</p>\n",
                       count < ROWS_MOST ? count : (size_t)ROWS_MOST, count);
        ct_columns_begin("<collective|ranks|bytes|<method|before|now|ratio|<change", page);
        for (size_t i = 0; i < count && i < ROWS_MOST; i++)
            add_change(&changes->items[order[i]], page);
        ct_columns_end(page);
    }
    ct_text_append(&page->html, "</section>\n");
    free(order);
}

/* --- maps of one collective --- */

/* The cells of a collective that both runs have, and a method in each of them: native or the best. */
struct chapter {
    const struct ct_changed_cell *cells; /* those of the collective are behind one another */
    size_t count;
    struct ct_grid grid;
    double *ratios; /* by cell */
    bool of_native;
};

static size_t method_in(const struct chapter *chapter, size_t cell, int run)
{
    const struct ct_changed_cell *both = &chapter->cells[cell];
    const struct ct_map *map = both->maps[run];
    size_t native = 0;
    if (!chapter->of_native)
        return both->cells[run]->best;
    while (native < map->method_count && !ct_is_native(map->methods[native].algorithm))
        native++;
    return native < map->method_count && both->cells[run]->methods[native].count > 0 ? native : SIZE_MAX;
}

static double time_in(const struct chapter *chapter, size_t cell, int run)
{
    const size_t method = method_in(chapter, cell, run);
    return method != SIZE_MAX ? chapter->cells[cell].cells[run]->methods[method].median : NAN;
}

/* "8 ranks, 64K bytes: binomial, 1.23 ms → ring, 1.10 ms" */
static void describe(const void *context, size_t place, struct ct_text *html)
{
    const struct chapter *chapter = context;
    const struct ct_changed_cell *both = &chapter->cells[place];
    char size[CT_SIZE_TEXT], name[CT_METHOD_TEXT], seconds[CT_NUMBER_TEXT];
    ct_text_append(html, "%u ranks", both->cells[0]->key.comm_size);
    if (chapter->grid.has_size)
        ct_text_append(html, ", %s byte%s", ct_size_format(both->cells[0]->key.msg_bytes, size),
                       ct_s(both->cells[0]->key.msg_bytes));
    for (int run = 0; run < 2; run++) {
        const size_t method = method_in(chapter, place, run);
        ct_text_append(html, "%s%s, %s", run == 0 ? ": " : " → ",
                       method != SIZE_MAX ? ct_method_format(&both->maps[run]->methods[method], false, name)
                                          : "–",
                       ct_seconds_text(time_in(chapter, place, run), seconds));
    }
}

static void add_ratio_map(struct chapter *chapter, bool of_native, const char *label, const char *caption,
                          struct ct_page *page)
{
    size_t known = 0;
    chapter->of_native = of_native;
    for (size_t i = 0; i < chapter->count; i++) {
        chapter->ratios[i] = time_in(chapter, i, 0) / time_in(chapter, i, 1);
        known += !isnan(chapter->ratios[i]);
    }
    const struct ct_field_map map = {.grid = &chapter->grid,
                                     .measured = chapter->count,
                                     .describe = describe,
                                     .context = chapter,
                                     .factors = chapter->ratios,
                                     .label = label};
    if (known > 0)
        ct_band_map_add(map, chapter->ratios, chapter->count, ct_ratio_bands, caption, page);
}

static void add_chapter(const struct ct_changed_cell *cells, size_t count, struct ct_page *page)
{
    const struct ct_collective_description *collective = &ct_collectives[cells[0].collective];
    struct chapter chapter = {.cells = cells, .count = count};
    struct ct_place *places = ct_allocate(count, sizeof *places);
    chapter.ratios = ct_allocate(count, sizeof *chapter.ratios);
    int status = places && chapter.ratios ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        places[i] = (struct ct_place){cells[i].cells[0]->key.comm_size, cells[i].cells[0]->key.msg_bytes};
    if (status == CT_OK)
        status = ct_grid_make(places, count, collective->has_size, &chapter.grid);
    if (status == CT_OK) {
        ct_chapter_begin(collective->name, collective->name, page);
        ct_text_append(&page->html, "<div class=\"pair\">\n");
        add_ratio_map(&chapter, true, "native before over native now",
                      "<b>Native</b>: time before over time now.", page);
        add_ratio_map(&chapter, false, "best method before over best method now",
                      "<b>The best method of each run</b>: time before over time now.", page);
        ct_text_append(&page->html, "</div>\n");
        if (chapter.grid.shadowed > 0)
            ct_text_append(&page->html,
                           "<p class=\"soft\">%zu cell%s from others only in nodes, ranks per node or mode; "
                           "the pictures show the first of them.</p>\n",
                           chapter.grid.shadowed, chapter.grid.shadowed == 1 ? " differs" : "s differ");
        ct_text_append(&page->html, "</section>\n");
    }
    ct_page_note(page, status);
    ct_grid_free(&chapter.grid);
    free(places);
    free(chapter.ratios);
}

/* --- conditions --- */

static void add_value(const char *value, struct ct_page *page)
{
    ct_text_append(&page->html, "<td class=\"t\">");
    ct_html_text(&page->html, value ? value : "–");
    ct_text_append(&page->html, "</td>");
}

static void add_conditions(const struct ct_change_report *report, struct ct_page *page)
{
    ct_chapter_begin("conditions", "Conditions that differ", page);
    ct_columns_begin("<condition|<before|<now", page);
    ct_text_append(&page->html, "<tr><td class=\"t\">created</td>");
    add_value(report->descriptions[0]->created, page);
    add_value(report->descriptions[1]->created, page);
    ct_text_append(&page->html, "</tr>\n");
    for (size_t i = 0; i < report->condition_count; i++) {
        ct_text_append(&page->html, "<tr>");
        add_value(report->conditions[i].name, page);
        add_value(report->conditions[i].values[0], page);
        add_value(report->conditions[i].values[1], page);
        ct_text_append(&page->html, "</tr>\n");
    }
    ct_columns_end(page);
    ct_text_append(&page->html, "</section>\n");
}

static void add_page(const struct ct_change_report *report, const struct groups *groups, struct ct_page *page)
{
    const struct ct_changes *changes = report->changes;
    ct_page_begin(page, report->names[1]);
    add_head(report, page);
    add_groups(groups, page);
    add_largest(changes, page);
    for (size_t begin = 0, end; begin < changes->cell_count; begin = end) {
        end = begin + 1;
        while (end < changes->cell_count &&
               changes->cells[end].collective == changes->cells[begin].collective)
            end++;
        add_chapter(changes->cells + begin, end - begin, page);
    }
    add_conditions(report, page);
    ct_page_finish(page, "compare");
}

int ct_change_page_write(const struct ct_change_report *report, const char *folder, struct ct_error *error)
{
    struct ct_page page = {.error = error};
    struct groups groups = {0};
    int status = ct_page_folder_check(folder, error);
    if (status == CT_OK)
        status = make_groups(report->changes, &groups);
    if (status == CT_OK) {
        add_page(report, &groups, &page);
        status = page.status == CT_OK ? ct_page_folder_fill(folder, &page.html, error) : page.status;
    }
    free(groups.items);
    free(groups.comm_sizes);
    ct_text_free(&page.html);
    return status;
}
