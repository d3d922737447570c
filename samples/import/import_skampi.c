/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import_skampi.h"
#include "samples/import/import_rows.h"
#include "samples/skampi.h"

#include <string.h>

/* Results of SKaMPI 5. Its functions are named for the collectives that they time; those that it carries out
 * itself have other names: Bcast_using_Send_Recv. Sizes are ours, but for reduce_scatter. */

static const char single[] = "Pingpong";

static int take_row(struct ct_import_file *file, const struct ct_skampi_row *read)
{
    const enum ct_collective collective = ct_import_collective(read->function);
    if (strncmp(read->function, single, strlen(single)) == 0)
        return ct_import_pass_over(file, read->function, "times single messages, which `colltune fit` reads");
    if (collective == CT_COLLECTIVES)
        return ct_import_pass_over(file, read->function, "is no blocking collective of the MPI library");
    const struct ct_collective_description *about = &ct_collectives[collective];
    if (about->has_data && !about->has_size)
        return ct_import_pass_over(file, read->function, "has no message size that all ranks know");
    if (about->has_size && !read->has_bytes)
        return ct_import_fail(file, "a row without bytes: %s has them", read->function);
    const size_t ranks = read->comm_size ? read->comm_size : file->source->key.comm_size;
    const bool is_total = collective == CT_COLLECTIVE_REDUCE_SCATTER; /* it prints the whole vector */
    if (ranks == 0)
        return ct_import_fail(file, "the number of ranks is unknown: expected --comm-size");
    if (about->has_size && read->bytes < (is_total ? ranks : 1))
        return ct_import_pass_over(file, read->function, "has less than a byte for each rank in some rows");
    struct ct_import_row row = {
        .cell = {.collective = collective,
                 .key = {.comm_size = (uint32_t)read->comm_size,
                         .msg_bytes = is_total ? read->bytes / ranks : read->bytes}},
        .seconds = read->seconds,
        .repetitions = read->repetitions,
    };
    int status = ct_import_source_method(file, collective, &row.method);
    return status == CT_OK ? ct_import_add(file, &row) : status;
}

static int read_skampi(struct ct_import_file *file)
{
    struct ct_skampi state = {""};
    struct ct_error why = {""};
    struct ct_skampi_row row;
    int status = CT_OK;
    for (char *line = ct_import_next_line(file); status == CT_OK && line; line = ct_import_next_line(file)) {
        status = ct_skampi_take_line(&state, line, &why, &row);
        if (status != CT_OK)
            return ct_import_fail(file, "%s", why.text);
        if (row.function)
            status = take_row(file, &row);
    }
    if (status == CT_OK && ct_skampi_finish(&state, &why) != CT_OK)
        return ct_import_fail(file, "%s", why.text);
    return status;
}

const struct ct_import_format ct_import_skampi = {
    .name = "skampi",
    .text = "output of SKaMPI 5 (skampi_coll.ski and other scripts)",
    .origin = "SKaMPI",
    .time = "local",
    .read = read_skampi,
};
