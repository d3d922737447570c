/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/process/lifetime.h"
#include "base/memory.h"
#include "library/adapt/learned.h"
#include "library/communicators/access_epochs.h"
#include "library/communicators/buffered_messages.h"
#include "library/communicators/carrier.h"
#include "library/communicators/flight_comm.h"
#include "library/communicators/meeting.h"
#include "library/communicators/presence.h"
#include "library/communicators/private_comm.h"
#include "library/decide/origin.h"
#include "library/decide/profile.h"
#include "library/execute/mpi_progress.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/comm_keyval.h"
#include "library/mpi/launch_environment.h"
#include "library/mpi/message_functions.h"
#include "library/mpi/placement.h"
#include "library/mpi/world.h"
#include "library/requests/request_table.h"

#include <dlfcn.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum life_stage { NOT_BEGUN, BEGUN, PASSES_ON };

/* State of the process, see tuner.c. */
static struct {
    pthread_mutex_t lock;
    _Atomic enum life_stage stage;
    bool is_in_world; /* the library has seen MPI_Init, so all ranks of MPI_COMM_WORLD report together */
    bool is_hooked;   /* MPI_Finalize will call us */
    atomic_bool has_reported;
    pid_t process; /* which has begun; its children have not */
    bool is_announced;
    bool is_counted;
    struct ct_presence presence;
    enum ct_presence_verdict verdict;
    unsigned counted; /* ranks with the library, at the rank that is to tell the user */
} life = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- the end --- */

static void report_calls(bool together)
{
    if (atomic_load(&life.has_reported))
        return;
    if (together)
        ct_profile_write(ct_tuner()->profile);
    else
        ct_profile_write_part(ct_tuner()->profile);
    atomic_store(&life.has_reported, true);
    ct_tuner_print_use();
}

/* What a signal handler may do. A signal that comes while all ranks report does not wait for them. Is there
 * anything to save? */
static bool save_profile(void)
{
    if (getpid() != life.process || atomic_load(&life.has_reported))
        return false;
    ct_profile_write_part(ct_tuner()->profile);
    return true;
}

/* Launchers send the signal to all ranks, and kill the others as soon as one has ended: so each rank leaves
 * them time to save theirs, less than what launchers leave between this signal and SIGKILL. */
static void end_by_signal(int number)
{
    const int milliseconds = 500;
    if (save_profile())
        poll(NULL, 0, milliseconds);
    signal(number, SIG_DFL);
    raise(number);
}

/* A job that is ended before its time keeps what it has recorded, unless the application catches the signal
 * itself. */
static void catch_end(void)
{
    struct sigaction action = {.sa_handler = end_by_signal}, before;
    sigfillset(&action.sa_mask); /* another signal would end the wait */
    if (ct_tuner()->profile && sigaction(SIGTERM, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
        before.sa_handler == SIG_DFL)
        sigaction(SIGTERM, &action, NULL);
}

void ct_library_abort(void)
{
    if (ct_tuner_is_started())
        save_profile();
}

/* Here MPI must not be called. */
static void report_at_exit(void)
{
    if (getpid() == life.process)
        report_calls(false);
}

void ct_library_end(void)
{
    if (!ct_tuner_is_started())
        return;
    report_calls(life.is_in_world);
    ct_request_table_stop();
    ct_comm_keyvals_forget(MPI_COMM_WORLD); /* MPI would do it too late */
    ct_private_comms_stop();
    ct_learned_write();
    ct_learned_print();
    ct_buffered_messages_finish();
    ct_meetings_stop();
    ct_access_epochs_stop();
    ct_flight_comms_stop();
    ct_carrier_stop();
}

/* The delete function of the attribute of MPI_COMM_SELF. */
static int end(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)extra;
    ct_library_end();
    return MPI_SUCCESS;
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else (MPI 4.0, section 11.2.4). */
static void hook_finalize(void)
{
    int key;
    if (CT_SIMULATED || life.is_hooked || !ct_world_is_alive() ||
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &key, NULL) != MPI_SUCCESS)
        return;
    life.is_hooked = PMPI_Comm_set_attr(MPI_COMM_SELF, key, &life) == MPI_SUCCESS;
    PMPI_Comm_free_keyval(&key);
}

