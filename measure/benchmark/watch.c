/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/watch.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/program.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Launchers outlive the process that started them, and their ranks are in process groups of their own. So
 * each rank itself checks whether its supervisor is alive: by its process id if it is on the same host, else
 * by a file that the supervisor keeps writing to, and removes when it wants the job to end. */

enum { LOST = 3, PATIENCE_SECONDS = 30 };

struct watched {
    char *alive;
    pid_t supervisor; /* 0 where it is not on this host */
    char seen[32];    /* contents of the file */
    time_t changed;   /* when they were last seen to change */
};

static bool is_gone(pid_t process)
{
    return process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

static struct watched watch(const struct ct_bench *bench)
{
    struct watched watched = {.alive = strdup(bench->job.alive), .changed = time(NULL)};
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    if (strcmp(host, bench->job.host) == 0 && !is_gone((pid_t)bench->job.supervisor))
        watched.supervisor = (pid_t)bench->job.supervisor;
    return watched;
}

static bool lost(struct watched *watched, time_t now)
{
    if (is_gone(watched->supervisor))
        return true;
    int file = open(watched->alive, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT;
    char text[sizeof watched->seen] = "";
    if (read(file, text, sizeof text - 1) < 0)
        text[0] = '\0';
    close(file);
    if (strcmp(text, watched->seen) != 0) {
        strcpy(watched->seen, text);
        watched->changed = now;
    }
    return now - watched->changed > PATIENCE_SECONDS;
}

void ct_bench_watch_once(const struct ct_bench *bench)
{
    struct watched watched = watch(bench);
    if (watched.alive && lost(&watched, watched.changed))
        ct_bench_abort("the supervisor is gone");
    free(watched.alive);
}

static void *keep_watch(void *argument)
{
    struct watched *watched = argument;
    const struct timespec nap = {.tv_nsec = 500000000};
    struct timespec now;
    do {
        nanosleep(&nap, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (!lost(watched, now.tv_sec));
    _exit(LOST);
}

void ct_bench_watch(const struct ct_bench *bench)
{
    struct timespec now;
    pthread_t thread;
    if (CT_SIMULATED) { /* ranks are no processes of their own */
        ct_bench_watch_once(bench);
        return;
    }
    struct watched *watched = ct_bench_allocate(1, sizeof *watched);
    *watched = watch(bench);
    clock_gettime(CLOCK_MONOTONIC, &now);
    watched->changed = now.tv_sec;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = watched->alive && pthread_create(&thread, NULL, keep_watch, watched) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!started)
        ct_bench_abort("no thread can be started");
    pthread_detach(thread);
}
