/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MAPPING_H
#define CT_CODEGEN_MAPPING_H

#include "algorithms/method.h"

/* Which algorithm of an MPI library corresponds to which of our methods: one table for each library, in
 * mapping_LIBRARY.c. */

/* Conditions for an algorithm of a library to be correct, as far as the library does not check them itself.
 */
enum ct_need {
    CT_NEED_COMMUTATIVE = 1 << 0,  /* the operation commutes */
    CT_NEED_BUILT_IN = 1 << 1,     /* the operation is predefined in MPI */
    CT_NEED_ELEMENTS = 1 << 2,     /* at least as many elements as the largest power of two up to the ranks */
    CT_NEED_POWER_OF_TWO = 1 << 3, /* the number of ranks is one */
    CT_NEED_HIERARCHY = 1 << 4,    /* nodes hold several ranks */
    CT_NEED_SEND_BUFFER = 1 << 5,  /* no rank is in place */
    CT_NEED_EQUAL_BLOCKS = 1 << 6  /* all ranks' blocks have one length */
};

/* The message size by which a library chooses. */
enum ct_size_meaning {
    CT_SIZE_UNSEEN,     /* none: its choice does not depend on a size */
    CT_SIZE_AS_OURS,    /* ours, in bytes */
    CT_SIZE_TIMES_RANKS /* ours times the number of ranks */
};

struct ct_mapping {
    const char *method; /* ours, with its collective; parameters that are not named have their default, or see
                           below */
    const char *theirs; /* the library's name of it */
    int number;         /* the library's number of it, if it has numbers */
    int since;          /* the first release that has it; 0: all supported releases */
    /* names of our parameters that the library takes as numbers */
    const char *segment;
    const char *fanout;
    const char *requests;
    bool decides;       /* the library decides all other parameters itself */
    unsigned needs;     /* set of enum ct_need */
    const char *remark; /* how it differs from ours, to continue "..., which"; NULL: it does not */
};

struct ct_library_mapping {
    const char *name; /* of the library, as people write it */
    const char *own;  /* its name of its own choice, whose number is 0; NULL: it has none */
    size_t fanout;    /* of an algorithm that is forced while nothing else is set; 0: unknown */
    unsigned tests;   /* set of enum ct_need that its files can test */
    const struct ct_mapping *rows;
    size_t row_count;
    struct {
        bool known; /* its files can say something about the collective */
        enum ct_size_meaning size;
        int number; /* of the collective, where its files go by numbers */
    } collectives[CT_COLLECTIVES];
};

extern const struct ct_library_mapping ct_ompi_mapping;
extern const struct ct_library_mapping ct_mpich_mapping;
extern const struct ct_library_mapping ct_intel_mapping;

/* An algorithm of a library with its numbers; `mapping` NULL leaves the choice to the library. */
struct ct_theirs {
    const struct ct_mapping *mapping;
    size_t segment;
    size_t fanout;
    size_t requests;
};

/* Finds the algorithm of a release of the library that corresponds to our method, which is not `native`;
 * false if there is none. */
bool ct_mapping_find(const struct ct_library_mapping *library, int release, const struct ct_method *method,
                     struct ct_theirs *ret_theirs);

/* Our method for an algorithm that a release of the library calls by this name or number, as it is if nothing
 * but the algorithm is set: messages are not cut, and the fan-out is the library's. *ret_row says how it
 * differs; NULL for the library's own choice. False if there is none. */
bool ct_mapping_method(const struct ct_library_mapping *library, int release, enum ct_collective collective,
                       const char *word, struct ct_method *ret_method, const struct ct_mapping **ret_row);

/* The same for a name that people write: capitals, and what is no letter or digit, do not count. A name that
 * is exactly the library's goes first. */
bool ct_mapping_method_like(const struct ct_library_mapping *library, int release,
                            enum ct_collective collective, const char *word, struct ct_method *ret_method,
                            const struct ct_mapping **ret_row);

#endif
