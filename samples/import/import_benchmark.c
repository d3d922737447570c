/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import_benchmark.h"
#include "base/file.h"
#include "base/number.h"
#include "samples/import/file_name.h"
#include "samples/import/import_rows.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The text outputs of the OSU micro-benchmarks and of the Intel MPI Benchmarks (IMB-MPI1): titles, each with
 * a table of one collective behind it. A line names the columns of the table, and its rows are numbers.
 *
 * OSU, versions 5 to 7; a file may hold several outputs, and none says how many ranks there were. The columns
 * behind the mean come with -f; further ones, of percentiles and of checked results, with other options.
 *
 *     # OSU MPI Broadcast Latency Test v7.0
 *     # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
 *     1                       2.00              1.00              3.00        1000
 *
 * Scripts that start many outputs print lines between them, which a pattern may read (--heading).
 *
 * Intel:
 *
 *     # Benchmarking Bcast
 *     # #processes = 4
 *            #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
 *                 8         1000         1.00         3.00         2.00
 */

/* What a benchmark prints as the size. */
enum sizes {
    MESSAGE,   /* our message size */
    TOTAL,     /* the size of all blocks together */
    BY_VERSION /* the total up to version 2018, a block from 2021 on */
};
enum { LAST_OLD = 2018, FIRST_NEW = 2021 };

enum family { OSU, IMB, FAMILIES };

static const struct benchmark {
    enum ct_collective collective;
    const char *titles[FAMILIES]; /* NULL where there is no such benchmark */
    enum sizes sizes[FAMILIES];
} benchmarks[] = {
    {CT_COLLECTIVE_BARRIER, {"Barrier", "Barrier"}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_BCAST, {"Broadcast", "Bcast"}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_SCATTER, {"Scatter", "Scatter"}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_SCATTERV, {"Scatterv", "Scatterv"}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_GATHER, {"Gather", "Gather"}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_GATHERV, {"Gatherv", "Gatherv"}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_ALLGATHER, {"Allgather", "Allgather"}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_ALLGATHERV, {"Allgatherv", "Allgatherv"}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_ALLTOALL, {"All-to-All Personalized Exchange", "Alltoall"}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_ALLTOALLV, {"All-to-Allv Personalized Exchange", "Alltoallv"}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_ALLTOALLW, {"All-to-Allw Personalized Exchange", NULL}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_REDUCE, {"Reduce", "Reduce"}, {MESSAGE, MESSAGE}},
    {CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, {"Reduce_scatter_block", "Reduce_scatter_block"}, {TOTAL, MESSAGE}},
    {CT_COLLECTIVE_REDUCE_SCATTER, {"Reduce_scatter", "Reduce_scatter"}, {TOTAL, BY_VERSION}},
    {CT_COLLECTIVE_ALLREDUCE, {"Allreduce", "Allreduce"}, {MESSAGE, MESSAGE}},
};

enum column { BYTES, FASTEST, MEAN, SLOWEST, REPETITIONS, VERDICT, COLUMNS };
enum { NONE = CT_IMPORT_WORDS }; /* the place of a column that a table does not have */

struct table {
    const struct dialect *dialect;
    struct ct_import_file *file;
    enum {
        BEFORE,    /* before the first title: whatever a job prints */
        TITLED,    /* behind a title, before its table */
        IN_TABLE,  /* every line is a row */
        ENDED,     /* behind the table */
        PASSING_BY /* in a benchmark that is not for us, up to the next title */
    } state;
    struct ct_fact_pattern heading; /* of lines that say facts; no pieces: there are none */
    struct ct_import_name said;     /* by the last such line, in the place of the source */
    bool is_said;
    bool has_facts;    /* is there a fact in the pattern at all? */
    size_t version;    /* of IMB; 0 where it is not said */
    const char *title; /* of the present benchmark */
    enum ct_collective collective;
    bool prints_total;
    struct ct_method method;
    size_t comm_size; /* 0 where the file does not say it */
    size_t column_count;
    size_t places[COLUMNS];
    size_t row_length; /* of the last row as text; 0: there is none yet */
};

/* How a family of benchmarks writes tables. */
struct dialect {
    enum family family;
    const char *title; /* a title begins so */
    int (*take_title)(struct table *table, char *rest);
    const char *header[2]; /* beginnings of the line that names the columns, behind blanks */
    size_t (*split)(char *line, char *ret_words[CT_IMPORT_WORDS]); /* cuts that line into names */
    const char *columns[COLUMNS];                                  /* NULL where there is no such column */
};

