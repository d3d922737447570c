/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_TRANSFER_COST_H
#define CT_MODELS_EVALUATE_TRANSFER_COST_H

#include "models/model.h"

/* What a message costs if messages share links: the parameters of a model, divided into the work of both
 * CPUs, the way, and the transfer, which alone occupies links. */
struct ct_transfer_cost {
    size_t bytes;
    double send;     /* seconds of the sender's CPU before the transfer can begin */
    double receive;  /* seconds of the receiver's CPU after it */
    double latency;  /* before the transfer begins */
    double transfer; /* if it has the links alone */
    bool waits;      /* the sender waits until the transfer is done (rendezvous) */
    bool meets;      /* the transfer begins when the receive is posted, not before */
    double post; /* of such a message: seconds of the sender's CPU if it posts the send, and waits later */
};

/* The bytes from which on a sender waits for the transfer; INFINITY if it never does, or if the link has no
 * curves of PLogP, which alone show it: with the size, the send takes longer by at least half of what half a
 * round trip takes longer. */
double ct_link_rendezvous(const struct ct_link *link);

/* Do short messages, too, begin their transfer only when their receive is posted? Then a stream to a rank
 * that receives one after the other has a gap of the way and the receiver's work; otherwise one of the larger
 * overhead. The measured gap is nearer to the one or to the other. False for a link of Hockney's alone. */
bool ct_link_meets(const struct ct_link *link);

/* How the messages of a link travel. */
struct ct_link_protocol {
    double rendezvous; /* ct_link_rendezvous() */
    bool meets;        /* ct_link_meets() */
    /* The receiver copies messages of so many bytes and more out of the sender's memory: the sender's CPU has
     * no more work for them than for a message without data. INFINITY: none. */
    double copied_from;
};

struct ct_transfer_cost ct_transfer_cost_of(const struct ct_link *link, enum ct_communication_model model,
                                            const struct ct_link_protocol *protocol, size_t bytes);

#endif
