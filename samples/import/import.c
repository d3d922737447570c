/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import.h"
#include "base/checksum.h"
#include "base/file.h"
#include "samples/import/formats.h"
#include "samples/import/import_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct ct_import_format *const ct_import_formats[] = {&ct_import_osu, &ct_import_imb, &ct_import_csv,
                                                            NULL};

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
    struct ct_import_file file = {.request = request,
                                  .source = source,
                                  .name = source->path,
                                  .at = text,
                                  .end = text + length,
                                  .error = error,
                                  .results = results};
    size_t before = results->count;
    if (memchr(text, '\0', length))
        return ct_fail(error, CT_E_INPUT, "%s: holds a zero byte: expected text", source->path);
    int status = format->read(&file);
    if (status == CT_OK && results->count == before)
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
    int status = ct_file_read(source->path, error, &text, &length);
    if (status != CT_OK)
        return status;
    status = ct_import_read(format, request, source, text, length, error, results);
    free(text);
    return status;
}

static void tell_passed(const struct ct_import_results *results, const struct ct_import_watch *watch)
{
    for (size_t i = 0; i < results->passed_count; i++) {
        const struct ct_import_passed *passed = &results->passed[i];
        char line[200];
        snprintf(line, sizeof line, "passed over: %s %s (%zu time%s)", passed->what, passed->why,
                 passed->count, passed->count == 1 ? "" : "s");
        watch->notice(watch->context, line);
    }
}

/* --- the description --- */

/* Which time a sample is, in the words of run.xml. */
static const char *time_of(const struct ct_import_format *format, const struct ct_import_request *request)
{
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

/* The file's name without its folders, which are the user's, and its checksum. */
static int add_file(const struct ct_import_source *source, size_t number, struct ct_error *error,
                    struct ct_run_description *description)
{
    char name[40], checksum[CT_CHECKSUM_TEXT];
    const char *slash = strrchr(source->path, '/');
    int status = ct_file_checksum(source->path, error, checksum);
    if (status != CT_OK)
        return status;
    snprintf(name, sizeof name, "import.file.%zu", number);
    char *value = ct_format("%s sha256 %s", slash ? slash + 1 : source->path, checksum);
    status = value ? ct_run_add_property(description, name, value) : CT_E_MEMORY;
    free(value);
    return status;
}

static int add_properties(const struct ct_import_format *format, const struct ct_import_request *request,
                          const struct ct_import_results *results, struct ct_error *error,
                          struct ct_run_description *description)
{
    const struct {
        const char *name, *value;
    } said[] = {
        {"import.format", format->name},
        {"import.map", request->map},
        {"import.methods", request->methods},
    };
    int status = add_repetitions(results, description);
    for (size_t i = 0; status == CT_OK && i < sizeof said / sizeof said[0]; i++)
        if (said[i].value)
            status = ct_run_add_property(description, said[i].name, said[i].value);
    for (size_t i = 0; status == CT_OK && i < request->source_count; i++)
        status = add_file(&request->sources[i], i + 1, error, description);
    for (size_t i = 0; status == CT_OK && i < request->property_count; i++)
        status = ct_run_add_property(description, request->properties[i].name, request->properties[i].value);
    return status;
}

/* --- all of it --- */

static int make(const struct ct_import_format *format, const struct ct_import_request *request,
                const struct ct_import_results *results, struct ct_error *error,
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

int ct_import(const struct ct_import_format *format, const struct ct_import_request *request,
              const struct ct_import_watch *watch, struct ct_error *error,
              struct ct_import_summary *ret_summary)
{
    struct ct_import_results results = {0};
    int status = ct_import_forbid_twice(request->sources, request->source_count, "", error);
    for (size_t i = 0; status == CT_OK && i < request->source_count; i++)
        status = read_source(format, request, &request->sources[i], error, &results);
    if (status == CT_OK)
        status = make(format, request, &results, error, ret_summary);
    if (status == CT_OK)
        tell_passed(&results, watch);
    ct_import_results_free(&results);
    return status;
}