/* --- the beginning --- */

/* Handles that are pointers are wide enough to pass those of another MPI on; those of MPICH are not. */
static const bool is_wide = sizeof(MPI_Comm) >= sizeof(void *);

static void refuse(const char *line)
{
    fprintf(stderr, "colltune: %s: do not load it here\n", line);
    exit(EXIT_FAILURE);
}

static const char openmpi_line[] = "the tuned library was built for " CT_MPI_NAME ", this is Open MPI";

static int is_of_openmpi(struct dl_phdr_info *object, size_t size, void *data)
{
    static const char part[] = "libopen-pal.";
    const char *slash = strrchr(object->dlpi_name, '/');
    (void)size;
    (void)data;
    return strncmp(slash ? slash + 1 : object->dlpi_name, part, sizeof part - 1) == 0;
}

/* This library brings MPICH along. Where a program begins with the MPI of Open MPI, too, calls of its Fortran
 * library would reach functions of either. Launchers of Open MPI do without its MPI. */
__attribute__((constructor)) static void refuse_at_start(void)
{
    if (CT_MPICH && dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world"))
        refuse(openmpi_line);
}

/* Is the MPI of the program another one than the library was built for? Then constants and handles of our
 * mpi.h mean nothing. */
static bool is_foreign(void)
{
    enum { LONGEST = 1 << 14 }; /* of any MPI; MPI_MAX_LIBRARY_VERSION_STRING is that of ours */
    char version[LONGEST] = "", line[CT_ORIGIN_TEXT];
    int length;
    if (CT_MPICH && dl_iterate_phdr(is_of_openmpi, NULL)) /* of an interpreter that loads MPI late */
        refuse(openmpi_line);
    if (PMPI_Get_library_version(version, &length) != 0 || !ct_origin_is_foreign(CT_MPI_NAME, version, line))
        return false;
    if (!is_wide)
        refuse(line);
    if (ct_launch_rank() <= 0)
        fprintf(stderr, "colltune: %s: all collectives are native\n", line);
    return true;
}

static struct ct_process know_process(void)
{
    int rank = ct_launch_rank(), level = MPI_THREAD_MULTIPLE;
    if (ct_world_is_alive()) {
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        PMPI_Query_thread(&level);
    }
    return (struct ct_process){.rank = rank > 0 ? rank : 0,
                               .many_threads = level == MPI_THREAD_MULTIPLE,
                               .policy = ct_wait_policy_alone()};
}

/* One thread at a time. */
static void begin_life(const struct ct_process *process)
{
    life.process = getpid();
    ct_tuner_start(process);
    ct_private_comms_start();
    if (!ct_tuner()->configuration.disabled && !CT_MPI_YIELDS)
        ct_progress_set_policy(ct_tuner()->policy);
    if (ct_tuner()->configuration.trace)
        ct_messages_show();
    hook_finalize();
    if (!CT_SIMULATED) {
        atexit(report_at_exit);
        catch_end();
    }
    atomic_store(&life.stage, BEGUN);
}

bool ct_library_begin(void)
{
    enum life_stage stage = atomic_load_explicit(&life.stage, memory_order_acquire);
    if (stage != NOT_BEGUN)
        return stage == BEGUN;
    pthread_mutex_lock(&life.lock);
    if (atomic_load(&life.stage) == NOT_BEGUN) {
        if (is_foreign()) {
            atomic_store(&life.stage, PASSES_ON);
        } else {
            struct ct_process process = know_process();
            begin_life(&process);
            ct_tuner_print_start(0, CT_NODE_CHANNEL_MPI);
        }
    }
    pthread_mutex_unlock(&life.lock);
    return atomic_load(&life.stage) == BEGUN;
}

/* Waits for what all ranks take part in first. A rank without the library on another node never does, and
 * nothing tells the others, so they say what they wait for. */
static void wait_for_all(MPI_Request *request, int rank, int size)
{
    const double patience = 10;
    double begun = ct_own_clock();
    int done = false;
    bool tells = rank == 0 || rank == size - 1;
    while (!done && PMPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS) {
        if (tells && ct_own_clock() - begun > patience) {
            fprintf(stderr,
                    "colltune: rank %d has waited %.0f s in MPI_Init for the tuned library of other ranks: "
                    "was it loaded on all of them?\n",
                    rank, patience);
            tells = false;
        }
        sched_yield();
    }
}

/* Does this rank know that all ranks of MPI_COMM_WORLD share this node and its memory? */
static bool knows_one_node(int size)
{
    return life.verdict == CT_PRESENCE_ALL && life.presence.expected == size && !ct_launch_plays_nodes();
}

/* Finds the policy and who shares a node, with a communicator of this rank's node. If memory is short on one
 * rank, all do without labels: NULL. */
static int *find_nodes(enum ct_wait_policy *policy, MPI_Comm *ret_node)
{
    enum { LABELS, ONE_NODE, SAYS };
    int size = 0, rank = 0;
    MPI_Request request;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    int *labels = ct_allocate((size_t)size, sizeof *labels);
    const int own[SAYS] = {labels != NULL, knows_one_node(size)};
    int all[SAYS] = {false, false};
    if (CT_SIMULATED) /* where a non-blocking reduction sends a message for each pair of ranks */
        PMPI_Allreduce(own, all, SAYS, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    else if (PMPI_Iallreduce(own, all, SAYS, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &request) == MPI_SUCCESS)
        wait_for_all(&request, rank, size);
    if (ct_placement_find_node(MPI_COMM_WORLD, all[ONE_NODE], all[LABELS] ? labels : NULL, policy,
                               ret_node) == MPI_SUCCESS &&
        all[LABELS])
        return labels;
    free(labels);
    return NULL;
}

/* Calls in flight need meetings, on all ranks or on none. */
static void start_meetings(void)
{
    if (ct_meetings_are_wanted() && !ct_meetings_start(ct_flight_comms_start()))
        ct_flight_comms_stop();
}

void ct_library_announce(void)
{
    pthread_mutex_lock(&life.lock);
    if (atomic_load(&life.stage) == NOT_BEGUN && is_foreign())
        atomic_store(&life.stage, PASSES_ON);
    if (!CT_SIMULATED && atomic_load(&life.stage) != PASSES_ON && !life.is_announced)
        ct_presence_announce(&life.presence);
    life.is_announced = true;
    pthread_mutex_unlock(&life.lock);
}

void ct_library_count_ranks(void)
{
    pthread_mutex_lock(&life.lock);
    if (life.is_announced && !life.is_counted)
        life.verdict = ct_presence_conclude(&life.presence, &life.counted);
    life.is_counted = true;
    pthread_mutex_unlock(&life.lock);
}

/* Is a rank of this node without the library, and are there no other nodes, whose ranks would not know of it?
 * One rank says so. */
static bool lacks_ranks(void)
{
    int size = 0;
    if (life.verdict != CT_PRESENCE_SOME)
        return false;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    bool is_alone = life.presence.expected == size;
    if (life.counted > 0)
        fprintf(stderr, "colltune: the tuned library is loaded on %u of %d ranks of this node: %s\n",
                life.counted, life.presence.expected,
                is_alone ? "all collectives are native" : "load it on all ranks, or on none");
    return is_alone;
}

void ct_library_begin_in_world(void)
{
    int size;
    MPI_Comm node;
    ct_library_count_ranks();
    if (atomic_load(&life.stage) != PASSES_ON && lacks_ranks())
        atomic_store(&life.stage, PASSES_ON);
    if (atomic_load(&life.stage) == PASSES_ON)
        return;
    struct ct_process process = know_process();
    process.node_labels = find_nodes(&process.policy, &node);
    pthread_mutex_lock(&life.lock);
    const bool begins = atomic_load(&life.stage) == NOT_BEGUN;
    if (begins)
        begin_life(&process);
    else /* in a session: other threads may use what the tuner has already */
        free(process.node_labels);
    life.is_in_world = true;
    hook_finalize();
    pthread_mutex_unlock(&life.lock);
    ct_carrier_start(node);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (begins)
        ct_tuner_print_start(size, ct_carrier_node_is_shared() || ct_simulates_shared_node()
                                       ? CT_NODE_CHANNEL_SHARED
                                       : CT_NODE_CHANNEL_MPI);
    start_meetings();
}
