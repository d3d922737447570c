/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "measure/backend/machine.h"
#include "measure/sweep/sweep_internal.h"
#include "plan/shapes.h"

#include <stdlib.h>
#include <string.h>

/* The conditions that say what is measured. */

/* What is usual where the user does not say. */
static const char usual_msg_sizes[] = "8-512K*4,1M,4M";
enum { LEAST_RANKS = 8, SIMULATED_RANKS = 256 };

struct making {
    const struct ct_sweep_request *request;
    const struct ct_run_description *before;
    const struct ct_sweep_conditions *conditions;
    struct ct_run_description *description;
    struct ct_error *error;
};

static int copy_array(const void *from, size_t count, size_t size, void *ret_array, size_t *ret_count)
{
    void *copy = ct_allocate(count ? count : 1, size);
    if (!copy)
        return CT_E_MEMORY;
    memcpy(copy, from, count * size);
    memcpy(ret_array, &copy, sizeof copy);
    *ret_count = count;
    return CT_OK;
}

static int choose_collectives(const struct making *making)
{
    struct ct_run_description *description = making->description;
    enum ct_collective chosen[CT_COLLECTIVES];
    size_t count = 0;
    const char *names = making->request->collectives;
    int status = CT_OK;
    if (!names && making->before)
        return copy_array(making->before->collectives, making->before->collective_count, sizeof chosen[0],
                          &description->collectives, &description->collective_count);
    if (!names && making->request->methods)
        status = ct_sweep_methods_collectives(making->request->methods, making->error, chosen, &count);
    if (status == CT_OK && !names && count == 0)
        while (count < CT_COLLECTIVES) {
            chosen[count] = (enum ct_collective)count;
            count++;
        }
    char **words = NULL;
    size_t word_count = 0;
    if (names)
        status = ct_words_split(names, making->error, &words, &word_count);
    for (size_t i = 0; status == CT_OK && i < word_count; i++) {
        enum ct_collective collective = ct_collective_find(words[i]);
        size_t seen = 0;
        if (collective == CT_COLLECTIVES)
            status =
                ct_fail(making->error, CT_E_INPUT, "unknown collective '%s' (see colltune list)", words[i]);
        while (seen < count && chosen[seen] != collective)
            seen++;
        if (status == CT_OK && seen == count)
            chosen[count++] = collective;
    }
    ct_words_free(words, word_count);
    return status != CT_OK ? status
                           : copy_array(chosen, count, sizeof chosen[0], &description->collectives,
                                        &description->collective_count);
}

/* Every size up to 16, then four to each doubling, and the last. */
static int usual_comm_sizes(size_t most, size_t **ret_sizes, size_t *ret_count)
{
    size_t sizes[256], count = 0;
    for (size_t size = 2; size < most && count < 255;) {
        sizes[count++] = size;
        size += size < 16 ? 1 : (size_t)ct_power_of_two_below((int)size) / 4;
    }
    sizes[count++] = most;
    return copy_array(sizes, count, sizeof sizes[0], ret_sizes, ret_count);
}

static int choose_comm_sizes(const struct making *making)
{
    struct ct_run_description *description = making->description;
    size_t hosts = making->conditions->platform.host_count, cpus = ct_usable_cpus();
    size_t ppn = making->conditions->ppn ? making->conditions->ppn : 1, room = hosts * ppn;
    int status;
    if (making->request->comm_sizes)
        status = ct_list_parse(making->request->comm_sizes, making->error, &description->comm_sizes,
                               &description->comm_size_count);
    else if (making->before)
        status = copy_array(making->before->comm_sizes, making->before->comm_size_count, sizeof(size_t),
                            &description->comm_sizes, &description->comm_size_count);
    else if (making->conditions->simulated)
        status = usual_comm_sizes(room < SIMULATED_RANKS ? room : SIMULATED_RANKS, &description->comm_sizes,
                                  &description->comm_size_count);
    else
        status = usual_comm_sizes(cpus > LEAST_RANKS ? cpus : LEAST_RANKS, &description->comm_sizes,
                                  &description->comm_size_count);
    for (size_t i = 0; status == CT_OK && i < description->comm_size_count; i++) {
        size_t size = description->comm_sizes[i];
        if (size < 2 || size > 1 << 20)
            return ct_fail(making->error, CT_E_INPUT, "communicator size %zu: expected 2 to 1M", size);
        if (making->conditions->simulated && size > room)
            return ct_fail(
                making->error, CT_E_INPUT, "communicator size %zu: the platform %s has %zu hosts%s", size,
                making->conditions->platform.name, hosts, ppn > 1 ? ", and --ppn is not enough" : "");
    }
    return status;
}

static int choose_msg_sizes(const struct making *making)
{
    struct ct_run_description *description = making->description;
    const char *list = making->request->msg_sizes;
    if (!list && making->before)
        return copy_array(making->before->msg_sizes, making->before->msg_size_count, sizeof(size_t),
                          &description->msg_sizes, &description->msg_size_count);
    return ct_list_parse(list ? list : usual_msg_sizes, making->error, &description->msg_sizes,
                         &description->msg_size_count);
}

static int choose_methods(const struct making *making)
{
    struct ct_run_description *description = making->description;
    const char *list = making->request->methods;
    if (!list && making->before)
        return copy_array(making->before->methods, making->before->method_count, sizeof(struct ct_method),
                          &description->methods, &description->method_count);
    return ct_sweep_methods_parse(list ? list : "all", description->collectives,
                                  description->collective_count, making->error, &description->methods,
                                  &description->method_count);
}

int ct_sweep_choose_grid(const struct ct_sweep_request *request, const struct ct_run_description *before,
                         struct ct_error *error, struct ct_sweep_conditions *conditions)
{
    static int (*const steps[])(const struct making *) = {choose_collectives, choose_comm_sizes,
                                                          choose_msg_sizes, choose_methods};
    const struct making making = {request, before, conditions, &conditions->description, error};
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < sizeof steps / sizeof steps[0]; i++)
        status = steps[i](&making);
    return status;
}
