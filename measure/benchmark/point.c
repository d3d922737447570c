/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sort.h"
#include "library/execute/messages.h"
#include "library/execute/near_messages.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/placement.h"
#include "measure/benchmark/local_work.h"
#include "measure/benchmark/point_rows.h"
#include "measure/benchmark/program.h"
#include "plan/node_channel.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The program that times single messages and local work. It needs only MPI and libc. Messages are sent as the
 * tuned library sends those of plans. Rank 0 leads: it tells one partner after another what to do; all others
 * wait, asleep. Rows of samples/point_samples.h go to a file.
 */

struct point {
    struct ct_bench bench;     /* rank, size and clock of it */
    struct ct_point_rows rows; /* to a file of rank 0; limits are of a pass */
    size_t *sizes;             /* of messages, rising */
    size_t size_count;
    size_t passes; /* over all sizes */
    char *send;
    char *recv;
    /* Those that are timed, by channel within a node; a turn is announced by a message of MPI. */
    struct ct_messages channels[CT_NODE_CHANNELS];
    struct ct_messages *messages; /* those of the turn */
};

enum { TAG_TURN = 1, TAG_DATA };

/* Index of the exchange of round trips, their number, and the value that ends a partner's work. */
enum { ROUND_TRIP = 0, EXCHANGES = 4, DISMISSED = -1 };

/* What both ranks do together for a while. */
struct turn {
    int exchange; /* index into exchanges[], or DISMISSED */
    int bytes;
    int repetitions;
    int messages; /* in a repetition */
    int channel;  /* enum ct_node_channel */
    double delay; /* seconds after which a message has arrived */
};

/* A way to time messages. */
struct exchange {
    const char *kind;
    /* Seconds of a message in one repetition. */
    double (*lead)(struct point *point, const struct turn *turn, int partner);
    void (*follow)(struct point *point, const struct turn *turn);
    int (*messages)(size_t bytes, double round_trip); /* in a repetition; NULL: one */
};

enum { PARTNERS_MAX = 4, WARM_UP = 3 };

/* --- messages --- */

/* Times of messages, in the style of logp_mpi (Kielmann, Bal, Verstoep 2000) and NetPIPE: blocking sends and
 * receives between two ranks. */

static struct ct_units units(void)
{
    return (struct ct_units){MPI_BYTE, 1, 1, 1, true};
}

static struct ct_step step_of(enum ct_step_kind kind, int rank, int bytes)
{
    return (struct ct_step){.kind = kind, .peer = rank, .n = (size_t)bytes, .until = CT_ROUND_END};
}

static void exchange(struct point *point, enum ct_step_kind kind, int rank, int bytes)
{
    char *const addresses[] = {[CT_STEP_SEND] = point->send, [CT_STEP_RECEIVE] = point->recv};
    const struct ct_step step = step_of(kind, rank, bytes);
    const struct ct_units unit = units();
    struct ct_exchange one = {{NULL}};
    one.steps[kind] = &step;
    one.lanes[kind] = ct_message_lane(point->messages, rank);
    ct_messages_exchange(point->messages, &one, addresses, &unit);
}

static void send_to(struct point *point, int rank, int bytes)
{
    exchange(point, CT_STEP_SEND, rank, bytes);
}

static void receive_from(struct point *point, int rank, int bytes)
{
    exchange(point, CT_STEP_RECEIVE, rank, bytes);
}

static void post_receive(struct point *point, int rank, int bytes)
{
    const struct ct_step step = step_of(CT_STEP_RECEIVE, rank, bytes);
    const struct ct_units unit = units();
    ct_message_post(point->messages, &step, point->recv, &unit);
}

/* An empty message that gives the word to the other rank. */
static void give_word(struct point *point, int rank)
{
    send_to(point, rank, 0);
}

static void await_word(struct point *point, int rank)
{
    receive_from(point, rank, 0);
}

/* Waits for this time without a message. */
static void let_pass(const struct point *point, double seconds)
{
    if (CT_SIMULATED) {
        ct_sleep_for(seconds);
        return;
    }
    double end = ct_bench_now(&point->bench) + seconds;
    while (ct_bench_now(&point->bench) < end)
        sched_yield();
}

/* --- round trips --- */

static void ping(struct point *point, const struct turn *turn, int partner)
{
    send_to(point, partner, turn->bytes);
    receive_from(point, partner, turn->bytes);
}

