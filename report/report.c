/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include "base/file.h"
#include "base/memory.h"
#include "report/markup.h"
#include "report/section.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The style sheet: light or dark as the reader's system is, and for paper. */
static const char page_style[] =
    ":root { color-scheme: light dark; --paper: #fdfdfb; --ink: #22252a; --soft: #666b73; --line: #dcdcd6;\n"
    "  --strong: #111317; }\n"
    "@media (prefers-color-scheme: dark) { :root { --paper: #16181b; --ink: #d9dbde; --soft: #969ba3;\n"
    "  --line: #34383d; --strong: #f3f4f5; } }\n"
    "* { box-sizing: border-box; }\n"
    "html { -webkit-text-size-adjust: 100%; }\n"
    "body { margin: 0 auto; padding: 3.5rem 2rem 4rem; max-width: 82rem; background: var(--paper);\n"
    "  color: var(--ink); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', "
    "Arial,\n"
    "  'DejaVu Sans', sans-serif; font-variant-numeric: tabular-nums; }\n"
    "h1, h2, h3 { color: var(--strong); font-weight: 600; line-height: 1.2; margin: 0; }\n"
    "h1 { font-size: 2.1rem; letter-spacing: -0.015em; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 1.55rem; letter-spacing: -0.01em; }\n"
    "h3 { font-size: 1.08rem; margin: 2.4rem 0 0.2rem; overflow-wrap: anywhere; }\n"
    "p { margin: 0.4rem 0 0.9rem; max-width: 46rem; }\n"
    ".lead, .soft, figcaption, footer { color: var(--soft); }\n"
    ".lead { font-size: 1.05rem; margin-bottom: 2rem; overflow-wrap: anywhere; }\n"
    "section { margin-top: 4rem; padding-top: 1.4rem; border-top: 2px solid var(--strong); }\n"
    "code { font: 0.92em/1.4 ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }\n"
    "nav { display: flex; flex-wrap: wrap; margin: 0 0 2rem; }\n"
    "nav a { color: inherit; margin-right: 1.2rem; text-underline-offset: 0.2em;\n"
    "  text-decoration-color: var(--soft); }\n"
    "dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1.4rem; margin: 0; }\n"
    "dt { color: var(--soft); }\n"
    "dd { margin: 0; overflow-wrap: anywhere; }\n"
    ".facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 1.6rem 3rem;\n"
    "  margin-bottom: 2.4rem; }\n"
    ".facts h3, .table h3 { margin-top: 0; padding-bottom: 0.3rem; margin-bottom: 0.5rem;\n"
    "  border-bottom: 1px solid var(--line); }\n"
    ".table { overflow-x: auto; margin: 0.8rem 0 1.2rem; }\n"
    "table { border-collapse: collapse; width: 100%; font-size: 0.94rem; }\n"
    "th { font-weight: 500; color: var(--soft); text-align: right; vertical-align: bottom; }\n"
    "th, td { padding: 0.28rem 0 0.28rem 1.4rem; white-space: nowrap; }\n"
    "th:first-child, td:first-child { padding-left: 0; }\n"
    "td { text-align: right; border-top: 1px solid var(--line); }\n"
    "th.t, td.t { text-align: left; }\n"
    "td.w { white-space: normal; overflow-wrap: anywhere; }\n"
    "tbody tr.group > td { border-top-color: var(--soft); }\n"
    "tr.ours td { color: var(--strong); font-weight: 600; }\n"
    ".pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.6rem 2.4rem;\n"
    "  margin: 1.2rem 0 1.4rem; align-items: start; }\n"
    "@media screen and (max-width: 56rem) { .pair { grid-template-columns: minmax(0, 1fr); }\n"
    "  body { padding: 2rem 1rem 3rem; } .facts { grid-template-columns: 1fr; } }\n"
    "figure { margin: 0; break-inside: avoid; }\n"
    "figure svg { display: block; width: 100%; height: auto; }\n"
    "figure svg text, figure svg tspan { font-family: inherit; white-space: pre; }\n"
    "figcaption { font-size: 0.9rem; margin: 0.1rem 0 0; padding-left: 0.2rem; }\n"
    "figcaption b { color: var(--strong); font-weight: 600; }\n"
    ".legend { display: flex; flex-wrap: wrap; gap: 0.1rem 1.1rem; margin: 0.35rem 0 0; padding: 0;\n"
    "  list-style: none; font-size: 0.86rem; }\n"
    ".legend li { white-space: nowrap; }\n"
    ".swatch { display: inline-block; width: 1.25em; height: 1.25em; margin-right: 0.5em; border-radius: "
    "2px;\n"
    "  font: 600 0.78em/1.25em system-ui, 'DejaVu Sans', sans-serif; text-align: center; vertical-align: "
    "-0.14em;\n"
    "  print-color-adjust: exact; -webkit-print-color-adjust: exact; }\n"
    ".stroke { display: inline-block; width: 2.2em; height: 0; margin-right: 0.5em; vertical-align: 0.25em;\n"
    "  border-top: 2px solid var(--ink); }\n"
    "details { margin: 0.6rem 0; }\n"
    "summary { cursor: pointer; color: var(--soft); }\n"
    "footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 0.88rem; }\n"
    "@media print { :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb;\n"
    "  --strong: #000; color-scheme: light; }\n"
    "  body { padding: 0; max-width: none; font-size: 10pt; } nav { display: none; }\n"
    "  .pair { grid-template-columns: 1fr 1fr; gap: 1rem; } .facts { grid-template-columns: 1fr 1fr; }\n"
    "  section { break-before: page; margin-top: 0; } h3 { break-after: avoid; } tr { break-inside: avoid; "
    "}\n"
    "  @page { margin: 14mm; } }\n";

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

static int add_page(const struct ct_report *report, const struct ct_section *sections,
                    struct ct_studio *studio, struct ct_error *error, struct ct_text *page)
{
    ct_text_append(page, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    ct_html_text(page, report->name);
    ct_text_append(page, " – colltune</title>\n<style>\n%s</style></head>\n<body>\n", page_style);
    int status = ct_summary_add(report, sections, page);
    for (size_t i = 0; status == CT_OK && i < report->map_count; i++)
        status = ct_section_add(&sections[i], studio, error, page);
    if (status == CT_OK && report->validation)
        status = ct_validation_add(report, sections, studio, error, page);
    ct_text_append(page,
                   "<footer>Made by colltune report; pictures drawn by gnuplot.</footer>\n</body></html>\n");
    return status == CT_OK && page->failed ? CT_E_MEMORY : status;
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

int ct_report_write(const struct ct_report *report, const char *folder, struct ct_error *error)
{
    struct ct_studio studio = {0};
    struct ct_text page = {0};
    struct ct_section *sections = ct_allocate(report->map_count + 1, sizeof *sections);
    size_t made = 0;
    int status = sections ? ct_report_check(folder, error) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_studio_open(&studio, error);
    while (status == CT_OK && made < report->map_count) {
        status = ct_section_make(report, &report->maps[made], &sections[made]);
        made++;
    }
    if (status == CT_OK)
        status = add_page(report, sections, &studio, error, &page);
    if (status == CT_OK)
        status = place_page(folder, &page, error);
    for (size_t i = 0; i < made; i++)
        ct_section_free(&sections[i]);
    free(sections);
    ct_text_free(&page);
    ct_studio_close(&studio);
    return status;
}
