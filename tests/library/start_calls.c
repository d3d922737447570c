/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the native collectives within MPI_Init in which ranks cannot give their CPU away while they wait,
 * and prints on rank 0 how often each was called. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

static bool is_starting;

/* Defines a function of MPI that counts its calls by the library: it is found before that of MPI. */
#define COUNTED(name, parameters, arguments)                                                                 \
    static int calls_of_##name;                                                                              \
    int P##name parameters                                                                                   \
    {                                                                                                        \
        int(*native) parameters = (int(*) parameters)dlsym(RTLD_NEXT, "P" #name);                            \
        calls_of_##name += is_starting;                                                                      \
        return native arguments;                                                                             \
    }

COUNTED(MPI_Barrier, (MPI_Comm comm), (comm))
COUNTED(MPI_Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm),
        (data, count, type, root, comm))
COUNTED(MPI_Gather,
        (const void *in, int in_count, MPI_Datatype in_type, void *out, int count, MPI_Datatype type,
         int root, MPI_Comm comm),
        (in, in_count, in_type, out, count, type, root, comm))
COUNTED(MPI_Allgather,
        (const void *in, int in_count, MPI_Datatype in_type, void *out, int count, MPI_Datatype type,
         MPI_Comm comm),
        (in, in_count, in_type, out, count, type, comm))
COUNTED(MPI_Allreduce, (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
        (in, out, count, type, op, comm))
COUNTED(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *ret_comm), (comm, color, key, ret_comm))
COUNTED(MPI_Comm_split_type, (MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *ret_comm),
        (comm, kind, key, info, ret_comm))
COUNTED(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *ret_comm), (comm, ret_comm))
COUNTED(MPI_Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *ret_comm), (comm, group, ret_comm))
COUNTED(MPI_Win_allocate_shared,
        (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *ret_base, MPI_Win *ret_window),
        (size, unit, info, comm, ret_base, ret_window))

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        const int *calls;
    } counts[] = {{"barrier", &calls_of_MPI_Barrier},
                  {"bcast", &calls_of_MPI_Bcast},
                  {"gather", &calls_of_MPI_Gather},
                  {"allgather", &calls_of_MPI_Allgather},
                  {"allreduce", &calls_of_MPI_Allreduce},
                  {"split", &calls_of_MPI_Comm_split},
                  {"split_type", &calls_of_MPI_Comm_split_type},
                  {"dup", &calls_of_MPI_Comm_dup},
                  {"create", &calls_of_MPI_Comm_create},
                  {"win_allocate_shared", &calls_of_MPI_Win_allocate_shared}};
    is_starting = true;
    MPI_Init(&argc, &argv);
    is_starting = false;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; rank == 0 && i < sizeof counts / sizeof counts[0]; i++)
        if (*counts[i].calls > 0)
            printf("%s %d\n", counts[i].name, *counts[i].calls);
    MPI_Finalize();
    return 0;
}
