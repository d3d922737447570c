/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALGORITHM_H
#define CT_ALGORITHMS_ALGORITHM_H

#include "plan/call.h"
#include "plan/shapes.h"

#include <assert.h>
#include <stdint.h>

/* The registry of algorithms and their descriptors, with parameters and constraints. Listings, dispatch,
 * sweeps, class names, verification and generated code derive from there; nothing repeats it. */

enum { CT_PARAMETERS_MAX = 4, CT_INNER_MAX = 2, CT_VALUE_TEXT = 48 };

/* A parameter is a number, one of a few words, or the name of another algorithm that does a part of the work.
 * The value of a word is its index, that of a name the index of that algorithm in the registry. */
struct ct_parameter {
    const char *name;
    const char *text;
    const char *sweep; /* list of values that a sweep tries */

    /* numbers */
    size_t least;
    size_t most;
    size_t standard; /* the value where a method does not name it; then it is not spelled either */
    bool in_bytes;   /* a size: written with K, M, G */
    const char *const
        *words; /* each value is spelled by one of these, from `least`, 0, to `most`; NULL: as a number */

    /* names: of the algorithms that all of these collectives have */
    const char *standard_name; /* NULL in a number */
    int inner_count;
    enum ct_collective inner[CT_INNER_MAX]; /* the value is the index of the first one's algorithm */
};

/* The segment size, common to all that cut messages: 0 does not cut. */
extern const struct ct_parameter ct_segment_parameter;
/* The same, of algorithms in which a sweep would lose time with segments: it tries none. */
extern const struct ct_parameter ct_unswept_segment_parameter;
/* Number of chains. */
extern const struct ct_parameter ct_chains_parameter;
/* Fan-out of a tree, base of an exchange. The wide one is for algorithms that with 2 are another one. */
extern const struct ct_parameter ct_radix_parameter;
extern const struct ct_parameter ct_wide_radix_parameter;
/* Children of a rank, of a tree whose ranks all have as many. */
extern const struct ct_parameter ct_children_parameter;
/* Outstanding messages, of algorithms that bound them. */
extern const struct ct_parameter ct_requests_parameter;
/* Dimensions of a grid of ranks. */
extern const struct ct_parameter ct_dimensions_parameter;

/* Conditions under which an algorithm applies to a call; equal on all ranks. */
enum ct_constraint {
    CT_CONSTRAINT_COMMUTATIVE = 1 << 0,  /* the operation commutes */
    CT_CONSTRAINT_POWER_OF_TWO = 1 << 1, /* the communicator's size is one */
    CT_CONSTRAINT_EVEN = 1 << 2,         /* the communicator's size is even */
    CT_CONSTRAINT_NODES_KNOWN = 1 << 3   /* several nodes, one at least with several ranks */
};

struct ct_constraint_description {
    enum ct_constraint constraint;
    const char *name; /* as `colltune list` shows it */
    bool (*holds)(const struct ct_call *call);
};

/* All constraints, ended by an entry whose name is NULL. */
extern const struct ct_constraint_description ct_constraints[];

/* How an algorithm of a sparse collective forwards blocks: in stages, from holder to holder. From this the
 * routes are set up, see algorithms/routing.h. */
struct ct_letters;

struct ct_forwarding {
    /* Begins the set-up at one rank. *ret_rule is what next() is told; NULL is none; freed by end(), which
     * may be NULL. CT_OK, CT_E_MEMORY. */
    int (*begin)(const struct ct_call *call, void **ret_rule);
    void (*end)(void *rule);
    /* A superstep in which ranks find out what the rule needs, before the first stage; NULL: nothing. As
     * ct_routing_step(); `all_wait`: no rank was active in the last superstep. *ret_done: this rank needs no
     * further one; then no rank does. */
    int (*prepare)(void *rule, bool all_wait, const struct ct_letters *inbox, struct ct_letters *outbox,
                   bool *ret_active, bool *ret_done);
    /* Equal on all ranks. */
    unsigned (*stages)(const void *rule);
    /* The rank to which `holder`, whose rule this is, sends a block for `destination` in a stage; `holder`
     * itself: it keeps it. After the last stage all blocks must have arrived. */
    int (*next)(const void *rule, unsigned stage, int holder, int destination);
};

/* The one description of an algorithm, in its file, for all collectives that it carries out. Costs are in
 * Hockney's terms: alpha is the latency, beta the time to transfer a byte, gamma to combine and delta to copy
 * one; P ranks, n of them on each node, a message size of m bytes, cut into n_s segments of m_s bytes; k is
 * the radix. They neglect what overlaps. */
