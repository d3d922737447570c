/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/run_description.h"
#include "base/memory.h"
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int ct_run_stamp(struct ct_run_description *description)
{
    char created[32];
    time_t now = time(NULL);
    struct tm split;
    strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &split));
    description->created = strdup(created);
    description->tool_version = strdup(CT_VERSION);
    return description->created && description->tool_version ? CT_OK : CT_E_MEMORY;
}

int ct_run_describe(const char *backend, const char *launcher, const char *which_time, const char *sync,
                    struct ct_run_description *description)
{
    int status = ct_run_stamp(description);
    if (status != CT_OK)
        return status;
    description->backend = strdup(backend);
    description->launcher = strdup(launcher);
    description->time = strdup(which_time);
    description->sync = strdup(sync);
    bool good = description->backend && description->launcher && description->time && description->sync;
    return good ? CT_OK : CT_E_MEMORY;
}

const char *ct_property_find(const struct ct_property *properties, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(properties[i].name, name) == 0)
            return properties[i].value;
    return NULL;
}

void ct_properties_free(struct ct_property *properties, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(properties[i].name);
        free(properties[i].value);
    }
    free(properties);
}

void ct_run_description_free(struct ct_run_description *description)
{
    char *const strings[] = {description->tool_version, description->created,   description->backend,
                             description->launcher,     description->time,      description->sync,
                             description->by,           description->mode,      description->yield_from,
                             description->node_channel, description->validation};
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
        free(strings[i]);
    ct_properties_free(description->properties, description->property_count);
    ct_sweep_state_free(&description->sweep);
    free(description->collectives);
    free(description->comm_sizes);
    free(description->msg_sizes);
    for (size_t i = 0; i < description->pattern_count; i++)
        free(description->patterns[i]);
    free(description->patterns);
    free(description->methods);
    *description = (struct ct_run_description){0};
}

const char *ct_run_pattern(const struct ct_run_description *description, size_t id)
{
    for (size_t i = 0; id != 0 && i < description->pattern_count; i++)
        if (ct_pattern_id(description->patterns[i]) == id)
            return description->patterns[i];
    return NULL;
}

int ct_run_add_pattern(struct ct_run_description *description, const char *text)
{
    if (ct_run_pattern(description, ct_pattern_id(text)))
        return CT_OK;
    char *copy = strdup(text);
    char **grown = reallocarray(description->patterns, description->pattern_count + 1, sizeof *grown);
    if (grown)
        description->patterns = grown;
    if (!copy || !grown) {
        free(copy);
        return CT_E_MEMORY;
    }
    grown[description->pattern_count++] = copy;
    return CT_OK;
}

int ct_run_add_patterns(struct ct_run_description *to, const struct ct_run_description *from)
{
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < from->pattern_count; i++)
        status = ct_run_add_pattern(to, from->patterns[i]);
    return status;
}

/* Where the word of a launch begins in a list of one for each. Launches behind the last word are like that if
 * `continues`, else they have "". */
static const char *find_word(const char *list, size_t launch, bool continues)
{
    const char *word = list ? list : "";
    for (; launch > 0 && *word; launch--) {
        const char *next = word + strcspn(word, ",");
        if (!*next && continues)
            break;
        word = next + (*next == ',');
    }
    return word;
}

size_t ct_run_yield_from(const struct ct_run_description *description, size_t launch)
{
    const char *word = find_word(description->yield_from, launch, true);
    return *word ? strtoul(word, NULL, 10) : description->sweep.yield_from;
}

bool ct_run_yields(const struct ct_run_description *description, size_t launch, size_t ppn)
{
    const size_t from = ct_run_yield_from(description, launch);
    return from > 0 && ppn >= from;
}

/* That word as an index of the names; 0 if the list has none. */
static size_t word_of_launch(const char *list, size_t launch, const char *const *names, bool continues)
{
    const char *word = find_word(list, launch, continues);
    for (size_t i = 0; names[i]; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(word, names[i], length) == 0 && (word[length] == ',' || !word[length]))
            return i;
    }
    return 0;
}

/* Replaces a list by `values`, or by their names (NULL: they are numbers); by none where all are 0. */
static int set_words(const size_t *values, size_t count, const char *const *names, char **list)
{
    struct ct_text text = {0};
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        ct_text_append(&text, i > 0 ? "," : "");
        if (names)
            ct_text_append(&text, "%s", names[values[i]]);
        else
            ct_text_append(&text, "%zu", values[i]);
        any |= values[i] != 0;
    }
    if (text.failed || !any) {
        ct_text_free(&text);
        return any ? CT_E_MEMORY : CT_OK;
    }
    free(*list);
    *list = text.data;
    return CT_OK;
}

int ct_run_set_validations(struct ct_run_description *description, const size_t *flags, size_t count)
{
    return set_words(flags, count, NULL, &description->validation);
}

enum ct_mapped_by ct_run_mapping(const struct ct_run_description *description, size_t launch)
{
    return (enum ct_mapped_by)word_of_launch(description->by, launch, ct_mapped_names, false);
}

int ct_run_set_mappings(struct ct_run_description *description, const size_t *mappings, size_t count)
{
    return set_words(mappings, count, ct_mapped_names, &description->by);
}

bool ct_run_has_overlap(const struct ct_run_description *description)
{
    for (size_t launch = 0; launch < description->launches; launch++)
        if (ct_run_mode(description, launch) != CT_MODE_BLOCKING)
            return true;
    return false;
}

/* Launches in which cells were measured again are like those before. */
enum ct_call_mode ct_run_mode(const struct ct_run_description *description, size_t launch)
{
    return (enum ct_call_mode)word_of_launch(description->mode, launch, ct_mode_names, true);
}

int ct_run_set_modes(struct ct_run_description *description, const size_t *modes, size_t count)
{
    return set_words(modes, count, ct_mode_names, &description->mode);
}

enum ct_node_channel ct_run_node_channel(const struct ct_run_description *description)
{
    return description->node_channel ? ct_node_channel_find(description->node_channel) : CT_NODE_CHANNEL_MPI;
}

int ct_run_set_node_channel(struct ct_run_description *description, enum ct_node_channel channel)
{
    char *name = strdup(ct_node_channel_names[channel]);
    if (!name)
        return CT_E_MEMORY;
    free(description->node_channel);
    description->node_channel = name;
    return CT_OK;
}

int ct_run_set_yields(struct ct_run_description *description, const size_t *yields, size_t count)
{
    return set_words(yields, count, NULL, &description->yield_from);
}

const char *ct_run_property(const struct ct_run_description *description, const char *name)
{
    return ct_property_find(description->properties, description->property_count, name);
}

int ct_run_add_property(struct ct_run_description *description, const char *name, const char *value)
{
    size_t count = description->property_count;
    struct ct_property property = {.name = strdup(name), .value = strdup(value)};
    struct ct_property *grown = NULL;
    if (property.name && property.value)
        grown = realloc(description->properties, (count + 1) * sizeof *grown);
    if (!grown) {
        free(property.name);
        free(property.value);
        return CT_E_MEMORY;
    }
    grown[count] = property;
    description->properties = grown;
    description->property_count = count + 1;
    return CT_OK;
}

bool ct_run_is_validation(const struct ct_run_description *description, uint32_t launch)
{
    return *find_word(description->validation, launch, false) == '1' ||
           (launch >= description->launches && (launch - description->launches) % 2 == 0);
}