/* The first one waits until the partner is there. */
static double lead_round_trip(struct point *point, const struct turn *turn, int partner)
{
    ping(point, turn, partner);
    double began = ct_bench_now(&point->bench);
    for (int i = 0; i < turn->messages; i++)
        ping(point, turn, partner);
    return (ct_bench_now(&point->bench) - began) / turn->messages;
}

static void follow_round_trip(struct point *point, const struct turn *turn)
{
    for (int i = 0; i <= turn->messages; i++) {
        receive_from(point, 0, turn->bytes);
        send_to(point, 0, turn->bytes);
    }
}

/* Enough that they take much longer than reading the clock. */
static int round_trips(size_t bytes, double round_trip)
{
    const double long_enough = 20e-6;
    enum { MOST = 64 };
    (void)bytes;
    int count = round_trip * MOST > long_enough ? (int)(long_enough / round_trip) : MOST;
    return count > 1 ? count : 1;
}

/* --- a send whose receive is posted --- */

static double lead_send(struct point *point, const struct turn *turn, int partner)
{
    await_word(point, partner);
    double began = ct_bench_now(&point->bench);
    send_to(point, partner, turn->bytes);
    double seconds = ct_bench_now(&point->bench) - began;
    await_word(point, partner);
    return seconds;
}

static void follow_send(struct point *point, const struct turn *turn)
{
    post_receive(point, 0, turn->bytes);
    give_word(point, 0);
    ct_messages_wait_round(point->messages);
    give_word(point, 0);
}

/* --- the end of a receive whose message has arrived --- */

static double lead_receive(struct point *point, const struct turn *turn, int partner)
{
    post_receive(point, partner, turn->bytes);
    give_word(point, partner);
    let_pass(point, turn->delay);
    double began = ct_bench_now(&point->bench);
    ct_messages_wait_round(point->messages);
    return ct_bench_now(&point->bench) - began;
}

static void follow_receive(struct point *point, const struct turn *turn)
{
    await_word(point, 0);
    send_to(point, 0, turn->bytes);
}

/* --- a stream, which the partner confirms at its end --- */

static double lead_stream(struct point *point, const struct turn *turn, int partner)
{
    await_word(point, partner);
    double began = ct_bench_now(&point->bench);
    for (int i = 0; i < turn->messages; i++)
        send_to(point, partner, turn->bytes);
    await_word(point, partner);
    return (ct_bench_now(&point->bench) - began) / turn->messages;
}

static void follow_stream(struct point *point, const struct turn *turn)
{
    give_word(point, 0);
    for (int i = 0; i < turn->messages; i++)
        receive_from(point, 0, turn->bytes);
    give_word(point, 0);
}

/* Long enough that its beginning and its end make little difference. */
static int stream_messages(size_t bytes, double round_trip)
{
    enum { LEAST = 8, MOST = 256, BYTES = 4 << 20 };
    (void)round_trip;
    size_t count = bytes > 0 ? BYTES / bytes : MOST;
    return count > MOST ? MOST : count < LEAST ? LEAST : (int)count;
}

static const struct exchange exchanges[EXCHANGES] = {
    {"round_trip", lead_round_trip, follow_round_trip, round_trips},
    {"send", lead_send, follow_send, NULL},
    {"receive", lead_receive, follow_receive, NULL},
    {"gap", lead_stream, follow_stream, stream_messages},
};

/* --- turns --- */

/* A turn of both ranks; the median of its times. `seconds` gets them in the order measured. */
static double take_turn(struct point *point, const struct turn *turn, int partner, double *seconds)
{
    point->messages = &point->channels[turn->channel];
    PMPI_Send(turn, sizeof *turn, MPI_BYTE, partner, TAG_TURN, MPI_COMM_WORLD);
    for (int i = 0; i < turn->repetitions; i++)
        seconds[i] = exchanges[turn->exchange].lead(point, turn, partner);
    ct_bench_check(point->messages->code, "a message");
    double sorted[WARM_UP];
    int count = turn->repetitions < WARM_UP ? turn->repetitions : WARM_UP;
    for (int i = 0; i < count; i++)
        sorted[i] = seconds[i];
    ct_sort(sorted, (size_t)count);
    return sorted[count / 2];
}

/* What rank 0 keeps of one partner. */
struct pair {
    const char *subject;
    enum ct_node_channel channel;
    int partner;
    double *seconds;  /* of a turn */
    size_t *reported; /* repetitions, by size and exchange */
};

