/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_AGREEMENT_H
#define CT_LIBRARY_AGREEMENT_H

#include "library/decide/tuner.h"

/* What may differ between ranks is compared before anything that they decide depends on it. */

/* What a rank alone knows of its own troubles. */
struct ct_troubles {
    bool failed;   /* it cannot take part in tuned calls */
    bool full;     /* it can make no further communicators */
    bool forgets;  /* it can keep nothing with this communicator */
    bool unplaced; /* it does not know which of these ranks share a node */
    bool threaded; /* several of its threads call MPI */
    bool traced;   /* a tool looks at its messages */
};

/* What all ranks conclude. */
struct ct_conclusion {
    enum ct_agreement agreement;
    const char *message;    /* for the user, once; NULL: none */
    struct ct_troubles any; /* of some rank */
    bool same_build;
};

/* Collective over `comm`, by one native call. False, with nothing set, if that call failed. */
bool ct_agree(MPI_Comm comm, struct ct_troubles own, struct ct_conclusion *ret_conclusion);

#endif
