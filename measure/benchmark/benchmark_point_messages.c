/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/benchmark_point.h"

#include <sched.h>

#ifdef SMPI_H
#include <simgrid/actor.h>
#endif

/* Times of messages, in the style of logp_mpi (Kielmann, Bal, Verstoep 2000) and NetPIPE: blocking sends and
 * receives between two ranks. */

enum { TAG_DATA = CT_POINT_TAG_TURN + 1, TAG_WORD };

static void send_to(const struct ct_point_bench *point, int rank, int bytes, int tag)
{
    PMPI_Send(point->send, bytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD);
}

static void receive_from(const struct ct_point_bench *point, int rank, int bytes, int tag)
{
    PMPI_Recv(point->recv, bytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Nothing but time goes by. */
static void let_pass(const struct ct_point_bench *point, double seconds)
{
#ifdef SMPI_H
    (void)point;
    sg_actor_sleep_for(seconds);
#else
    double end = ct_bench_now(&point->bench) + seconds;
    while (ct_bench_now(&point->bench) < end)
        sched_yield();
#endif
}

/* --- there and back --- */

static void ping(const struct ct_point_bench *point, const struct ct_point_turn *turn, int partner)
{
    send_to(point, partner, turn->bytes, TAG_DATA);
    receive_from(point, partner, turn->bytes, TAG_DATA);
}

/* The first one finds out that the partner is there. */
static double lead_round_trip(const struct ct_point_bench *point, const struct ct_point_turn *turn,
                              int partner)
{
    ping(point, turn, partner);
    double began = ct_bench_now(&point->bench);
    for (int i = 0; i < turn->messages; i++)
        ping(point, turn, partner);
    return (ct_bench_now(&point->bench) - began) / turn->messages;
}

static void follow_round_trip(const struct ct_point_bench *point, const struct ct_point_turn *turn)
{
    for (int i = 0; i <= turn->messages; i++) {
        receive_from(point, 0, turn->bytes, TAG_DATA);
        send_to(point, 0, turn->bytes, TAG_DATA);
    }
}

/* As many as are well above what the clock itself takes. */
static int round_trips(size_t bytes, double round_trip)
{
    const double long_enough = 20e-6;
    enum { MOST = 64 };
    (void)bytes;
    int count = round_trip * MOST > long_enough ? (int)(long_enough / round_trip) : MOST;
    return count > 1 ? count : 1;
}

/* --- a send whose receive is posted --- */

static double lead_send(const struct ct_point_bench *point, const struct ct_point_turn *turn, int partner)
{
    receive_from(point, partner, 0, TAG_WORD);
    double began = ct_bench_now(&point->bench);
    send_to(point, partner, turn->bytes, TAG_DATA);
    double seconds = ct_bench_now(&point->bench) - began;
    receive_from(point, partner, 0, TAG_WORD);
    return seconds;
}

static void follow_send(const struct ct_point_bench *point, const struct ct_point_turn *turn)
{
    MPI_Request request;
    PMPI_Irecv(point->recv, turn->bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, &request);
    send_to(point, 0, 0, TAG_WORD);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    send_to(point, 0, 0, TAG_WORD);
}

/* --- the end of a receive whose message is there --- */

static double lead_receive(const struct ct_point_bench *point, const struct ct_point_turn *turn, int partner)
{
    MPI_Request request;
    PMPI_Irecv(point->recv, turn->bytes, MPI_BYTE, partner, TAG_DATA, MPI_COMM_WORLD, &request);
    send_to(point, partner, 0, TAG_WORD);
    let_pass(point, turn->delay);
    double began = ct_bench_now(&point->bench);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    return ct_bench_now(&point->bench) - began;
}

static void follow_receive(const struct ct_point_bench *point, const struct ct_point_turn *turn)
{
    receive_from(point, 0, 0, TAG_WORD);
    send_to(point, 0, turn->bytes, TAG_DATA);
}

static int one(size_t bytes, double round_trip)
{
    (void)bytes;
    (void)round_trip;
    return 1;
}

/* --- a stream, ended by a word that all has come --- */

static double lead_stream(const struct ct_point_bench *point, const struct ct_point_turn *turn, int partner)
{
    receive_from(point, partner, 0, TAG_WORD);
    double began = ct_bench_now(&point->bench);
    for (int i = 0; i < turn->messages; i++)
        send_to(point, partner, turn->bytes, TAG_DATA);
    receive_from(point, partner, 0, TAG_WORD);
    return (ct_bench_now(&point->bench) - began) / turn->messages;
}

static void follow_stream(const struct ct_point_bench *point, const struct ct_point_turn *turn)
{
    send_to(point, 0, 0, TAG_WORD);
    for (int i = 0; i < turn->messages; i++)
        receive_from(point, 0, turn->bytes, TAG_DATA);
    send_to(point, 0, 0, TAG_WORD);
}

/* Long enough that its beginning and its end make little difference. */
static int stream_messages(size_t bytes, double round_trip)
{
    enum { LEAST = 8, MOST = 256, BYTES = 4 << 20 };
    (void)round_trip;
    size_t count = bytes > 0 ? BYTES / bytes : MOST;
    return count > MOST ? MOST : count < LEAST ? LEAST : (int)count;
}

const struct ct_point_exchange ct_point_exchanges[CT_POINT_EXCHANGES] = {
    {"round_trip", lead_round_trip, follow_round_trip, round_trips},
    {"send", lead_send, follow_send, one},
    {"receive", lead_receive, follow_receive, one},
    {"gap", lead_stream, follow_stream, stream_messages},
};
