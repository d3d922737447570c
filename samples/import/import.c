/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "samples/import/file_name.h"
#include "samples/import/given_twice.h"
#include "samples/import/import_benchmark.h"
#include "samples/import/import_csv.h"
#include "samples/import/import_skampi.h"
#include "samples/point_foreign.h"
#include "samples/run_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- files, formats and the run --- */

const struct ct_import_format *const ct_import_formats[] = {&ct_import_osu, &ct_import_imb, &ct_import_skampi,
                                                            &ct_import_csv, NULL};

const struct ct_import_format *ct_import_find(const char *name)
{
    for (size_t i = 0; ct_import_formats[i]; i++)
        if (strcmp(ct_import_formats[i]->name, name) == 0)
            return ct_import_formats[i];
    return NULL;
}

/* --- reading --- */

int ct_import_read(const struct ct_import_format *format, const struct ct_import_request *request,
                   const struct ct_import_source *source, char *text, size_t length, struct ct_error *error,
                   struct ct_import_results *results)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const size_t mark =
        strncmp(text, byte_order_mark, strlen(byte_order_mark)) == 0 ? strlen(byte_order_mark) : 0;
    struct ct_import_file file = {.request = request,
                                  .source = source,
                                  .number = (size_t)(source - request->sources),
                                  .name = source->path,
                                  .begin = text + mark,
                                  .at = text + mark,
                                  .end = text + length,
                                  .error = error,
                                  .results = results};
    const struct ct_point_format *point = ct_point_format_of(text);
    size_t before = results->count;
    if (memchr(text, '\0', length))
        return ct_fail(error, CT_E_INPUT, "%s: holds a zero byte: expected text", source->path);
    if (source->method && strcmp(source->method, "-") == 0)
        return ct_import_pass_over(&file, source->path, "was to be left out");
    int status = format->read(&file);
    bool is_empty = status == CT_OK && results->count == before;
    if (point && (is_empty || (status == CT_E_INPUT && !point->has_others)))
        return ct_fail(error, CT_E_INPUT,
                       "%s: holds times of single messages, by %s, which `colltune fit` reads: expected %s",
                       source->path, point->name, format->text);
    if (is_empty && file.passed > 0)
        return ct_fail(error, CT_E_INPUT, "%s: holds nothing to import: skipped: %s %s%s (%zu time%s)",
                       source->path, results->passed[file.passed_kind].what,
                       results->passed[file.passed_kind].why, file.passed_others ? ", and others" : "",
                       file.passed, file.passed == 1 ? "" : "s");
    if (is_empty)
        return ct_fail(error, CT_E_INPUT, "%s: holds nothing to import: expected %s", source->path,
                       format->text);
    return status;
}

static int read_source(const struct ct_import_format *format, const struct ct_import_request *request,
                       const struct ct_import_source *source, struct ct_error *error,
                       struct ct_import_results *results)
{
    char *text;
    size_t length;
    /* between outputs there may be anything, such as the carriage returns of a progress bar */
    int status = (source->heading ? ct_file_read : ct_lines_read)(source->path, error, &text, &length);
    if (status != CT_OK)
        return status;
    status = ct_import_read(format, request, source, text, length, error, results);
    free(text);
    return status;
}

static void tell_passed(const struct ct_import_results *results, const struct ct_watch *watch)
{
    for (size_t i = 0; i < results->passed_count; i++) {
        const struct ct_import_passed *passed = &results->passed[i];
        ct_watch_notice(watch, "skipped: %s %s (%zu time%s)", passed->what, passed->why, passed->count,
                        ct_s(passed->count));
    }
}

/* --- the description --- */

/* Which time a sample is, in the words of run.xml. */
static const char *time_of(const struct ct_import_format *format, const struct ct_import_request *request)
{
    if (format->time)
        return format->time;
    if (format->has_map)
        return request->time ? request->time : "unknown";
    return request->slowest ? "local" : "mean";
}

/* Over how many repetitions the samples are means: "1000", or "10-1000". */
static int add_repetitions(const struct ct_import_results *results, struct ct_run_description *description)
{
    size_t least = SIZE_MAX, most = 0;
    for (size_t i = 0; i < results->count; i++) {
        size_t repetitions = results->rows[i].repetitions;
        least = repetitions > 0 && repetitions < least ? repetitions : least;
        most = repetitions > most ? repetitions : most;
    }
    char text[64] = "unknown";
    if (most > 0)
        snprintf(text, sizeof text, least < most ? "%zu-%zu" : "%zu", least, most);
    return ct_run_add_property(description, "import.repetitions", text);
}

