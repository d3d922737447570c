/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/validate.h"
#include "base/file.h"
#include "base/sort.h"
#include "measure/backend/compile.h"
#include "measure/backend/single_job.h"

#include <stdio.h>
#include <stdlib.h>

static int largest(const char *list, struct ct_error *error, size_t *ret_largest)
{
    size_t *sizes, count;
    int status = ct_list_parse(list, error, &sizes, &count);
    if (status != CT_OK)
        return status;
    count = ct_sort_unique(sizes, count);
    *ret_largest = sizes[count - 1];
    free(sizes);
    return CT_OK;
}

int ct_validate(const struct ct_validation_request *request, struct ct_error *error,
                struct ct_text *ret_points, struct ct_text *ret_wrong)
{
    struct ct_single_job job = {0};
    struct ct_text points = {0}, wrong = {0};
    char *log = NULL, *program = NULL, seconds[32];
    size_t length, ranks;
    int code = 0, status = largest(request->comm_sizes, error, &ranks);
    if (status != CT_OK)
        return status;
    if (ranks < 2)
        return ct_fail(error, CT_E_INPUT,
                       "communicator sizes '%s': expected a list with at least one of 2 or more",
                       request->comm_sizes);
    status = ct_single_job_open(&request->place, error, &job);
    if (status != CT_OK)
        return status;
    job.what = "validation";
    job.ranks = ranks;
    job.timeout = request->timeout;
    job.stop = request->stop;
    program = ct_format("%s/validation", job.folder);
    snprintf(seconds, sizeof seconds, "%g", request->seconds);
    /* The simulator's header declares weak functions, for which the linker takes nothing from an archive. */
    const char *const extra[] = {"-Wl,-u,MPI_Init", request->library, NULL};
    const struct ct_compilation what = {.list = "validation", .extra = extra, .output = program};
    const char *const arguments[] = {seconds, request->collectives, request->comm_sizes, request->msg_sizes,
                                     NULL};
    status = program ? ct_mpi_compile(&job.place.mpi, &what, error) : CT_E_MEMORY;
    if (status != CT_OK ||
        (status = ct_single_job_run(&job, program, arguments, error, &points, &code)) != CT_OK)
        goto done;
    if (code != 0) /* the log says which results are wrong */
        ct_text_append(&wrong, "%s",
                       ct_file_read(job.log, NULL, &log, &length) == CT_OK ? log : "the job failed\n");
    status = wrong.failed ? CT_E_MEMORY : CT_OK;
    if (status == CT_OK) {
        *ret_points = points;
        *ret_wrong = wrong;
        points = wrong = (struct ct_text){0};
    }
done:
    free(log);
    free(program);
    ct_single_job_close(&job);
    ct_text_free(&points);
    ct_text_free(&wrong);
    return status;
}
