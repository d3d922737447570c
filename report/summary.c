/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/summary.h"
#include "report/figure.h"
#include "report/markup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "2 – 28 (27 sizes)" */
static void add_sizes(struct ct_page *page, const size_t *sizes, size_t count, bool bytes)
{
    size_t least = count ? sizes[0] : 0, most = least;
    char low[CT_SIZE_TEXT], high[CT_SIZE_TEXT];
    for (size_t i = 1; i < count; i++) {
        least = sizes[i] < least ? sizes[i] : least;
        most = sizes[i] > most ? sizes[i] : most;
    }
    ct_size_format(least, low);
    ct_size_format(most, high);
    if (!bytes) {
        snprintf(low, sizeof low, "%zu", least);
        snprintf(high, sizeof high, "%zu", most);
    }
    if (count == 0)
        ct_text_append(&page->html, "none");
    else if (least == most)
        ct_text_append(&page->html, "%s", low);
    else
        ct_text_append(&page->html, "%s – %s (%zu sizes)", low, high, count);
}

static void add_fact(struct ct_page *page, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    ct_text_append(&page->html, "<dt>");
    ct_html_text(&page->html, name);
    ct_text_append(&page->html, "</dt><dd>");
    ct_html_text(&page->html, value);
    ct_text_append(&page->html, "</dd>\n");
}

/* Properties whose names begin with `prefix`, under a heading; nothing where there are none. */
static void add_properties(const struct ct_run_description *description, const char *prefix,
                           const char *heading, struct ct_page *page)
{
    size_t length = strlen(prefix);
    bool begun = false;
    for (size_t i = 0; i < description->property_count; i++) {
        const struct ct_property *property = &description->properties[i];
        if (strncmp(property->name, prefix, length) != 0)
            continue;
        if (!begun)
            ct_text_append(&page->html, "<div><h3>%s</h3><dl>\n", heading);
        begun = true;
        add_fact(page, property->name + length, property->value);
    }
    if (begun)
        ct_text_append(&page->html, "</dl></div>\n");
}

/* One attribute of a sweep's state; those that say nothing are left out. */
static void add_state(void *page, const char *name, const char *value)
{
    if (strcmp(value, "0") != 0 && strcmp(value, "false") != 0)
        add_fact(page, name, value);
}

