/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/overview.h"
#include "base/memory.h"
#include "base/sort.h"
#include "report/figure.h"
#include "report/markup.h"
#include "report/trust.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 10 };

/* How many times as fast as native in one point. */
struct gain {
    enum ct_collective collective;
    size_t section; /* that the point is in; SIZE_MAX: any of the collective and the mode */
    enum ct_call_mode mode;
    size_t comm_size;
    double ratio;
};

/* Adjacent communicator sizes, which share a column. */
struct column {
    size_t least;
    size_t most;
    bool oversubscribed;
};

struct overview {
    const struct ct_report *report;
    const struct ct_section *sections;
    struct gain *gains;
    size_t gain_count;
    struct column columns[COLUMNS_MOST];
    size_t column_count;
    size_t fitting; /* columns that are not oversubscribed; they come first */
};

/* --- the machine --- */

static bool is_of(const struct ct_report *report, const char *backend)
{
    return report->description->backend && strcmp(report->description->backend, backend) == 0;
}

const char *ct_report_title(const struct ct_report *report)
{
    const struct ct_run_description *description = report->description;
    const char *host = ct_run_property(description, "machine.host");
    if (host && *host)
        return host;
    if (!description->launcher || (!is_of(report, "simulated") && !is_of(report, "predicted")))
        return report->name;
    const char *slash = strrchr(description->launcher, '/');
    return slash && slash[1] ? slash + 1 : description->launcher;
}

/* CPUs of a node that the ranks could use; SIZE_MAX where that is not known, or every rank has one. */
static size_t cpus_of(const struct ct_report *report)
{
    const char *list = ct_run_property(report->description, "affinity");
    size_t *cpus, count;
    if (!list || ct_list_parse(list, NULL, &cpus, &count) != CT_OK)
        return SIZE_MAX;
    free(cpus);
    return count;
}

/* Ranks on the fullest node, for a communicator of this size. */
static size_t ranks_on_node(const struct overview *overview, size_t comm_size)
{
    size_t most_nodes = 1;
    for (size_t s = 0; s < overview->report->map_count; s++) {
        const struct ct_places *places = &overview->sections[s].places;
        for (size_t i = 0; i < places->measured; i++) {
            if (places->keys[i].comm_size == comm_size)
                return places->keys[i].ppn;
            most_nodes = places->keys[i].nodes > most_nodes ? places->keys[i].nodes : most_nodes;
        }
    }
    return most_nodes == 1 ? comm_size : 1;
}

/* --- gains --- */

/* What the page calls the table that it judges; NULL: it has none. */
static const char *table_name(const struct overview *overview)
{
    return overview->report->table_count > 0 ? overview->report->tables[0].name : NULL;
}

/* The decisions of the first table; the best methods where there is no table; NULL where it does not decide
 * this collective. */
static const struct ct_choices *choices_of(const struct overview *overview, const struct ct_section *section)
{
    if (!table_name(overview))
        return &section->best;
    return section->tables[0].count > 0 ? &section->tables[0] : NULL;
}

static void collect_from_cells(struct overview *overview)
{
    for (size_t s = 0; s < overview->report->map_count; s++) {
        const struct ct_section *section = &overview->sections[s];
        const struct ct_choices *choices = choices_of(overview, section);
        for (size_t i = 0; choices && section->native.count > 0 && i < section->places.measured; i++) {
            double ratio = section->native.seconds[i] / choices->seconds[i];
            if (isfinite(ratio))
                overview->gains[overview->gain_count++] = (struct gain){
                    section->map->collective, s, section->mode, section->places.keys[i].comm_size, ratio};
        }
    }
}

static void collect_from_points(struct overview *overview)
{
    for (size_t i = 0; i < overview->report->validation->count; i++) {
        const struct ct_validation_point *point = &overview->report->validation->points[i];
        overview->gains[overview->gain_count++] =
            (struct gain){point->collective, SIZE_MAX, (enum ct_call_mode)point->key.mode,
                          point->key.comm_size, ct_validation_speed_up(point)};
    }
}

static int collect(struct overview *overview)
{
    size_t room = overview->report->validation ? overview->report->validation->count : 0;
    for (size_t s = 0; s < overview->report->map_count; s++)
        room += overview->sections[s].places.measured;
    overview->gains = ct_allocate(room + 1, sizeof *overview->gains);
    if (!overview->gains)
        return CT_E_MEMORY;
    if (overview->report->validation)
        collect_from_points(overview);
    else
        collect_from_cells(overview);
    return CT_OK;
}