static const double microseconds = 1e6; /* in a second; dividing by it rounds once */

/* Words that Intel's benchmarks print in place of times. */
static const char *const not_measured[] = {"out-of-mem.;", "int-overflow.;", "time-out.;"};

/* --- the lines before the rows --- */

static int take_title(struct table *table, const char *title)
{
    const enum family family = table->dialect->family;
    const struct benchmark *known = NULL;
    table->state = PASSING_BY;
    table->comm_size = 0;
    for (size_t i = 0; !known && i < sizeof benchmarks / sizeof benchmarks[0]; i++)
        if (benchmarks[i].titles[family] && strcmp(benchmarks[i].titles[family], title) == 0)
            known = &benchmarks[i];
    if (!known)
        return ct_import_pass_over(table->file, title, "is no benchmark of a blocking collective");
    const struct ct_collective_description *about = &ct_collectives[known->collective];
    if (about->has_data && !about->has_size)
        return ct_import_pass_over(table->file, title, "has no message size that all ranks know");
    const enum sizes sizes = known->sizes[family];
    bool is_old = table->version > 0 && table->version <= LAST_OLD;
    if (sizes == BY_VERSION && !is_old && table->version < FIRST_NEW)
        return ct_import_pass_over(table->file, title,
                                   "prints sizes that mean one thing up to version 2018 and "
                                   "another from 2021 on: expected one of these");
    if (table->heading.count > 0 && !table->is_said)
        return ct_import_fail(table->file, "no line before this output matches --heading '%.100s'",
                              table->heading.text);
    if (table->is_said && table->file->source->method && strcmp(table->file->source->method, "-") == 0)
        return ct_import_pass_over(table->file, title, "was to be left out");
    table->state = TITLED;
    table->title = known->titles[family];
    table->collective = known->collective;
    table->prints_total = sizes == TOTAL || (sizes == BY_VERSION && is_old);
    return ct_import_source_method(table->file, known->collective, &table->method);
}

/* Behind " MPI Benchmarks ": "2021.3, MPI-1 part". */
static void take_version(struct table *table, const char *version)
{
    char digits[8] = "";
    memcpy(digits, version, strnlen(version, sizeof digits - 1));
    digits[strspn(digits, "0123456789")] = '\0';
    if (ct_whole_parse(digits, INT_MAX, &table->version) != CT_OK)
        table->version = 0;
}

static int take_ranks(struct table *table, char *word)
{
    word[strspn(word, "0123456789")] = '\0';
    if (ct_whole_parse(word, INT_MAX, &table->comm_size) != CT_OK || table->comm_size == 0)
        return ct_import_fail(table->file, "'%.40s': expected the number of processes", word);
    return CT_OK;
}

static int take_header(struct table *table, char *line)
{
    const struct ct_import_file *file = table->file;
    const struct dialect *dialect = table->dialect;
    char *words[CT_IMPORT_WORDS];
    size_t count = dialect->split(line, words);
    if (count > CT_IMPORT_WORDS)
        return ct_import_fail(file, "%zu columns: expected at most %d", count, CT_IMPORT_WORDS);
    table->column_count = count;
    table->row_length = 0;
    for (int i = 0; i < COLUMNS; i++) {
        table->places[i] = NONE;
        for (size_t w = 0; dialect->columns[i] && w < count; w++)
            if (strcmp(dialect->columns[i], words[w]) == 0)
                table->places[i] = w;
    }
    bool sized = ct_collectives[table->collective].has_size, slowest = file->request->slowest;
    if (sized != (table->places[BYTES] != NONE))
        return ct_import_fail(file, "a table %s message sizes: %s has %s", sized ? "without" : "with",
                              table->title, sized ? "them" : "none");
    if (table->places[slowest ? SLOWEST : MEAN] == NONE)
        return ct_import_fail(file, "no column of the %s: expected %s",
                              slowest ? "slowest rank's times" : "mean times",
                              slowest ? "a full output (osu: option -f)"
                                      : "one in microseconds, as 'Avg Latency(us)' or 't_avg[usec]'");
    table->state = IN_TABLE;
    return CT_OK;
}

/* --- rows --- */

/* The times over the ranks, in microseconds; NAN for those that the table does not have. */
static int read_times(const struct table *table, char *const words[], double ret_times[COLUMNS])
{
    for (int i = FASTEST; i <= SLOWEST; i++) {
        const size_t place = table->places[i];
        ret_times[i] = NAN;
        if (place != NONE && ct_number_parse(words[place], &ret_times[i]) != CT_OK)
            return ct_import_fail(table->file, "'%.40s': expected a time in microseconds", words[place]);
    }
    return CT_OK;
}

