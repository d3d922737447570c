/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/doze.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void ct_doze(_Atomic uint32_t *asleep)
{
    const struct timespec limit = {.tv_nsec = 1000000};
    syscall(SYS_futex, asleep, FUTEX_WAIT, 1, &limit, NULL, 0);
    ct_doze_renounce(asleep);
}

void ct_doze_wake_now(_Atomic uint32_t *asleep)
{
    ct_doze_renounce(asleep);
    syscall(SYS_futex, asleep, FUTEX_WAKE, 1, NULL, NULL, 0);
}
