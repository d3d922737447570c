/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_PAUSE_H
#define CT_LIBRARY_NODE_PAUSE_H

#include <stdbool.h>

/* A CPU that looks at a line all the time takes it back from the one that is about to write it, and leaves
 * less of a core to another CPU of that core. Processors have an instruction to pause in between. What it
 * takes differs: where it was 23 ns, short messages took a quarter less time with it; where it was some 50,
 * messages were seen too late, and took a tenth more. */

/* A look with a pause takes about as long as so many without one. */
enum { CT_PAUSE_LOOKS = 16 };

/* Times it, which takes some microseconds. Is it worth while? False: it is not, or there is none. */
bool ct_pause_is_short(void);

static inline void ct_pause(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

#endif
