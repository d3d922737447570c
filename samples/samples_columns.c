/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/samples_columns.h"

#include <math.h>

const struct ct_samples_column_descriptor ct_samples_columns[CT_COLUMNS] = {
    [CT_COLUMN_LAUNCH] = {"launch", .in_commit = true},
    [CT_COLUMN_COLLECTIVE] = {"collective", .in_commit = true},
    [CT_COLUMN_METHOD] = {"method"},
    [CT_COLUMN_NODES] = {.key = &ct_key_descriptors[CT_KEY_NODES], .in_commit = true},
    [CT_COLUMN_PPN] = {.key = &ct_key_descriptors[CT_KEY_PPN], .in_commit = true},
    [CT_COLUMN_COMM_SIZE] = {.key = &ct_key_descriptors[CT_KEY_COMM_SIZE], .in_commit = true},
    [CT_COLUMN_ROOT] = {.key = &ct_key_descriptors[CT_KEY_ROOT], .in_commit = true},
    [CT_COLUMN_MSG_BYTES] = {.key = &ct_key_descriptors[CT_KEY_MSG_BYTES], .in_commit = true},
    [CT_COLUMN_DATATYPE] = {"datatype"},
    [CT_COLUMN_OPERATION] = {"operation"},
    [CT_COLUMN_REP] = {"rep"},
    [CT_COLUMN_SECONDS] = {"seconds"},
    [CT_COLUMN_STATUS] = {"status", .in_commit = true},
#define OVERLAP(member) .offset = offsetof(struct ct_overlap, member)
    [CT_COLUMN_COMPLETION] = {"completion", OVERLAP(completion), .above = true, .most = INFINITY},
    [CT_COLUMN_IN_MPI] = {"in_mpi", OVERLAP(in_mpi), .above = true, .most = INFINITY},
    [CT_COLUMN_COMPUTATION] = {"computation", OVERLAP(computation), .most = INFINITY},
    [CT_COLUMN_HIDDEN] = {"hidden", OVERLAP(hidden), .most = 1},
#undef OVERLAP
    [CT_COLUMN_PATTERN] = {"pattern", .in_commit = true},
    [CT_COLUMN_DEGREE] = {.key = &ct_key_descriptors[CT_KEY_DEGREE], .in_commit = true},
    [CT_COLUMN_MEAN_DEGREE] = {.key = &ct_key_descriptors[CT_KEY_MEAN_DEGREE], .in_commit = true},
    [CT_COLUMN_IMBALANCE] = {.key = &ct_key_descriptors[CT_KEY_IMBALANCE], .in_commit = true},
    [CT_COLUMN_ON_NODE] = {.key = &ct_key_descriptors[CT_KEY_ON_NODE], .in_commit = true},
    [CT_COLUMN_SET_UP] = {"set_up"},
};

void ct_samples_column_names(const char *ret_names[CT_COLUMNS])
{
    for (int i = 0; i < CT_COLUMNS; i++)
        ret_names[i] =
            ct_samples_columns[i].key ? ct_samples_columns[i].key->name : ct_samples_columns[i].name;
}

size_t ct_samples_column_count(const struct ct_run_description *description)
{
    if (description->pattern_count > 0)
        return CT_COLUMNS;
    return ct_run_has_overlap(description) ? CT_COLUMNS_DENSE : CT_COLUMNS_BLOCKING;
}

bool ct_overlap_number_good(const struct ct_samples_column_descriptor *column, double number)
{
    return isfinite(number) && (column->above ? number > column->least : number >= column->least) &&
           number <= column->most;
}

bool ct_sample_word_good(const char *word)
{
    enum { WORD_MAX = 64 };
    size_t length = 0;
    for (; word[length]; length++)
        if (word[length] < ' ' || word[length] > '~' || length == WORD_MAX)
            return false;
    return true;
}