/* The shortest time, the mean and the longest do not fall. Each was rounded to hundredths. */
static int check_order(const struct table *table, const double times[COLUMNS])
{
    static const char *const names[] = {
        [FASTEST] = "the shortest time", [MEAN] = "the mean", [SLOWEST] = "the longest time"};
    const double rounding = 0.011;
    for (int i = FASTEST; i < SLOWEST; i++)
        for (int k = i + 1; k <= SLOWEST; k++)
            if (times[k] < times[i] - rounding)
                return ct_import_fail(table->file, "%s, %g, is below %s, %g: expected no less", names[k],
                                      times[k], names[i], times[i]);
    return CT_OK;
}

/* A column of whole numbers; 0 where the table does not have it. */
static int read_whole(const struct table *table, char *const words[], enum column column, size_t *ret_number)
{
    const char *word = table->places[column] == NONE ? "0" : words[table->places[column]];
    if (ct_whole_parse(word, SIZE_MAX, ret_number) != CT_OK)
        return ct_import_fail(table->file, "'%.40s': expected a whole number", word);
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

static int take_row(struct table *table, char *line)
{
    struct ct_import_file *file = table->file;
    struct ct_import_row row = {.method = table->method, .cell = {.collective = table->collective}};
    size_t bytes, comm_size = table->comm_size ? table->comm_size : file->source->key.comm_size;
    double times[COLUMNS];
    char *words[CT_IMPORT_WORDS];
    const size_t length = strlen(line);
    size_t count = ct_import_words(line, words), verdict = table->places[VERDICT];
    if (is_given_up(words, count))
        return ct_import_pass_over(file, table->title, "gave up in some rows");
    if (count != table->column_count)
        return ct_import_fail(file,
                              "%zu words: expected a row of the %zu columns above, or a line that --heading "
                              "matches",
                              count, table->column_count);
    if (file->is_torn && length < table->row_length)
        return ct_import_fail(file, CT_TORN_ROW_TEXT);
    table->row_length = length;
    if (verdict != NONE && strcmp(words[verdict], "Pass") != 0)
        return ct_import_fail(file, "'%.40s': expected Pass, because the results were wrong", words[verdict]);
    int status = read_whole(table, words, BYTES, &bytes);
    if (status == CT_OK)
        status = read_whole(table, words, REPETITIONS, &row.repetitions);
    if (status == CT_OK)
        status = read_times(table, words, times);
    if (status != CT_OK)
        return status;
    if (comm_size == 0 || comm_size > INT_MAX)
        return ct_import_fail(file, "the number of ranks is unknown: expected --comm-size");
    if (table->places[BYTES] != NONE && bytes == 0)
        return ct_import_pass_over(file, "rows of 0 bytes", "move nothing");
    row.cell.key.comm_size = comm_size;
    row.cell.key.msg_bytes = table->prints_total ? bytes / comm_size : bytes;
    if (table->prints_total && row.cell.key.msg_bytes == 0)
        return ct_import_pass_over(file, table->title, "has less than a byte for each rank in some rows");
    row.seconds = times[file->request->slowest ? SLOWEST : MEAN] / microseconds;
    status = ct_import_add(file, &row);
    return status == CT_OK ? check_order(table, times) : status;
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Rules between outputs, and marks of Markdown, have none. */
static bool has_letters(const char *line)
{
    for (; *line; line++)
        if (isalnum((unsigned char)*line))
            return true;
    return false;
}

/* A line that says facts about the outputs below it, up to the next such line. */
static int take_heading(struct table *table, const struct ct_facts *facts)
{
    struct ct_import_file *file = table->file;
    char said[200];
    snprintf(said, sizeof said, "%.150s:%zu: the line", file->name, file->line);
    table->said = (struct ct_import_name){.source = file->request->sources[file->number]};
    table->is_said = true;
    file->source = &table->said.source;
    return ct_import_facts_take(facts, said, file->request->explain != NULL, file->error, &table->said);
}

static int take_line(struct table *table, char *line)
{
    struct ct_facts facts;
    static const char ranks[] = "# #processes = ", before_version[] = " MPI Benchmarks ";
    const struct dialect *dialect = table->dialect;
    const char *first = line + strspn(line, " \t");
    const char *version = *line == '#' ? strstr(line, before_version) : NULL;
    if (version)
        take_version(table, version + strlen(before_version));
    if (begins(line, dialect->title))
        return dialect->take_title(table, line + strlen(dialect->title));
    if (table->state == TITLED && begins(line, ranks))
        return take_ranks(table, line + strlen(ranks));
    if (table->state == TITLED && (begins(first, dialect->header[0]) || begins(first, dialect->header[1])))
        return take_header(table, line);
    const bool is_row = table->state == IN_TABLE && *first >= '0' && *first <= '9';
    if (table->heading.count > 0 && !(is_row && !table->has_facts) &&
        ct_fact_pattern_matches(&table->heading, line, '\0', &facts)) {
        table->state = table->state == IN_TABLE ? ENDED : table->state;
        return take_heading(table, &facts);
    }
    if (table->state == IN_TABLE && *first != '#' && has_letters(first))
        return take_row(table, line);
    if (table->state == IN_TABLE)
        table->state = ENDED;
    if ((table->state == TITLED || table->state == ENDED) && *first >= '0' && *first <= '9')
        return ct_import_fail(table->file,
                              "a row outside of a table: expected the line that names its columns before it");
    return CT_OK;
}

static int read_tables(const struct dialect *dialect, struct ct_import_file *file)
{
    const struct ct_import_source *source = file->source;
    struct table table = {.dialect = dialect, .file = file};
    int status = CT_OK;
    if (source->heading)
        status = ct_fact_pattern_read("--heading", source->heading, file->error, &table.heading);
    if (source->heading && status == CT_OK)
        status = ct_import_pattern_check(&table.heading, true, file->error);
    for (int fact = 0; fact < CT_FACTS; fact++)
        table.has_facts |= table.heading.has[fact];
    for (char *line = ct_import_next_line(file); status == CT_OK && line; line = ct_import_next_line(file))
        status = take_line(&table, line);
    file->source = source;
    return status;
}

/* --- OSU --- */

/* " Broadcast Latency Test v7.0" names Broadcast; other benchmarks go by all that follows "# ". */
static int take_osu_title(struct table *table, char *name)
{
    char *end = strstr(name, " Latency Test");
    if (*name != ' ' || !end || end == name)
        return take_title(table, name - strlen("OSU MPI"));
    *end = '\0';
    return take_title(table, name + 1);
}

/* Names of columns hold single blanks; between columns there are more. */
static size_t split_osu_header(char *line, char *ret_words[CT_IMPORT_WORDS])
{
    size_t count = 0;
    for (char *name = line + strspn(line, "# "); *name; count++) {
        char *end = strstr(name, "  ");
        char *next = end ? end + strspn(end, " ") : name + strlen(name);
        if (end)
            *end = '\0';
        if (count < CT_IMPORT_WORDS)
            ret_words[count] = name;
        name = next;
    }
    return count;
}

static int read_osu(struct ct_import_file *file)
{
    static const struct dialect osu = {
        .family = OSU,
        .title = "# OSU MPI",
        .take_title = take_osu_title,
        .header = {"# Size ", "# Avg "},
        .split = split_osu_header,
        .columns = {"Size", "Min Latency(us)", "Avg Latency(us)", "Max Latency(us)", "Iterations",
                    "Validation"},
    };
    return read_tables(&osu, file);
}

const struct ct_import_format ct_import_osu = {
    .name = "osu",
    .text = "output of the OSU micro-benchmarks (osu_bcast and others), versions 5 to 7",
    .origin = "OSU micro-benchmarks",
    .read = read_osu,
};

/* --- Intel --- */

static int take_imb_title(struct table *table, char *name)
{
    char *words[CT_IMPORT_WORDS];
    if (ct_import_words(name, words) == 0)
        return ct_import_fail(table->file, "expected the name of a benchmark");
    return take_title(table, words[0]);
}

static int read_imb(struct ct_import_file *file)
{
    static const struct dialect imb = {
        .family = IMB,
        .title = "# Benchmarking ",
        .take_title = take_imb_title,
        .header = {"#bytes ", "#repetitions "},
        .split = ct_import_words,
        .columns = {"#bytes", "t_min[usec]", "t_avg[usec]", "t_max[usec]", "#repetitions", NULL},
    };
    return read_tables(&imb, file);
}

const struct ct_import_format ct_import_imb = {
    .name = "imb",
    .text = "output of the Intel MPI Benchmarks (IMB-MPI1)",
    .origin = "Intel MPI Benchmarks",
    .read = read_imb,
};
