/* SPDX-License-Identifier: BSD-3-Clause */
/* turns_taken FILE SECONDS: an application of two ranks. Rank 0 waits in one MPI function after the other,
 * and rank 1 does what it waits for only when rank 0 has yielded its CPU there: a rank that spins waits for
 * ever, and the job ends after SECONDS. A rank must not yield after a single probe, either: what the probe
 * lets in is found by the next one. Prints "all right" at rank 0. FILE is scratch. */
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TAG = 3, LONG = 1 << 22, REQUESTS = 2 };

static struct {
    int rank;
    const char *name;    /* of the function that is tried */
    atomic_long *yields; /* of rank 0 in that function; shared by the ranks */
    MPI_Win window;
    MPI_Group other;
    char *data;
    int probes;       /* that have found nothing since the last yield */
    bool lone_probes; /* has it yielded after one of them? */
} all;

/* Stands in for the C library's, which the tuned library calls. */
int sched_yield(void)
{
    if (all.yields && all.rank == 0)
        atomic_fetch_add(all.yields, 1);
    all.lone_probes |= all.probes == 1;
    all.probes = 0;
    return (int)syscall(SYS_sched_yield);
}

/* Stands in for MPI's, too. */
int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    static int (*native)(int, int, MPI_Comm, int *, MPI_Status *);
    if (!native)
        *(void **)&native = dlsym(RTLD_NEXT, "PMPI_Iprobe");
    int code = native(source, tag, comm, flag, status);
    all.probes = code == MPI_SUCCESS && !*flag ? all.probes + 1 : 0;
    return code;
}

static int other(void)
{
    return 1 - all.rank;
}

/* --- what rank 0 waits in, and what rank 1 answers with --- */

static int send(void)
{
    return MPI_Send(all.data, LONG, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
}

static int ssend(void)
{
    return MPI_Ssend(all.data, 1, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
}

static int take(void)
{
    return PMPI_Recv(all.data, LONG, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int receive(void)
{
    return MPI_Recv(all.data, LONG, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int give(void)
{
    return PMPI_Send(all.data, 1, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
}

static int exchange(void)
{
    return MPI_Sendrecv(&all.rank, 1, MPI_INT, other(), TAG, all.data, 1, MPI_INT, other(), TAG,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int probe(void)
{
    int code = MPI_Probe(1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return code == MPI_SUCCESS ? receive() : code;
}

static int mprobe(void)
{
    MPI_Message message;
    int code = MPI_Mprobe(1, TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    return code == MPI_SUCCESS ? MPI_Mrecv(all.data, 1, MPI_BYTE, &message, MPI_STATUS_IGNORE) : code;
}

static void post(MPI_Request requests[REQUESTS])
{
    for (int i = 0; i < REQUESTS; i++)
        MPI_Irecv(&all.data[i], 1, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &requests[i]);
}

static int give_all(void)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < REQUESTS && code == MPI_SUCCESS; i++)
        code = give();
    return code;
}

static int wait_each(void)
{
    MPI_Request requests[REQUESTS];
    int code = MPI_SUCCESS;
    post(requests);
    for (int i = 0; i < REQUESTS && code == MPI_SUCCESS; i++)
        code = MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    return code;
}

static int wait_all(void)
{
    MPI_Request requests[REQUESTS];
    post(requests);
    return MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
}

static int wait_any(void)
{
    MPI_Request requests[REQUESTS];
    int code = MPI_SUCCESS, index = 0;
    post(requests);
    while (code == MPI_SUCCESS && index != MPI_UNDEFINED)
        code = MPI_Waitany(REQUESTS, requests, &index, MPI_STATUS_IGNORE);
    return code;
}

static int wait_some(void)
{
    MPI_Request requests[REQUESTS];
    int code = MPI_SUCCESS, count = 0, indices[REQUESTS];
    post(requests);
    while (code == MPI_SUCCESS && count != MPI_UNDEFINED)
        code = MPI_Waitsome(REQUESTS, requests, &count, indices, MPI_STATUSES_IGNORE);
    return code;
}

static int win_wait(void)
{
    int code = MPI_Win_post(all.other, 0, all.window);
    return code == MPI_SUCCESS ? MPI_Win_wait(all.window) : code;
}

static int win_complete(void)
{
    int code = PMPI_Win_start(all.other, 0, all.window);
    return code == MPI_SUCCESS ? PMPI_Win_complete(all.window) : code;
}

static const struct trial {
    const char *name;
    int (*call)(void);
    int (*answer)(void);
} trials[] = {
    {"Send", send, take},
    {"Ssend", ssend, take},
    {"Recv", receive, give},
    {"Probe", probe, give},
    {"Mprobe", mprobe, give},
    {"Sendrecv", exchange, exchange},
    {"Wait", wait_each, give_all},
    {"Waitall", wait_all, give_all},
    {"Waitany", wait_any, give_all},
    {"Waitsome", wait_some, give_all},
    {"Win_wait", win_wait, win_complete},
};

static void complain(int signal)
{
    (void)signal;
    fprintf(stderr, "rank %d: rank 0 does not yield in MPI_%s\n", all.rank, all.name);
    _exit(1);
}

static int try(const struct trial *trial)
{
    all.name = trial->name;
    PMPI_Barrier(MPI_COMM_WORLD);
    if (all.rank == 0) {
        atomic_store(all.yields, 0);
        PMPI_Barrier(MPI_COMM_WORLD);
        return trial->call();
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    while (atomic_load(all.yields) == 0)
        usleep(100);
    return trial->answer();
}

static void prepare(const char *path)
{
    MPI_Group world;
    int size = sizeof *all.yields, rank, file = open(path, O_RDWR | O_CREAT, 0600);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    all.rank = rank;
    if (file < 0 || ftruncate(file, size) != 0)
        exit(2);
    all.yields = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    all.data = calloc(LONG, 1);
    if (all.yields == MAP_FAILED || !all.data)
        exit(2);
    int peer = other();
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &all.other);
    MPI_Group_free(&world);
    MPI_Win_create(all.data, 1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &all.window);
}

int main(int argc, char **argv)
{
    int code = MPI_SUCCESS;
    MPI_Init(&argc, &argv);
    if (argc != 3)
        exit(2);
    signal(SIGALRM, complain);
    prepare(argv[1]);
    for (size_t i = 0; i < sizeof trials / sizeof trials[0] && code == MPI_SUCCESS; i++) {
        alarm((unsigned)atoi(argv[2]));
        code = try(&trials[i]);
    }
    if (all.rank == 0)
        puts(code != MPI_SUCCESS ? "FAILED"
             : all.lone_probes   ? "FAILED: yields after one probe"
                                 : "all right");
    MPI_Win_free(&all.window);
    MPI_Group_free(&all.other);
    MPI_Finalize();
    return code == MPI_SUCCESS && !all.lone_probes ? 0 : 1;
}
