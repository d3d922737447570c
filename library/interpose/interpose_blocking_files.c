/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective functions on files. */
#include "library/interpose/interpose_blocking_internal.h"
#include "library/requests/file_requests.h"

#if BLOCKING_TAKEN_OVER

INTERPOSED int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *ret_file)
{
    ct_meet_comm(comm);
    ct_making_begin();
    return ct_making_end(PMPI_File_open(comm, name, mode, info, ret_file));
}

INTERPOSED int MPI_File_close(MPI_File *file)
{
    if (ct_meetings_are_held())
        ct_meet_file(*file);
    return PMPI_File_close(file);
}

INTERPOSED int MPI_File_set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype element_type,
                                 MPI_Datatype file_type, const char *representation, MPI_Info info)
{
    ct_meet_file(file);
    return PMPI_File_set_view(file, displacement, element_type, file_type, representation, info);
}

INTERPOSED int MPI_File_set_size(MPI_File file, MPI_Offset size)
{
    ct_meet_file(file);
    return PMPI_File_set_size(file, size);
}

INTERPOSED int MPI_File_preallocate(MPI_File file, MPI_Offset size)
{
    ct_meet_file(file);
    return PMPI_File_preallocate(file, size);
}

INTERPOSED int MPI_File_set_info(MPI_File file, MPI_Info info)
{
    ct_meet_file(file);
    return PMPI_File_set_info(file, info);
}

INTERPOSED int MPI_File_set_atomicity(MPI_File file, int flag)
{
    ct_meet_file(file);
    return PMPI_File_set_atomicity(file, flag);
}

INTERPOSED int MPI_File_sync(MPI_File file)
{
    ct_meet_file(file);
    return PMPI_File_sync(file);
}

INTERPOSED int MPI_File_seek_shared(MPI_File file, MPI_Offset offset, int whence)
{
    ct_meet_file(file);
    return PMPI_File_seek_shared(file, offset, whence);
}

INTERPOSED int MPI_File_read_all(MPI_File file, void *buffer, int count, MPI_Datatype type,
                                 MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_read_all(file, buffer, count, type, status);
}

INTERPOSED int MPI_File_write_all(MPI_File file, const void *buffer, int count, MPI_Datatype type,
                                  MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_write_all(file, buffer, count, type, status);
}

INTERPOSED int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void *buffer, int count,
                                    MPI_Datatype type, MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_read_at_all(file, offset, buffer, count, type, status);
}

INTERPOSED int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void *buffer, int count,
                                     MPI_Datatype type, MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_write_at_all(file, offset, buffer, count, type, status);
}

INTERPOSED int MPI_File_read_ordered(MPI_File file, void *buffer, int count, MPI_Datatype type,
                                     MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_read_ordered(file, buffer, count, type, status);
}

INTERPOSED int MPI_File_write_ordered(MPI_File file, const void *buffer, int count, MPI_Datatype type,
                                      MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_write_ordered(file, buffer, count, type, status);
}

INTERPOSED int MPI_File_read_all_begin(MPI_File file, void *buffer, int count, MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_read_all_begin(file, buffer, count, type);
}

INTERPOSED int MPI_File_write_all_begin(MPI_File file, const void *buffer, int count, MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_write_all_begin(file, buffer, count, type);
}

INTERPOSED int MPI_File_read_at_all_begin(MPI_File file, MPI_Offset offset, void *buffer, int count,
                                          MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_read_at_all_begin(file, offset, buffer, count, type);
}

INTERPOSED int MPI_File_write_at_all_begin(MPI_File file, MPI_Offset offset, const void *buffer, int count,
                                           MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_write_at_all_begin(file, offset, buffer, count, type);
}

INTERPOSED int MPI_File_read_ordered_begin(MPI_File file, void *buffer, int count, MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_read_ordered_begin(file, buffer, count, type);
}

INTERPOSED int MPI_File_write_ordered_begin(MPI_File file, const void *buffer, int count, MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_write_ordered_begin(file, buffer, count, type);
}

INTERPOSED int MPI_File_read_all_end(MPI_File file, void *buffer, MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_read_all_end(file, buffer, status);
}

INTERPOSED int MPI_File_write_all_end(MPI_File file, const void *buffer, MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_write_all_end(file, buffer, status);
}

INTERPOSED int MPI_File_read_at_all_end(MPI_File file, void *buffer, MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_read_at_all_end(file, buffer, status);
}

INTERPOSED int MPI_File_write_at_all_end(MPI_File file, const void *buffer, MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_write_at_all_end(file, buffer, status);
}

INTERPOSED int MPI_File_read_ordered_end(MPI_File file, void *buffer, MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_read_ordered_end(file, buffer, status);
}

INTERPOSED int MPI_File_write_ordered_end(MPI_File file, const void *buffer, MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_write_ordered_end(file, buffer, status);
}

/* --- non-blocking functions, see file_requests.h --- */

static int note(int code, const MPI_Request *handle)
{
    if (code == MPI_SUCCESS && (ct_meetings_are_held() || ct_progress_takes_turns()))
        ct_file_request_begun(*handle);
    return code;
}

