/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/skampi.h"
#include "base/number.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char begin_mark[] = "begin result \"", end_mark[] = "end result \"";

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool ct_skampi_knows(const char *text)
{
    return strstr(text, begin_mark) != NULL;
}

/* Copies up to one of `ends`, or all; what does not fit is cut off. */
static void copy_until(const char *text, const char *ends, char ret_name[CT_SKAMPI_NAME])
{
    size_t length = strcspn(text, ends);
    length = length < CT_SKAMPI_NAME ? length : CT_SKAMPI_NAME - 1;
    memcpy(ret_name, text, length);
    ret_name[length] = '\0';
}

/* --- the script --- */

/* "measure comm(procs) : Bcast(256, datatype, 0)" */
static void take_measurement(struct ct_skampi *state, const char *text)
{
    static const char comm[] = "comm(";
    const char *colon = strchr(text, ':');
    if (!colon)
        return;
    state->quotes++;
    copy_until(colon + 1 + strspn(colon + 1, " \t"), " \t(", state->quoted);
    if (begins(text, comm))
        copy_until(text + strlen(comm), " \t)", state->ranks);
}

/* Behind "#>". What the script sets holds from there on; a comment says nothing. */
static int take_script(struct ct_skampi *state, char *text, struct ct_error *error)
{
    static const char measure[] = "measure ", most[] = "set_max_nr_node_times(";
    text[strcspn(text, "#")] = '\0';
    const char *measurement = strstr(text, measure), *times = strstr(text, most);
    if (strstr(text, "set_unit("))
        return ct_fail(error, CT_E_INPUT, "set_unit: expected times in microseconds");
    if (times) {
        char number[CT_SKAMPI_NAME];
        times += strlen(most);
        copy_until(times + strspn(times, " \t"), " \t)", number);
        if (ct_whole_parse(number, INT_MAX, &state->rank_times) != CT_OK)
            return ct_fail(error, CT_E_INPUT, "set_max_nr_node_times: expected a number");
    }
    if (measurement)
        take_measurement(state, measurement + strlen(measure) + strspn(measurement + strlen(measure), " \t"));
    return CT_OK;
}

/* --- results --- */

/* "MPI_Bcast-procs-short" is of Bcast, if the script does not say it. */
static int begin_result(struct ct_skampi *state, const char *name, struct ct_error *error)
{
    static const char prefix[] = "MPI_";
    if (*state->result)
        return ct_fail(error, CT_E_INPUT, "expected the line '# %s%s\"' first", end_mark, state->result);
    copy_until(name, "\"", state->result);
    state->row_times = 0;
    if (!*state->result)
        return ct_fail(error, CT_E_INPUT, "expected the name of a result");
    if (state->quotes > 1)
        return ct_fail(error, CT_E_INPUT, "the result %s is of %zu measurements: expected one", state->result,
                       state->quotes);
    if (state->quotes == 1)
        memcpy(state->function, state->quoted, sizeof state->function);
    else
        copy_until(name + (begins(name, prefix) ? strlen(prefix) : 0), "-\"", state->function);
    return CT_OK;
}

static int end_result(struct ct_skampi *state, const char *name, struct ct_error *error)
{
    char ended[CT_SKAMPI_NAME];
    copy_until(name, "\"", ended);
    if (!*state->result || strcmp(ended, state->result) != 0)
        return ct_fail(error, CT_E_INPUT, "the end of the result '%s', which did not begin", ended);
    *state->result = *state->quoted = *state->ranks = '\0';
    state->quotes = 0;
    return CT_OK;
}

/* --- rows --- */

/* The words of a row, one after the other. */
struct words {
    char *rest;
    struct ct_error *error;
};

