/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/benchmark_table.h"
#include "base/number.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

static const double microseconds = 1e6; /* in a second; dividing by it rounds once */

/* Words that Intel's benchmarks print in place of times. */
static const char *const not_measured[] = {"out-of-mem.;", "int-overflow.;", "time-out.;"};

int ct_import_table_title(struct ct_import_table *table, const struct ct_import_benchmark *known,
                          const char *title)
{
    table->state = CT_IMPORT_PASSING_BY;
    table->comm_size = 0;
    while (known->title && strcmp(known->title, title) != 0)
        known++;
    if (!known->title)
        return ct_import_pass_over(table->file, title, "is no benchmark of a blocking collective");
    const struct ct_collective_description *about = &ct_collectives[known->collective];
    if (about->has_data && !about->has_size)
        return ct_import_pass_over(table->file, title, "has no message size that all ranks know");
    table->state = CT_IMPORT_TITLED;
    table->benchmark = known;
    return ct_import_source_method(table->file, known->collective, &table->method);
}

int ct_import_table_header(struct ct_import_table *table, const struct ct_import_columns *columns)
{
    const struct ct_import_file *file = table->file;
    bool sized = ct_collectives[table->benchmark->collective].has_size;
    size_t time = file->request->slowest ? columns->slowest : columns->mean;
    if (columns->count > CT_IMPORT_WORDS)
        return ct_import_fail(file, "%zu columns: expected at most %d", columns->count, CT_IMPORT_WORDS);
    if (sized != (columns->bytes != CT_IMPORT_NO_COLUMN))
        return ct_import_fail(file, "a table %s message sizes: %s has %s", sized ? "without" : "with",
                              table->benchmark->title, sized ? "them" : "none");
    if (time == CT_IMPORT_NO_COLUMN)
        return ct_import_fail(file, "no column of the %s: expected %s",
                              file->request->slowest ? "slowest rank's times" : "mean times",
                              file->request->slowest
                                  ? "a full output (osu: option -f)"
                                  : "one in microseconds, as 'Avg Latency(us)' or 't_avg[usec]'");
    table->columns = *columns;
    table->state = CT_IMPORT_IN_TABLE;
    return CT_OK;
}

static int read_time(const struct ct_import_table *table, char *const words[], double *ret_seconds)
{
    const struct ct_import_file *file = table->file;
    const char *word = words[file->request->slowest ? table->columns.slowest : table->columns.mean];
    double time;
    if (ct_number_parse(word, &time) != CT_OK)
        return ct_import_fail(file, "'%.40s': expected a time in microseconds", word);
    *ret_seconds = time / microseconds;
    return CT_OK;
}

/* Over the ranks the shortest, the mean and the longest time, as far as the table has them, do not fall. All
 * are rounded, by themselves, to hundredths. */
static int check_order(const struct ct_import_table *table, char *const words[])
{
    const double rounding = 0.011;
    const struct {
        const char *name;
        size_t column;
    } times[] = {{"the shortest time", table->columns.fastest},
                 {"the mean", table->columns.mean},
                 {"the longest time", table->columns.slowest}};
    const char *before_name = NULL;
    double before = 0, time;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        if (times[i].column == CT_IMPORT_NO_COLUMN)
            continue;
        if (ct_number_parse(words[times[i].column], &time) != CT_OK)
            return ct_import_fail(table->file, "'%.40s': expected a time in microseconds",
                                  words[times[i].column]);
        if (before_name && time < before - rounding)
            return ct_import_fail(table->file, "%s, %g, is below %s, %g: expected no less", times[i].name,
                                  time, before_name, before);
        before_name = times[i].name;
        before = time;
    }
    return CT_OK;
}

/* A column of whole numbers; 0 where the table does not have it. */
static int read_whole(const struct ct_import_table *table, char *const words[], size_t column,
                      size_t *ret_number)
{
    size_t number = 0;
    if (column != CT_IMPORT_NO_COLUMN && ct_whole_parse(words[column], SIZE_MAX, &number) != CT_OK)
        return ct_import_fail(table->file, "'%.40s': expected a whole number", words[column]);
    *ret_number = number;
    return CT_OK;
}

/* Was the row given up by the benchmark, and says so? */
static bool is_given_up(char *const words[], size_t count)
{
    for (size_t i = 0; count > 1 && i < sizeof not_measured / sizeof not_measured[0]; i++)
        if (strcmp(words[1], not_measured[i]) == 0)
            return true;
    return false;
}

static int take_numbers(struct ct_import_table *table, char *const words[])
{
    struct ct_import_file *file = table->file;
    const struct ct_import_columns *columns = &table->columns;
    const struct ct_import_benchmark *benchmark = table->benchmark;
    struct ct_import_row row = {.method = table->method, .cell = {.collective = benchmark->collective}};
    size_t bytes = 0, comm_size = table->comm_size ? table->comm_size : file->source->key.comm_size;
    int status = read_whole(table, words, columns->bytes, &bytes);
    if (status == CT_OK)
        status = read_whole(table, words, columns->repetitions, &row.repetitions);
    if (status == CT_OK)
        status = read_time(table, words, &row.seconds);
    if (status != CT_OK)
        return status;
    if (comm_size == 0 || comm_size > INT_MAX)
        return ct_import_fail(file, "how many ranks took part is not said: expected --comm-size");
    if (columns->bytes != CT_IMPORT_NO_COLUMN && bytes == 0)
        return ct_import_pass_over(file, "rows of 0 bytes", "move nothing");
    row.cell.key.comm_size = comm_size;
    row.cell.key.msg_bytes = benchmark->prints_total ? bytes / comm_size : bytes;
    if (benchmark->prints_total && row.cell.key.msg_bytes == 0)
        return ct_import_pass_over(file, benchmark->title, "has less than a byte for each rank in some rows");
    status = ct_import_add(file, &row);
    return status == CT_OK ? check_order(table, words) : status;
}

static int take_row(struct ct_import_table *table, char *line)
{
    const struct ct_import_columns *columns = &table->columns;
    char *words[CT_IMPORT_WORDS];
    size_t count = ct_import_words(line, words);
    if (is_given_up(words, count))
        return ct_import_pass_over(table->file, table->benchmark->title, "gave up in some rows");
    if (count != columns->count)
        return ct_import_fail(table->file, "%zu words: expected a row of the %zu columns above", count,
                              columns->count);
    if (columns->verdict != CT_IMPORT_NO_COLUMN && strcmp(words[columns->verdict], "Pass") != 0)
        return ct_import_fail(table->file,
                              "'%.40s': expected Pass, for times of wrong results are worth nothing",
                              words[columns->verdict]);
    return take_numbers(table, words);
}

int ct_import_table_line(struct ct_import_table *table, char *line)
{
    const char *first = line + strspn(line, " \t");
    if (table->state == CT_IMPORT_IN_TABLE && *first && *first != '#')
        return take_row(table, line);
    if (table->state == CT_IMPORT_IN_TABLE)
        table->state = CT_IMPORT_ENDED;
    bool counts = table->state == CT_IMPORT_TITLED || table->state == CT_IMPORT_ENDED;
    if (counts && *first >= '0' && *first <= '9')
        return ct_import_fail(table->file,
                              "a row outside of a table: expected the line that names its columns"
                              " before it");
    return CT_OK;
}
