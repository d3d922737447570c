/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/message_errors.h"

bool ct_is_in_status(int code)
{
    int class = code;
    return code != MPI_SUCCESS && PMPI_Error_class(code, &class) == MPI_SUCCESS && class == MPI_ERR_IN_STATUS;
}

void ct_messages_keep_error(struct ct_messages *messages, int code)
{
    if (messages->code == MPI_SUCCESS)
        messages->code = code;
}

int ct_messages_tolerate(struct ct_messages *messages, int code)
{
    int class = code;
    if (code == MPI_SUCCESS || PMPI_Error_class(code, &class) != MPI_SUCCESS || class != MPI_ERR_TRUNCATE)
        return code;
    ct_messages_keep_error(messages, code);
    return MPI_SUCCESS;
}