static char *next_word(struct words *words)
{
    char *word = words->rest + strspn(words->rest, " \t\r");
    char *end = word + strcspn(word, " \t\r");
    if (end == word)
        return NULL;
    words->rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static int expect_whole(struct words *words, const char *word, const char *what, size_t *ret_number)
{
    if (word && ct_whole_parse(word, SIZE_MAX, ret_number) == CT_OK)
        return CT_OK;
    return ct_fail(words->error, CT_E_INPUT, "'%.40s': expected %s", word ? word : "", what);
}

static int expect_time(struct words *words, const char *word, double *ret_microseconds)
{
    if (word && ct_number_parse(word, ret_microseconds) == CT_OK && *ret_microseconds >= 0)
        return CT_OK;
    return ct_fail(words->error, CT_E_INPUT, "'%.40s': expected microseconds", word ? word : "");
}

enum { VALUES_MOST = 8 };

/* What the loops of the script say in a row. */
struct variables {
    size_t values[VALUES_MOST], count;
    size_t comm_size; /* 0: none of them counts ranks */
};

/* "procs= 2 count= 1": which of them counts ranks is known from the script, or by its usual names. The first
 * word behind is returned. */
static int take_variables(const struct ct_skampi *state, struct words *words, char **ret_word,
                          struct variables *ret_variables)
{
    static const char *const usual[] = {"procs", "nodes"};
    char *name;
    while ((name = next_word(words)) && name[strlen(name) - 1] == '=') {
        const char *value = next_word(words);
        name[strlen(name) - 1] = '\0';
        bool counts = state->quotes > 0 ? strcmp(name, state->ranks) == 0
                                        : strcmp(name, usual[0]) == 0 || strcmp(name, usual[1]) == 0;
        if (!value)
            return ct_fail(words->error, CT_E_INPUT, "expected a value of %.40s", name);
        if (!counts) {
            if (ret_variables->count < VALUES_MOST &&
                ct_whole_parse(value, SIZE_MAX, &ret_variables->values[ret_variables->count]) == CT_OK)
                ret_variables->count++;
            continue;
        }
        int status = expect_whole(words, value, "the number of ranks", &ret_variables->comm_size);
        if (status != CT_OK)
            return status;
        if (ret_variables->comm_size == 0 || ret_variables->comm_size > INT_MAX)
            return ct_fail(words->error, CT_E_INPUT, "'%.40s': expected the number of ranks", value);
    }
    *ret_word = name;
    return CT_OK;
}

/* The times of the ranks. None is above that of the slowest, but for the rounding to tenths. */
static int take_rank_times(struct words *words, double slowest, size_t *ret_count)
{
    static const char none[] = "---";
    const double rounding = 0.11;
    size_t count = 0;
    for (char *word = next_word(words); word; word = next_word(words), count++) {
        double time = 0;
        int status = strcmp(word, none) == 0 ? CT_OK : expect_time(words, word, &time);
        if (status != CT_OK)
            return status;
        if (time > slowest + rounding)
            return ct_fail(words->error, CT_E_INPUT,
                           "a rank's time of %g us is above that of the slowest, %g: expected no more", time,
                           slowest);
    }
    *ret_count = count;
    return CT_OK;
}

/* Where no variable is known to count ranks, all rows of a result have as many times, or one of the variables
 * is their number in all rows. Else a row that was cut off would be of fewer ranks. */
static int check_row_times(struct ct_skampi *state, const struct variables *variables, size_t times,
                           struct ct_error *error)
{
    unsigned like_times = 0;
    for (size_t i = 0; i < variables->count; i++)
        like_times |= (unsigned)(variables->values[i] == times) << i;
    if (state->row_times > 0)
        like_times &= state->like_times;
    if (variables->comm_size == 0 && state->row_times > 0 && times != state->row_times && like_times == 0)
        return ct_fail(error, CT_E_INPUT, "%zu times of ranks, %zu in the row before: expected as many",
                       times, state->row_times);
    state->row_times = times;
    state->like_times = like_times;
    return CT_OK;
}

/* Fewer times than a row can have are one of each rank. */
static int count_ranks(const struct ct_skampi *state, size_t times, struct ct_error *error,
                       size_t *ret_comm_size)
{
    const size_t usual = 16, most = state->rank_times > 0 ? state->rank_times : usual;
    if (*ret_comm_size == 0)
        *ret_comm_size = times < most ? times : 0;
    else if (times > 0 && times != *ret_comm_size && !(*ret_comm_size > most && times == most))
        return ct_fail(error, CT_E_INPUT,
                       "%zu times of %zu ranks: expected one of each, or %zu if there are more", times,
                       *ret_comm_size, most);
    return CT_OK;
}

static int take_row(struct ct_skampi *state, char *line, struct ct_error *error,
                    struct ct_skampi_row *ret_row)
{
    const double micro = 1e6; /* in a second; dividing by it rounds once */
    struct words words = {.rest = line, .error = error};
    struct ct_skampi_row row = {.function = state->function};
    struct variables variables = {.count = 0};
    double slowest, deviation;
    size_t times = 0;
    char *word = NULL;
    int status = take_variables(state, &words, &word, &variables);
    row.comm_size = variables.comm_size;
    row.has_bytes = status == CT_OK && word && !strchr(word, '.');
    if (row.has_bytes) {
        status = expect_whole(&words, word, "a number of bytes", &row.bytes);
        word = next_word(&words);
    }
    if (status == CT_OK)
        status = expect_time(&words, word, &slowest);
    if (status == CT_OK)
        status = expect_time(&words, next_word(&words), &deviation);
    if (status == CT_OK)
        status = expect_whole(&words, next_word(&words), "the number of repetitions", &row.repetitions);
    if (status == CT_OK)
        status = take_rank_times(&words, slowest, &times);
    if (status == CT_OK)
        status = check_row_times(state, &variables, times, error);
    if (status == CT_OK)
        status = count_ranks(state, times, error, &row.comm_size);
    if (status != CT_OK)
        return status;
    row.seconds = slowest / micro;
    *ret_row = row;
    return CT_OK;
}

/* --- lines --- */

int ct_skampi_take_line(struct ct_skampi *state, char *line, struct ct_error *error,
                        struct ct_skampi_row *ret_row)
{
    static const char script[] = "#>";
    const char *mark = line + strspn(line, "# \t");
    *ret_row = (struct ct_skampi_row){0};
    if (begins(line, script))
        return take_script(state, line + strlen(script), error);
    if (begins(mark, begin_mark))
        return begin_result(state, mark + strlen(begin_mark), error);
    if (begins(mark, end_mark))
        return end_result(state, mark + strlen(end_mark), error);
    if (!*state->result || !*(line + strspn(line, " \t\r")) || *line == '#')
        return CT_OK;
    return take_row(state, line, error, ret_row);
}

int ct_skampi_finish(const struct ct_skampi *state, struct ct_error *error)
{
    return *state->result
               ? ct_fail(error, CT_E_INPUT, "the end of the file within the result %s: expected '# %s%s\"'",
                         state->result, end_mark, state->result)
               : CT_OK;
}
