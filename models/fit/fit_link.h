/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FIT_FIT_LINK_H
#define CT_MODELS_FIT_FIT_LINK_H

#include "models/fit/times.h"
#include "models/model.h"

/* Parameters of a link from times of single messages. */

/* Times by enum ct_point_kind; of CT_POINT_ROUND_TRIP they are halves of round trips. */
struct ct_link_times {
    struct ct_times kinds[CT_POINT_MESSAGES];
    const size_t *regime_starts; /* rising bytes from which on messages may travel in another way */
    size_t regime_start_count;
};

struct ct_fit_options {
    size_t seed;      /* of the resamplings */
    size_t resamples; /* of the times, for the intervals */
    bool extremes; /* Hockney as in table 4.12 of Pjesivac-Grbovic 2007: alpha is the shortest time, 1 / beta
                      the largest bandwidth of all half round trips; needs a size above 0 */
};

/* Fits all models for which there are enough times: Hockney needs half round trips of two sizes, PLogP a
 * stream as well, LogGP overheads as well. With goodness and intervals.
 *  - Hockney: alpha and beta of half a round trip, by relative least squares (line_fit.h), or by extremes.
 *  - PLogP as in logp_mpi (Kielmann, Bal, Verstoep 2000): g of the smallest message is that of a stream; L is
 *    the rest of half its round trip; g(m) is half a round trip of m bytes minus L. Overheads are measured,
 *    and at most the gap; 0 if there are no times.
 *  - LogGP: o and g are PLogP's at 1 byte, as in table 4.1. L + 2 o and G come from half round trips of all
 *    sizes by relative least squares, in place of the table's L + g(1) - o_s(1) - o_r(1) and g(m) / m.
 *  - Regimes (not with extremes): where half round trips show that another line begins at one of the starts,
 *    Hockney and LogGP have own parameters from there on. The price of a regime is that of a piece
 * (pieces.h), and it has two sizes at least. Its o and g are PLogP's at its shortest message, from which the
 * bytes' share is taken off g.
 *
 * CT_OK; CT_E_INPUT with a line in `error` if there are too few times, or times that cannot be seconds;
 * CT_E_MEMORY. Caller frees the curves, as ct_model_free() does. */
int ct_fit_link(const struct ct_link_times *times, const struct ct_fit_options *options,
                struct ct_error *error, struct ct_link *ret_link);

/* Seconds of one message of `bytes`. */
double ct_link_seconds(const struct ct_link *link, enum ct_communication_model model, double bytes);

#endif