/* Warms up, finds how many messages make a repetition, takes turns until the time is spent, and reports their
 * rows. Returns about how long a message takes. `round_trip` is that of these bytes, 0 where it is what is to
 * be found. */
static double measure_exchange(struct point *point, int exchange, const struct pair *pair, size_t bytes,
                               double round_trip, size_t *reported)
{
    const double round_trips_to_arrive = 3, at_least = 5e-6;
    const struct exchange *kind = &exchanges[exchange];
    struct turn turn = {.exchange = exchange,
                        .bytes = (int)bytes,
                        .repetitions = WARM_UP,
                        .messages = 1,
                        .channel = pair->channel,
                        .delay = round_trips_to_arrive * round_trip + at_least};
    double began = ct_bench_now(&point->bench), spent = 0;
    double about = take_turn(point, &turn, pair->partner, pair->seconds);
    double once = (ct_bench_now(&point->bench) - began) / WARM_UP;
    if (kind->messages)
        turn.messages = kind->messages(bytes, round_trip > 0 ? round_trip : about);
    once *= turn.messages;
    began = ct_bench_now(&point->bench);
    for (size_t done = 0, more; (more = ct_point_repetitions_left(&point->rows, once, done, spent)) > 0;) {
        turn.repetitions = (int)more;
        about = take_turn(point, &turn, pair->partner, pair->seconds);
        for (size_t i = 0; i < more; i++)
            ct_point_report(&point->rows, kind->kind, pair->subject, pair->partner, bytes, (*reported)++,
                            pair->seconds[i]);
        done += more;
        spent = ct_bench_now(&point->bench) - began;
        once = spent / (double)done;
    }
    return about;
}

static void lead_partner(struct point *point, const char *subject, enum ct_node_channel channel, int partner)
{
    struct pair pair = {.subject = subject,
                        .channel = channel,
                        .partner = partner,
                        .seconds = ct_bench_allocate(point->rows.most + WARM_UP, sizeof *pair.seconds),
                        .reported = ct_bench_allocate(point->size_count * EXCHANGES, sizeof *pair.reported)};
    /* the first messages of all set up the connection */
    const struct turn first = {
        .exchange = ROUND_TRIP, .repetitions = WARM_UP, .messages = 1, .channel = channel};
    take_turn(point, &first, partner, pair.seconds);
    for (size_t i = 0; i < point->passes * point->size_count; i++) {
        size_t size = i % point->size_count, *reported = &pair.reported[size * EXCHANGES];
        double round_trip = measure_exchange(point, ROUND_TRIP, &pair, point->sizes[size], 0, reported);
        for (int exchange = ROUND_TRIP + 1; exchange < EXCHANGES; exchange++)
            measure_exchange(point, exchange, &pair, point->sizes[size], round_trip, reported + exchange);
        fflush(point->rows.out);
    }
    free(pair.seconds);
    free(pair.reported);
}

/* Until rank 0 has a turn for us: first awake, then asleep, for ranks that spin are in the way of those
 * measured.
 */
