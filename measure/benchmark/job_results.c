/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/job_results.h"
#include "measure/benchmark/program.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void ct_bench_report(const struct ct_bench *bench, struct ct_text *text)
{
    if (text->failed)
        ct_bench_abort("out of memory");
    for (size_t done = 0; bench->rank == 0 && done < text->length;) {
        ssize_t length = write(bench->results, text->data + done, text->length - done);
        if (length < 0) {
            /* The log may lie on the same full disk: the page has its place already. */
            bench->state->unwritten = (uint64_t)errno;
            ct_bench_abort("%s: cannot be written: %s", bench->job.results, strerror(errno));
        }
        done += (size_t)length;
    }
    if (bench->state_remote)
        fsync(bench->results); /* else it may stay on this host as long as the file is open */
    ct_text_free(text);
}
