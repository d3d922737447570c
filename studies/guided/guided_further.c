/* SPDX-License-Identifier: BSD-3-Clause */
#include "studies/each_map.h"
#include "studies/guided/guided_replay.h"

#include <stdio.h>

/* guided_further LEARNER RUN...: is it worth it to go on after a guided sweep's last box? Of each collective
 * of exhaustive runs it replays the boxes alone; then cells by expected gain, until none is worth it; and, in
 * five ways, cells by chance, with as many repetitions. Prints a row of CSV for each: the mean slowdown over
 * all cells of a tree that LEARNER learns from what was measured, and the share of all repetitions. */

enum { CHANCES = 5 };

struct subject {
    const char *name; /* of the run */
    const struct ct_map *truth;
    const char *learner;
    struct ct_error *error;
};

static int print_score(const struct subject *subject, const char *sweep, const struct guided_replay *replay)
{
    struct ct_penalty penalty;
    int status = guided_replay_score(replay, subject->learner, subject->error, &penalty);
    if (status != CT_OK)
        return status;
    printf("%s,%s,%s,%zu,%zu,%.6f,%.6f,%.6f\n", subject->name,
           ct_collectives[subject->truth->collective].name, sweep, replay->cells, replay->repetitions,
           (double)replay->repetitions / (double)replay->all, penalty.mean, penalty.percentile95);
    fflush(stdout);
    return CT_OK;
}

static int replay_boxes(struct guided_replay *replay)
{
    int status = CT_OK;
    for (bool any = true; status == CT_OK && any;)
        status = guided_replay_step(replay, &ct_guide_standard, &any);
    return status;
}

static int replay_further(const struct subject *subject, enum guided_replay_further way,
                          struct guided_replay *replay)
{
    int status = CT_OK;
    for (bool any = true; status == CT_OK && any;)
        status = guided_replay_further(replay, &ct_guide_standard, way, subject->error, &any);
    return status;
}

/* Boxes, and then as many repetitions by chance. */
static int compare_chance(const struct subject *subject, uint64_t seed, size_t most)
{
    struct guided_replay replay;
    int status = guided_replay_begin(subject->truth, &replay);
    if (status != CT_OK)
        return status;
    status = replay_boxes(&replay);
    replay.seed = seed;
    replay.most = most;
    if (status == CT_OK && replay.repetitions < most)
        status = replay_further(subject, GUIDED_REPLAY_BY_CHANCE, &replay);
    if (status == CT_OK)
        status = print_score(subject, "chance", &replay);
    guided_replay_free(&replay);
    return status;
}

static int compare(const struct subject *subject)
{
    struct guided_replay replay;
    int status = guided_replay_begin(subject->truth, &replay);
    if (status != CT_OK)
        return status;
    status = replay_boxes(&replay);
    if (status == CT_OK)
        status = print_score(subject, "boxes", &replay);
    if (status == CT_OK)
        status = replay_further(subject, GUIDED_REPLAY_BY_GAIN, &replay);
    if (status == CT_OK)
        status = print_score(subject, "gain", &replay);
    for (uint64_t seed = 1; status == CT_OK && seed <= CHANCES; seed++)
        status = compare_chance(subject, seed, replay.repetitions);
    guided_replay_free(&replay);
    return status;
}

static int compare_map(void *context, const char *name, const struct ct_run *run, const struct ct_map *map)
{
    struct subject subject = *(const struct subject *)context;
    (void)run;
    subject.name = name;
    subject.truth = map;
    return compare(&subject);
}

int main(int argc, char **argv)
{
    struct ct_error error = {""};
    if (argc < 3) {
        fprintf(stderr, "usage: guided_further LEARNER RUN...\n");
        return 2;
    }
    puts("run,collective,sweep,cells,repetitions,share,mean,p95");
    struct subject all = {.learner = argv[1], .error = &error};
    int status = study_each_map(argv + 2, argc - 2, compare_map, &all, &error);
    if (status != CT_OK)
        fprintf(stderr, "guided_further: %s\n", error.text[0] ? error.text : "out of memory");
    return status == CT_OK ? 0 : 1;
}
