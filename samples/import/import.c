/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "samples/import/file_name.h"
#include "samples/import/import_internal.h"
#include "samples/point_foreign.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    struct ct_import_file file = {.request = request,
                                  .source = source,
                                  .name = source->path,
                                  .at = text,
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

static bool equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

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
        if (!equal(said[i].value, said[i].before))
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
                          const struct ct_import_watch *watch, struct ct_error *error,
                          struct ct_import_summary *ret_summary)
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
        tell_passed(&results, watch);
    ct_import_results_free(&results);
    return status;
}

int ct_import(const struct ct_import_format *format, const struct ct_import_request *request,
              const struct ct_import_watch *watch, struct ct_error *error,
              struct ct_import_summary *ret_summary)
{
    struct ct_import_name *names = ct_allocate(request->source_count, sizeof *names);
    struct ct_import_source *sources = ct_allocate(request->source_count, sizeof *sources);
    struct ct_import_request complete = *request;
    complete.sources = sources;
    int status = names && sources ? CT_OK : ct_fail(error, CT_E_MEMORY, "out of memory");
    for (size_t i = 0; status == CT_OK && i < request->source_count; i++) {
        status = ct_import_name_read(&request->sources[i], !format->has_map, error, &names[i]);
        sources[i] = names[i].source;
    }
    if (status == CT_OK)
        status = import_sources(format, &complete, watch, error, ret_summary);
    free(names);
    free(sources);
    return status;
}

/* --- files that are given twice --- */

/* A file that is given twice would count twice. */

/* One with the text of another is the same one, unless something else is said of it: a short table may come
 * out alike for other ranks or another method. Of the same file, other rows or columns may be read. */
static bool is_same(const struct ct_import_source *a, const struct ct_import_source *b)
{
    return equal(a->where, b->where) && equal(a->map, b->map) &&
           (equal(a->path, b->path) || (equal(a->method, b->method) && a->collective == b->collective &&
                                        ct_cell_key_compare(&a->key, &b->key) == 0));
}

/* "" where it cannot be read, which who reads it says better. */
static int take_checksum(const struct ct_import_source *source, const char *inside,
                         char ret_checksum[CT_CHECKSUM_TEXT])
{
    struct ct_error ignored;
    char *path = ct_format("%s%s", source->path, inside);
    if (!path)
        return CT_E_MEMORY;
    if (ct_file_checksum(path, &ignored, ret_checksum) != CT_OK)
        *ret_checksum = '\0';
    free(path);
    return CT_OK;
}

/* What comes through a pipe is gone once its checksum is taken. */
static int forbid_pipe(const char *path, struct ct_error *error)
{
    struct stat about;
    bool once = stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
    return once ? ct_fail(error, CT_E_INPUT, "%s: is no ordinary file: expected one, for it is read twice",
                          path)
                : CT_OK;
}

int ct_import_forbid_twice(const struct ct_import_source *sources, size_t count, const char *inside,
                           struct ct_error *error)
{
    char(*checksums)[CT_CHECKSUM_TEXT] = ct_allocate(count, sizeof *checksums);
    int status = checksums ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        status = forbid_pipe(sources[i].path, error);
        if (status == CT_OK)
            status = take_checksum(&sources[i], inside, checksums[i]);
        for (size_t k = 0; status == CT_OK && k < i; k++)
            if (*checksums[i] && strcmp(checksums[i], checksums[k]) == 0 && is_same(&sources[i], &sources[k]))
                status = ct_fail(error, CT_E_INPUT, "%s: holds the same as %s: expected each result once",
                                 sources[i].path, sources[k].path);
    }
    free(checksums);
    return status;
}

/* --- lines and rows --- */

/* No collective call takes less, none that is measured many times takes longer: times beyond are in another
 * unit. */
static const double least_seconds = 1e-9, most_seconds = 3600;

void ct_import_results_free(struct ct_import_results *results)
{
    free(results->rows);
    free(results->passed);
    *results = (struct ct_import_results){0};
}

int ct_import_fail(const struct ct_import_file *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int status = ct_fail_at(file->error, file->name, file->line, format, arguments);
    va_end(arguments);
    return status;
}

static int no_memory(const struct ct_import_file *file)
{
    return ct_fail(file->error, CT_E_MEMORY, "%s: out of memory", file->name);
}

char *ct_import_next_line(struct ct_import_file *file)
{
    char *line = file->at;
    if (line == file->end)
        return NULL;
    char *newline = memchr(line, '\n', (size_t)(file->end - line));
    char *end = newline ? newline : file->end;
    file->at = newline ? newline + 1 : file->end;
    file->line++;
    *end = '\0';
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}

