/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/communicators/access_epochs.h"
#include "library/communicators/meeting.h"
#include "library/errors/error_guard.h"

#include <stddef.h>

/* State of the process, see tuner.c: the key of an attribute that windows have within an epoch. Only one
 * thread at a time comes here, see meeting.c. */
static int epoch_key = MPI_KEYVAL_INVALID;

static bool has_key(void)
{
    return epoch_key != MPI_KEYVAL_INVALID ||
           PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &epoch_key, NULL) ==
               MPI_SUCCESS;
}

bool ct_access_epoch_is_open(MPI_Win window)
{
    void *value;
    int found = false;
    if (!ct_meetings_are_held() || epoch_key == MPI_KEYVAL_INVALID)
        return false;
    bool is_guarded = ct_error_guard_up_anyway(); /* the window may be none */
    bool is_open = PMPI_Win_get_attr(window, epoch_key, &value, &found) == MPI_SUCCESS && found;
    ct_error_guard_down(is_guarded);
    return is_open;
}

void ct_access_epoch_begun(MPI_Win window)
{
    if (ct_meetings_are_held() && has_key())
        PMPI_Win_set_attr(window, epoch_key, NULL);
}

void ct_access_epoch_ended(MPI_Win window)
{
    if (ct_access_epoch_is_open(window))
        PMPI_Win_delete_attr(window, epoch_key);
}

void ct_access_epochs_stop(void)
{
    if (epoch_key != MPI_KEYVAL_INVALID)
        PMPI_Win_free_keyval(&epoch_key);
}