/* A property of a file, numbered like it. */
static int add_said(const char *what, const char *value, size_t number,
                    struct ct_run_description *description)
{
    char name[40];
    snprintf(name, sizeof name, "import.%s.%zu", what, number);
    return ct_run_add_property(description, name, value ? value : "");
}

/* The file's name without its folders, which are the user's, its checksum, and what is not said of it as of
 * the one before it (NULL: there is none). */
static int add_file(const struct ct_import_source *source, const struct ct_import_source *before,
                    size_t number, struct ct_error *error, struct ct_run_description *description)
{
    const struct {
        const char *what, *value, *before;
    } said[] = {{"file-name", source->pattern, before ? before->pattern : NULL},
                {"heading", source->heading, before ? before->heading : NULL},
                {"map", source->map, before ? before->map : NULL},
                {"methods", source->methods, before ? before->methods : NULL},
                {"where", source->where, before ? before->where : NULL}};
    char checksum[CT_CHECKSUM_TEXT];
    const char *slash = strrchr(source->path, '/');
    int status = ct_file_checksum(source->path, error, checksum);
    if (status != CT_OK)
        return status;
    char *value = ct_format("%s sha256 %s", slash ? slash + 1 : source->path, checksum);
    status = value ? add_said("file", value, number, description) : CT_E_MEMORY;
    free(value);
    for (size_t i = 0; status == CT_OK && i < sizeof said / sizeof said[0]; i++)
        if (!ct_import_is_equal(said[i].value, said[i].before))
            status = add_said(said[i].what, said[i].value, number, description);
    return status;
}

static int add_properties(const struct ct_import_format *format, const struct ct_import_request *request,
                          const struct ct_import_results *results, struct ct_error *error,
                          struct ct_run_description *description)
{
    int status = add_repetitions(results, description);
    if (status == CT_OK)
        status = ct_run_add_property(description, "import.format", format->name);
    for (size_t i = 0; status == CT_OK && i < request->source_count; i++)
        status = add_file(&request->sources[i], i > 0 ? &request->sources[i - 1] : NULL, i + 1, error,
                          description);
    for (size_t i = 0; status == CT_OK && i < request->property_count; i++)
        status = ct_run_add_property(description, request->properties[i].name, request->properties[i].value);
    return status;
}

/* --- all of it --- */

static int make(const struct ct_import_format *format, const struct ct_import_request *request,
                struct ct_import_results *results, struct ct_error *error,
                struct ct_import_summary *ret_summary)
{
    struct ct_run run;
    struct ct_import_summary summary;
    int status = ct_import_make_run(results, request->comparable, error, &summary, &run);
    if (status != CT_OK)
        return status;
    status =
        ct_run_describe("imported", format->origin, time_of(format, request), "unknown", &run.description);
    if (status == CT_OK)
        status = add_properties(format, request, results, error, &run.description);
    if (status == CT_OK)
        status = ct_run_write(request->folder, &run, error);
    ct_run_free(&run);
    if (status == CT_OK)
        *ret_summary = summary;
    return status;
}

/* Reads sources that are complete. */
static int import_sources(const struct ct_import_format *format, const struct ct_import_request *request,
                          struct ct_error *error, struct ct_import_summary *ret_summary)
{
    struct ct_import_results results = {0};
    int status = ct_import_forbid_twice(request->sources, request->source_count, "", error);
    for (size_t i = 0; status == CT_OK && i < request->source_count; i++)
        status = read_source(format, request, &request->sources[i], error, &results);
    if (status == CT_OK && results.count == 0)
        status = ct_fail(error, CT_E_INPUT, "--methods leaves out all files: expected one to import");
    if (status == CT_OK)
        status = make(format, request, &results, error, ret_summary);
    if (status == CT_OK)
        tell_passed(&results, request->watch);
    ct_import_results_free(&results);
    return status;
}

int ct_import(const struct ct_import_format *format, const struct ct_import_request *request,
              struct ct_error *error, struct ct_import_summary *ret_summary)
{
    struct ct_import_name *names = ct_allocate(request->source_count, sizeof *names);
    struct ct_import_source *sources = ct_allocate(request->source_count, sizeof *sources);
    struct ct_import_request complete = *request;
    complete.sources = sources;
    int status = names && sources ? CT_OK : ct_fail(error, CT_E_MEMORY, "out of memory");
    for (size_t i = 0; status == CT_OK && i < request->source_count; i++) {
        status = ct_import_name_read(&request->sources[i], !format->has_map, request->explain != NULL, error,
                                     &names[i]);
        sources[i] = names[i].source;
    }
    if (status == CT_OK)
        status = import_sources(format, &complete, error, ret_summary);
    free(names);
    free(sources);
    return status;
}
