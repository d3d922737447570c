/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/letters.h"
#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void ct_letters_clear(struct ct_letters *letters)
{
    letters->count = letters->number_count = 0;
}

void ct_letters_free(struct ct_letters *letters)
{
    free(letters->items);
    free(letters->numbers);
    *letters = (struct ct_letters){0};
}

int ct_letter_begin(struct ct_letters *letters, int rank)
{
    int status = ct_grow(&letters->items, &letters->capacity, letters->count + 1, sizeof *letters->items);
    if (status == CT_OK)
        letters->items[letters->count++] = (struct ct_letter){.rank = rank, .begin = letters->number_count};
    return status;
}

int ct_letter_write(struct ct_letters *letters, const uint64_t *numbers, size_t count)
{
    assert(letters->count > 0);
    int status = ct_grow(&letters->numbers, &letters->number_capacity, letters->number_count + count,
                         sizeof *letters->numbers);
    if (status != CT_OK || count == 0)
        return status;
    memcpy(letters->numbers + letters->number_count, numbers, count * sizeof *numbers);
    letters->number_count += count;
    letters->items[letters->count - 1].count += count;
    return CT_OK;
}

bool ct_letter_read(const struct ct_letters *letters, const struct ct_letter *letter, size_t *position,
                    uint64_t *ret_number)
{
    if (*position >= letter->count)
        return false;
    *ret_number = letters->numbers[letter->begin + (*position)++];
    return true;
}

static int compare_letters(const void *a, const void *b)
{
    const struct ct_letter *left = a, *right = b;
    return CT_COMPARE(left->rank, right->rank);
}

void ct_letters_sort(struct ct_letters *letters)
{
    if (letters->count > 1)
        qsort(letters->items, letters->count, sizeof *letters->items, compare_letters);
}
