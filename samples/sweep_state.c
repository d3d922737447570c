/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/sweep_state.h"
#include "base/number.h"
#include "base/xml.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { TEXT, WHOLE, NUMBER, FLAG };

static const struct field {
    const char *name; /* of the attribute */
    enum kind kind;
    bool is_condition; /* must be the same when the run is resumed */
    size_t offset;
} fields[] = {
#define FIELD(member) offsetof(struct ct_sweep_state, member)
    {"sync", TEXT, true, FIELD(sync)},
    {"mpi", TEXT, true, FIELD(mpi)},
    {"mpi-version", TEXT, true, FIELD(mpi_version)},
    {"cc", TEXT, false, FIELD(cc)},
    {"machine", TEXT, true, FIELD(machine)},
    {"platform-sha256", TEXT, true, FIELD(platform_sha256)},
    {"simulator-options", TEXT, true, FIELD(simulator_options)},
    {"program", TEXT, true, FIELD(program)},
    {"hostfile", TEXT, true, FIELD(hostfile)},
    {"ppn", WHOLE, true, FIELD(ppn)},
    {"guided", FLAG, true, FIELD(guided)},
    {"racing-margin", NUMBER, true, FIELD(racing_margin)},
    {"budget", NUMBER, false, FIELD(budget)},
    {"prior", TEXT, false, FIELD(prior)},
    {"prior-sha256", TEXT, true, FIELD(prior_sha256)},
    {"clocks", WHOLE, false, FIELD(clocks)},
    {"skew", NUMBER, false, FIELD(skew)},
    {"skew-bound", NUMBER, false, FIELD(skew_bound)},
    {"jumps", WHOLE, false, FIELD(jumps)},
    {"slow-rank", WHOLE, false, FIELD(slow_rank)},
    {"slow-factor", NUMBER, false, FIELD(slow_factor)},
    {"late", WHOLE, false, FIELD(late)},
    {"late-of", WHOLE, false, FIELD(late_of)},
#undef FIELD
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

static char **text_at(const struct ct_sweep_state *state, const struct field *field)
{
    return (char **)((char *)state + field->offset);
}

/* The value as text; "" where there is none. */
static const char *format(const struct ct_sweep_state *state, const struct field *field,
                          char number[CT_NUMBER_TEXT])
{
    const void *at = (const char *)state + field->offset;
    double value = field->kind == WHOLE    ? (double)*(const size_t *)at
                   : field->kind == NUMBER ? *(const double *)at
                                           : 0;
    if (field->kind == TEXT)
        return *(char *const *)at ? *(char *const *)at : "";
    if (field->kind == FLAG)
        return *(const bool *)at ? "true" : "false";
    return ct_number_format(value, number);
}

void ct_sweep_state_free(struct ct_sweep_state *state)
{
    for (int i = 0; i < FIELDS; i++)
        if (fields[i].kind == TEXT)
            free(*text_at(state, &fields[i]));
    *state = (struct ct_sweep_state){0};
}

int ct_sweep_state_copy(const struct ct_sweep_state *from, struct ct_sweep_state *ret_state)
{
    struct ct_sweep_state copy = *from;
    bool failed = false;
    for (int i = 0; i < FIELDS; i++) {
        const char *text = fields[i].kind == TEXT ? *text_at(from, &fields[i]) : NULL;
        if (text)
            failed |= !(*text_at(&copy, &fields[i]) = strdup(text));
    }
    if (failed) {
        ct_sweep_state_free(&copy);
        return CT_E_MEMORY;
    }
    *ret_state = copy;
    return CT_OK;
}

int ct_sweep_state_check(const struct ct_sweep_state *before, const struct ct_sweep_state *now,
                         const char *folder, struct ct_error *error)
{
    char numbers[2][CT_NUMBER_TEXT];
    if (!before->sync)
        return ct_fail(error, CT_E_INPUT, "%s: no sweep made this run: it cannot be resumed", folder);
    for (int i = 0; i < FIELDS; i++) {
        const char *was = format(before, &fields[i], numbers[0]), *is = format(now, &fields[i], numbers[1]);
        if (fields[i].is_condition && strcmp(was, is) != 0)
            return ct_fail(error, CT_E_INPUT,
                           "%s: was begun with %s '%.200s', not '%.200s': measure into a new folder", folder,
                           fields[i].name, was, is);
    }
    return CT_OK;
}

void ct_sweep_state_list(const struct ct_sweep_state *state,
                         void (*show)(void *context, const char *name, const char *value), void *context)
{
    char number[CT_NUMBER_TEXT];
    for (int i = 0; state->sync && i < FIELDS; i++) {
        const char *value = format(state, &fields[i], number);
        if (*value)
            show(context, fields[i].name, value);
    }
}

static void write_attribute(void *context, const char *name, const char *value)
{
    struct ct_text *text = context;
    ct_text_append(text, " %s=\"", name);
    ct_xml_escape(text, value);
    ct_text_append(text, "\"");
}

void ct_sweep_state_write(const struct ct_sweep_state *state, struct ct_text *text)
{
    if (!state->sync)
        return;
    ct_text_append(text, "  <sweep");
    ct_sweep_state_list(state, write_attribute, text);
    ct_text_append(text, "/>\n");
}

int ct_sweep_state_read(const xmlNode *node, const char *name, struct ct_error *error,
                        struct ct_sweep_state *state)
{
    for (int i = 0; i < FIELDS; i++) {
        void *at = (char *)state + fields[i].offset;
        int status = CT_OK;
        if (!xmlHasProp((xmlNode *)node, BAD_CAST fields[i].name))
            continue;
        if (fields[i].kind == WHOLE)
            status = ct_xml_size(name, node, fields[i].name, error, at);
        if (fields[i].kind == NUMBER)
            status = ct_xml_number(name, node, fields[i].name, error, at);
        if (status != CT_OK)
            return status;
        if (fields[i].kind != TEXT && fields[i].kind != FLAG)
            continue;
        char *text = ct_xml_attribute(node, fields[i].name);
        if (!text)
            return ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
        if (fields[i].kind == TEXT) {
            *(char **)at = text;
            continue;
        }
        *(bool *)at = strcmp(text, "true") == 0;
        free(text);
    }
    return CT_OK;
}
