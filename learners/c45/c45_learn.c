/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_engine.h"
#include "learners/c45/c45_grow.h"
#include "learners/c45/c45_prune.h"
#include "learners/c45/c45_window.h"

#include <assert.h>
#include <stdlib.h>

static int run_trial(struct ct_c45_engine *engine, struct ct_c45_random *random, struct ct_c45_trial *trial)
{
    int status = random ? ct_c45_grow_windows(engine, random, trial, NULL) : CT_OK;
    engine->pool = &trial->pool;
    if (!random)
        status = ct_c45_grow(engine, engine->cases->count, &trial->grown);
    trial->pruned = trial->grown;
    return status == CT_OK ? ct_c45_prune(engine, trial->pruned, &trial->changed) : status;
}

int ct_c45_learn(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                 const struct ct_c45_options *options, struct ct_c45_pool *pool, struct ct_error *error,
                 struct ct_c45_node **ret_root)
{
    const bool has_windows = options->trials > 0;
    struct ct_c45_random *random = has_windows ? ct_c45_random_make() : NULL;
    struct ct_c45_trial best = {.pruned = NULL};
    struct ct_c45_engine engine;
    assert(!pool->blocks);
    int status = ct_c45_engine_make(names, cases, options, has_windows, &engine);
    if (has_windows && !random)
        status = CT_E_MEMORY;
    for (size_t t = 0; status == CT_OK && t < (has_windows ? options->trials : 1); t++) {
        struct ct_c45_trial trial = {.pruned = NULL}, worse;
        status = run_trial(&engine, random, &trial);
        worse = trial;
        if (status == CT_OK && (!best.pruned || trial.pruned->errors < best.pruned->errors)) {
            worse = best;
            best = trial;
        }
        ct_c45_pool_free(&worse.pool);
    }
    free(random);
    ct_c45_engine_free(&engine);
    *pool = best.pool;
    if (status == CT_OK)
        *ret_root = best.pruned;
    return ct_c45_fail(status, error);
}
