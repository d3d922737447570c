/* SPDX-License-Identifier: BSD-3-Clause */
#include "trial.h"
#include "library/execute/operands.h"

unsigned draw(struct random *random, unsigned below)
{
    random->state = random->state * 1664525u + 1013904223u;
    return (random->state >> 8) % below;
}

void trials_begin(void)
{
    movement_begin();
    reduction_begin();
}

void trials_end(void)
{
    reduction_end();
    movement_end();
}

/* Mostly short, now and then long. */
static size_t draw_count(struct random *random)
{
    static const unsigned most[] = {1, 4, 20, 200, 3000};
    return draw(random, most[draw(random, sizeof most / sizeof most[0])] + 1);
}

void trial_use_large_form(struct trial *trial)
{
    static MPI_Count counts[2][RANKS_MOST];
    static MPI_Aint displacements[2][RANKS_MOST];
    struct ct_side *const sides[] = {&trial->operands.send, &trial->operands.recv};
    for (int which = 0; which < 2; which++) {
        struct ct_side *side = sides[which];
        for (size_t i = 0; side->counts && i < (size_t)trial->size; i++) {
            counts[which][i] = (MPI_Count)ct_side_count(side, i);
            displacements[which][i] = side->displacements ? ct_side_displacement(side, i) : 0;
        }
        side->counts = side->counts ? counts[which] : NULL;
        side->displacements = side->displacements ? displacements[which] : NULL;
        side->is_large = true;
    }
}

void trial_draw(struct trial *trial, enum ct_collective collective, int rank, int size, unsigned seed,
                size_t kind)
{
    struct random random = {.state = seed * 2654435761u + 12345u};
    const struct ct_collective_description *about = &ct_collectives[collective];
    for (int i = 0; i < 8; i++)
        draw(&random, 2);
    *trial = (struct trial){.collective = collective, .rank = rank, .size = size, .seed = seed};
    trial->root = about->has_root ? (int)draw(&random, (unsigned)size) : 0;
    trial->asks_in_place = about->in_place != CT_IN_PLACE_NEVER && draw(&random, 3) == 0;
    trial->in_place = trial->asks_in_place;
    trial->count = about->has_data ? draw_count(&random) : 0;
    bool has_blocks = about->input[0] == CT_CONTENTS_PARTS || about->result[0] == CT_CONTENTS_OF_EACH;
    if (has_blocks || size > 16)
        trial->count = trial->count > 400 ? 400 : trial->count;
    for (int i = 0; i < size; i++)
        trial->lengths[i] = !about->varies     ? trial->count
                            : draw(&random, 3) ? draw(&random, (unsigned)trial->count + 2)
                                               : 0;
    if (about->reduces) {
        trial->kind = reduction_kind(kind);
        reduction_draw(trial, &random);
    } else if (about->has_data) {
        movement_draw(trial, &random);
    }
    struct random own = {.state = draw(&random, 1u << 20) + 7919u * (unsigned)rank};
    draw(&own, 2);
    if (CT_HAS_LARGE_FORMS && draw(&own, 2) == 0)
        trial_use_large_form(trial);
}

void trial_fill(struct trial *trial)
{
    const struct ct_collective_description *about = &ct_collectives[trial->collective];
    if (about->has_data)
        (about->reduces ? reduction_fill : movement_fill)(trial);
}

bool trial_right(const struct trial *trial)
{
    const struct ct_collective_description *about = &ct_collectives[trial->collective];
    return !about->has_data || (about->reduces ? reduction_right : movement_right)(trial);
}
