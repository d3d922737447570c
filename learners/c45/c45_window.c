/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_window.h"
#include "base/memory.h"
#include "learners/c45/c45_engine.h"
#include "learners/c45/c45_grow.h"
#include "learners/c45/c45_order.h"

#include <math.h>
#include <stdlib.h>

/* --- random numbers --- */

struct ct_c45_random {
    struct random_data data;
    char state[128]; /* of random()'s usual generator */
};

struct ct_c45_random *ct_c45_random_make(void)
{
    struct ct_c45_random *random = ct_allocate(1, sizeof *random);
    if (random && initstate_r(1, random->state, sizeof random->state, &random->data) != 0) {
        free(random);
        return NULL;
    }
    return random;
}

/* From 0 to below 1. */
static double draw(struct ct_c45_random *random)
{
    const double range = 2147483648.0;
    int32_t number = 0;
    random_r(&random->data, &number);
    return (double)(number & 0x7fffffff) / range;
}

/* --- the first window --- */

static void shuffle(struct ct_c45_engine *engine, struct ct_c45_random *random)
{
    size_t left = engine->cases->count;
    for (size_t i = 0; left > 0; i++, left--)
        ct_c45_swap(engine, i, i + (size_t)((double)left * draw(random)));
}

/* The number of cases in the first window. */
static size_t first_window(size_t count, size_t window)
{
    double root = 2 * sqrt((double)count);
    if (window == 0)
        window = root > (double)(count / 5) ? (size_t)root : count / 5;
    return window < count ? window : count;
}

/* How many cases of each class the window gets: as evenly as rare classes allow. `counts` are those of all
 * cases; they are changed. */
static void share_out(size_t *counts, size_t classes, size_t window, size_t *targets)
{
    size_t left = 0;
    for (size_t c = 0; c < classes; c++) {
        targets[c] = 0;
        left += counts[c] > 0;
    }
    for (; left > 0; left--) {
        size_t rarest = SIZE_MAX;
        for (size_t c = 0; c < classes; c++)
            if (counts[c] > 0 && (rarest == SIZE_MAX || counts[c] < counts[rarest]))
                rarest = c;
        targets[rarest] = counts[rarest] < window / left ? counts[rarest] : window / left;
        window -= targets[rarest];
        counts[rarest] = 0;
    }
}

static int fill_window(struct ct_c45_engine *engine, size_t window)
{
    const uint16_t *classes = engine->cases->classes;
    size_t *counts = ct_allocate(2 * engine->classes, sizeof *counts);
    size_t *targets = counts + engine->classes, front = 0;
    if (!counts)
        return CT_E_MEMORY;
    for (size_t i = 0; i < engine->cases->count; i++)
        counts[classes[i]]++;
    share_out(counts, engine->classes, window, targets);
    for (size_t c = 0; c < engine->classes; c++)
        for (size_t i = front; targets[c] > 0; i++)
            if (classes[engine->order[i]] == c) {
                ct_c45_swap(engine, front++, i);
                targets[c]--;
            }
    free(counts);
    return CT_OK;
}

/* --- cycles --- */

/* Brings the cases outside the window that the tree misclassifies to the front of the rest; returns how many
 * there are. */
static size_t find_exceptions(struct ct_c45_engine *engine, const struct ct_c45_node *root, size_t window)
{
    const struct ct_c45_cases *cases = engine->cases;
    size_t place = window;
    for (size_t i = window; i < cases->count; i++) {
        uint32_t index = engine->order[i];
        if (ct_c45_classify(root, cases, index, engine->classes, engine->votes) != cases->classes[index])
            ct_c45_swap(engine, place++, i);
    }
    return place - window;
}

static const char heading[] = "Cycle   Tree    -----Cases----    -----------------Errors-----------------\n"
                              "        size    window   other    window  rate   other  rate   total  rate\n"
                              "-----   ----    ------  ------    ------  ----  ------  ----  ------  ----\n";

static double percent(size_t part, size_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void print_cycle(struct ct_text *report, size_t cycle, size_t size, size_t window, size_t others,
                        size_t errors, size_t exceptions)
{
    size_t total = errors + exceptions;
    ct_text_append(report, "%3zu  %7zu  %8zu  %6zu  %8zu%5.1f%%  %6zu%5.1f%%  %6zu%5.1f%%\n", cycle, size,
                   window, others, errors, percent(errors, window), exceptions, percent(exceptions, others),
                   total, percent(total, window + others));
}

/* A window grows by the exceptions, but at most by the increment or half of the exceptions. */
static size_t widen(size_t count, size_t increment, size_t window, size_t first, size_t exceptions)
{
    if (increment == 0)
        increment = first / 5 > 1 ? first / 5 : 1;
    size_t more = exceptions < increment ? exceptions : increment;
    window += more > exceptions / 2 ? more : exceptions / 2;
    return window < count ? window : count;
}

int ct_c45_grow_windows(struct ct_c45_engine *engine, struct ct_c45_random *random,
                        struct ct_c45_trial *trial, struct ct_text *report)
{
    const size_t count = engine->cases->count, first = first_window(count, engine->options->window);
    size_t window = first, exceptions = 1, least = SIZE_MAX;
    shuffle(engine, random);
    int status = fill_window(engine, window);
    if (report)
        ct_text_append(report, "%s", heading);
    for (size_t cycle = 1; status == CT_OK && exceptions > 0; cycle++) {
        struct ct_c45_pool pool = {0};
        struct ct_c45_node *root = NULL;
        engine->pool = &pool;
        ct_c45_engine_reset(engine);
        status = ct_c45_grow(engine, window, &root);
        if (status != CT_OK) {
            ct_c45_pool_free(&pool);
            break;
        }
        size_t errors = (size_t)((double)root->errors + 0.5);
        exceptions = find_exceptions(engine, root, window);
        if (report)
            print_cycle(report, cycle, ct_c45_size(root), window, count - window, errors, exceptions);
        struct ct_c45_pool worse = pool;
        if (errors + exceptions < least) {
            least = errors + exceptions;
            worse = trial->pool;
            trial->pool = pool;
            trial->grown = root;
        }
        ct_c45_pool_free(&worse);
        window = widen(count, engine->options->increment, window, first, exceptions);
    }
    engine->pool = NULL;
    return status;
}
