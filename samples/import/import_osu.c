/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/benchmark_table.h"

#include <string.h>

/* OSU micro-benchmarks, versions 5 to 7, of one or several runs one behind the other. A title, perhaps
 * further comments, a line that names the columns, and rows:
 *
 *     # OSU MPI Broadcast Latency Test v7.0
 *     # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
 *     1                       2.00              1.00              3.00        1000
 *
 * The columns behind the mean come with -f; further ones, of percentiles and of checked results, with other
 * options. How many ranks there were is not said. */

static const char title_begin[] = "# OSU MPI", title_end[] = " Latency Test";

/* Reductions onto blocks print the length of the whole vector. */
static const struct ct_import_benchmark benchmarks[] = {
    {"Barrier", CT_COLLECTIVE_BARRIER, false},
    {"Broadcast", CT_COLLECTIVE_BCAST, false},
    {"Scatter", CT_COLLECTIVE_SCATTER, false},
    {"Scatterv", CT_COLLECTIVE_SCATTERV, false},
    {"Gather", CT_COLLECTIVE_GATHER, false},
    {"Gatherv", CT_COLLECTIVE_GATHERV, false},
    {"Allgather", CT_COLLECTIVE_ALLGATHER, false},
    {"Allgatherv", CT_COLLECTIVE_ALLGATHERV, false},
    {"All-to-All Personalized Exchange", CT_COLLECTIVE_ALLTOALL, false},
    {"All-to-Allv Personalized Exchange", CT_COLLECTIVE_ALLTOALLV, false},
    {"All-to-Allw Personalized Exchange", CT_COLLECTIVE_ALLTOALLW, false},
    {"Reduce", CT_COLLECTIVE_REDUCE, false},
    {"Reduce_scatter_block", CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, true},
    {"Reduce_scatter", CT_COLLECTIVE_REDUCE_SCATTER, true},
    {"Allreduce", CT_COLLECTIVE_ALLREDUCE, false},
    {NULL, CT_COLLECTIVES, false},
};

/* "# OSU MPI Broadcast Latency Test v7.0" names Broadcast; other benchmarks go by all that follows "OSU ". */
static int take_title(struct ct_import_table *table, char *line)
{
    char *name = line + strlen(title_begin), *end = strstr(line, title_end);
    if (*name == ' ' && end > name) {
        *end = '\0';
        return ct_import_table_title(table, benchmarks, name + 1);
    }
    return ct_import_table_title(table, benchmarks, line + strlen("# "));
}

/* Names of columns hold single blanks; between columns there are more. */
static int take_header(struct ct_import_table *table, char *line)
{
    enum { NONE = CT_IMPORT_NO_COLUMN };
    struct ct_import_columns columns = {0, NONE, NONE, NONE, NONE, NONE, NONE};
    const struct {
        const char *name;
        size_t *column;
    } known[] = {
        {"Size", &columns.bytes},
        {"Min Latency(us)", &columns.fastest},
        {"Avg Latency(us)", &columns.mean},
        {"Max Latency(us)", &columns.slowest},
        {"Iterations", &columns.repetitions},
        {"Validation", &columns.verdict},
    };
    for (char *name = line + strspn(line, "# "); *name;) {
        char *end = strstr(name, "  ");
        char *next = end ? end + strspn(end, " ") : name + strlen(name);
        if (end)
            *end = '\0';
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (strcmp(known[i].name, name) == 0)
                *known[i].column = columns.count;
        columns.count++;
        name = next;
    }
    return ct_import_table_header(table, &columns);
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static int read_osu(struct ct_import_file *file)
{
    struct ct_import_table table = {.file = file};
    int status = CT_OK;
    for (char *line = ct_import_next_line(file); status == CT_OK && line; line = ct_import_next_line(file)) {
        if (begins(line, title_begin))
            status = take_title(&table, line);
        else if (table.state == CT_IMPORT_TITLED && (begins(line, "# Size ") || begins(line, "# Avg ")))
            status = take_header(&table, line);
        else
            status = ct_import_table_line(&table, line);
    }
    return status;
}

const struct ct_import_format ct_import_osu = {
    .name = "osu",
    .text = "output of the OSU micro-benchmarks (osu_bcast and others), versions 5 to 7",
    .origin = "OSU micro-benchmarks",
    .read = read_osu,
};