struct ct_descriptor {
    const char *text;   /* one line */
    const char *source; /* where it is described */
    const char *cost;
    unsigned constraints;                                     /* of enum ct_constraint */
    const struct ct_parameter *parameters[CT_PARAMETERS_MAX]; /* in the order of spelling; then NULL */
    /* Writes one rank's plan; NULL in `native`, which the MPI library carries out, and in `foreign`. */
    void (*build)(struct ct_plan *plan, const struct ct_call *call);
    /* Of algorithms of sparse collectives whose plans need routes; else NULL. */
    const struct ct_forwarding *forwarding;
};

struct ct_algorithm {
    enum ct_collective collective;
    const char *name;
    const struct ct_descriptor *descriptor;
};

/* The registry: all algorithms in the order that ids and ties follow, by collective, `native` first. */
extern const struct ct_algorithm ct_algorithms[];
extern const size_t ct_algorithm_count;

/* The algorithm of that name; NULL where there is none. */
const struct ct_algorithm *ct_algorithm_find(enum ct_collective collective, const char *name);

/* Beside the registry, by collective: `foreign` stands for methods that others measured and that only they
 * can carry out. Runs and tables may hold them. */
extern const struct ct_algorithm ct_foreign_algorithms[CT_COLLECTIVES];

/* Is it carried out by a plan? Otherwise it is native or foreign. */
static inline bool ct_has_plan(const struct ct_algorithm *algorithm)
{
    return algorithm->descriptor->build;
}

static inline bool ct_is_foreign(const struct ct_algorithm *algorithm)
{
    return algorithm == &ct_foreign_algorithms[algorithm->collective];
}

/* Is it the MPI library's own? */
static inline bool ct_is_native(const struct ct_algorithm *algorithm)
{
    return !ct_has_plan(algorithm) && !ct_is_foreign(algorithm);
}

/* Do all of these constraints (a set of enum ct_constraint) hold for the call? *ret_failed (may be NULL) is
 * the first that does not. */
bool ct_constraints_hold(unsigned constraints, const struct ct_call *call,
                         const struct ct_constraint_description **ret_failed);

/* --- parameters --- */

/* How many parameters the algorithm has. */
int ct_parameter_count(const struct ct_descriptor *descriptor);

/* The value that the call gives to a parameter; `fixed` where its algorithm does not have it. */
static inline size_t ct_value_or(const struct ct_call *call, const struct ct_parameter *parameter,
                                 size_t fixed)
{
    for (int i = 0; i < CT_PARAMETERS_MAX; i++)
        if (call->descriptor->parameters[i] == parameter)
            return call->values[i];
    return fixed;
}

/* The same of a parameter that the algorithm must have. */
static inline size_t ct_value(const struct ct_call *call, const struct ct_parameter *parameter)
{
    size_t value = ct_value_or(call, parameter, 0);
    assert(value == ct_value_or(call, parameter, 1) && "the algorithm has the parameter");
    return value;
}

/* Is it the segment size, swept or not? */
static inline bool ct_is_segment_size(const struct ct_parameter *parameter)
{
    return parameter == &ct_segment_parameter || parameter == &ct_unswept_segment_parameter;
}

/* n units in the segments that the call asks for, of an algorithm that has their size as a parameter. */
static inline struct ct_segments ct_call_segments(const struct ct_call *call, size_t n)
{
    const size_t unswept = ct_value_or(call, &ct_unswept_segment_parameter, SIZE_MAX);
    return ct_segments_cut(n, call->unit_bytes,
                           unswept == SIZE_MAX ? ct_value(call, &ct_segment_parameter) : unswept);
}

/* May the parameter name this algorithm? It must have a plan and need no special size or nodes, and the other
 * collectives must have one of its name for which the same holds. */
bool ct_parameter_allows(const struct ct_parameter *parameter, const struct ct_algorithm *algorithm);

size_t ct_parameter_standard(const struct ct_parameter *parameter);

/* Reads a value as methods spell it. False where it is none. */
bool ct_parameter_parse(const struct ct_parameter *parameter, const char *word, size_t *ret_value);

/* Writes the value as methods spell it; returns `text`. */
char *ct_parameter_format(const struct ct_parameter *parameter, size_t value, char text[CT_VALUE_TEXT]);

/* Describes the allowed values: "a number from 0 to 8K", "one of linear, chain". */
void ct_parameter_describe(const struct ct_parameter *parameter, char *text, size_t room);

/* The values that a sweep tries; the caller frees them. CT_OK, CT_E_MEMORY. */
int ct_parameter_sweep(const struct ct_parameter *parameter, size_t **ret_values, size_t *ret_count);

/* --- plans made of plans --- */

/* The descriptor of the algorithm of `collective` that a parameter's value names. */
const struct ct_descriptor *ct_descriptor_named(size_t value, enum ct_collective collective);

/* Writes the plan of an inner call by `inner`, which does a part of the outer call's work: it takes the outer
 * values of parameters of the same name, and standard values for the others. */
void ct_inner_build(struct ct_plan *plan, const struct ct_call *outer_call, const struct ct_descriptor *inner,
                    struct ct_call *inner_call);

#endif
