/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/ompi_rules.h"
#include "base/memory.h"
#include "codegen/mapping.h"

#include <stdlib.h>
#include <string.h>

/* By collective, the greatest number of an algorithm in releases 4.1 and 6. */
static const size_t greatest[CT_COLLECTIVES][2] = {
    [CT_COLLECTIVE_ALLGATHER] = {6, 8},      [CT_COLLECTIVE_ALLGATHERV] = {5, 6},
    [CT_COLLECTIVE_ALLREDUCE] = {6, 7},      [CT_COLLECTIVE_ALLTOALL] = {5, 5},
    [CT_COLLECTIVE_ALLTOALLV] = {2, 2},      [CT_COLLECTIVE_BARRIER] = {6, 6},
    [CT_COLLECTIVE_BCAST] = {9, 9},          [CT_COLLECTIVE_EXSCAN] = {2, 2},
    [CT_COLLECTIVE_GATHER] = {3, 3},         [CT_COLLECTIVE_REDUCE] = {7, 8},
    [CT_COLLECTIVE_REDUCE_SCATTER] = {4, 4}, [CT_COLLECTIVE_REDUCE_SCATTER_BLOCK] = {4, 4},
    [CT_COLLECTIVE_SCAN] = {2, 2},           [CT_COLLECTIVE_SCATTER] = {3, 3},
};

/* The number of the algorithm for two ranks alone, `two_proc`, to which none of our methods corresponds; 0
 * where there is none. */
static const size_t of_two_ranks[CT_COLLECTIVES] = {
    [CT_COLLECTIVE_ALLGATHER] = 6,
    [CT_COLLECTIVE_ALLGATHERV] = 5,
    [CT_COLLECTIVE_ALLTOALL] = 5,
    [CT_COLLECTIVE_BARRIER] = 5,
};

int ct_ompi_number(enum ct_collective collective)
{
    return ct_ompi_mapping.collectives[collective].known ? ct_ompi_mapping.collectives[collective].number
                                                         : -1;
}

bool ct_ompi_has(enum ct_collective collective, size_t algorithm, int release)
{
    return algorithm <= greatest[collective][release >= 6];
}

bool ct_ompi_named(enum ct_collective collective, const char *name, size_t *ret_algorithm)
{
    const struct ct_mapping *row;
    struct ct_method method;
    const bool is_two_ranks = of_two_ranks[collective] > 0 && strcmp(name, "two_proc") == 0;
    if (name[strspn(name, "0123456789")] == '\0' ||
        (!is_two_ranks && !ct_mapping_method(&ct_ompi_mapping, 6, collective, name, &method, &row)))
        return false;
    *ret_algorithm = is_two_ranks ? of_two_ranks[collective] : row ? (size_t)row->number : 0;
    return true;
}

int ct_ompi_add_row(struct ct_ompi_file *file, const struct ct_ompi_row *row)
{
    int status = ct_grow(&file->rows, &file->row_capacity, file->row_count + 1, sizeof *file->rows);
    if (status != CT_OK)
        return status;
    struct ct_ompi_row *added = &file->rows[file->row_count++];
    *added = *row;
    added->first = file->rule_count;
    added->count = 0;
    return CT_OK;
}

int ct_ompi_add_rule(struct ct_ompi_file *file, const struct ct_ompi_rule *rule)
{
    int status = ct_grow(&file->rules, &file->rule_capacity, file->rule_count + 1, sizeof *file->rules);
    if (status != CT_OK)
        return status;
    file->rules[file->rule_count++] = *rule;
    file->rows[file->row_count - 1].count++;
    return CT_OK;
}

const struct ct_ompi_rule *ct_ompi_decide(const struct ct_ompi_file *file, enum ct_collective collective,
                                          size_t comm_size, size_t bytes)
{
    const struct ct_ompi_row *row = file->rows;
    for (size_t i = 0; i < file->row_count; i++, row++)
        if (row->collective == collective && row->least <= comm_size && comm_size <= row->most)
            break;
    if (row == file->rows + file->row_count)
        return NULL;
    for (size_t i = 0; i < row->count; i++) {
        const struct ct_ompi_rule *rule = &file->rules[row->first + i];
        if (rule->least <= bytes && bytes <= rule->most)
            return rule->algorithm ? rule : NULL;
    }
    return NULL;
}

void ct_ompi_file_free(struct ct_ompi_file *file)
{
    free(file->rows);
    free(file->rules);
    *file = (struct ct_ompi_file){0};
}
