/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/features.h"

#include <string.h>

const char *const ct_feature_names[CT_FEATURES] = {
    [CT_COMM_SIZE] = "comm_size", [CT_MSG_BYTES] = "msg_bytes"};

enum ct_feature ct_feature_find(const char *name)
{
    for (int i = 0; i < CT_FEATURES; i++)
        if (strcmp(ct_feature_names[i], name) == 0)
            return (enum ct_feature)i;
    return CT_FEATURES;
}
