/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/validate.h"
#include "base/file.h"
#include "measure/backend/compile.h"
#include "measure/backend/single_job.h"

#include <stdio.h>
#include <stdlib.h>

/* Files of one validation, in a folder of its own. */
struct work {
    char *folder;
    char *program;
    char *points;
    char *log;
};

static void free_work(struct work *work)
{
    if (work->folder)
        ct_remove_all(work->folder, NULL);
    free(work->folder);
    free(work->program);
    free(work->points);
    free(work->log);
}

static int make_work(struct work *work, struct ct_error *error)
{
    int status = ct_folder_temporary(error, &work->folder);
    if (status != CT_OK)
        return status;
    work->program = ct_format("%s/validation", work->folder);
    work->points = ct_format("%s/points.csv", work->folder);
    work->log = ct_format("%s/log", work->folder);
    return work->program && work->points && work->log ? CT_OK : CT_E_MEMORY;
}

static int compile(const struct ct_validation_request *request, const struct ct_mpi *mpi,
                   const struct work *work, struct ct_error *error)
{
    /* The simulator's header declares weak functions, for which the linker takes nothing out of an archive.
     */
    const char *const extra[] = {"-Wl,-u,MPI_Init", request->library, NULL};
    const struct ct_compilation what = {.list = "validation", .extra = extra, .output = work->program};
    return ct_mpi_compile_program(mpi, &what, error);
}

static size_t largest(const char *list, struct ct_error *error)
{
    size_t *sizes, count, most = 0;
    if (ct_list_parse(list, error, &sizes, &count) != CT_OK)
        return 0;
    for (size_t i = 0; i < count; i++)
        most = sizes[i] > most ? sizes[i] : most;
    free(sizes);
    return most;
}

static int run(const struct ct_validation_request *request, const struct ct_place *place, size_t ranks,
               const struct work *work, struct ct_error *error, struct ct_text *points, int *ret_code)
{
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%g", request->seconds);
    const char *const command[] = {work->program,       work->points,       seconds, request->collectives,
                                   request->comm_sizes, request->msg_sizes, NULL};
    const struct ct_single_job job = {.place = place,
                                      .ranks = ranks,
                                      .command = command,
                                      .results = work->points,
                                      .log = work->log,
                                      .timeout = request->timeout,
                                      .what = "validation",
                                      .stop = request->stop};
    return ct_single_job_run(&job, error, points, ret_code);
}

int ct_validate(const struct ct_validation_request *request, struct ct_error *error,
                struct ct_text *ret_points, struct ct_text *ret_wrong)
{
    struct work work = {0};
    struct ct_place place = {0};
    struct ct_text points = {0}, wrong = {0};
    char *log = NULL;
    size_t length, ranks = largest(request->comm_sizes, error);
    int code = 0;
    if (ranks < 2)
        return ct_fail(error, CT_E_INPUT,
                       "communicator sizes '%s': expected a list with at least one of 2 or more",
                       request->comm_sizes);
    int status = ct_place_open(&request->place, error, &place);
    if (status == CT_OK)
        status = make_work(&work, error);
    if (status == CT_OK)
        status = compile(request, &place.mpi, &work, error);
    if (status == CT_OK)
        status = run(request, &place, ranks, &work, error, &points, &code);
    if (status != CT_OK)
        goto done;
    if (code != 0) /* the log says which results are wrong */
        ct_text_append(&wrong, "%s",
                       ct_file_read(work.log, NULL, &log, &length) == CT_OK ? log : "the job failed\n");
    status = wrong.failed ? CT_E_MEMORY : CT_OK;
    if (status == CT_OK) {
        *ret_points = points;
        *ret_wrong = wrong;
        points = wrong = (struct ct_text){0};
    }
done:
    free(log);
    free_work(&work);
    ct_place_close(&place);
    ct_text_free(&points);
    ct_text_free(&wrong);
    return status;
}
