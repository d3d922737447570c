/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/call_modes.h"

const char *ct_mode_choice(size_t index)
{
    return ct_mode_names[index];
}

int ct_modes_check(unsigned modes, const struct ct_arguments *arguments, struct ct_error *error)
{
    static const char *const beside[] = {"compute", "tests"};
    for (size_t i = 0; modes == 1U << CT_MODE_BLOCKING && i < sizeof beside / sizeof beside[0]; i++)
        if (ct_is_given(arguments, beside[i]))
            return ct_fail(error, CT_E_INPUT,
                           "--%s has no meaning for blocking calls: expected --mode nonblocking or "
                           "persistent, too",
                           beside[i]);
    return CT_OK;
}