/* Puts `count` rising sizes into at most `most` columns. */
static void add_columns(struct overview *overview, const size_t *sizes, size_t count, size_t most,
                        bool oversubscribed)
{
    size_t columns = count < most ? count : most;
    for (size_t i = 0; i < columns; i++)
        overview->columns[overview->column_count++] =
            (struct column){sizes[i * count / columns], sizes[(i + 1) * count / columns - 1], oversubscribed};
}

static int make_columns(struct overview *overview)
{
    const size_t cpus = cpus_of(overview->report);
    size_t *sizes = ct_allocate(overview->gain_count + 1, sizeof *sizes), fitting = 0;
    if (!sizes)
        return CT_E_MEMORY;
    for (size_t i = 0; i < overview->gain_count; i++)
        sizes[i] = overview->gains[i].comm_size;
    size_t count = ct_sort_unique(sizes, overview->gain_count);
    while (fitting < count && ranks_on_node(overview, sizes[fitting]) <= cpus)
        fitting++;
    size_t over = count - fitting, half = COLUMNS_MOST / 2;
    add_columns(overview, sizes, fitting, over > half ? half : COLUMNS_MOST - over, false);
    overview->fitting = overview->column_count;
    add_columns(overview, sizes + fitting, over, COLUMNS_MOST - overview->column_count, true);
    free(sizes);
    return CT_OK;
}

/* Ratios of some gains. */
struct tally {
    size_t count;
    double logs;
    double least;
    double most;
};

/* Is it one of the section's (NULL: all)? */
static bool counts(const struct overview *overview, const struct gain *gain, const struct ct_section *section)
{
    return !section || (gain->collective == section->map->collective && gain->mode == section->mode &&
                        (gain->section == SIZE_MAX || &overview->sections[gain->section] == section));
}

/* Of one section (NULL: all) in columns `first` up to `end`. */
static struct tally tally(const struct overview *overview, const struct ct_section *section, size_t first,
                          size_t end)
{
    struct tally tally = {.least = INFINITY};
    for (size_t i = 0; i < overview->gain_count; i++) {
        const struct gain *gain = &overview->gains[i];
        if (first == end || !counts(overview, gain, section) ||
            gain->comm_size < overview->columns[first].least ||
            gain->comm_size > overview->columns[end - 1].most)
            continue;
        tally.count++;
        tally.logs += log(gain->ratio);
        tally.least = fmin(tally.least, gain->ratio);
        tally.most = fmax(tally.most, gain->ratio);
    }
    return tally;
}

static double mean_of(const struct tally *tally)
{
    return tally->count ? exp(tally->logs / (double)tally->count) : NAN;
}

/* --- sentences --- */

static char *ranks_text(size_t least, size_t most, char text[CT_NUMBER_TEXT])
{
    snprintf(text, CT_NUMBER_TEXT, least == most ? "%zu" : "%zu–%zu", least, most);
    return text;
}

/* "1.18 × with one rank per core (2 ranks)" */
static void add_part(const struct overview *overview, size_t first, size_t end, const char *how,
                     struct ct_page *page)
{
    const struct tally part = tally(overview, NULL, first, end);
    char number[CT_NUMBER_TEXT], ranks[CT_NUMBER_TEXT];
    ct_text_append(&page->html, "<b>%s times as fast as native</b>%s <span class=\"whole\">(%s ranks)</span>",
                   ct_factor_text(mean_of(&part), number), how,
                   ranks_text(overview->columns[first].least, overview->columns[end - 1].most, ranks));
}

static void add_sentence(const struct overview *overview, struct ct_page *page)
{
    const size_t fitting = overview->fitting, columns = overview->column_count;
    ct_text_append(&page->html, "<p class=\"lead\">");
    if (columns == 0) {
        ct_text_append(&page->html, "Native was not measured, so it is not known what is gained.</p>\n");
        return;
    }
    if (overview->report->validation)
        ct_text_append(&page->html, "Tuned calls are ");
    else if (table_name(overview))
        ct_text_append(&page->html, "In the measured cells, what the table takes is ");
    else
        ct_text_append(&page->html, "The fastest method of each measured cell is ");
    if (fitting > 0)
        add_part(overview, 0, fitting, fitting < columns ? " with one rank per core" : "", page);
    if (fitting < columns) {
        ct_text_append(&page->html, "%s", fitting > 0 ? ", and " : "");
        add_part(overview, fitting, columns, " oversubscribed, with more ranks than cores", page);
    }
    ct_text_append(&page->html, ": geometric mean%s of %zu %s.</p>\n",
                   fitting > 0 && fitting < columns ? "s" : "", overview->gain_count,
                   overview->report->validation ? "validated points" : "cells");
}

