/* SPDX-License-Identifier: BSD-3-Clause */
/* The Fortran procedures of Open MPI that the tuned library takes over. Those of Open MPI call C functions by
 * their PMPI_ names, and so pass by the library. Those of MPICH call them by their MPI_ names. */
#include "base/memory.h"
#include "library/colltuned.h"
#include "library/execute/topology.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef OPEN_MPI

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of counts are passed as they are");

/* --- arguments --- */

/* Open MPI defines each constant with one spelling, that of the compiler that it was built with. */
extern __attribute__((weak)) const int mpi_fortran_in_place, mpi_fortran_in_place_, mpi_fortran_in_place__,
    MPI_FORTRAN_IN_PLACE, mpi_fortran_bottom, mpi_fortran_bottom_, mpi_fortran_bottom__, MPI_FORTRAN_BOTTOM;

static void *address(void *buffer)
{
    const struct {
        const void *fortran;
        void *c;
    } constants[] = {
        {&mpi_fortran_in_place_, MPI_IN_PLACE}, {&mpi_fortran_in_place__, MPI_IN_PLACE},
        {&mpi_fortran_in_place, MPI_IN_PLACE},  {&MPI_FORTRAN_IN_PLACE, MPI_IN_PLACE},
        {&mpi_fortran_bottom_, MPI_BOTTOM},     {&mpi_fortran_bottom__, MPI_BOTTOM},
        {&mpi_fortran_bottom, MPI_BOTTOM},      {&MPI_FORTRAN_BOTTOM, MPI_BOTTOM},
    };
    for (size_t i = 0; buffer && i < sizeof constants / sizeof constants[0]; i++)
        if (buffer == constants[i].fortran)
            return constants[i].c;
    return buffer;
}

static MPI_Comm comm(const MPI_Fint *handle)
{
    return PMPI_Comm_f2c(*handle);
}

static MPI_Datatype type(const MPI_Fint *handle)
{
    return PMPI_Type_f2c(*handle);
}

static MPI_Op op(const MPI_Fint *handle)
{
    return PMPI_Op_f2c(*handle);
}

/* Programs with `use mpi_f08` may leave the argument for the error out. */
static void end(MPI_Fint *ret_error, int code)
{
    if (ret_error)
        *ret_error = code;
}

/* --- the collectives --- */

static void barrier(const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Barrier(comm(on)));
}

static void bcast(void *buffer, const MPI_Fint *count, const MPI_Fint *of_type, const MPI_Fint *root,
                  const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Bcast(address(buffer), *count, type(of_type), *root, comm(on)));
}

static void scatter(void *send, const MPI_Fint *send_count, const MPI_Fint *send_type, void *recv,
                    const MPI_Fint *recv_count, const MPI_Fint *recv_type, const MPI_Fint *root,
                    const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Scatter(address(send), *send_count, type(send_type), address(recv), *recv_count,
                               type(recv_type), *root, comm(on)));
}

static void scatterv(void *send, const MPI_Fint *send_counts, const MPI_Fint *send_places,
                     const MPI_Fint *send_type, void *recv, const MPI_Fint *recv_count,
                     const MPI_Fint *recv_type, const MPI_Fint *root, const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Scatterv(address(send), send_counts, send_places, type(send_type), address(recv),
                                *recv_count, type(recv_type), *root, comm(on)));
}

static void gather(void *send, const MPI_Fint *send_count, const MPI_Fint *send_type, void *recv,
                   const MPI_Fint *recv_count, const MPI_Fint *recv_type, const MPI_Fint *root,
                   const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Gather(address(send), *send_count, type(send_type), address(recv), *recv_count,
                              type(recv_type), *root, comm(on)));
}

static void gatherv(void *send, const MPI_Fint *send_count, const MPI_Fint *send_type, void *recv,
                    const MPI_Fint *recv_counts, const MPI_Fint *recv_places, const MPI_Fint *recv_type,
                    const MPI_Fint *root, const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Gatherv(address(send), *send_count, type(send_type), address(recv), recv_counts,
                               recv_places, type(recv_type), *root, comm(on)));
}