size_t ct_import_words(char *line, char *ret_words[CT_IMPORT_WORDS])
{
    size_t count = 0;
    char *rest;
    for (char *word = strtok_r(line, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
        if (count < CT_IMPORT_WORDS)
            ret_words[count] = word;
        count++;
    }
    return count;
}

/* `of` begins the line of error. */
static int find_method(const struct ct_import_file *file, enum ct_collective collective, const char *word,
                       const char *of, struct ct_method *ret_method)
{
    const struct ct_import_request *request = file->request;
    struct ct_error why = {""};
    if (request->explain && request->explain(request->explain_context, collective, word, ret_method))
        return CT_OK;
    if (ct_method_parse_any(word, collective, &why, ret_method) == CT_OK)
        return CT_OK;
    if (*word && !word[strspn(word, "0123456789")] && !request->explain)
        return ct_import_fail(
            file,
            "the method '%.40s' is a number: expected --methods, or --names if a library has "
            "these numbers",
            word);
    return ct_import_fail(file, "%s%s", of, why.text);
}

int ct_import_method(const struct ct_import_file *file, enum ct_collective collective, const char *word,
                     struct ct_method *ret_method)
{
    return find_method(file, collective, word, "", ret_method);
}

int ct_import_source_method(const struct ct_import_file *file, enum ct_collective collective,
                            struct ct_method *ret_method)
{
    char of[64];
    snprintf(of, sizeof of, "results of %s: ", ct_collectives[collective].name);
    return find_method(file, collective, file->source->method ? file->source->method : "native", of,
                       ret_method);
}

static size_t shares(size_t whole, size_t part)
{
    return whole / part + (whole % part > 0);
}

/* Where the ranks were: what the row says, else what the source does; what neither says follows from the
 * other, and one node where nothing is said at all. What the source says is of its largest cell: fewer ranks
 * lie on as many nodes at most. */
static int place(const struct ct_import_file *file, struct ct_run_cell *cell)
{
    size_t ranks = cell->key.comm_size ? cell->key.comm_size : file->source->key.comm_size;
    size_t nodes = cell->key.nodes ? cell->key.nodes : file->source->key.nodes;
    size_t ppn = cell->key.ppn ? cell->key.ppn : file->source->key.ppn, room;
    if (ranks == 0)
        return ct_import_fail(file, "the number of ranks is unknown: expected --comm-size");
    if (cell->key.comm_size && file->source->key.comm_size &&
        cell->key.comm_size != file->source->key.comm_size)
        return ct_import_fail(file, "%u ranks, where --comm-size says %u: expected the same, or no option",
                              cell->key.comm_size, file->source->key.comm_size);
    if (cell->key.nodes > ranks)
        return ct_import_fail(file, "%zu nodes for %zu ranks: expected at most one for each", nodes, ranks);
    if (nodes > ranks)
        nodes = ranks;
    if (nodes == 0)
        nodes = ppn ? shares(ranks, ppn) : 1;
    if (ppn == 0)
        ppn = shares(ranks, nodes);
    if (ranks > INT_MAX || nodes > INT_MAX || ppn > INT_MAX)
        return ct_import_fail(file, "%zu ranks on %zu nodes, %zu on each: expected at most %d", ranks, nodes,
                              ppn, INT_MAX);
    if (ct_multiply(nodes, ppn, &room) && room < ranks)
        return ct_import_fail(file, "%zu nodes with %zu processes each do not hold %zu ranks", nodes, ppn,
                              ranks);
    cell->key.comm_size = ranks;
    cell->key.nodes = nodes;
    cell->key.ppn = ppn;
    cell->key.by = cell->key.by ? cell->key.by : file->source->key.by;
    return CT_OK;
}

static int check(const struct ct_import_file *file, const struct ct_import_row *row)
{
    const struct ct_collective_description *about = &ct_collectives[row->cell.collective];
    uint32_t last_root = about->has_root ? row->cell.key.comm_size - 1 : 0;
    if (!isfinite(row->seconds) || !(row->seconds > 0))
        return ct_import_fail(file, "a time of %g s: expected more than 0", row->seconds);
    if (row->seconds < least_seconds || row->seconds > most_seconds)
        return ct_import_fail(file,
                              "a time of %g s, for one call: expected %g to %g; is its unit another one?",
                              row->seconds, least_seconds, most_seconds);
    if (!about->has_size && row->cell.key.msg_bytes != 0)
        return ct_import_fail(file, "%zu bytes: expected no message size, for %s has none",
                              row->cell.key.msg_bytes, about->name);
    if (row->cell.key.msg_bytes > ct_key_descriptors[CT_KEY_MSG_BYTES].most)
        return ct_import_fail(file, "%zu bytes: expected at most %zu", row->cell.key.msg_bytes,
                              ct_key_descriptors[CT_KEY_MSG_BYTES].most);
    if (row->cell.key.root > last_root)
        return ct_import_fail(file, "root %u: expected at most %u", row->cell.key.root, last_root);
    return CT_OK;
}

int ct_import_add(struct ct_import_file *file, const struct ct_import_row *row)
{
    struct ct_import_results *results = file->results;
    struct ct_import_row added = *row;
    added.source = (uint32_t)(file->source - file->request->sources);
    added.line = file->line;
    int status = place(file, &added.cell);
    if (status == CT_OK)
        status = check(file, &added);
    if (status != CT_OK)
        return status;
    if (ct_grow(&results->rows, &results->capacity, results->count + 1, sizeof added) != CT_OK)
        return no_memory(file);
    results->rows[results->count++] = added;
    return CT_OK;
}

int ct_import_pass_over(struct ct_import_file *file, const char *what, const char *why)
{
    struct ct_import_results *results = file->results;
    struct ct_import_passed passed = {.why = why, .count = 1};
    snprintf(passed.what, sizeof passed.what, "%s", what);
    for (size_t i = 0; i < results->passed_count; i++)
        if (strcmp(results->passed[i].what, passed.what) == 0 && strcmp(results->passed[i].why, why) == 0) {
            results->passed[i].count++;
            return CT_OK;
        }
    if (ct_grow(&results->passed, &results->passed_capacity, results->passed_count + 1, sizeof passed) !=
        CT_OK)
        return no_memory(file);
    results->passed[results->passed_count++] = passed;
    return CT_OK;
}
