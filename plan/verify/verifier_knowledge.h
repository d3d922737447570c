/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_KNOWLEDGE_H
#define CT_PLAN_VERIFY_VERIFIER_KNOWLEDGE_H

#include <stddef.h>
#include <stdint.h>

/* For barriers: sets of the ranks that are known to have entered. */
struct ct_knowledge {
    size_t words; /* of a set; 0 where nothing is recorded */
    uint64_t *ranks;
    size_t ranks_capacity;
    uint64_t *carried; /* sets carried by messages */
    size_t carried_capacity;
    uint32_t carried_count;
    uint32_t *idle; /* indices into `carried` */
    size_t idle_count;
    size_t idle_capacity;
};

int ct_knowledge_reset(struct ct_knowledge *knowledge, int size);
/* Copies what `rank` knows now into a set that a message carries. */
int ct_knowledge_send(struct ct_knowledge *knowledge, int rank, uint32_t *ret_carried);
void ct_knowledge_receive(struct ct_knowledge *knowledge, int rank, uint32_t carried);
/* The first rank that `rank` does not know of; `size` where it knows of all. */
int ct_knowledge_lacks(const struct ct_knowledge *knowledge, int rank, int size);

#endif
