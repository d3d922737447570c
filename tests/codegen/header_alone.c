/* SPDX-License-Identifier: BSD-3-Clause */
/* The generated header by itself, as a program that has nothing else of colltune would include it; twice, and
 * with most of its functions unused. */
#include DECISIONS

int main(void)
{
    return colltune_decide_barrier(2).method == COLLTUNE_BARRIER_LINEAR ? 0 : 1;
}
