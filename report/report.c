/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include "base/file.h"
#include "base/memory.h"
#include "decision/map_divided.h"
#include "report/field_map.h"
#include "report/markup.h"
#include "report/section.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char style_sheet[] =
#include "report/page.css.inc" /* made from page.css */
    ;

static const char script[] =
#include "report/page.js.inc" /* made from page.js */
    ;

int ct_report_check(const char *folder, struct ct_error *error)
{
    if (!*folder)
        return ct_fail(error, CT_E_INPUT,
                       "the report's folder has no name: expected one that does not exist yet");
    DIR *open_folder = opendir(folder);
    if (!open_folder && errno == ENOENT)
        return CT_OK;
    if (!open_folder && errno == ENOTDIR)
        return ct_fail(error, CT_E_INPUT, "%s: is not a folder; nothing was overwritten", folder);
    if (!open_folder)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", folder, strerror(errno));
    size_t entries = 0;
    for (const struct dirent *entry; (entry = readdir(open_folder));)
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(open_folder);
    if (entries > 0)
        return ct_fail(
            error, CT_E_INPUT,
            "%s: exists already and is not empty: expected a new or empty folder; nothing was overwritten",
            folder);
    return CT_OK;
}

static void tell_progress(const struct ct_report *report, size_t done)
{
    ct_watch_progress(report->watch, &(struct ct_progress){.what = "drawing",
                                                           .units = "collectives",
                                                           .done = done,
                                                           .total = report->map_count});
}

static void add_page(const struct ct_report *report, const struct ct_section *sections, struct ct_page *page)
{
    struct ct_text *html = &page->html;
    ct_text_append(html, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    ct_html_text(html, ct_report_title(report));
    ct_text_append(html, " – colltune</title>\n<style>\n%s</style></head>\n<body id=\"top\">\n", style_sheet);
    ct_field_hatch_add(page);
    ct_overview_add(report, sections, page);
    if (report->validation)
        ct_validation_add(report, page);
    ct_summary_add(report, sections, page);
    for (size_t i = 0; i < report->map_count && page->status == CT_OK; i++) {
        tell_progress(report, i + 1);
        ct_section_add(&sections[i], page);
    }
    ct_text_append(html,
                   "<footer>Made by colltune report.%s</footer>\n<script>\n%s</script>\n</body></html>\n",
                   page->gnuplot ? " gnuplot drew the curves." : "", script);
    if (html->failed)
        ct_page_note(page, CT_E_MEMORY);
}

/* A folder that this call made goes again where the page cannot be put into it. */
static int place_page(const char *folder, const struct ct_text *page, struct ct_error *error)
{
    bool was_there = access(folder, F_OK) == 0;
    char *path = ct_format("%s/index.html", folder);
    if (!path)
        return CT_E_MEMORY;
    int status = ct_folder_make(folder, error);
    if (status == CT_OK)
        status = ct_file_create(path, page->data, page->length, error);
    if (status != CT_OK && !was_there)
        rmdir(folder);
    free(path);
    return status;
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
    int status = sections ? ct_report_check(folder, error) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_page_open(&page, error);
    while (status == CT_OK && made < report->map_count) {
        status = ct_section_make(report, &report->maps[made], &sections[made]);
        made++;
    }
    if (status != CT_OK)
        goto done;
    add_page(report, sections, &page);
    status = page.status == CT_OK ? place_page(folder, &page.html, error) : page.status;
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
