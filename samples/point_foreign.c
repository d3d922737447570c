/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/point_foreign.h"
#include "base/file.h"
#include "base/number.h"
#include "samples/point_samples.h"
#include "samples/skampi.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What other programs write.
 *
 * NetPIPE, versions 2 and 3, np.out: bytes, megabits (2^20 bits) a second, and the seconds of one message,
 * which is half a round trip:
 *
 *        1 3.814697   0.00000200
 *
 * and what NetPIPE prints meanwhile:
 *
 *       0:       1 bytes   5000 times -->      3.81 Mbps in       2.00 usec
 *
 * logp_mpi (Kielmann, Bal, Verstoep 2000), with -o: the latency, and by message size the overheads and the
 * gap in seconds. A round trip is twice the latency and the gap.
 *
 *     # LogP network performance data: logp_test.Send.Recv
 *     # Latency = 0.0000120
 *     # time      bytes os        os_min    os_cnfint or        or_min    or_cnfint g
 *     988888888       0 0.0000010 0.0000009 0.0000001 0.0000020 0.0000019 0.0000001 0.0000040
 *
 * SKaMPI 5: skampi.h. Its time of Pingpong_Send_Recv is a round trip.
 *
 * osu_latency, and PingPong of the Intel MPI Benchmarks: the microseconds of one message, which are half a
 * round trip. Tables of other benchmarks may stand before and behind these.
 *
 *     # OSU MPI Latency Test v7.0
 *     # Size          Latency (us)
 *     1                       0.25
 *
 *     # Benchmarking PingPong
 *     # #processes = 2
 *            #bytes #repetitions      t[usec]   Mbytes/sec
 *                 1         1000         0.25         4.00
 */

struct ct_point_reader {
    const char *name; /* of the file */
    const char *link;
    size_t line;
    struct ct_error *error;
    struct ct_text *samples;
    size_t rows;
    /* logp_mpi */
    double latency; /* NAN before its line */
    size_t least_bytes;
    double least_gap;
    struct ct_skampi skampi;
    /* osu_latency, PingPong */
    enum { OUTSIDE, TITLED, IN_TABLE } at;
    size_t columns;    /* of the table's rows; 0 before the first */
    size_t row_length; /* of the last row as text; 0 before the first */
};