INTERPOSED int MPI_File_iread_all(MPI_File file, void *buffer, int count, MPI_Datatype type,
                                  MPI_Request *handle)
{
    int code = PMPI_File_iread_all(file, buffer, count, type, handle);
    return note(code, handle);
}

INTERPOSED int MPI_File_iwrite_all(MPI_File file, const void *buffer, int count, MPI_Datatype type,
                                   MPI_Request *handle)
{
    int code = PMPI_File_iwrite_all(file, buffer, count, type, handle);
    return note(code, handle);
}

INTERPOSED int MPI_File_iread_at_all(MPI_File file, MPI_Offset offset, void *buffer, int count,
                                     MPI_Datatype type, MPI_Request *handle)
{
    int code = PMPI_File_iread_at_all(file, offset, buffer, count, type, handle);
    return note(code, handle);
}

INTERPOSED int MPI_File_iwrite_at_all(MPI_File file, MPI_Offset offset, const void *buffer, int count,
                                      MPI_Datatype type, MPI_Request *handle)
{
    int code = PMPI_File_iwrite_at_all(file, offset, buffer, count, type, handle);
    return note(code, handle);
}

#if CT_HAS_LARGE_FORMS

INTERPOSED int MPI_File_read_all_c(MPI_File file, void *buffer, MPI_Count count, MPI_Datatype type,
                                   MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_read_all_c(file, buffer, count, type, status);
}

INTERPOSED int MPI_File_write_all_c(MPI_File file, const void *buffer, MPI_Count count, MPI_Datatype type,
                                    MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_write_all_c(file, buffer, count, type, status);
}

INTERPOSED int MPI_File_read_at_all_c(MPI_File file, MPI_Offset offset, void *buffer, MPI_Count count,
                                      MPI_Datatype type, MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_read_at_all_c(file, offset, buffer, count, type, status);
}

INTERPOSED int MPI_File_write_at_all_c(MPI_File file, MPI_Offset offset, const void *buffer, MPI_Count count,
                                       MPI_Datatype type, MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_write_at_all_c(file, offset, buffer, count, type, status);
}

INTERPOSED int MPI_File_read_ordered_c(MPI_File file, void *buffer, MPI_Count count, MPI_Datatype type,
                                       MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_read_ordered_c(file, buffer, count, type, status);
}

INTERPOSED int MPI_File_write_ordered_c(MPI_File file, const void *buffer, MPI_Count count, MPI_Datatype type,
                                        MPI_Status *status)
{
    ct_meet_file(file);
    return PMPI_File_write_ordered_c(file, buffer, count, type, status);
}

INTERPOSED int MPI_File_read_all_begin_c(MPI_File file, void *buffer, MPI_Count count, MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_read_all_begin_c(file, buffer, count, type);
}

INTERPOSED int MPI_File_write_all_begin_c(MPI_File file, const void *buffer, MPI_Count count,
                                          MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_write_all_begin_c(file, buffer, count, type);
}

INTERPOSED int MPI_File_read_at_all_begin_c(MPI_File file, MPI_Offset offset, void *buffer, MPI_Count count,
                                            MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_read_at_all_begin_c(file, offset, buffer, count, type);
}

INTERPOSED int MPI_File_write_at_all_begin_c(MPI_File file, MPI_Offset offset, const void *buffer,
                                             MPI_Count count, MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_write_at_all_begin_c(file, offset, buffer, count, type);
}

INTERPOSED int MPI_File_read_ordered_begin_c(MPI_File file, void *buffer, MPI_Count count, MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_read_ordered_begin_c(file, buffer, count, type);
}

INTERPOSED int MPI_File_write_ordered_begin_c(MPI_File file, const void *buffer, MPI_Count count,
                                              MPI_Datatype type)
{
    ct_meet_file(file);
    return PMPI_File_write_ordered_begin_c(file, buffer, count, type);
}

INTERPOSED int MPI_File_iread_all_c(MPI_File file, void *buffer, MPI_Count count, MPI_Datatype type,
                                    MPI_Request *handle)
{
    int code = PMPI_File_iread_all_c(file, buffer, count, type, handle);
    return note(code, handle);
}

INTERPOSED int MPI_File_iwrite_all_c(MPI_File file, const void *buffer, MPI_Count count, MPI_Datatype type,
                                     MPI_Request *handle)
{
    int code = PMPI_File_iwrite_all_c(file, buffer, count, type, handle);
    return note(code, handle);
}

INTERPOSED int MPI_File_iread_at_all_c(MPI_File file, MPI_Offset offset, void *buffer, MPI_Count count,
                                       MPI_Datatype type, MPI_Request *handle)
{
    int code = PMPI_File_iread_at_all_c(file, offset, buffer, count, type, handle);
    return note(code, handle);
}

INTERPOSED int MPI_File_iwrite_at_all_c(MPI_File file, MPI_Offset offset, const void *buffer, MPI_Count count,
                                        MPI_Datatype type, MPI_Request *handle)
{
    int code = PMPI_File_iwrite_at_all_c(file, offset, buffer, count, type, handle);
    return note(code, handle);
}

#endif

#endif
