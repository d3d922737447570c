/* SPDX-License-Identifier: BSD-3-Clause */
/* All schedules of a writer and a reader over one ring of two cells, with chunks and with a slot of the
 * writer's board, which is used again when the reader has taken the cell that tells of it. The ring's own
 * functions run; only their atomic operations are replaced. A turn of a rank ends with its next atomic
 * operation, and a load may return each value that C11 allows: any store that is not older than one that the
 * rank knows of.
 *
 * Accesses to the contents of cells and chunks need no turns of their own. Of two accesses to the same place
 * one must happen before the other, by a release store that an acquire load has read; the model refuses all
 * else as a race, in whichever order the two have run. */
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint64_t load(const _Atomic uint64_t *place, memory_order order);
static void store(_Atomic uint64_t *place, uint64_t value, memory_order order);
#undef atomic_load_explicit
#undef atomic_store_explicit
#define atomic_load_explicit  load
#define atomic_store_explicit store
#include "two_cell_ring.h"
_Static_assert(CT_RING_CELLS == 2, "the header is the library's but for the number of cells");

enum { MESSAGES = 8, CHUNKS = 1, CHUNK_BYTES = 8, SLOT_BYTES = 8 };
enum rank { WRITER, READER, RANKS };
enum kind { NUMBER, TAKEN, CHUNKS_TAKEN };
enum { PLACE_TAKEN = CT_RING_CELLS, PLACE_CHUNKS_TAKEN, PLACES }; /* before them the numbers of cells */

/* Places of the memory that atomic operations access: all that was stored there. */
struct place {
    struct {
        uint64_t value;
        unsigned released; /* the storing rank's time: what it did until then is seen with the value */
    } stores[MESSAGES + 1];
    unsigned count;
    unsigned last_read; /* by the rank that loads, in `stores` */
};

/* Contents that one rank writes and the other reads: their last accesses. */
struct contents {
    unsigned accessed[RANKS];
};

struct progress {
    unsigned step;
    unsigned message;
    unsigned time;              /* counts its stores */
    unsigned sees;              /* the other rank's time until which it sees what that one did */
    const struct place *awaits; /* a newer store there */
    struct ct_cell *cell;
    unsigned char *chunk;
};

struct state {
    struct ct_ring ring;
    unsigned char chunks[CHUNKS * CHUNK_BYTES];
    struct ct_ring_side sides[RANKS];
    struct progress ranks[RANKS];
    struct place places[PLACES];
    struct contents cells[CT_RING_CELLS];
    struct contents chunk_contents[CHUNKS];
    unsigned char slot[SLOT_BYTES]; /* of the board */
    struct contents slot_contents;
    uint64_t
        slot_cell; /* the number of the cell that told of it last; the first message's is not the first */
    bool slot_is_used;
};

/* A step of a rank. False: it must wait. */
typedef bool step(struct state *state);

/* What is explored. */
struct variant {
    const char *name;
    step *const *steps[RANKS];
    enum kind kind; /* of the places that the rest is about */
    bool relaxed[RANKS];
    unsigned more; /* added to what is loaded */
    bool takes_slot_early;
    unsigned dropped; /* by message, a bit: it is left over, see lane.h, and taken unread */
};

struct model {
    struct state state;
    const struct variant *variant;
    uint64_t first;      /* the cells and chunks that were put and taken before */
    unsigned with_chunk; /* by message, a bit */
    unsigned with_slot;  /* likewise */
    enum rank turn;
    bool is_turn_over;
    unsigned choice; /* of the stores that the load may read */
    unsigned choices;
    const char *flaw;
    bool has_waited, has_read_old; /* a rank, and a value that is not the newest */
    struct ct_hash_table known;    /* the number of schedules that follow a state */
};

static struct model model; /* atomic operations have no argument for it */

static void flaw(const char *text)
{
    model.flaw = model.flaw ? model.flaw : text;
}

/* --- memory --- */

static struct place *place_of(const _Atomic uint64_t *address, enum kind *ret_kind)
{
    struct state *state = &model.state;
    *ret_kind = address == &state->ring.taken          ? TAKEN
                : address == &state->ring.chunks_taken ? CHUNKS_TAKEN
                                                       : NUMBER;
    size_t cell = (size_t)((const unsigned char *)address - (unsigned char *)state->ring.cells) / CT_LINE;
    return &state->places[*ret_kind == TAKEN          ? PLACE_TAKEN
                          : *ret_kind == CHUNKS_TAKEN ? PLACE_CHUNKS_TAKEN
                                                      : cell];
}