static void allgather(void *send, const MPI_Fint *send_count, const MPI_Fint *send_type, void *recv,
                      const MPI_Fint *recv_count, const MPI_Fint *recv_type, const MPI_Fint *on,
                      MPI_Fint *ret_error)
{
    end(ret_error, MPI_Allgather(address(send), *send_count, type(send_type), address(recv), *recv_count,
                                 type(recv_type), comm(on)));
}

static void allgatherv(void *send, const MPI_Fint *send_count, const MPI_Fint *send_type, void *recv,
                       const MPI_Fint *recv_counts, const MPI_Fint *recv_places, const MPI_Fint *recv_type,
                       const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Allgatherv(address(send), *send_count, type(send_type), address(recv), recv_counts,
                                  recv_places, type(recv_type), comm(on)));
}

static void alltoall(void *send, const MPI_Fint *send_count, const MPI_Fint *send_type, void *recv,
                     const MPI_Fint *recv_count, const MPI_Fint *recv_type, const MPI_Fint *on,
                     MPI_Fint *ret_error)
{
    end(ret_error, MPI_Alltoall(address(send), *send_count, type(send_type), address(recv), *recv_count,
                                type(recv_type), comm(on)));
}

static void alltoallv(void *send, const MPI_Fint *send_counts, const MPI_Fint *send_places,
                      const MPI_Fint *send_type, void *recv, const MPI_Fint *recv_counts,
                      const MPI_Fint *recv_places, const MPI_Fint *recv_type, const MPI_Fint *on,
                      MPI_Fint *ret_error)
{
    end(ret_error, MPI_Alltoallv(address(send), send_counts, send_places, type(send_type), address(recv),
                                 recv_counts, recv_places, type(recv_type), comm(on)));
}

/* How many ranks a collective on `with` exchanges data with. */
static int count_ranks(MPI_Comm with, size_t *ret_count)
{
    int inter, size, code;
    if ((code = PMPI_Comm_test_inter(with, &inter)) != MPI_SUCCESS ||
        (code = (inter ? PMPI_Comm_remote_size : PMPI_Comm_size)(with, &size)) != MPI_SUCCESS)
        return code;
    *ret_count = (size_t)size;
    return MPI_SUCCESS;
}

/* The C handles of so many types. The caller frees *ret_types. */
static int types(const MPI_Fint *handles, size_t count, MPI_Comm with, MPI_Datatype **ret_types)
{
    MPI_Datatype *types = ct_allocate(count + 1, sizeof *types);
    if (!types) {
        PMPI_Comm_call_errhandler(with, MPI_ERR_NO_MEM);
        return MPI_ERR_NO_MEM;
    }
    for (size_t i = 0; i < count; i++)
        types[i] = type(&handles[i]);
    *ret_types = types;
    return MPI_SUCCESS;
}

/* The types of the send side mean nothing, and may not be there, if its buffer is MPI_IN_PLACE. */
static void alltoallw(void *send, const MPI_Fint *send_counts, const MPI_Fint *send_places,
                      const MPI_Fint *send_types, void *recv, const MPI_Fint *recv_counts,
                      const MPI_Fint *recv_places, const MPI_Fint *recv_types, const MPI_Fint *on,
                      MPI_Fint *ret_error)
{
    MPI_Datatype *sent = NULL, *received = NULL;
    size_t ranks;
    int code = count_ranks(comm(on), &ranks);
    if (code == MPI_SUCCESS && address(send) != MPI_IN_PLACE)
        code = types(send_types, ranks, comm(on), &sent);
    if (code == MPI_SUCCESS)
        code = types(recv_types, ranks, comm(on), &received);
    if (code == MPI_SUCCESS)
        code = MPI_Alltoallw(address(send), send_counts, send_places, sent, address(recv), recv_counts,
                             recv_places, received, comm(on));
    free(sent);
    free(received);
    end(ret_error, code);
}

static void reduce(void *send, void *recv, const MPI_Fint *count, const MPI_Fint *of_type,
                   const MPI_Fint *with, const MPI_Fint *root, const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error,
        MPI_Reduce(address(send), address(recv), *count, type(of_type), op(with), *root, comm(on)));
}

