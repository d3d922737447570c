/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MAPPING_H
#define CT_CODEGEN_MAPPING_H

#include "algorithms/method.h"

/* Which of our methods is which of an MPI library's algorithms: one table a library, in its own file
 * mapping_LIBRARY.c. */

/* What one of theirs needs of a call to be right, where the library does not see to that itself. */
enum ct_need {
    CT_NEED_COMMUTATIVE = 1 << 0,  /* an operation that commutes */
    CT_NEED_BUILT_IN = 1 << 1,     /* one of MPI's own operations */
    CT_NEED_ELEMENTS = 1 << 2,     /* as many elements as the largest power of two up to the ranks */
    CT_NEED_POWER_OF_TWO = 1 << 3, /* as many ranks */
    CT_NEED_HIERARCHY = 1 << 4,    /* nodes of several ranks */
    CT_NEED_SEND_BUFFER = 1 << 5,  /* nobody in place */
    CT_NEED_EQUAL_BLOCKS = 1 << 6  /* of all ranks */
};

/* What a library takes for the message size when it chooses. */
enum ct_size_meaning {
    CT_SIZE_UNSEEN,     /* nothing: its choice does not depend on it */
    CT_SIZE_AS_OURS,    /* the same bytes as we do */
    CT_SIZE_TIMES_RANKS /* those times the ranks */
};

struct ct_mapping {
    const char *method; /* ours, with its collective; what it does not name is as standard, or below */
    const char *theirs; /* name */
    int number;         /* where theirs go by numbers */
    int since;          /* first release that has it; 0 where all have that we write for */
    /* our parameters, by name, that theirs take as numbers */
    const char *segment;
    const char *fanout;
    const char *requests;
    bool decides;       /* about all other parameters theirs decides itself */
    unsigned needs;     /* of enum ct_need */
    const char *remark; /* how theirs differs: a clause that goes on "..., which"; NULL where it does not */
};

struct ct_library_mapping {
    const char *name; /* of the library, for people */
    unsigned tests;   /* of enum ct_need: what its files can ask for */
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

/* One of theirs, with its numbers; `mapping` NULL is the library's own choice. */
struct ct_theirs {
    const struct ct_mapping *mapping;
    size_t segment;
    size_t fanout;
    size_t requests;
};

/* What a release of the library has for our method; false where it has nothing. Not for `native`. */
bool ct_mapping_find(const struct ct_library_mapping *library, int release, const struct ct_method *method,
                     struct ct_theirs *ret_theirs);

#endif
