/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "samples/import/benchmark_table.h"

#include <limits.h>
#include <string.h>

/* Intel MPI Benchmarks, IMB-MPI1. A title, the number of ranks, a line that names the columns, and rows up to
 * an empty line:
 *
 *     # Benchmarking Bcast
 *     # #processes = 4
 *            #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
 *                 8         1000         1.00         3.00         2.00
 */

static const char title_begin[] = "# Benchmarking ", ranks_begin[] = "# #processes = ";
static const char version_begin[] = " MPI Benchmarks ";

static const struct ct_import_benchmark benchmarks[] = {
    {"Barrier", CT_COLLECTIVE_BARRIER, false},
    {"Bcast", CT_COLLECTIVE_BCAST, false},
    {"Scatter", CT_COLLECTIVE_SCATTER, false},
    {"Scatterv", CT_COLLECTIVE_SCATTERV, false},
    {"Gather", CT_COLLECTIVE_GATHER, false},
    {"Gatherv", CT_COLLECTIVE_GATHERV, false},
    {"Allgather", CT_COLLECTIVE_ALLGATHER, false},
    {"Allgatherv", CT_COLLECTIVE_ALLGATHERV, false},
    {"Alltoall", CT_COLLECTIVE_ALLTOALL, false},
    {"Alltoallv", CT_COLLECTIVE_ALLTOALLV, false},
    {"Reduce", CT_COLLECTIVE_REDUCE, false},
    {"Reduce_scatter_block", CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, false},
    {"Allreduce", CT_COLLECTIVE_ALLREDUCE, false},
    {NULL, CT_COLLECTIVES, false},
};

/* Reduce_scatter prints the length of the whole vector up to version 2018, and a block's from 2021 on. */
static const struct ct_import_benchmark old_scatter[] = {
    {"Reduce_scatter", CT_COLLECTIVE_REDUCE_SCATTER, true}, {NULL, CT_COLLECTIVES, false}};
static const struct ct_import_benchmark new_scatter[] = {
    {"Reduce_scatter", CT_COLLECTIVE_REDUCE_SCATTER, false}, {NULL, CT_COLLECTIVES, false}};
enum { LAST_OLD = 2018, FIRST_NEW = 2021 };

struct reader {
    struct ct_import_table table;
    size_t version; /* 0 where it is not said */
};

static void take_version(struct reader *reader, const char *version)
{
    char digits[8] = "";
    memcpy(digits, version, strnlen(version, sizeof digits - 1));
    digits[strspn(digits, "0123456789")] = '\0';
    if (ct_whole_parse(digits, INT_MAX, &reader->version) != CT_OK)
        reader->version = 0;
}

static int take_title(struct reader *reader, char *line)
{
    struct ct_import_table *table = &reader->table;
    char *words[CT_IMPORT_WORDS];
    if (ct_import_words(line + strlen(title_begin), words) == 0)
        return ct_import_fail(table->file, "expected the name of a benchmark");
    if (strcmp(words[0], old_scatter[0].title) != 0)
        return ct_import_table_title(table, benchmarks, words[0]);
    if (reader->version >= FIRST_NEW)
        return ct_import_table_title(table, new_scatter, words[0]);
    if (reader->version > 0 && reader->version <= LAST_OLD)
        return ct_import_table_title(table, old_scatter, words[0]);
    table->state = CT_IMPORT_PASSING_BY;
    return ct_import_pass_over(table->file, words[0],
                               "prints sizes that mean one thing up to version 2018 and "
                               "another from 2021 on: expected one of these");
}

static int take_ranks(struct ct_import_table *table, char *line)
{
    char *word = line + strlen(ranks_begin);
    word[strspn(word, "0123456789")] = '\0';
    if (ct_whole_parse(word, INT_MAX, &table->comm_size) != CT_OK || table->comm_size == 0)
        return ct_import_fail(table->file, "'%.40s': expected the number of processes", word);
    return CT_OK;
}

static int take_header(struct ct_import_table *table, char *line)
{
    enum { NONE = CT_IMPORT_NO_COLUMN };
    struct ct_import_columns columns = {0, NONE, NONE, NONE, NONE, NONE, NONE};
    const struct {
        const char *name;
        size_t *column;
    } known[] = {
        {"#bytes", &columns.bytes},
        {"t_min[usec]", &columns.fastest},
        {"t_avg[usec]", &columns.mean},
        {"t_max[usec]", &columns.slowest},
        {"#repetitions", &columns.repetitions},
    };
    char *words[CT_IMPORT_WORDS];
    columns.count = ct_import_words(line, words);
    for (size_t w = 0; w < columns.count && w < CT_IMPORT_WORDS; w++)
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (strcmp(known[i].name, words[w]) == 0)
                *known[i].column = w;
    return ct_import_table_header(table, &columns);
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* "#bytes ..." or "#repetitions ...", behind blanks. */
static bool is_header(const char *line)
{
    line += strspn(line, " \t");
    return begins(line, "#bytes ") || begins(line, "#repetitions ");
}

static int read_imb(struct ct_import_file *file)
{
    struct reader reader = {.table = {.file = file}};
    struct ct_import_table *table = &reader.table;
    int status = CT_OK;
    for (char *line = ct_import_next_line(file); status == CT_OK && line; line = ct_import_next_line(file)) {
        const char *version = *line == '#' ? strstr(line, version_begin) : NULL;
        if (version)
            take_version(&reader, version + strlen(version_begin));
        if (begins(line, title_begin))
            status = take_title(&reader, line);
        else if (table->state == CT_IMPORT_TITLED && begins(line, ranks_begin))
            status = take_ranks(table, line);
        else if (table->state == CT_IMPORT_TITLED && is_header(line))
            status = take_header(table, line);
        else
            status = ct_import_table_line(table, line);
    }
    return status;
}

const struct ct_import_format ct_import_imb = {
    .name = "imb",
    .text = "output of the Intel MPI Benchmarks (IMB-MPI1)",
    .origin = "Intel MPI Benchmarks",
    .read = read_imb,
};
