/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/platform_routes.h"
#include "measure/backend/node_platform.h"
#include "measure/backend/single_job.h"

#include <string.h>

/* The platform ends the job before this would run. */
static const char program[] = "/bin/true";

static const double timeout_seconds = 60;

static int run(struct ct_single_job *job, struct ct_error *error, struct ct_text *text)
{
    int code;
    struct ct_place *place = &job->place;
    int status =
        place->node_platform ? CT_OK : ct_node_platform_keep(&place->mpi, error, &place->node_platform);
    job->what = "network";
    job->ranks = 1;
    job->timeout = timeout_seconds;
    place->routes_to = job->results;
    if (status == CT_OK)
        status = ct_single_job_run(job, program, (const char *const[]){NULL}, error, text, &code);
    if (status == CT_OK && text->data[0] == ' ')
        status = ct_fail(error, CT_E_INPUT, "%s:%.*s", place->platform.path, (int)strcspn(text->data, "\n"),
                         text->data);
    return status;
}

int ct_platform_routes(const struct ct_place_request *request, size_t hosts, struct ct_error *error,
                       char **ret_text)
{
    struct ct_single_job job;
    struct ct_text text = {0};
    const struct ct_place_request single = {
        .simulate = request->simulate, .simulator_options = request->simulator_options, .cc = request->cc};
    int status = ct_single_job_open(&single, error, &job);
    if (status != CT_OK)
        return status;
    job.place.route_hosts = hosts;
    status = run(&job, error, &text);
    ct_single_job_close(&job);
    if (status == CT_OK && !text.failed) {
        *ret_text = text.data;
        return CT_OK;
    }
    ct_text_free(&text);
    return status == CT_OK ? CT_E_MEMORY : status;
}
