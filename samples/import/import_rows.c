/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import_rows.h"
#include "base/memory.h"
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* No collective call takes less, none that is measured many times takes longer: times beyond are in another
 * unit. */
static const double least_seconds = 1e-9, most_seconds = 3600;

enum ct_collective ct_import_collective(const char *word)
{
    static const char prefix[] = "MPI_";
    const char *name = strncasecmp(word, prefix, strlen(prefix)) == 0 ? word + strlen(prefix) : word;
    int i = 0;
    while (i < CT_COLLECTIVES && strcasecmp(ct_collectives[i].name, name) != 0)
        i++;
    return (enum ct_collective)i;
}

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

/* How far the file is read, as a part of all files. */
static void tell_progress(const struct ct_import_file *file)
{
    enum { LINES = 4096 };
    const double part = (double)(file->at - file->begin) / (double)(file->end - file->begin);
    const size_t count = file->request->source_count;
    if (file->line % LINES == 0)
        ct_watch_progress(file->request->watch,
                          &(struct ct_progress){.what = "reading",
                                                .units = "files",
                                                .done = file->number,
                                                .total = count,
                                                .share = ((double)file->number + part) / (double)count});
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
    file->is_torn = !newline;
    tell_progress(file);
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
    const bool is_number = *word && !word[strspn(word, "0123456789")];
    if (is_number && request->explain)
        return ct_import_fail(
            file,
            "the library of --names has no algorithm '%.40s' of %s: expected --methods, such as "
            "'%.40s=foreign/NAME'",
            word, ct_collectives[collective].name, word);
    if (is_number)
        return ct_import_fail(
            file,
            "the method '%.40s' is a number: expected --methods, or --names if a library has "
            "these numbers",
            word);
    return ct_import_fail(file, "%s%s; other words need --methods%s", of, why.text,
                          request->explain ? "" : " or --names");
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
 * others, and one node where nothing is said at all. What the source says is of its largest cell: fewer ranks
 * lie on as many nodes at most. */
static int place(const struct ct_import_file *file, struct ct_run_cell *cell)
{
    size_t ranks = cell->key.comm_size ? cell->key.comm_size : file->source->key.comm_size;
    size_t nodes = cell->key.nodes ? cell->key.nodes : file->source->key.nodes;
    size_t ppn = cell->key.ppn ? cell->key.ppn : file->source->key.ppn, room;
    if (ranks == 0 && !(nodes && ppn && ct_multiply(nodes, ppn, &ranks)))
        return ct_import_fail(file,
                              "the number of ranks is unknown: expected --comm-size, or both --nodes and "
                              "--ppn");
    if (cell->key.comm_size && file->source->key.comm_size &&
        cell->key.comm_size != file->source->key.comm_size)
        return ct_import_fail(file, "%u ranks, where --comm-size says %u: expected the same, or no option",
                              cell->key.comm_size, file->source->key.comm_size);
    if (cell->key.nodes > ranks)
        return ct_import_fail(file, "%zu nodes for %zu rank%s: expected at most one for each", nodes, ranks,
                              ct_s(ranks));
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
        return ct_import_fail(file, "%zu node%s with %zu rank%s on each: expected room for %zu rank%s", nodes,
                              ct_s(nodes), ppn, ct_s(ppn), ranks, ct_s(ranks));
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
        return ct_import_fail(file, "%zu byte%s: expected no message size, for %s has none",
                              row->cell.key.msg_bytes, ct_s(row->cell.key.msg_bytes), about->name);
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
    added.source = (uint32_t)file->number;
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
    size_t kind = 0;
    while (kind < results->passed_count && (strcmp(results->passed[kind].what, passed.what) != 0 ||
                                            strcmp(results->passed[kind].why, why) != 0))
        kind++;
    if (kind < results->passed_count)
        results->passed[kind].count++;
    else if (ct_grow(&results->passed, &results->passed_capacity, results->passed_count + 1, sizeof passed) !=
             CT_OK)
        return no_memory(file);
    else
        results->passed[results->passed_count++] = passed;
    file->passed_others |= file->passed > 0 && kind != file->passed_kind;
    file->passed_kind = kind;
    file->passed++;
    return CT_OK;
}