static void reduce_scatter_block(void *send, void *recv, const MPI_Fint *count, const MPI_Fint *of_type,
                                 const MPI_Fint *with, const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error,
        MPI_Reduce_scatter_block(address(send), address(recv), *count, type(of_type), op(with), comm(on)));
}

static void reduce_scatter(void *send, void *recv, const MPI_Fint *counts, const MPI_Fint *of_type,
                           const MPI_Fint *with, const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error,
        MPI_Reduce_scatter(address(send), address(recv), counts, type(of_type), op(with), comm(on)));
}

static void allreduce(void *send, void *recv, const MPI_Fint *count, const MPI_Fint *of_type,
                      const MPI_Fint *with, const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Allreduce(address(send), address(recv), *count, type(of_type), op(with), comm(on)));
}

static void scan(void *send, void *recv, const MPI_Fint *count, const MPI_Fint *of_type, const MPI_Fint *with,
                 const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Scan(address(send), address(recv), *count, type(of_type), op(with), comm(on)));
}

static void exscan(void *send, void *recv, const MPI_Fint *count, const MPI_Fint *of_type,
                   const MPI_Fint *with, const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Exscan(address(send), address(recv), *count, type(of_type), op(with), comm(on)));
}

/* --- neighborhood collectives --- */

static void neighbor_allgather(void *send, const MPI_Fint *send_count, const MPI_Fint *send_type, void *recv,
                               const MPI_Fint *recv_count, const MPI_Fint *recv_type, const MPI_Fint *on,
                               MPI_Fint *ret_error)
{
    end(ret_error, MPI_Neighbor_allgather(address(send), *send_count, type(send_type), address(recv),
                                          *recv_count, type(recv_type), comm(on)));
}

static void neighbor_allgatherv(void *send, const MPI_Fint *send_count, const MPI_Fint *send_type, void *recv,
                                const MPI_Fint *recv_counts, const MPI_Fint *recv_places,
                                const MPI_Fint *recv_type, const MPI_Fint *on, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Neighbor_allgatherv(address(send), *send_count, type(send_type), address(recv),
                                           recv_counts, recv_places, type(recv_type), comm(on)));
}

static void neighbor_alltoall(void *send, const MPI_Fint *send_count, const MPI_Fint *send_type, void *recv,
                              const MPI_Fint *recv_count, const MPI_Fint *recv_type, const MPI_Fint *on,
                              MPI_Fint *ret_error)
{
    end(ret_error, MPI_Neighbor_alltoall(address(send), *send_count, type(send_type), address(recv),
                                         *recv_count, type(recv_type), comm(on)));
}

static void neighbor_alltoallv(void *send, const MPI_Fint *send_counts, const MPI_Fint *send_places,
                               const MPI_Fint *send_type, void *recv, const MPI_Fint *recv_counts,
                               const MPI_Fint *recv_places, const MPI_Fint *recv_type, const MPI_Fint *on,
                               MPI_Fint *ret_error)
{
    end(ret_error,
        MPI_Neighbor_alltoallv(address(send), send_counts, send_places, type(send_type), address(recv),
                               recv_counts, recv_places, type(recv_type), comm(on)));
}

/* How many destinations and sources this rank has, by CT_BUFFER_SEND and CT_BUFFER_RECV; none without a
 * topology, which MPI reports. */
static int count_neighbors(MPI_Comm with, size_t ret_counts[2])
{
    struct ct_topology *topology;
    int code = ct_topology_of(with, &topology);
    if (code != MPI_SUCCESS)
        return code;
    for (int i = 0; i < 2; i++)
        ret_counts[i] = topology ? topology->blocks[i] : 0;
    ct_topology_release(topology);
    return MPI_SUCCESS;
}