static bool is_named(const char *name, const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static bool is_of(const struct ct_run_description *description, const char *backend)
{
    return description->backend && strcmp(description->backend, backend) == 0;
}

/* How often colltune measured, and when it stopped. */
static void add_rules(const struct ct_run_description *description, struct ct_page *page)
{
    ct_text_append(
        &page->html,
        "<dt>repetitions</dt><dd>%zu – %zu after %zu for warm-up, until the median is known to %.3g %% "
        "or %.3g s are spent</dd>\n<dt>seed</dt><dd>%zu</dd>\n",
        description->least_repetitions, description->most_repetitions, description->warmup,
        100 * description->precision, description->most_seconds, description->seed);
    add_fact(page, "measured by colltune", description->tool_version);
}

static void add_conditions(const struct ct_run_description *description, struct ct_page *page)
{
    static const char *const shown[] = {"machine.", "mpi."};
    ct_text_append(&page->html, "<details><summary>Conditions</summary><dl>\n");
    add_fact(page, "start of repetitions", description->sync);
    add_fact(page, "time", description->time);
    if (description->node_channel)
        add_fact(page, "messages within a node", ct_node_channel_titles[ct_run_node_channel(description)]);
    if (is_of(description, "imported"))
        add_fact(page, "imported by colltune", description->tool_version);
    else
        add_rules(description, page);
    ct_sweep_state_list(&description->sweep, add_state, page);
    for (size_t i = 0; i < description->property_count; i++)
        if (!is_named(description->properties[i].name, shown, sizeof shown / sizeof shown[0]))
            add_fact(page, description->properties[i].name, description->properties[i].value);
    ct_text_append(&page->html, "</dl></details>\n");
}

static void add_sweep(const struct ct_report *report, struct ct_page *page)
{
    const struct ct_run_description *description = report->description;
    size_t cells = 0, methods = 0, collectives = 0;
    for (size_t i = 0; i < report->map_count; i++) {
        const struct ct_map *map = &report->maps[i];
        bool is_new = i == 0 || map->collective != map[-1].collective; /* not another mapping of ranks */
        cells += map->cell_count;
        methods += is_new ? map->method_count : 0;
        collectives += is_new;
    }
    const char *where = is_of(description, "simulated")   ? "platform"
                        : is_of(description, "predicted") ? "model"
                        : is_of(description, "imported")  ? "results of"
                                                          : "launcher";
    ct_text_append(&page->html, "<div><h3>Sweep</h3><dl>\n");
    add_fact(page, "run", report->name);
    add_fact(page, "backend", description->backend);
    add_fact(page, where, description->launcher);
    ct_text_append(&page->html, "<dt>communicators</dt><dd>");
    add_sizes(page, description->comm_sizes, description->comm_size_count, false);
    ct_text_append(&page->html, "</dd>\n<dt>messages, bytes</dt><dd>");
    add_sizes(page, description->msg_sizes, description->msg_size_count, true);
    ct_text_append(&page->html,
                   "</dd>\n<dt>methods</dt><dd>%zu of %zu collective%s</dd>\n<dt>cells</dt><dd>%zu</dd>\n"
                   "<dt>samples</dt><dd>%zu in %zu launch%s</dd>\n",
                   methods, collectives, collectives == 1 ? "" : "s", cells, report->sample_count,
                   description->launches, description->launches == 1 ? "" : "es");
    add_fact(page, is_of(description, "imported") ? "imported" : "begun", description->created);
    ct_text_append(&page->html, "</dl></div>\n");
}

/* A line of the table of slowdowns. `name` is HTML. */
static void add_chooser(const struct ct_section *section, const struct ct_choices *choices, const char *name,
                        const char *row_class, struct ct_page *page)
{
    struct ct_penalty penalty = {0};
    char cells[CT_NUMBER_TEXT], numbers[5][CT_NUMBER_TEXT];
    ct_page_note(page, ct_choices_penalty(choices, section->map->cell_count, &penalty));
    if (penalty.cells == 0)
        penalty.mean = penalty.percentile95 = penalty.most = NAN;
    snprintf(cells, sizeof cells, penalty.unmeasured > 0 ? "%zu of %zu" : "%zu", penalty.cells,
             penalty.cells + penalty.unmeasured);
    ct_text_append(
        &page->html,
        "<tr class=\"%s\"><td class=\"t\">%s</td><td class=\"t\">%s</td><td>%s</td><td>%s</td>"
        "<td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
        row_class, section->title, name,
        ct_ratio_text(ct_choices_speed_up(choices, &section->native), numbers[0]),
        ct_penalty_text(penalty.mean, numbers[1]), ct_penalty_text(penalty.percentile95, numbers[2]),
        ct_penalty_text(penalty.most, numbers[3]),
        ct_share_text((size_t)(penalty.within * (double)penalty.cells + 0.5), penalty.cells, numbers[4]),
        cells);
}

static void add_choosers(const struct ct_section *section, struct ct_page *page)
{
    const struct ct_report *report = section->report;
    if (section->native.count > 0)
        add_chooser(section, &section->native, "native, always", "", page);
    if (section->single.count > 0) {
        struct ct_text name = {0};
        ct_html_method(&name, &section->map->methods[section->single_method]);
        ct_text_append(&name, ", always");
        add_chooser(section, &section->single, name.data ? name.data : "", "", page);
        ct_text_free(&name);
    }
    for (size_t i = 0; i < report->table_count; i++) {
        struct ct_text name = {0};
        if (section->tables[i].count == 0)
            continue;
        ct_html_text(&name, report->tables[i].name);
        add_chooser(section, &section->tables[i], name.data ? name.data : "", "ours", page);
        ct_text_free(&name);
    }
}

void ct_summary_add(const struct ct_report *report, const struct ct_section *sections, struct ct_page *page)
{
    const struct ct_run_description *description = report->description;
    ct_chapter_begin("slowdowns", "Slowdowns", page);
    ct_text_append(
        &page->html,
        "<p class=\"soft\">The slowdown in a measured cell is the time of the method used over that of the "
        "best method measured there, minus 1. Over native: geometric mean of the speed-up over "
        "native.</p>\n");
    ct_columns_begin("<collective|<decided by|over native|mean|95th percentile|most|within 5 %|cells", page);
    for (size_t i = 0; i < report->map_count; i++)
        add_choosers(&sections[i], page);
    ct_columns_end(page);
    ct_text_append(&page->html, "</section>\n");
    ct_chapter_begin("run", "Machine and sweep", page);
    ct_text_append(&page->html, "<div class=\"facts\">\n");
    add_properties(description, "machine.", "Machine", page);
    add_properties(description, "mpi.", "MPI", page);
    add_sweep(report, page);
    ct_text_append(&page->html, "</div>\n");
    add_conditions(description, page);
    ct_text_append(&page->html, "</section>\n");
}
