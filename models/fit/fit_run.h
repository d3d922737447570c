/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FIT_FIT_RUN_H
#define CT_MODELS_FIT_FIT_RUN_H

#include "base/text.h"
#include "samples/point_samples.h"

/* Times of single messages from a run of collectives, as section 4.4.1 of Pjesivac-Grbovic 2007 fits PLogP:
 * bcast/pipeline without segments takes (P - 1) (L + g(m)) on P ranks (table 4.3), so each repetition gives
 * half a round trip. barrier/linear takes at least P g(0) + 2 L (flat tree, table 4.2), so the line through
 * its medians by P gives g(0). Only communicators with one rank a node ("network") or all ranks on one node
 * ("node") are used. P takes the place of the partner, so that the fit sees whether all communicator sizes
 * agree.
 *
 * `single` is a file of samples, whose kinds send, receive and work are added, or NULL. `notes` gets a line
 * for each model that cannot be fitted: PLogP needs a gap, LogGP a gap and overheads. CT_OK; CT_E_INPUT if
 * the run has no such bcast, the barrier does not grow with P, or a file is wrong; CT_E_SYSTEM, CT_E_MEMORY.
 * Caller frees with ct_point_samples_free(). */
int ct_samples_of_run(const char *folder, const char *single, struct ct_error *error, struct ct_text *notes,
                      struct ct_point_samples *ret_samples);

#endif
