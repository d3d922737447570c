/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/profile_format.h"

#include <limits.h>

const char *const ct_profile_columns[CT_PROFILE_COLUMNS] = {
    [CT_PROFILE_RANK] = "rank",           [CT_PROFILE_COLLECTIVE] = "collective",
    [CT_PROFILE_MODE] = "mode",           [CT_PROFILE_COMM_SIZE] = "comm_size",
    [CT_PROFILE_MSG_BYTES] = "msg_bytes", [CT_PROFILE_METHOD] = "method",
    [CT_PROFILE_CALLS] = "calls",         [CT_PROFILE_BYTES] = "bytes",
    [CT_PROFILE_SECONDS] = "seconds",     [CT_PROFILE_WAITING] = "waiting",
};

size_t ct_profile_class(size_t bytes)
{
    const int bits = sizeof(unsigned long) * CHAR_BIT;
    return bytes == 0 ? 0 : (size_t)1 << (bits - 1 - __builtin_clzl(bytes));
}
