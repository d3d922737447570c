/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/profile_file.h"
#include "tests/fuzz/target.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The input is a profile. The cells of one that is read hold all its calls. */

static void need(bool good)
{
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_error error = {""};
    struct ct_profile_file profile;
    struct ct_profile_cell *cells;
    size_t count;
    double calls = 0, summed = 0;
    if (ct_profile_file_parse((const char *)data, size, "input", &error, &profile) != CT_OK) {
        need(error.text[0] && !strchr(error.text, '\n'));
        return -1;
    }
    need(ct_profile_cells(&profile, &cells, &count) == CT_OK && count <= profile.count);
    for (size_t i = 0; i < profile.count; i++)
        calls += (double)profile.lines[i].calls;
    for (size_t i = 0; i < count; i++) {
        summed += cells[i].calls;
        need(cells[i].waiting <= cells[i].seconds * (1 + 1e-9));
        need(i == 0 || cells[i].seconds <= cells[i - 1].seconds);
    }
    need(summed <= calls * (1 + 1e-9) && summed >= calls * (1 - 1e-9));
    free(cells);
    ct_profile_file_free(&profile);
    return 0;
}
