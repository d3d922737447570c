/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/merge.h"
#include "base/file.h"
#include "base/memory.h"
#include "samples/beside_calls.h"
#include "samples/run_folder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct merging {
    const struct ct_run *runs;
    size_t count;
    struct ct_run_description description; /* of the merged run */
};

/* --- the description --- */

/* The loosest rules of all. */
static void copy_rules(struct merging *merging)
{
    struct ct_run_description *rules = &merging->description;
    rules->seed = merging->runs[0].description.seed;
    rules->warmup = rules->least_repetitions = SIZE_MAX;
    for (size_t i = 0; i < merging->count; i++) {
        const struct ct_run_description *is = &merging->runs[i].description;
        rules->launches += is->launches + is->sweep.again;
        rules->warmup = is->warmup < rules->warmup ? is->warmup : rules->warmup;
        if (is->least_repetitions < rules->least_repetitions)
            rules->least_repetitions = is->least_repetitions;
        if (is->most_repetitions > rules->most_repetitions)
            rules->most_repetitions = is->most_repetitions;
        rules->precision = is->precision > rules->precision ? is->precision : rules->precision;
        rules->most_seconds = is->most_seconds > rules->most_seconds ? is->most_seconds : rules->most_seconds;
    }
}

/* Appends what the list does not have yet. The list has room. */
static void unite_sizes(const size_t *sizes, size_t count, size_t *list, size_t *list_count)
{
    for (size_t i = 0; i < count; i++) {
        size_t seen = 0;
        while (seen < *list_count && list[seen] != sizes[i])
            seen++;
        if (seen == *list_count)
            list[(*list_count)++] = sizes[i];
    }
}

static int copy_grid(struct merging *merging)
{
    struct ct_run_description *grid = &merging->description;
    size_t comm_sizes = 0, msg_sizes = 0;
    for (size_t i = 0; i < merging->count; i++) {
        comm_sizes += merging->runs[i].description.comm_size_count;
        msg_sizes += merging->runs[i].description.msg_size_count;
    }
    grid->collectives = ct_allocate(CT_COLLECTIVES, sizeof *grid->collectives);
    grid->comm_sizes = ct_allocate(comm_sizes, sizeof *grid->comm_sizes);
    grid->msg_sizes = ct_allocate(msg_sizes + 1, sizeof *grid->msg_sizes);
    if (!grid->collectives || !grid->comm_sizes || !grid->msg_sizes)
        return CT_E_MEMORY;
    bool occurs[CT_COLLECTIVES] = {false};
    for (size_t i = 0; i < merging->count; i++) {
        const struct ct_run_description *from = &merging->runs[i].description;
        unite_sizes(from->comm_sizes, from->comm_size_count, grid->comm_sizes, &grid->comm_size_count);
        unite_sizes(from->msg_sizes, from->msg_size_count, grid->msg_sizes, &grid->msg_size_count);
        for (size_t k = 0; k < from->collective_count; k++)
            occurs[from->collectives[k]] = true;
        if (ct_run_add_patterns(grid, from) != CT_OK)
            return CT_E_MEMORY;
    }
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (occurs[i])
            grid->collectives[grid->collective_count++] = (enum ct_collective)i;
    return CT_OK;
}

/* Have all runs this property, with this value? */
static bool is_common(const struct merging *merging, const struct ct_property *property)
{
    for (size_t i = 0; i < merging->count; i++) {
        const char *value = ct_run_property(&merging->runs[i].description, property->name);
        if (!value || strcmp(value, property->value) != 0)
            return false;
    }
    return true;
}

static int copy_besides(struct merging *merging)
{
    const struct ct_run *first = ct_first_with_overlap(merging->runs, merging->count);
    char number[CT_NUMBER_TEXT];
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && first && i < CT_BESIDES; i++) {
        const char *value = ct_beside_text(&first->description, i, number);
        if (*value)
            status = ct_run_add_property(&merging->description, ct_besides[i].property, value);
    }
    return status;
}

