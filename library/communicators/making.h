/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MAKING_H
#define CT_LIBRARY_MAKING_H

#include <stdbool.h>

/* Threads of this process that make communicators, windows or files, and private communicators of the
 * library. MPI libraries make the communicators of a process one after another, in an order of their own:
 * Open MPI 4.1.4 begins with those that are made from the oldest communicator. A thread that waits there for
 * its turn does not leave its collective, although the application makes nothing in it. If threads of other
 * ranks wait for this collective, and hold up those that are before it, no rank goes on. So the library makes
 * nothing while a thread makes something for the application, and lets such threads wait meanwhile. */

/* Around the functions of the application that make something. The second one returns `code`. */
void ct_making_begin(void);
int ct_making_end(int code);

/* Does a thread make something for the application? */
bool ct_making_is_under_way(void);

/* Lets threads wait that are about to make something for the application, until as many calls of
 * `ct_making_release`. False if some are at it already. All ranks that make something by this thread must
 * have come before: the others would wait for them in vain. */
bool ct_making_hold(void);
void ct_making_release(void);

#endif