/* --- the table: what was gained, and which method where --- */

/* Message sizes, in bytes, for which one method is shown. */
static const struct {
    size_t most;
    const char *text;
} sizes[] = {{2048, "up to 2K"}, {65536, "to 64K"}, {SIZE_MAX, "above"}};

enum { SIZE_CLASSES = sizeof sizes / sizeof sizes[0] };

static void add_gain(const struct overview *overview, const struct ct_section *section, size_t column,
                     struct ct_page *page)
{
    const struct tally cell = tally(overview, section, column, column + 1);
    const double mean = mean_of(&cell);
    const char *edge = column == overview->fitting && column > 0 ? " over" : "";
    if (cell.count == 0) {
        ct_text_append(&page->html, "<td class=\"heat%s\">–</td>", edge);
        return;
    }
    const uint32_t colour = ct_ratio_bands[ct_band_find(ct_ratio_bands, mean)].colour;
    char numbers[3][CT_NUMBER_TEXT], text[CT_NUMBER_TEXT];
    ct_text_append(&page->html,
                   "<td class=\"heat%s\" style=\"background:%s;color:%s\" title=\"%zu point%s, from %s to "
                   "%s\">%s</td>",
                   edge, ct_colour_text(colour, text), ct_colour_is_light(colour) ? "#1a1a1a" : "#fff",
                   cell.count, cell.count == 1 ? "" : "s", ct_ratio_text(cell.least, numbers[0]),
                   ct_ratio_text(cell.most, numbers[1]), ct_factor_text(mean, numbers[2]));
}

/* The method that is chosen most often at messages above `least` and up to `most` bytes. */
static void add_usual_method(const struct ct_section *section, const struct ct_choices *choices, size_t least,
                             size_t most, size_t span, struct ct_page *page)
{
    size_t *times = ct_allocate(section->methods.count + 1, sizeof *times), all = 0, usual = 0;
    if (!times) {
        ct_page_note(page, CT_E_MEMORY);
        return;
    }
    for (size_t i = 0; choices && i < choices->count; i++) {
        size_t bytes = section->places.keys[i].msg_bytes;
        if (choices->methods[i] == SIZE_MAX || bytes > most || (least > 0 && bytes <= least))
            continue;
        times[choices->methods[i]]++;
        all++;
    }
    for (size_t i = 0; i < section->methods.count; i++)
        usual = times[i] > times[usual] ? i : usual;
    ct_text_append(&page->html, "<td class=\"t\" colspan=\"%zu\">", span);
    if (all > 0) {
        char share[CT_NUMBER_TEXT];
        ct_swatch_add(page, section->colours[usual], '\0');
        ct_html_method(&page->html, &section->methods.items[usual]);
        if (times[usual] < all)
            ct_text_append(&page->html, " <small>%s</small>", ct_share_text(times[usual], all, share));
    }
    ct_text_append(&page->html, "</td>");
    free(times);
}

static void add_row(const struct overview *overview, const struct ct_section *section, struct ct_page *page)
{
    const enum ct_collective collective = section->map->collective;
    const struct ct_choices *choices = choices_of(overview, section);
    ct_text_append(&page->html, "<tr><td class=\"t\"><a href=\"#%s\">%s</a></td>", section->id,
                   section->title);
    for (size_t i = 0; i < overview->column_count; i++)
        add_gain(overview, section, i, page);
    if (ct_collectives[collective].has_size)
        for (size_t i = 0; i < SIZE_CLASSES; i++)
            add_usual_method(section, choices, i > 0 ? sizes[i - 1].most : 0, sizes[i].most, 1, page);
    else
        add_usual_method(section, choices, 0, SIZE_MAX, SIZE_CLASSES, page);
    ct_text_append(&page->html, "</tr>\n");
}

