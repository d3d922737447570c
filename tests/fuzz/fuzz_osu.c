/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import_benchmark.h"
#include "tests/fuzz/import_check.h"
#include "tests/fuzz/target.h"

/* The input is an output of these benchmarks. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct ct_import_source source = {.path = "input", .key = {.comm_size = 6, .ppn = 4}};
    const struct ct_import_request request = {.sources = &source, .source_count = 1};
    import_check(&ct_import_osu, &request, data, size);
    return 0;
}