static int copy_properties(struct merging *merging)
{
    struct ct_run_description *to = &merging->description;
    int status = CT_OK;
    for (size_t i = 0; i < merging->count; i++) {
        const struct ct_run_description *from = &merging->runs[i].description;
        for (size_t k = 0; status == CT_OK && k < from->property_count; k++) {
            const struct ct_property *property = &from->properties[k];
            bool common = is_common(merging, property);
            if ((common && i > 0) || ct_is_beside(property->name))
                continue;
            char *name = common ? strdup(property->name) : ct_format("run.%zu.%s", i + 1, property->name);
            status = name ? ct_run_add_property(to, name, property->value) : CT_E_MEMORY;
            free(name);
        }
    }
    return status;
}

/* Takes the methods of the joined run. */
static int copy_methods(const struct ct_run *joined, struct ct_run_description *description)
{
    description->methods = ct_allocate(joined->method_count, sizeof *description->methods);
    if (!description->methods)
        return CT_E_MEMORY;
    memcpy(description->methods, joined->methods, joined->method_count * sizeof *joined->methods);
    description->method_count = joined->method_count;
    return CT_OK;
}

/* How the ranks of each launch were mapped and waited, how its calls were made, and whether a validation made
 * them, run after run. */
static int copy_launches(struct merging *merging)
{
    struct ct_run_description *to = &merging->description;
    size_t *mappings = ct_allocate(to->launches, sizeof *mappings), count = 0;
    size_t *modes = ct_allocate(to->launches, sizeof *modes);
    size_t *yields = ct_allocate(to->launches, sizeof *yields);
    size_t *validations = ct_allocate(to->launches, sizeof *validations);
    int status = mappings && modes && yields && validations ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < merging->count; i++) {
        const struct ct_run_description *from = &merging->runs[i].description;
        for (size_t k = 0; k < from->launches + from->sweep.again; k++) {
            mappings[count] = ct_run_mapping(from, k);
            yields[count] = ct_run_yield_from(from, k);
            validations[count] = ct_run_is_validation(from, (uint32_t)k);
            modes[count++] = ct_run_mode(from, k);
        }
    }
    if (status == CT_OK)
        status = ct_run_set_mappings(to, mappings, count);
    if (status == CT_OK)
        status = ct_run_set_modes(to, modes, count);
    if (status == CT_OK)
        status = ct_run_set_yields(to, yields, count);
    if (status == CT_OK)
        status = ct_run_set_validations(to, validations, count);
    free(validations);
    free(mappings);
    free(modes);
    free(yields);
    return status;
}

static int describe(struct merging *merging, const struct ct_run *joined)
{
    const struct ct_run_description *first = &merging->runs[0].description;
    struct ct_run_description *description = &merging->description;
    int status = ct_run_describe(first->backend, first->launcher, first->time, first->sync, description);
    if (status == CT_OK && first->node_channel)
        status = ct_run_set_node_channel(description, ct_run_node_channel(first));
    if (status == CT_OK)
        status = copy_grid(merging);
    if (status == CT_OK)
        status = copy_properties(merging);
    if (status == CT_OK)
        status = copy_besides(merging);
    if (status == CT_OK)
        status = copy_methods(joined, description);
    copy_rules(merging);
    if (status == CT_OK)
        status = copy_launches(merging);
    return status;
}

/* --- all of it --- */

int ct_run_merge(const char *folder, const char *const *runs, size_t count, struct ct_error *error,
                 size_t *ret_cells, size_t *ret_samples)
{
    struct ct_run *read = ct_allocate(count, sizeof *read), joined = {0};
    struct merging merging = {.runs = read};
    int status = read ? CT_OK : CT_E_MEMORY;
    while (status == CT_OK && merging.count < count) {
        status = ct_run_read(runs[merging.count], false, error, &read[merging.count]);
        merging.count += status == CT_OK;
    }
    if (status == CT_OK)
        status = ct_run_join(read, count, count, error, &joined);
    if (status == CT_OK && joined.sample_count == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: holds no samples: expected a run with some", runs[0]);
    if (status == CT_OK)
        status = describe(&merging, &joined);
    if (status == CT_OK) {
        struct ct_run merged = joined;
        merged.description = merging.description;
        status = ct_run_write(folder, &merged, error);
    }
    if (status == CT_OK) {
        *ret_cells = joined.cell_count;
        *ret_samples = joined.sample_count;
    }
    ct_run_join_free(&joined);
    ct_run_description_free(&merging.description);
    for (size_t i = 0; i < merging.count; i++)
        ct_run_free(&read[i]);
    free(read);
    return status;
}