static uint64_t load(const _Atomic uint64_t *address, memory_order order)
{
    enum kind kind;
    struct place *place = place_of(address, &kind);
    struct progress *rank = &model.state.ranks[model.turn];
    unsigned oldest = place->last_read + (rank->awaits == place);
    while (oldest + 1 < place->count && place->stores[oldest + 1].released <= rank->sees)
        oldest++;
    model.choices = place->count - oldest;
    place->last_read = oldest + model.choice;
    model.has_read_old |= place->last_read + 1 < place->count;
    bool is_bent = model.variant->kind == kind;
    unsigned released = place->stores[place->last_read].released;
    if (order == memory_order_acquire && !(is_bent && model.variant->relaxed[model.turn]) &&
        released > rank->sees && released != UINT32_MAX)
        rank->sees = released;
    model.is_turn_over = true;
    rank->awaits = place;
    return place->stores[place->last_read].value + (is_bent ? model.variant->more : 0);
}

static uint64_t label_of(unsigned message)
{
    return (uint64_t)(message + 1) << 8;
}

static void store(_Atomic uint64_t *address, uint64_t value, memory_order order)
{
    enum kind kind;
    struct place *place = place_of(address, &kind);
    struct progress *rank = &model.state.ranks[model.turn];
    bool is_release =
        order == memory_order_release && !(model.variant->kind == kind && model.variant->relaxed[model.turn]);
    if (kind == NUMBER && model.state.ring.cells[place - model.state.places].label != label_of(rank->message))
        flaw("a number is stored before its cell's label");
    place->stores[place->count].value = value;
    place->stores[place->count++].released = is_release ? rank->time : UINT32_MAX;
    rank->time++;
    model.is_turn_over = true;
}

static void access(struct contents *contents)
{
    struct progress *rank = &model.state.ranks[model.turn];
    if (contents->accessed[!model.turn] > rank->sees)
        flaw("a race");
    contents->accessed[model.turn] = rank->time;
}

/* --- the ranks --- */

static bool has_chunk(const struct progress *rank)
{
    return model.with_chunk >> rank->message & 1;
}

static bool has_slot(const struct progress *rank)
{
    return model.with_slot >> rank->message & 1;
}

static bool is_dropped(const struct progress *rank)
{
    return model.variant->dropped >> rank->message & 1;
}

static struct contents *contents_of_cell(struct state *state, const struct ct_cell *cell)
{
    return &state->cells[cell - state->ring.cells];
}

static struct contents *contents_of_chunk(struct state *state, const unsigned char *chunk)
{
    return &state->chunk_contents[(chunk - state->chunks) / CHUNK_BYTES];
}

static bool find_cell(struct state *state)
{
    return (state->ranks[WRITER].cell = ct_ring_free_cell(&state->sides[WRITER])) != NULL;
}

static bool find_chunk(struct state *state)
{
    struct progress *writer = &state->ranks[WRITER];
    return !has_chunk(writer) || (writer->chunk = ct_ring_free_chunk(&state->sides[WRITER])) != NULL;
}

/* As ct_board_take() does. */
static bool find_slot(struct state *state)
{
    return !has_slot(&state->ranks[WRITER]) || !state->slot_is_used || model.variant->takes_slot_early ||
           ct_ring_has_taken(&state->sides[WRITER], state->slot_cell);
}

static bool fill(struct state *state)
{
    struct progress *writer = &state->ranks[WRITER];
    access(contents_of_cell(state, writer->cell));
    memset(writer->cell->data, (int)writer->message, CT_CELL_BYTES);
    if (has_chunk(writer)) {
        access(contents_of_chunk(state, writer->chunk));
        memset(writer->chunk, (int)writer->message, CHUNK_BYTES);
    }
    if (has_slot(writer)) {
        access(&state->slot_contents);
        memset(state->slot, (int)writer->message, SLOT_BYTES);
        state->slot_is_used = true;
        state->slot_cell = state->sides[WRITER].cells + 1;
    }
    return true;
}

static bool put(struct state *state)
{
    struct progress *writer = &state->ranks[WRITER];
    state->sides[WRITER].used_chunks += has_chunk(writer);
    ct_ring_put(&state->sides[WRITER], writer->cell, label_of(writer->message));
    return true;
}

