/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_ALGORITHMS_CONCRETE_STATE_H
#define CT_TESTS_ALGORITHMS_CONCRETE_STATE_H

#include "concrete.h"

/* What the two files of concrete.h share. */

/* When a message moves: as both its ends are posted; as somebody waits for it and nobody can do anything
 * else; as it is sent. */
enum timing { EARLY, LATE, EAGER };

enum { NONE = -1 };

struct value {
    uint64_t exact;
    double rounded;
};

struct flight {
    const struct ct_step *step;
    size_t round;
    int rank;
    int other; /* flight that it meets; NONE */
    int next;  /* of the rank's, in the order of posting */
    bool done, waited, ended;
};

enum phase { NAMES, POSTS, WAITS, LEFT };

struct rank {
    const struct ct_plan *plan;
    size_t first; /* of its values; the buffers lie one behind the other */
    size_t begins[CT_BUFFERS_MAX], lengths[CT_BUFFERS_MAX];
    enum phase phase;
    size_t round, at;   /* at: the step to be posted next */
    int oldest, latest; /* of its flights that are not both ended and met; NONE */
    size_t outstanding; /* posted in this round and not done */
    bool stalled;       /* by the window */
};

struct concrete {
    const struct ct_task *task;
    enum timing timing;
    bool wrong;
    int late; /* the rank that never enters; NONE */
    struct rank *ranks;
    size_t rank_capacity;
    struct value *initial, *values;
    size_t value_count, initial_capacity, value_capacity;
    struct value *expected; /* by position, where `is_result` */
    bool *is_result;
    size_t expected_capacity, is_result_capacity;
    struct flight *flights;
    size_t flight_count, flight_capacity;
};

/* Sums; where order counts, maps x -> factor x + term modulo a prime, one behind the other. */
struct value concrete_combine(struct value left, struct value right, bool commutative);

/* Grows an array of the test's; there is memory. */
void *concrete_grown(void *items, size_t *capacity, size_t need, size_t size);

/* Has every rank left, with its result and nothing else changed, and no message left over? */
bool concrete_is_complete(const struct concrete *concrete);

#endif