static void await_turn(void)
{
    enum { TRIES = 2000 };
    const struct timespec nap = {.tv_nsec = 1000000};
    int there = 0;
    for (int tries = 0; !CT_SIMULATED && !there; tries++) {
        PMPI_Iprobe(0, TAG_TURN, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (!there && tries < TRIES)
            sched_yield();
        else if (!there)
            nanosleep(&nap, NULL);
    }
}

static void follow(struct point *point)
{
    struct turn turn = {.exchange = 0};
    while (turn.exchange != DISMISSED) {
        await_turn();
        PMPI_Recv(&turn, sizeof turn, MPI_BYTE, 0, TAG_TURN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        point->messages = &point->channels[turn.channel];
        for (int i = 0; turn.exchange != DISMISSED && i < turn.repetitions; i++)
            exchanges[turn.exchange].follow(point, &turn);
    }
}

/* --- the program --- */

/* Measures with partners on this rank's node, or not on it: those that come first. */
static void lead_all(struct point *point, const int *labels, bool same, const char *subject,
                     enum ct_node_channel channel)
{
    int partners = 0;
    for (int rank = 1; rank < point->bench.size && partners < PARTNERS_MAX; rank++)
        if ((labels[rank] == labels[0]) == same) {
            lead_partner(point, subject, channel, rank);
            partners++;
        }
}

/* Two ranks are awake at a time. */
static void open_messages(struct point *point, const char *channel)
{
    const int from = ct_yield_from(MPI_COMM_WORLD);
    const enum ct_wait_policy policy = from == 1 || from == 2 ? CT_WAIT_YIELD : CT_WAIT_SPIN;
    const struct ct_node_wishes wishes = {.lanes = ct_node_channel_find(channel) == CT_NODE_CHANNEL_SHARED,
                                          .sleep = policy != CT_WAIT_SPIN};
    for (int i = 0; i < CT_NODE_CHANNELS; i++)
        point->channels[i] = (struct ct_messages){
            .comm = MPI_COMM_WORLD, .tag = TAG_DATA, .policy = policy, .until = CT_UNTIL_COMPLETE};
    MPI_Comm here = MPI_COMM_NULL;
    if (!CT_SIMULATED)
        ct_bench_check(PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here),
                       "MPI_Comm_split_type");
    point->channels[CT_NODE_CHANNEL_SHARED].node = ct_node_open(MPI_COMM_WORLD, here, &wishes);
}

static void close_messages(struct point *point)
{
    struct ct_node *node = point->channels[CT_NODE_CHANNEL_SHARED].node;
    for (int i = 0; i < CT_NODE_CHANNELS; i++)
        ct_messages_free(&point->channels[i]);
    ct_node_close(node);
}

/* Within a node through shared memory, if it can be had, and through MPI; then between nodes. In the
 * simulator there is one of the two. */
static void lead_links(struct point *point, const int *labels)
{
    if (point->channels[CT_NODE_CHANNEL_SHARED].node)
        lead_all(point, labels, true, "shared", CT_NODE_CHANNEL_SHARED);
    lead_all(point, labels, true, ct_simulates_shared_node() ? "shared" : "node", CT_NODE_CHANNEL_MPI);
    lead_all(point, labels, false, "network", CT_NODE_CHANNEL_MPI);
}

static void start(struct point *point, char **argv)
{
    PMPI_Comm_rank(MPI_COMM_WORLD, &point->bench.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &point->bench.size);
    if (point->bench.size < 2)
        ct_bench_abort(
            "the launcher gave 1 rank where at least 2 are needed: does it belong to the MPI that the "
            "program was compiled for?");
    point->passes = strtoul(argv[4], NULL, 10);
    if (point->passes == 0)
        ct_bench_abort("'%s' is no number of passes", argv[4]);
    point->rows.seconds = strtod(argv[2], NULL) / (double)point->passes;
    point->rows.most = strtoul(argv[3], NULL, 10) / point->passes;
    if (ct_list_parse(argv[5], NULL, &point->sizes, &point->size_count) != CT_OK)
        ct_bench_abort("'%s' is no list of sizes", argv[5]);
    size_t most = 0;
    for (size_t i = 0; i < point->size_count; i++)
        most = point->sizes[i] > most ? point->sizes[i] : most;
    point->send = ct_bench_allocate_pages(most);
    point->recv = ct_bench_allocate_pages(most);
    memset(point->send, 1, most);
    if (point->bench.rank == 0 && !(point->rows.out = fopen(argv[1], "w")))
        ct_bench_abort("%s: cannot be written", argv[1]);
}

int main(int argc, char **argv)
{
    struct point point = {.bench.clock = ct_bench_usual_clock()};
    ct_bench_check(MPI_Init(&argc, &argv), "MPI_Init");
    if (argc != 7)
        ct_bench_abort("expected FILE SECONDS REPETITIONS PASSES SIZES CHANNEL");
    start(&point, argv);
    open_messages(&point, argv[6]);
    int *labels = ct_bench_allocate((size_t)point.bench.size, sizeof *labels);
    enum ct_wait_policy policy;
    ct_bench_check(ct_placement_find(MPI_COMM_WORLD, labels, &policy), "finding nodes");
    if (point.bench.rank == 0) {
        const struct turn end = {.exchange = DISMISSED};
        lead_links(&point, labels);
        ct_measure_local_work(&point.bench, &point.rows);
        for (int rank = 1; rank < point.bench.size; rank++)
            PMPI_Send(&end, sizeof end, MPI_BYTE, rank, TAG_TURN, MPI_COMM_WORLD);
        fprintf(point.rows.out, "end\n");
        fclose(point.rows.out);
    } else {
        follow(&point);
    }
    close_messages(&point);
    free(labels);
    free(point.send);
    free(point.recv);
    free(point.sizes);
    MPI_Finalize();
    return 0;
}
