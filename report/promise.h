/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_PROMISE_H
#define CT_REPORT_PROMISE_H

#include "decision/map.h"
#include "report/validation.h"

/* What a run promises of a table's choices, and what their validation found in the same cells. */

struct ct_promise {
    enum ct_call_mode mode;
    size_t comm_size;
    size_t points;    /* validated, not native, and measured in the run as native was */
    size_t agree;     /* of these, where the interval that the run promises and the validated one overlap */
    double promised;  /* t(native) / t(chosen) as estimated from the run: geometric mean over the points */
    double validated; /* the same by the validation */
};

/* Compares them by mode and communicator size, rising. A choice is the fastest of many measured methods, in
 * part by luck: so its time is moved towards those of the methods that may be as fast (ct_shrink()), and
 * native's too if it is one of them. The interval that a run promises is one in which 95 % of further job
 * launches lie: a validation is one of these. It counts the errors of samples, of the launches that were
 * measured, and of the further one (struct ct_launch_spread). Maps of a run that a validation has added its
 * times to should be made without these (ct_run_leave_out_validation()). CT_OK, also without any point, or
 * CT_E_MEMORY. Caller frees *ret_promises. */
int ct_promises_find(const struct ct_map *maps, size_t map_count, const struct ct_validation *validation,
                     struct ct_promise **ret_promises, size_t *ret_count);

#endif
