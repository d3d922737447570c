/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/ompi_rules.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

static const char version_line[] = "rule-file-version-";

enum { VERSION_MOST = 2 };

struct reader {
    const char *at;
    const char *name;
    size_t line;
    struct ct_error *error;
    size_t version; /* of the form: from 2 on a rule may end with a number of requests */
    struct ct_ompi_file file;
};

static void skip_blanks(struct reader *reader)
{
    for (;; reader->at++) {
        if (*reader->at == '#')
            reader->at += strcspn(reader->at, "\n");
        if (*reader->at == '\n')
            reader->line++;
        else if (!isspace((unsigned char)*reader->at))
            return;
    }
}

/* The next number; `what` says what it is. No leading zero: Open MPI would read it as octal. */
static int read_number(struct reader *reader, const char *what, size_t most, size_t *ret_number)
{
    skip_blanks(reader);
    size_t digits = strspn(reader->at, "0123456789"), number = 0;
    if (digits == 0 || (digits > 1 && *reader->at == '0'))
        return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: expected %s, a whole number", reader->name,
                       reader->line, what);
    for (size_t i = 0; i < digits; i++) {
        size_t digit = (size_t)(reader->at[i] - '0');
        if (digit > most || number > (most - digit) / 10)
            return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: %s is %.*s: expected at most %zu",
                           reader->name, reader->line, what, digits < 30 ? (int)digits : 30, reader->at,
                           most);
        number = number * 10 + digit;
    }
    reader->at += digits;
    *ret_number = number;
    return CT_OK;
}

/* Does a number follow on this line? */
static bool line_goes_on(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t");
    return isdigit((unsigned char)*reader->at);
}

static int read_rule(struct reader *reader, enum ct_collective collective, struct ct_ompi_rule *rule)
{
    *rule = (struct ct_ompi_rule){.most = SIZE_MAX};
    int status = read_number(reader, "a message size", LONG_MAX, &rule->least);
    if (status == CT_OK)
        status = read_number(reader, "an algorithm", INT_MAX, &rule->algorithm);
    if (status == CT_OK && !ct_ompi_has(collective, rule->algorithm, reader->file.release))
        status = ct_fail(reader->error, CT_E_INPUT, "%s:%zu: Open MPI %s has no algorithm %zu of %s",
                         reader->name, reader->line, reader->file.release < 6 ? "4.1" : "6", rule->algorithm,
                         ct_collectives[collective].name);
    if (status == CT_OK)
        status = read_number(reader, "a fan-out", INT_MAX, &rule->fanout);
    if (status == CT_OK)
        status = read_number(reader, "a segment size", INT_MAX, &rule->segment);
    if (status == CT_OK && reader->version > 1 && line_goes_on(reader))
        status = read_number(reader, "a number of requests", INT_MAX, &rule->requests);
    return status;
}

static int read_rules(struct reader *reader, enum ct_collective collective)
{
    size_t count;
    int status = read_number(reader, "a number of message sizes", INT_MAX, &count);
    if (status == CT_OK && count == 0)
        status = ct_fail(reader->error, CT_E_INPUT, "%s:%zu: expected at least one message size",
                         reader->name, reader->line);
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        struct ct_ompi_rule rule;
        struct ct_ompi_file *file = &reader->file;
        status = read_rule(reader, collective, &rule);
        if (status != CT_OK)
            return status;
        if (i == 0 && rule.least != 0)
            return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: the first message size is %zu: expected 0",
                           reader->name, reader->line, rule.least);
        if (i > 0 && rule.least <= file->rules[file->rule_count - 1].least)
            return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: message sizes must rise", reader->name,
                           reader->line);
        if (i > 0)
            file->rules[file->rule_count - 1].most = rule.least - 1;
        status = ct_ompi_add_rule(file, &rule);
    }
    return status;
}

static int read_rows(struct reader *reader, enum ct_collective collective)
{
    size_t count, comm_size = 0, last = 0;
    int status = read_number(reader, "a number of communicator sizes", INT_MAX, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        status = read_number(reader, "a communicator size", INT_MAX, &comm_size);
        if (status == CT_OK && i > 0 && comm_size <= last)
            status = ct_fail(reader->error, CT_E_INPUT, "%s:%zu: communicator sizes must rise", reader->name,
                             reader->line);
        if (status != CT_OK)
            return status;
        if (i > 0)
            reader->file.rows[reader->file.row_count - 1].most = comm_size - 1;
        /* the first row holds for smaller communicators too */
        struct ct_ompi_row row = {.collective = collective, .least = i ? comm_size : 0, .most = SIZE_MAX};
        last = comm_size;
        status = ct_ompi_add_row(&reader->file, &row);
        if (status == CT_OK)
            status = read_rules(reader, collective);
    }
    return status;
}

static int read_collective(struct reader *reader, bool *seen)
{
    size_t number;
    int status = read_number(reader, "the number of a collective", INT_MAX, &number);
    if (status != CT_OK)
        return status;
    int c = 0;
    while (c < CT_COLLECTIVES && ct_ompi_number((enum ct_collective)c) != (int)number)
        c++;
    if (c == CT_COLLECTIVES || seen[c])
        return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: collective %zu %s", reader->name, reader->line,
                       number, c == CT_COLLECTIVES ? "has no rules in Open MPI" : "stands here twice");
    seen[c] = true;
    return read_rows(reader, (enum ct_collective)c);
}

/* The version, which is 1 where the file does not begin with one. */
static int read_version(struct reader *reader)
{
    const size_t length = strlen(version_line);
    reader->version = 1;
    if (strncmp(reader->at, version_line, length) != 0)
        return CT_OK;
    reader->at += length;
    const bool has_number = isdigit((unsigned char)*reader->at);
    const int status =
        has_number ? read_number(reader, "the version", VERSION_MOST, &reader->version) : CT_OK;
    if (status != CT_OK)
        return status;
    if (!has_number || reader->version == 0 || !isspace((unsigned char)*reader->at))
        return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: expected %s1 or %s2", reader->name, reader->line,
                       version_line, version_line);
    return CT_OK;
}

int ct_ompi_read_text(const char *text, const char *name, struct ct_error *error,
                      struct ct_ompi_file *ret_file)
{
    struct reader reader = {.at = text, .name = name, .line = 1, .error = error};
    bool seen[CT_COLLECTIVES] = {false};
    size_t count;
    int status = read_version(&reader);
    reader.file.release = reader.version > 1 ? 6 : 4;
    if (status == CT_OK)
        status = read_number(&reader, "a number of collectives", CT_COLLECTIVES, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = read_collective(&reader, seen);
    if (status == CT_OK) {
        skip_blanks(&reader);
        if (*reader.at)
            status = ct_fail(error, CT_E_INPUT, "%s:%zu: expected the end of the file", name, reader.line);
    }
    if (status != CT_OK) {
        ct_ompi_file_free(&reader.file);
        return status == CT_E_INPUT ? status : ct_fail(error, status, "%s: out of memory", name);
    }
    *ret_file = reader.file;
    return CT_OK;
}