static bool find_first(struct state *state)
{
    struct progress *reader = &state->ranks[READER];
    const struct ct_cell *cell = ct_ring_first(&state->sides[READER]);
    reader->cell = (struct ct_cell *)cell;
    reader->chunk = (unsigned char *)ct_ring_first_chunk(&state->sides[READER]);
    return cell != NULL;
}

static bool read_all(struct state *state)
{
    const struct progress *reader = &state->ranks[READER];
    access(contents_of_cell(state, reader->cell));
    if (reader->cell->label != label_of(reader->message) ||
        reader->cell->data[CT_CELL_BYTES - 1] != reader->message)
        flaw("a wrong cell");
    if (is_dropped(reader))
        return true;
    if (has_chunk(reader)) {
        access(contents_of_chunk(state, reader->chunk));
        if (reader->chunk[CHUNK_BYTES - 1] != reader->message)
            flaw("a wrong chunk");
    }
    if (has_slot(reader)) {
        access(&state->slot_contents);
        if (state->slot[SLOT_BYTES - 1] != reader->message)
            flaw("a wrong slot");
    }
    return true;
}

static bool take_chunk(struct state *state)
{
    if (has_chunk(&state->ranks[READER]))
        ct_ring_take_chunk(&state->sides[READER]);
    return true;
}

static bool take_chunk_that_was_read(struct state *state)
{
    return is_dropped(&state->ranks[READER]) || take_chunk(state);
}

static bool take(struct state *state)
{
    ct_ring_take(&state->sides[READER]);
    return true;
}

static step *const writes[] = {find_cell, find_chunk, find_slot, fill, put, NULL};
static step *const writes_number_first[] = {find_cell, find_chunk, find_slot, put, fill, NULL};
static step *const reads[] = {find_first, read_all, take_chunk, take, NULL};
static step *const reads_without_dropped_chunks[] = {find_first, read_all, take_chunk_that_was_read, take,
                                                     NULL};
static step *const reads_taken_first[] = {find_first, take, read_all, take_chunk, NULL};
static step *const reads_chunk_taken_first[] = {find_first, take_chunk, read_all, take, NULL};

/* --- the search --- */

static bool is_done(enum rank rank)
{
    return model.state.ranks[rank].message == MESSAGES;
}

static bool can_run(enum rank rank)
{
    const struct place *awaits = model.state.ranks[rank].awaits;
    return !is_done(rank) && (!awaits || awaits->last_read + 1 < awaits->count);
}

static void run(enum rank turn)
{
    struct progress *rank = &model.state.ranks[turn];
    step *const *steps = model.variant->steps[turn];
    model.turn = turn;
    model.is_turn_over = false;
    while (!model.is_turn_over && !is_done(turn)) {
        if (!steps[rank->step](&model.state)) {
            model.has_waited = true;
            return;
        }
        rank->awaits = NULL;
        if (!steps[++rank->step]) {
            rank->step = 0;
            rank->message++;
        }
    }
}

/* Runs all that can follow, as deep as there are turns. Returns the number of schedules. What follows a state
 * is looked up if it is known: states are told apart by their hash. */
static size_t explore(void)
{
    const struct state before = model.state;
    const uint64_t key = ct_hash(0, &before, sizeof before);
    size_t schedules = ct_hash_find(&model.known, key, NULL, NULL);
    if (schedules != SIZE_MAX)
        return schedules;
    schedules = 0;
    for (enum rank rank = WRITER; rank < RANKS; rank++) {
        unsigned choices = can_run(rank);
        for (unsigned choice = 0; choice < choices && !model.flaw; choice++) {
            model.choice = choice;
            model.choices = 1;
            run(rank);
            choices = model.choices;
            schedules += explore();
            model.state = before;
        }
    }
    if (schedules == 0 && !(is_done(WRITER) && is_done(READER)))
        flaw("ranks wait for each other");
    schedules += schedules == 0;
    assert_int_equal(ct_hash_add(&model.known, key, schedules), CT_OK);
    return schedules;
}

