/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/window.h"

static const double first_lead = 1e-4, shortest_lead = 2e-6, longest_lead = 1;
static const double shrink = 0.95;
enum { LOST_SHARE = 4, DOUBTFUL_TURNS = 3, HOPELESS_TURNS = 30 };

double ct_window_lead(const struct ct_window *window)
{
    return window->lead > 0 ? window->lead : first_lead;
}

void ct_window_adapt(struct ct_window *window, size_t calls, size_t late)
{
    double lead = ct_window_lead(window);
    window->lost = calls > 0 && late == calls ? window->lost + 1 : 0;
    if (late * LOST_SHARE > calls)
        lead *= 2;
    else if (late == 0)
        lead *= shrink;
    lead = lead < shortest_lead ? shortest_lead : lead;
    window->lead = lead > longest_lead ? longest_lead : lead;
}

bool ct_window_is_doubtful(const struct ct_window *window)
{
    return window->lost > 0 && window->lost % DOUBTFUL_TURNS == 0;
}

/* Some 20 doublings lead from the shortest to the longest lead. */
bool ct_window_is_hopeless(const struct ct_window *window)
{
    return window->lost >= HOPELESS_TURNS;
}

bool ct_window_is_too_far(double seconds)
{
    return seconds > 2 * longest_lead;
}