/* Displacements are addresses. */
static void neighbor_alltoallw(void *send, const MPI_Fint *send_counts, const MPI_Aint *send_places,
                               const MPI_Fint *send_types, void *recv, const MPI_Fint *recv_counts,
                               const MPI_Aint *recv_places, const MPI_Fint *recv_types, const MPI_Fint *on,
                               MPI_Fint *ret_error)
{
    MPI_Datatype *sent = NULL, *received = NULL;
    size_t counts[2];
    int code = count_neighbors(comm(on), counts);
    if (code == MPI_SUCCESS)
        code = types(send_types, counts[CT_BUFFER_SEND], comm(on), &sent);
    if (code == MPI_SUCCESS)
        code = types(recv_types, counts[CT_BUFFER_RECV], comm(on), &received);
    if (code == MPI_SUCCESS)
        code = MPI_Neighbor_alltoallw(address(send), send_counts, send_places, sent, address(recv),
                                      recv_counts, recv_places, received, comm(on));
    free(sent);
    free(received);
    end(ret_error, code);
}

/* --- beginning and end, and error handlers --- */

/* MPICH's Fortran library has this procedure. */
extern __attribute__((weak)) void mpirinitf_(void);

/* Where a Fortran program of MPICH has loaded Open MPI with this library, its calls reach either at random.
 */
static void refuse_mpich(void)
{
    if (!mpirinitf_)
        return;
    fprintf(stderr,
            "colltune: the tuned library was built for openmpi, this is a Fortran program of MPICH: do "
            "not load it here\n");
    exit(EXIT_FAILURE);
}

static void init(MPI_Fint *ret_error)
{
    refuse_mpich();
    end(ret_error, MPI_Init(NULL, NULL));
}

static void init_thread(const MPI_Fint *required, MPI_Fint *ret_provided, MPI_Fint *ret_error)
{
    refuse_mpich();
    end(ret_error, MPI_Init_thread(NULL, NULL, *required, ret_provided));
}

static void comm_set_errhandler(const MPI_Fint *of, const MPI_Fint *handler, MPI_Fint *ret_error)
{
    end(ret_error, MPI_Comm_set_errhandler(comm(of), PMPI_Errhandler_f2c(*handler)));
}

/* --- their names --- */

#define NAME(procedure, name)                                                                                \
    COLLTUNED_API extern __typeof__(procedure) name __attribute__((alias(#procedure)))
/* As compilers spell the name in mpif.h and `use mpi`; and that of `use mpi_f08`, whose handles are
 * structures of one integer. Few compilers spell it without an underscore, and libraries in C have functions
 * of such names, which ours would replace: mpi_bcast() of R's package Rmpi. */
#define NAMES(procedure, upper)                                                                              \
    NAME(procedure, mpi_##procedure##_);                                                                     \
    NAME(procedure, mpi_##procedure##__);                                                                    \
    NAME(procedure, MPI_##upper);                                                                            \
    NAME(procedure, mpi_##procedure##_f08_)

NAMES(barrier, BARRIER);
NAMES(bcast, BCAST);
NAMES(scatter, SCATTER);
NAMES(scatterv, SCATTERV);
NAMES(gather, GATHER);
NAMES(gatherv, GATHERV);
NAMES(allgather, ALLGATHER);
NAMES(allgatherv, ALLGATHERV);
NAMES(alltoall, ALLTOALL);
NAMES(alltoallv, ALLTOALLV);
NAMES(alltoallw, ALLTOALLW);
NAMES(reduce, REDUCE);
NAMES(reduce_scatter_block, REDUCE_SCATTER_BLOCK);
NAMES(reduce_scatter, REDUCE_SCATTER);
NAMES(allreduce, ALLREDUCE);
NAMES(scan, SCAN);
NAMES(exscan, EXSCAN);
NAMES(neighbor_allgather, NEIGHBOR_ALLGATHER);
NAMES(neighbor_allgatherv, NEIGHBOR_ALLGATHERV);
NAMES(neighbor_alltoall, NEIGHBOR_ALLTOALL);
NAMES(neighbor_alltoallv, NEIGHBOR_ALLTOALLV);
NAMES(neighbor_alltoallw, NEIGHBOR_ALLTOALLW);
NAMES(init, INIT);
NAMES(init_thread, INIT_THREAD);
NAMES(comm_set_errhandler, COMM_SET_ERRHANDLER);

#endif