/* The ranks have put and taken `first` cells and chunks before. */
static void begin(const struct variant *variant, uint64_t first, unsigned with_chunk, unsigned with_slot)
{
    ct_hash_free(&model.known);
    memset(&model, 0, sizeof model);
    model.variant = variant;
    model.with_chunk = with_chunk;
    model.with_slot = with_slot;
    struct state *state = &model.state;
    for (enum rank rank = WRITER; rank < RANKS; rank++) {
        state->ranks[rank].time = 1;
        state->sides[rank] = (struct ct_ring_side){&state->ring, state->chunks, CHUNK_BYTES, CHUNKS,
                                                   first,        first,         first,       first};
    }
    for (unsigned i = 0; i < PLACES; i++)
        state->places[i].count = 1;
    for (uint64_t i = 0; i < CT_RING_CELLS && i < first; i++)
        state->places[(first - i - 1) % CT_RING_CELLS].stores[0].value = first - i;
    state->places[PLACE_TAKEN].stores[0].value = state->places[PLACE_CHUNKS_TAKEN].stores[0].value = first;
}

static const uint64_t firsts[] = {0, 3, UINT64_MAX - 2};
static const unsigned chunk_patterns[] = {0, 0xaa, 0xff, 0, 0x22}, slot_patterns[] = {0, 0, 0, 0xff, 0x55};
enum {
    FIRSTS = sizeof firsts / sizeof firsts[0],
    PATTERNS = sizeof chunk_patterns / sizeof chunk_patterns[0]
};

static void every_schedule_is_right(void **state)
{
    enum { RIGHT = 2 };
    static const struct variant right[RIGHT] = {
        {.name = "right", .steps = {writes, reads}},
        {.name = "messages are left over", .steps = {writes, reads}, .dropped = 0x5a}};
    (void)state;
    for (int i = 0; i < RIGHT * FIRSTS * PATTERNS; i++) {
        const int k = i % (FIRSTS * PATTERNS);
        begin(&right[i / (FIRSTS * PATTERNS)], firsts[k / PATTERNS], chunk_patterns[k % PATTERNS],
              slot_patterns[k % PATTERNS]);
        size_t schedules = explore();
        print_message("%s, from number %#llx, chunks %#x, slots %#x: %zu schedules, %zu states\n",
                      model.variant->name, (unsigned long long)firsts[k / PATTERNS], model.with_chunk,
                      model.with_slot, schedules, model.known.count);
        if (model.flaw)
            fail_msg("%s", model.flaw);
        assert_true(schedules > 1000 && model.has_waited && model.has_read_old);
    }
}

static bool is_found(const struct variant *variant, uint64_t first)
{
    bool is_flawed = false;
    for (int i = 0; i < PATTERNS; i++) {
        begin(variant, first, chunk_patterns[i], slot_patterns[i]);
        explore();
        is_flawed = is_flawed || model.flaw;
    }
    return is_flawed;
}

/* Wherever the numbers begin. */
static void every_flaw_is_found(void **state)
{
    static const struct variant flawed[] = {
        {"the number is stored before the contents", {writes_number_first, reads}},
        {"a cell is taken before it is read", {writes, reads_taken_first}},
        {"a chunk is taken before it is read", {writes, reads_chunk_taken_first}},
        {"the chunk of a left-over is not taken", {writes, reads_without_dropped_chunks}, .dropped = 0x5a},
        {"a cell too many is free", {writes, reads}, .kind = TAKEN, .more = 1},
        {"a slot is used again before it is read", {writes, reads}, .kind = TAKEN, .takes_slot_early = true},
        {"a chunk too many is free", {writes, reads}, .kind = CHUNKS_TAKEN, .more = 1},
        {"an old cell is taken for a new one", {writes, reads}, .kind = NUMBER, .more = CT_RING_CELLS},
        {"a number is stored without release", {writes, reads}, .kind = NUMBER, .relaxed = {[WRITER] = true}},
        {"a number is loaded without acquire", {writes, reads}, .kind = NUMBER, .relaxed = {[READER] = true}},
        {"`taken` is stored without release", {writes, reads}, .kind = TAKEN, .relaxed = {[READER] = true}},
        {"`taken` is loaded without acquire", {writes, reads}, .kind = TAKEN, .relaxed = {[WRITER] = true}},
        {"`chunks_taken` is stored without release",
         {writes, reads},
         .kind = CHUNKS_TAKEN,
         .relaxed = {[READER] = true}},
        {"`chunks_taken` is loaded without acquire",
         {writes, reads},
         .kind = CHUNKS_TAKEN,
         .relaxed = {[WRITER] = true}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof flawed / sizeof flawed[0]; i++)
        for (int f = 0; f < FIRSTS; f++)
            if (!is_found(&flawed[i], firsts[f]))
                fail_msg("not found: %s", flawed[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_schedule_is_right),
                                       cmocka_unit_test(every_flaw_is_found)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ct_hash_free(&model.known);
    return failed;
}