static void add_head(const struct overview *overview, struct ct_page *page)
{
    const size_t fitting = overview->fitting, over = overview->column_count - fitting;
    ct_text_append(&page->html, "<tr class=\"kinds\"><th></th>");
    if (fitting > 0)
        ct_text_append(&page->html, "<th colspan=\"%zu\">%s</th>", fitting,
                       cpus_of(overview->report) != SIZE_MAX ? "one&#160;rank per&#160;core" : "ranks");
    if (over > 0)
        ct_text_append(&page->html, "<th class=\"over\" colspan=\"%zu\">oversubscribed</th>", over);
    ct_text_append(&page->html,
                   "<th class=\"t\" colspan=\"%d\">%s, by message size in bytes</th></tr>\n<tr>"
                   "<th class=\"t\">%s</th>",
                   (int)SIZE_CLASSES,
                   table_name(overview) ? "method that the table takes most often"
                                        : "method that is fastest most often",
                   overview->column_count > 0 ? "times as fast as native" : "collective");
    for (size_t i = 0; i < overview->column_count; i++) {
        char ranks[CT_NUMBER_TEXT];
        ct_text_append(&page->html, "<th class=\"heat%s\" title=\"ranks\">%s</th>",
                       i == fitting && i > 0 ? " over" : "",
                       ranks_text(overview->columns[i].least, overview->columns[i].most, ranks));
    }
    for (size_t i = 0; i < SIZE_CLASSES; i++)
        ct_text_append(&page->html, "<th class=\"t\">%s</th>", sizes[i].text);
    ct_text_append(&page->html, "</tr>\n");
}

/* The means over all collectives, and the legend. */
static void add_foot(const struct overview *overview, struct ct_page *page)
{
    ct_text_append(&page->html, "<tfoot><tr><td class=\"t\">all</td>");
    for (size_t i = 0; i < overview->column_count; i++)
        add_gain(overview, NULL, i, page);
    ct_text_append(&page->html, "<td class=\"t\" colspan=\"%d\">", (int)SIZE_CLASSES);
    ct_band_legend_add(ct_ratio_bands, NULL, page);
    ct_text_append(&page->html, "</td></tr></tfoot>\n");
}

static void add_table(const struct overview *overview, struct ct_page *page)
{
    ct_text_append(&page->html, "<div class=\"table\"><table class=\"overview sorts\"><thead>");
    add_head(overview, page);
    ct_text_append(&page->html, "</thead><tbody>\n");
    for (size_t i = 0; i < overview->report->map_count; i++)
        add_row(overview, &overview->sections[i], page);
    ct_text_append(&page->html, "</tbody>");
    if (overview->column_count > 0)
        add_foot(overview, page);
    ct_text_append(&page->html, "</table></div>\n");
}

/* "Intel Xeon, 2 cores, mpich 4.0.2, 2026-11-22": what is known of it. */
static void add_machine(const struct ct_report *report, struct ct_page *page)
{
    const struct ct_run_description *description = report->description;
    const struct {
        const char *text;
        const char *before;
        const char *after;
    } parts[] = {{is_of(report, "real") ? NULL : description->backend, "", ""},
                 {ct_run_property(description, "machine.cpu"), "", ""},
                 {ct_run_property(description, "machine.cores"), "", " cores"},
                 {ct_run_property(description, "platform.hosts"), "", " hosts"},
                 {ct_run_property(description, "mpi.name"), "", ""},
                 {ct_run_property(description, "mpi.version"), " ", ""},
                 {description->created, "", ""}};
    const size_t day = strlen("2024-05-17");
    size_t added = 0;
    ct_text_append(&page->html, "<p class=\"soft\">");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char text[CT_METHOD_TEXT];
        if (!parts[i].text || !*parts[i].text)
            continue;
        snprintf(text, sizeof text, "%.*s", parts[i].text == description->created ? (int)day : 100,
                 parts[i].text);
        ct_text_append(&page->html, "%s", *parts[i].before ? parts[i].before : added > 0 ? " · " : "");
        ct_html_text(&page->html, text);
        ct_text_append(&page->html, "%s", parts[i].after);
        added++;
    }
    ct_text_append(&page->html, "</p>\n");
}

void ct_overview_add(const struct ct_report *report, const struct ct_section *sections, struct ct_page *page)
{
    struct overview overview = {.report = report, .sections = sections};
    ct_text_append(&page->html, "<header><h1>");
    ct_html_text(&page->html, ct_report_title(report));
    ct_text_append(&page->html, "</h1>\n");
    add_machine(report, page);
    int status = collect(&overview);
    if (status == CT_OK)
        status = make_columns(&overview);
    ct_page_note(page, status);
    if (status == CT_OK) {
        add_sentence(&overview, page);
        ct_text_append(&page->html, "</header>\n");
        ct_trust_add(report, sections, page);
        add_table(&overview, page);
    }
    free(overview.gains);
}
