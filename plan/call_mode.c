/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/call_mode.h"

#include <stdio.h>
#include <string.h>

const char *const ct_mode_names[CT_MODES + 1] = {
    [CT_MODE_BLOCKING] = "blocking",
    [CT_MODE_NONBLOCKING] = "nonblocking",
    [CT_MODE_PERSISTENT] = "persistent",
};

enum ct_call_mode ct_mode_find(const char *name)
{
    int mode = 0;
    while (mode < CT_MODES && strcmp(ct_mode_names[mode], name) != 0)
        mode++;
    return (enum ct_call_mode)mode;
}

const char *ct_modes_format(unsigned modes, char text[CT_MODES_TEXT])
{
    size_t length = 0;
    text[0] = '\0';
    for (int mode = 0; mode < CT_MODES; mode++)
        if (modes & 1U << mode)
            length += (size_t)snprintf(text + length, CT_MODES_TEXT - length, "%s%s", length > 0 ? "," : "",
                                       ct_mode_names[mode]);
    return text;
}

unsigned ct_modes_parse(const char *text)
{
    unsigned modes = 0;
    while (*text) {
        const size_t length = strcspn(text, ",");
        for (int mode = 0; mode < CT_MODES; mode++)
            if (strlen(ct_mode_names[mode]) == length && strncmp(text, ct_mode_names[mode], length) == 0)
                modes |= 1U << mode;
        text += length + (text[length] == ',');
    }
    return modes;
}
