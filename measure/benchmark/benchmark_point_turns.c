/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/benchmark_point.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* Rank 0 takes turns with its partners: how often, and with how many messages. */

enum { ROUND_TRIP = 0, WARM_UP = 3 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A turn of both ranks; the median of its times. `seconds` gets them in the order measured. */
static double take_turn(const struct ct_point_bench *point, const struct ct_point_turn *turn, int partner,
                        double *seconds)
{
    PMPI_Send(turn, sizeof *turn, MPI_BYTE, partner, CT_POINT_TAG_TURN, MPI_COMM_WORLD);
    for (int i = 0; i < turn->repetitions; i++)
        seconds[i] = ct_point_exchanges[turn->exchange].lead(point, turn, partner);
    double sorted[WARM_UP];
    int count = turn->repetitions < WARM_UP ? turn->repetitions : WARM_UP;
    for (int i = 0; i < count; i++)
        sorted[i] = seconds[i];
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return sorted[count / 2];
}

/* What rank 0 keeps of one partner. */
struct pair {
    const char *subject;
    int partner;
    double *seconds;  /* of a turn */
    size_t *reported; /* repetitions, by size and exchange */
};

/* Turns until the time is spent, and their rows. Returns about how long a message takes. */
static double repeat(const struct ct_point_bench *point, struct ct_point_turn *turn, const struct pair *pair,
                     double once, size_t *reported)
{
    double about = 0, began = ct_bench_now(&point->bench), spent = 0;
    size_t done = 0, more;
    while ((more = ct_point_repetitions(point, once, done, spent)) > 0) {
        turn->repetitions = (int)more;
        about = take_turn(point, turn, pair->partner, pair->seconds);
        for (size_t i = 0; i < more; i++)
            ct_point_report(point, ct_point_exchanges[turn->exchange].kind, pair->subject, pair->partner,
                            (size_t)turn->bytes, (*reported)++, pair->seconds[i]);
        done += more;
        spent = ct_bench_now(&point->bench) - began;
        once = spent / (double)done;
    }
    return about;
}

/* Warms up, finds how many messages make a repetition, and repeats. `round_trip` is that of these bytes, 0
 * where it is what is to be found. */
static double measure(const struct ct_point_bench *point, int exchange, const struct pair *pair, size_t bytes,
                      double round_trip, size_t *reported)
{
    const double round_trips_to_arrive = 3, at_least = 5e-6;
    struct ct_point_turn turn = {.exchange = exchange,
                                 .bytes = (int)bytes,
                                 .repetitions = WARM_UP,
                                 .messages = 1,
                                 .delay = round_trips_to_arrive * round_trip + at_least};
    double began = ct_bench_now(&point->bench);
    double guess = take_turn(point, &turn, pair->partner, pair->seconds);
    double once = (ct_bench_now(&point->bench) - began) / WARM_UP;
    turn.messages = ct_point_exchanges[exchange].messages(bytes, round_trip > 0 ? round_trip : guess);
    return repeat(point, &turn, pair, once * turn.messages, reported);
}

static void lead_pass(const struct ct_point_bench *point, const struct pair *pair)
{
    for (size_t i = 0; i < point->size_count; i++) {
        double round_trip = 0;
        for (int exchange = 0; exchange < CT_POINT_EXCHANGES; exchange++) {
            double about = measure(point, exchange, pair, point->sizes[i], round_trip,
                                   &pair->reported[i * CT_POINT_EXCHANGES + (size_t)exchange]);
            round_trip = exchange == ROUND_TRIP ? about : round_trip;
        }
        fflush(point->out);
    }
}

void ct_point_lead(struct ct_point_bench *point, const char *subject, int partner)
{
    struct pair pair = {.subject = subject,
                        .partner = partner,
                        .seconds = calloc(point->most + WARM_UP, sizeof *pair.seconds),
                        .reported = calloc(point->size_count * CT_POINT_EXCHANGES, sizeof *pair.reported)};
    if (!pair.seconds || !pair.reported)
        ct_bench_abort("out of memory");
    /* the first messages of all find the way */
    const struct ct_point_turn first = {.exchange = ROUND_TRIP, .repetitions = WARM_UP, .messages = 1};
    take_turn(point, &first, partner, pair.seconds);
    for (size_t pass = 0; pass < point->passes; pass++)
        lead_pass(point, &pair);
    free(pair.seconds);
    free(pair.reported);
}

void ct_point_dismiss(const struct ct_point_bench *point)
{
    const struct ct_point_turn end = {.exchange = CT_POINT_DISMISSED};
    for (int rank = 1; rank < point->bench.size; rank++)
        PMPI_Send(&end, sizeof end, MPI_BYTE, rank, CT_POINT_TAG_TURN, MPI_COMM_WORLD);
}

/* Until rank 0 has a turn for us: first awake, then asleep, for ranks that spin are in the way of those
 * measured.
 */
static void await_turn(void)
{
#ifndef SMPI_H
    enum { TRIES = 2000 };
    const struct timespec nap = {.tv_nsec = 1000000};
    int there = 0;
    for (int tries = 0; !there; tries++) {
        PMPI_Iprobe(0, CT_POINT_TAG_TURN, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (!there && tries < TRIES)
            sched_yield();
        else if (!there)
            nanosleep(&nap, NULL);
    }
#endif
}

void ct_point_follow(const struct ct_point_bench *point)
{
    struct ct_point_turn turn = {.exchange = 0};
    while (turn.exchange != CT_POINT_DISMISSED) {
        await_turn();
        PMPI_Recv(&turn, sizeof turn, MPI_BYTE, 0, CT_POINT_TAG_TURN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; turn.exchange != CT_POINT_DISMISSED && i < turn.repetitions; i++)
            ct_point_exchanges[turn.exchange].follow(point, &turn);
    }
}
