/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of files. */
#include "blocking.h"

static int file_open(void)
{
    MPI_File file;
    int code = MPI_File_open(all.comm, all.path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    return code == MPI_SUCCESS ? PMPI_File_close(&file) : code;
}

static int file_set_view(void)
{
    return MPI_File_set_view(all.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
}

static int file_set_size(void)
{
    return MPI_File_set_size(all.file, LONG);
}

static int file_preallocate(void)
{
    return MPI_File_preallocate(all.file, LONG);
}

static int file_set_atomicity(void)
{
    return MPI_File_set_atomicity(all.file, false);
}

static int file_set_info(void)
{
    return MPI_File_set_info(all.file, all.info);
}

static int file_sync(void)
{
    return MPI_File_sync(all.file);
}

static int file_seek_shared(void)
{
    return MPI_File_seek_shared(all.file, 0, MPI_SEEK_SET);
}

static int file_write_all(void)
{
    return MPI_File_write_all(all.file, to, 1, MPI_INT, &all.status);
}

static int file_read_all(void)
{
    return MPI_File_read_all(all.file, to, 1, MPI_INT, &all.status);
}

static int file_write_at_all(void)
{
    return MPI_File_write_at_all(all.file, 4 * all.rank, to, 1, MPI_INT, &all.status);
}

static int file_read_at_all(void)
{
    return MPI_File_read_at_all(all.file, 4 * all.rank, to, 1, MPI_INT, &all.status);
}

static int file_write_ordered(void)
{
    return MPI_File_write_ordered(all.file, to, 1, MPI_INT, &all.status);
}

static int file_read_ordered(void)
{
    return MPI_File_read_ordered(all.file, to, 1, MPI_INT, &all.status);
}

/* --- split collective functions: beginnings and ends --- */

static int file_end(int code, int (*end)(MPI_File, void *, MPI_Status *))
{
    return code == MPI_SUCCESS ? end(all.file, to, &all.status) : code;
}

static int file_written(int code, int (*end)(MPI_File, const void *, MPI_Status *))
{
    return code == MPI_SUCCESS ? end(all.file, to, &all.status) : code;
}

static int file_write_all_begin(void)
{
    return file_written(MPI_File_write_all_begin(all.file, to, 1, MPI_INT), MPI_File_write_all_end);
}

static int file_read_all_begin(void)
{
    return file_end(MPI_File_read_all_begin(all.file, to, 1, MPI_INT), MPI_File_read_all_end);
}

static int file_write_at_all_begin(void)
{
    return file_written(MPI_File_write_at_all_begin(all.file, 4 * all.rank, to, 1, MPI_INT),
                        MPI_File_write_at_all_end);
}

static int file_read_at_all_begin(void)
{
    return file_end(MPI_File_read_at_all_begin(all.file, 4 * all.rank, to, 1, MPI_INT),
                    MPI_File_read_at_all_end);
}

static int file_write_ordered_begin(void)
{
    return file_written(MPI_File_write_ordered_begin(all.file, to, 1, MPI_INT), MPI_File_write_ordered_end);
}

static int file_read_ordered_begin(void)
{
    return file_end(MPI_File_read_ordered_begin(all.file, to, 1, MPI_INT), MPI_File_read_ordered_end);
}

/* --- requests of collective functions --- */

static int file_iwrite_at_all(void)
{
    MPI_Request request;
    int code = MPI_File_iwrite_at_all(all.file, 4 * all.rank, to, 1, MPI_INT, &request);
    return code == MPI_SUCCESS ? MPI_Wait(&request, &all.status) : code;
}

static int file_iread_all(void)
{
    MPI_Request request;
    int code = MPI_File_iread_all(all.file, to, 1, MPI_INT, &request);
    return code == MPI_SUCCESS ? MPI_Wait(&request, &all.status) : code;
}

static int file_close(void)
{
    return MPI_File_close(&all.file);
}

const struct trial file_trials[] = {
    {"File_open", file_open, NULL},
    {"File_set_view", file_set_view, NULL},
    {"File_set_size", file_set_size, NULL},
    {"File_preallocate", file_preallocate, NULL},
    {"File_set_atomicity", file_set_atomicity, NULL},
    {"File_set_info", file_set_info, NULL},
    {"File_sync", file_sync, NULL},
    {"File_seek_shared", file_seek_shared, NULL},
    {"File_write_all", file_write_all, NULL},
    {"File_read_all", file_read_all, NULL},
    {"File_write_at_all", file_write_at_all, NULL},
    {"File_read_at_all", file_read_at_all, NULL},
    {"File_write_ordered", file_write_ordered, NULL},
    {"File_read_ordered", file_read_ordered, NULL},
    {"File_write_all_begin", file_write_all_begin, NULL},
    {"File_read_all_begin", file_read_all_begin, NULL},
    {"File_write_at_all_begin", file_write_at_all_begin, NULL},
    {"File_read_at_all_begin", file_read_at_all_begin, NULL},
    {"File_write_ordered_begin", file_write_ordered_begin, NULL},
    {"File_read_ordered_begin", file_read_ordered_begin, NULL},
    {"File_iwrite_at_all", file_iwrite_at_all, NULL},
    {"File_iread_all", file_iread_all, NULL},
    {"File_close", file_close, NULL},
    {0},
};
