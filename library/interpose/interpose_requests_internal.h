/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_INTERPOSE_INTERPOSE_REQUESTS_INTERNAL_H
#define CT_LIBRARY_INTERPOSE_INTERPOSE_REQUESTS_INTERNAL_H

#include "library/requests/request_table.h"
#include "library/requests/requests.h"

/* What functions of one request and of several have in common. */

/* May there be requests of ours among these? A function without its arguments is left to MPI, which reports
 * it. */
static inline bool ct_may_be_ours(const MPI_Request *handles)
{
    return ct_requests_exist() && handles;
}

/* The request of ours that is active; NULL: it is MPI's to wait for. */
static inline struct ct_request *ct_find_active_request(MPI_Request handle)
{
    struct ct_request *request = ct_request_find(handle);
    return request && ct_request_is_active(request) ? request : NULL;
}

/* The status of requests that receive nothing. Only functions of several requests set its error. */
static inline void ct_set_empty_status(MPI_Status *status)
{
    if (!status || status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    PMPI_Status_set_cancelled(status, 0);
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
}

#endif
