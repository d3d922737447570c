/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_task.h"

#include <stdlib.h>

void ct_task_memory_free(struct ct_task_memory *memory)
{
    free(memory->shares);
    free(memory->pieces);
    free(memory->begins);
    *memory = (struct ct_task_memory){0};
}
