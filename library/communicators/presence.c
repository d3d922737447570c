/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/communicators/presence.h"
#include "base/hash.h"
#include "library/mpi/launch_environment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* To be changed with what ranks tell each other when they agree in MPI_Init. */
enum { FORMAT = 2 };

/* What ranks share: zero at first. */
struct ct_presence_board {
    atomic_uint counted;
    atomic_uint verdict; /* enum ct_presence_verdict */
};

/* A process: its name, the one that started it, and when it was started, since numbers come back. */
struct process {
    char name[32];
    long parent;
    unsigned long long begun;
};

static bool read_process(long number, struct process *ret_process)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", number);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    if (length <= 0)
        return false;
    text[length] = '\0';
    /* A name may contain anything, blanks and parentheses, too. */
    char *name = strchr(text, '('), *end = strrchr(text, ')');
    if (!name || !end || end < name)
        return false;
    *end = '\0';
    snprintf(ret_process->name, sizeof ret_process->name, "%s", name + 1);
    return sscanf(end + 1,
                  " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                  &ret_process->parent, &ret_process->begun) == 2;
}

/* Is the name one of those in the list? */
static bool is_listed(const char *name, const char *list)
{
    char word[40];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(list, word) != NULL;
}

/* Ranks in containers of their own may not share memory. */
static bool shares_files_with(long number)
{
    char path[64];
    struct stat own, other;
    snprintf(path, sizeof path, "/proc/%ld/ns/mnt", number);
    return stat("/proc/self/ns/mnt", &own) == 0 && stat(path, &other) == 0 && own.st_ino == other.st_ino &&
           own.st_dev == other.st_dev;
}

/* Finds the daemon among the processes from which this one descends: scripts may stand between them. Writes
 * the path of the memory that its ranks share. */
static bool find_path(const struct ct_launch_daemon *daemon, char *ret_path, size_t room)
{
    const char *job = daemon->job ? getenv(daemon->job) : NULL;
    struct process process;
    long number = getppid();
    while (number > 1 && read_process(number, &process) && !is_listed(process.name, daemon->names))
        number = process.parent;
    if (number <= 1 || !is_listed(process.name, daemon->names) || !shares_files_with(number))
        return false;
    snprintf(ret_path, room, "/dev/shm/colltune-%d-%u-%ld-%llu-%016llx", FORMAT, (unsigned)geteuid(), number,
             process.begun, (unsigned long long)ct_hash(0, job ? job : "", job ? strlen(job) : 0));
    return true;
}

static struct ct_presence_board *map(int file)
{
    struct stat found;
    if (fstat(file, &found) != 0 || found.st_uid != geteuid() ||
        ftruncate(file, sizeof(struct ct_presence_board)) != 0)
        return NULL;
    void *memory = mmap(NULL, sizeof(struct ct_presence_board), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Did opening fail for a reason that may be this rank's alone? Then the others miss it. */
static bool is_own_trouble(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOSPC || error == ENOMEM || error == EDQUOT;
}

void ct_presence_announce(struct ct_presence *ret_presence)
{
    struct ct_launch_daemon daemon;
    *ret_presence = (struct ct_presence){.expected = ct_launch_siblings(&daemon)};
    if (ret_presence->expected == 0 || !find_path(&daemon, ret_presence->path, sizeof ret_presence->path)) {
        ret_presence->expected = 0;
        return;
    }
    int file = open(ret_presence->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0 && !is_own_trouble(errno))
        ret_presence->expected = 0;
    if (file < 0)
        return;
    ret_presence->board = map(file);
    close(file);
    /* The last one removes its name, so that nothing is left of it if the job is killed in MPI_Init. */
    if (ret_presence->board &&
        atomic_fetch_add(&ret_presence->board->counted, 1) + 1 == (unsigned)ret_presence->expected)
        unlink(ret_presence->path);
}

/* Nobody comes to a board that all have come to, or that has a verdict: those who come later find a new one,
 * on which ranks that are counted here are missing. */
enum ct_presence_verdict ct_presence_conclude(struct ct_presence *presence, unsigned *ret_counted)
{
    struct ct_presence_board *board = presence->board;
    *ret_counted = 0;
    if (presence->expected == 0)
        return CT_PRESENCE_UNKNOWN;
    if (!board)
        return CT_PRESENCE_SOME;
    unsigned counted = atomic_load(&board->counted), verdict = CT_PRESENCE_UNKNOWN;
    unsigned found = counted >= (unsigned)presence->expected ? CT_PRESENCE_ALL : CT_PRESENCE_SOME;
    if (atomic_compare_exchange_strong(&board->verdict, &verdict, found)) {
        verdict = found;
        if (found == CT_PRESENCE_SOME)
            unlink(presence->path);
        *ret_counted = counted;
    }
    munmap(board, sizeof *board);
    presence->board = NULL;
    return (enum ct_presence_verdict)verdict;
}
