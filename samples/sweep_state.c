/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/sweep_state.h"
#include "base/xml.h"

#include <stddef.h>
#include <string.h>

static const struct ct_xml_field fields[] = {
#define FIELD(member) offsetof(struct ct_sweep_state, member)
    {"sync", CT_XML_TEXT, FIELD(sync), true},
    {"compute", CT_XML_NUMBER, FIELD(compute), true},
    {"tests", CT_XML_WHOLE, FIELD(tests), true},
    {"datatype", CT_XML_TEXT, FIELD(datatype), true},
    {"operation", CT_XML_TEXT, FIELD(operation), true},
    {"root", CT_XML_TEXT, FIELD(root), true},
    {"mpi", CT_XML_TEXT, FIELD(mpi), true},
    {"mpi-version", CT_XML_TEXT, FIELD(mpi_version), true},
    {"cc", CT_XML_TEXT, FIELD(cc), true},
    {"machine", CT_XML_TEXT, FIELD(machine), true},
    {"platform-sha256", CT_XML_TEXT, FIELD(platform_sha256), true},
    {"simulator-options", CT_XML_TEXT, FIELD(simulator_options), true},
    {"program", CT_XML_TEXT, FIELD(program), true},
    {"hostfile", CT_XML_TEXT, FIELD(hostfile), true},
    {"ppn", CT_XML_WHOLE, FIELD(ppn), true},
    {"placements", CT_XML_TEXT, FIELD(placements), true},
    {"wait", CT_XML_TEXT, FIELD(wait), true},
    {"guided", CT_XML_FLAG, FIELD(guided), true},
    {"racing-margin", CT_XML_NUMBER, FIELD(racing_margin), true},
    {"budget", CT_XML_NUMBER, FIELD(budget), true},
    {"prior", CT_XML_TEXT, FIELD(prior), true},
    {"prior-sha256", CT_XML_TEXT, FIELD(prior_sha256), true},
    {"cells", CT_XML_TEXT, FIELD(cells), true},
    {"yield-from", CT_XML_WHOLE, FIELD(yield_from), true},
    {"clocks", CT_XML_WHOLE, FIELD(clocks), true},
    {"skew", CT_XML_NUMBER, FIELD(skew), true},
    {"skew-bound", CT_XML_NUMBER, FIELD(skew_bound), true},
    {"jumps", CT_XML_WHOLE, FIELD(jumps), true},
    {"slow-rank", CT_XML_WHOLE, FIELD(slow_rank), true},
    {"slow-factor", CT_XML_NUMBER, FIELD(slow_factor), true},
    {"link-factor", CT_XML_NUMBER, FIELD(link_factor), true},
    {"link-cells", CT_XML_TEXT, FIELD(link_cells), true},
    {"late", CT_XML_WHOLE, FIELD(late), true},
    {"late-of", CT_XML_WHOLE, FIELD(late_of), true},
    {"again", CT_XML_WHOLE, FIELD(again), true},
#undef FIELD
    {0},
};

/* All others are conditions, which must be the same when a run is resumed. */
static const char *const may_differ[] = {"cc",          "budget",     "prior", "yield-from", "clocks",
                                         "skew",        "skew-bound", "jumps", "slow-rank",  "slow-factor",
                                         "link-factor", "link-cells", "late",  "late-of",    "again"};

static bool is_condition(const struct ct_xml_field *field)
{
    for (size_t i = 0; i < sizeof may_differ / sizeof may_differ[0]; i++)
        if (strcmp(may_differ[i], field->name) == 0)
            return false;
    return true;
}

void ct_sweep_state_free(struct ct_sweep_state *state)
{
    ct_xml_fields_free(fields, state);
    *state = (struct ct_sweep_state){0};
}

int ct_sweep_state_copy(const struct ct_sweep_state *from, struct ct_sweep_state *ret_state)
{
    struct ct_sweep_state copy = *from;
    bool failed = false;
    for (const struct ct_xml_field *field = fields; field->name; field++) {
        char **text = (char **)((char *)&copy + field->offset);
        if (field->kind == CT_XML_TEXT && *text)
            failed |= !(*text = strdup(*text));
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
    char numbers[2][CT_XML_VALUE_TEXT];
    if (!before->sync)
        return ct_fail(error, CT_E_INPUT, "%s: no sweep made this run: it cannot be resumed", folder);
    for (const struct ct_xml_field *field = fields; field->name; field++) {
        const char *was = ct_xml_field_format(field, before, numbers[0]);
        const char *is = ct_xml_field_format(field, now, numbers[1]);
        if (is_condition(field) && strcmp(was, is) != 0)
            return ct_fail(error, CT_E_INPUT,
                           "%s: was begun with %s '%.200s', not '%.200s': measure into a new folder", folder,
                           field->name, was, is);
    }
    return CT_OK;
}

void ct_sweep_state_list(const struct ct_sweep_state *state,
                         void (*show)(void *context, const char *name, const char *value), void *context)
{
    char number[CT_XML_VALUE_TEXT];
    for (const struct ct_xml_field *field = fields; state->sync && field->name; field++) {
        const char *value = ct_xml_field_format(field, state, number);
        if (*value)
            show(context, field->name, value);
    }
}

void ct_sweep_state_write(const struct ct_sweep_state *state, struct ct_text *text)
{
    if (!state->sync)
        return;
    ct_text_append(text, "  <sweep");
    ct_xml_fields_write(fields, state, text);
    ct_text_append(text, "/>\n");
}

int ct_sweep_state_read(const xmlNode *node, const char *name, struct ct_error *error,
                        struct ct_sweep_state *state)
{
    return ct_xml_fields_read(name, node, fields, error, state);
}