static int fail_at(const struct ct_point_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int fail_at(const struct ct_point_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int status = ct_fail_at(reader->error, reader->name, reader->line, format, arguments);
    va_end(arguments);
    return status;
}

/* The line's number tells repetitions of a size apart. */
static void add(const struct ct_point_reader *reader, enum ct_point_kind kind, size_t bytes, double seconds)
{
    char number[CT_NUMBER_TEXT];
    ct_text_append(reader->samples, "%s,%s,1,%zu,%zu,%s\n", ct_point_kind_names[kind], reader->link, bytes,
                   reader->line, ct_number_format(seconds, number));
}

static int read_bytes(const struct ct_point_reader *reader, const char *word, size_t *ret_bytes)
{
    const size_t most = (size_t)1 << 53;
    return ct_whole_parse(word, most, ret_bytes) == CT_OK
               ? CT_OK
               : fail_at(reader, "'%.40s': expected a number of bytes", word);
}

/* No message takes less, or more. */
static const double shortest = 1e-10, longest = 100;

/* `scale` makes seconds of the number. */
static int read_time(const struct ct_point_reader *reader, const char *word, double scale,
                     double *ret_seconds)
{
    double number;
    if (ct_number_parse(word, &number) != CT_OK || !(number * scale >= shortest) || number * scale > longest)
        return fail_at(reader, "'%.40s': expected %sseconds from %g to %g", word, scale == 1 ? "" : "micro",
                       shortest / scale, longest / scale);
    *ret_seconds = number * scale;
    return CT_OK;
}

static int read_seconds(const struct ct_point_reader *reader, const char *word, double least,
                        double *ret_seconds)
{
    if (ct_number_parse(word, ret_seconds) == CT_OK && *ret_seconds >= least && *ret_seconds <= longest)
        return CT_OK;
    return fail_at(reader, "'%.40s': expected seconds from %g to %g", word, least, longest);
}

enum { WORDS = 16 };

/* Cuts a line into words. The number of words, of which the first WORDS are in `ret_words`. */
static size_t cut(char *line, char *ret_words[WORDS])
{
    char *rest;
    size_t count = 0;
    for (char *word = strtok_r(line, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
        if (count < WORDS)
            ret_words[count] = word;
        count++;
    }
    return count;
}

/* --- NetPIPE --- */

enum { NETPIPE_WORDS = 3 };

static bool knows_netpipe(const char *text)
{
    char line[120], *rest, *word;
    double number;
    size_t words = 0;
    text += strspn(text, " \t\r\n");
    snprintf(line, sizeof line, "%.*s", (int)(strcspn(text, "\r\n") % sizeof line), text);
    for (word = strtok_r(line, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
        if (++words > NETPIPE_WORDS || ct_number_parse(word, &number) != CT_OK)
            return false;
    return words == NETPIPE_WORDS;
}

/* Does the time, rounded to a millionth of a second in old versions, give this rate, which is printed with
 * two digits behind the point? */
static bool agree(size_t bytes, double rate, double seconds)
{
    const double bits = 8.0 * (double)bytes / (1 << 20), rounding = 1e-6, share = 0.01, printed = 0.005;
    return fabs(bits - rate * seconds) <= rate * (rounding + share * seconds) + printed * seconds + rounding;
}

/* `scale` makes seconds of the time. */
static int take_netpipe_row(struct ct_point_reader *reader, const char *bytes_word, const char *rate_word,
                            const char *time_word, double scale)
{
    size_t bytes;
    double rate, seconds = 0;
    int status = read_bytes(reader, bytes_word, &bytes);
    if (status == CT_OK && (ct_number_parse(rate_word, &rate) != CT_OK || rate < 0))
        status = fail_at(reader, "'%.40s': expected megabits a second", rate_word);
    if (status == CT_OK)
        status = read_time(reader, time_word, scale, &seconds);
    if (status == CT_OK && !agree(bytes, rate, seconds))
        status = fail_at(reader, "%zu bytes in %g s are not %g Mbps: expected columns of NetPIPE", bytes,
                         seconds, rate);
    if (status == CT_OK)
        add(reader, CT_POINT_ROUND_TRIP, bytes, 2 * seconds);
    return status;
}

static int take_netpipe(struct ct_point_reader *reader, char *line)
{
    char *words[WORDS];
    const size_t count = cut(line, words);
    if (count == 0)
        return CT_OK;
    if (count != NETPIPE_WORDS)
        return fail_at(reader, "%zu words: expected bytes, megabits a second, seconds", count);
    return take_netpipe_row(reader, words[0], words[1], words[2], 1);
}

static const char netpipe_arrow[] = " times -->";

static bool knows_netpipe_lines(const char *text)
{
    const char *arrow = strstr(text, netpipe_arrow);
    return arrow && strstr(arrow, "Mbps in");
}

/* Other lines, of the job or of NetPIPE, say nothing. */
static int take_netpipe_line(struct ct_point_reader *reader, char *line)
{
    enum { BYTES = 1, RATE = 6, RATE_UNIT = 7, TIME = 9, TIME_UNIT = 10, COUNT = 11 };
    const double micro = 1e-6;
    char *words[WORDS];
    if (!strstr(line, netpipe_arrow))
        return CT_OK;
    if (cut(line, words) != COUNT || strcmp(words[RATE_UNIT], "Mbps") != 0 ||
        strcmp(words[TIME_UNIT], "usec") != 0)
        return fail_at(reader, "expected 'N: BYTES bytes N times --> RATE Mbps in TIME usec'");
    return take_netpipe_row(reader, words[BYTES], words[RATE], words[TIME], micro);
}

/* --- logp_mpi --- */

enum { LOGP_BYTES = 1, LOGP_SEND = 2, LOGP_RECEIVE = 5, LOGP_GAP = 8, LOGP_WORDS = 9 };

static bool knows_logp(const char *text)
{
    static const char first[] = "# LogP network performance data:";
    return strncmp(text, first, strlen(first)) == 0;
}

/* "# Latency = 0.0000120"; other lines with # are titles. */
static int take_logp_title(struct ct_point_reader *reader, char *const words[], size_t count)
{
    if (count < 4 || strcmp(words[1], "Latency") != 0)
        return CT_OK;
    return read_seconds(reader, words[3], 0, &reader->latency);
}

static int take_logp(struct ct_point_reader *reader, char *line)
{
    size_t bytes;
    double send, receive, gap;
    char *words[WORDS];
    const size_t count = cut(line, words);
    if (count == 0)
        return CT_OK;
    if (*words[0] == '#')
        return take_logp_title(reader, words, count);
    if (isnan(reader->latency))
        return fail_at(reader, "expected the line '# Latency = SECONDS' before the table");
    if (count != LOGP_WORDS)
        return fail_at(reader, "%zu words: expected a row of the %d columns above", count, LOGP_WORDS);
    int status = read_bytes(reader, words[LOGP_BYTES], &bytes);
    if (status == CT_OK)
        status = read_seconds(reader, words[LOGP_SEND], 0, &send);
    if (status == CT_OK)
        status = read_seconds(reader, words[LOGP_RECEIVE], 0, &receive);
    if (status == CT_OK)
        status = read_seconds(reader, words[LOGP_GAP], shortest, &gap);
    if (status != CT_OK)
        return status;
    add(reader, CT_POINT_ROUND_TRIP, bytes, 2 * (reader->latency + gap));
    /* an overhead below the last digit is left out: fits take it for 0 */
    if (send >= shortest)
        add(reader, CT_POINT_SEND, bytes, send);
    if (receive >= shortest)
        add(reader, CT_POINT_RECEIVE, bytes, receive);
    if (reader->rows == 0 || bytes < reader->least_bytes) {
        reader->least_bytes = bytes;
        reader->least_gap = gap;
    }
    reader->rows++;
    return CT_OK;
}

/* Only the gap of the smallest message is that of a stream; fits find the others from round trips. */
static int finish_logp(struct ct_point_reader *reader)
{
    if (reader->rows > 0)
        add(reader, CT_POINT_GAP, reader->least_bytes, reader->least_gap);
    return CT_OK;
}

/* --- SKaMPI --- */

/* Of its many kinds of messages, those of blocking standard sends. */
static int take_skampi(struct ct_point_reader *reader, char *line)
{
    const double micro = 1e6;
    struct ct_error why;
    struct ct_skampi_row row;
    if (ct_skampi_take_line(&reader->skampi, line, &why, &row) != CT_OK)
        return fail_at(reader, "%s", why.text);
    if (!row.function || strcmp(row.function, "Pingpong_Send_Recv") != 0)
        return CT_OK;
    if (!row.has_bytes || row.bytes > (size_t)1 << 53)
        return fail_at(reader, "a row without its bytes: expected a number of bytes");
    if (row.comm_size != 2)
        return fail_at(reader, "%zu times of ranks: expected two", row.comm_size);
    if (!(row.seconds >= shortest && row.seconds <= longest))
        return fail_at(reader, "a time of %g us: expected microseconds from %g to %g", row.seconds * micro,
                       shortest * micro, longest * micro);
    reader->rows++;
    add(reader, CT_POINT_ROUND_TRIP, row.bytes, row.seconds);
    return CT_OK;
}

static int finish_skampi(struct ct_point_reader *reader)
{
    struct ct_error why;
    if (ct_skampi_finish(&reader->skampi, &why) != CT_OK)
        return fail_at(reader, "%s", why.text);
    return reader->rows > 0
               ? CT_OK
               : ct_fail(reader->error, CT_E_INPUT,
                         "%s: holds no result of Pingpong_Send_Recv; `colltune import` reads those "
                         "of collectives",
                         reader->name);
}

/* --- osu_latency and PingPong --- */

/* How a benchmark prints its table of single messages. */
struct dialect {
    const char *title;  /* of this benchmark */
    const char *titles; /* those of all benchmarks begin so */
    const char *header; /* the first words of the line that names the columns */
    int time;           /* the column of the time */
};

static const struct dialect osu = {"# OSU MPI Latency Test", "# OSU MPI", "# Size", 1},
                            imb = {"# Benchmarking PingPong", "# Benchmarking", "#bytes #repetitions t[usec]",
                                   2};

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* Other benchmarks have longer names. */
static bool is_title(const char *line, const struct dialect *dialect)
{
    return begins(line, dialect->title) && strchr(" \r\n", line[strlen(dialect->title)]);
}

static bool has_title(const char *text, const struct dialect *dialect)
{
    while ((text = strstr(text, dialect->title)) && !is_title(text, dialect))
        text++;
    return text != NULL;
}

/* Do the words begin like these, whatever blanks are between them? */
static bool begins_with_words(const char *line, const char *words)
{
    line += strspn(line, " \t");
    for (; *words; words++)
        if (*words == ' ')
            line += strspn(line, " \t");
        else if (*line++ != *words)
            return false;
    return true;
}

static int take_microseconds(struct ct_point_reader *reader, const struct dialect *dialect, char *line)
{
    static const char verdict[] = "Pass"; /* osu_latency -c */
    const double micro = 1e6;
    char *words[WORDS];
    size_t bytes;
    double time, other;
    const size_t count = cut(line, words);
    if (count <= (size_t)dialect->time || count > WORDS)
        return fail_at(reader, "expected a row of bytes and microseconds");
    int status = read_bytes(reader, words[0], &bytes);
    if (status != CT_OK)
        return status;
    if (ct_number_parse(words[dialect->time], &time) != CT_OK || !(time >= shortest * micro) ||
        time > longest * micro)
        return fail_at(reader, "'%.40s': expected microseconds from %g to %g", words[dialect->time],
                       shortest * micro, longest * micro);
    if (reader->columns == 0)
        reader->columns = count;
    if (count != reader->columns)
        return fail_at(reader, "%zu words: expected %zu, as in the rows above", count, reader->columns);
    for (size_t i = (size_t)dialect->time + 1; i < count; i++)
        if (strcmp(words[i], verdict) != 0 && ct_number_parse(words[i], &other) != CT_OK)
            return fail_at(reader, "'%.40s': expected a number, or %s of a row whose data are right",
                           words[i], verdict);
    reader->rows++;
    add(reader, CT_POINT_ROUND_TRIP, bytes, 2 * time / micro);
    return CT_OK;
}

static int take_table_line(struct ct_point_reader *reader, const struct dialect *dialect, char *line)
{
    const char *first = line + strspn(line, " \t\r");
    if (begins(line, dialect->titles)) {
        reader->at = is_title(line, dialect) ? TITLED : OUTSIDE;
    } else if (reader->at == TITLED && begins_with_words(line, dialect->header)) {
        if (!strstr(line, "(us)") && !strstr(line, "[usec]"))
            return fail_at(reader, "expected a column of microseconds");
        reader->at = IN_TABLE;
        reader->columns = reader->row_length = 0;
    } else if (reader->at == IN_TABLE && *first && *first != '#') {
        return take_microseconds(reader, dialect, line);
    } else if (reader->at == IN_TABLE) {
        reader->at = OUTSIDE;
    }
    return CT_OK;
}

static bool knows_osu(const char *text)
{
    return has_title(text, &osu);
}

static bool knows_imb(const char *text)
{
    return has_title(text, &imb);
}

static int take_osu(struct ct_point_reader *reader, char *line)
{
    return take_table_line(reader, &osu, line);
}

static int take_imb(struct ct_point_reader *reader, char *line)
{
    return take_table_line(reader, &imb, line);
}

/* --- files --- */

static const struct ct_point_format formats[] = {
    {.name = "logp_mpi", .knows = knows_logp, .take_line = take_logp, .finish = finish_logp},
    {.name = "NetPIPE", .knows = knows_netpipe, .take_line = take_netpipe},
    {.name = "NetPIPE", .knows = knows_netpipe_lines, .take_line = take_netpipe_line},
    {.name = "SKaMPI",
     .has_others = true,
     .knows = ct_skampi_knows,
     .take_line = take_skampi,
     .finish = finish_skampi},
    {.name = "OSU micro-benchmarks", .has_others = true, .knows = knows_osu, .take_line = take_osu},
    {.name = "Intel MPI Benchmarks", .has_others = true, .knows = knows_imb, .take_line = take_imb},
};

const struct ct_point_format *ct_point_format_of(const char *text)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].knows(text))
            return &formats[i];
    return NULL;
}

int ct_point_convert(const struct ct_point_format *format, const char *link, const char *text,
                     const char *name, struct ct_error *error, struct ct_text *ret_samples)
{
    struct ct_point_reader reader = {
        .name = name, .link = link, .error = error, .samples = ret_samples, .latency = NAN};
    char *heading = ct_point_samples_heading(format->name), *copy = strdup(text);
    int status = heading && copy ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        ct_text_append(ret_samples, "%s", heading);
    for (char *line = copy, *next; status == CT_OK && line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        reader.line++;
        const size_t before = ret_samples->length, length = strlen(line);
        status = format->take_line(&reader, line);
        const bool is_row = ret_samples->length > before;
        if (status == CT_OK && is_row && !next && length < reader.row_length)
            status = fail_at(&reader, CT_TORN_ROW_TEXT);
        reader.row_length = is_row ? length : reader.row_length;
    }
    if (status == CT_OK && format->finish)
        status = format->finish(&reader);
    free(copy);
    free(heading);
    if (status == CT_E_MEMORY || ret_samples->failed)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
    return status;
}
