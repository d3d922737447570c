/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "samples/leave_out.h"
#include "samples/run_folder.h"
#include "studies/guided/guided_replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* guided_curve RUN COLLECTIVE [LEARNER [WITHOUT]]: mean penalty against repetitions of a guided sweep, round
 * by round: of boxes (`guided`), and then of cells by expected gain (`gain`); and of regular grids with all
 * methods, as CSV. The run, an exhaustive one, says what each repetition would have given. */

struct curve {
    const struct ct_map *truth;
    const char *learner;
    struct ct_error *error;
};

static int print_point(const struct curve *curve, const char *name, const struct guided_replay *replay)
{
    struct ct_penalty penalty;
    int status = guided_replay_score(replay, curve->learner, curve->error, &penalty);
    if (status == CT_OK)
        printf("%s,%zu,%zu,%zu,%.6f,%.6f,%.6f,%.6f\n", name, replay->round, replay->cells,
               replay->repetitions, (double)replay->repetitions / (double)replay->all, penalty.mean,
               penalty.percentile95, penalty.most);
    return status;
}

/* Round by round; if it goes on, those by expected gain, too. */
static int print_sweep(const struct curve *curve, const char *name, const struct ct_guide_rules *rules,
                       bool goes_on)
{
    struct guided_replay replay;
    int status = guided_replay_begin(curve->truth, &replay);
    if (status != CT_OK)
        return status;
    for (bool any = true; status == CT_OK && any;) {
        status = guided_replay_step(&replay, rules, &any);
        if (status == CT_OK && any)
            status = print_point(curve, name, &replay);
    }
    for (bool any = goes_on; status == CT_OK && any;) {
        status = guided_replay_further(&replay, rules, GUIDED_REPLAY_BY_GAIN, curve->error, &any);
        if (status == CT_OK && any)
            status = print_point(curve, "gain", &replay);
    }
    guided_replay_free(&replay);
    return status;
}

static int print_curves(const struct curve *curve)
{
    static const size_t lines[] = {2, 3, 4, 5, 6, 7, 9, 13, 27, 64};
    printf("sweep,round,cells,repetitions,share,mean,p95,max\n");
    struct ct_guide_rules corners = ct_guide_standard;
    corners.few_rows = 0;
    int status = print_sweep(curve, "guided", &ct_guide_standard, true);
    if (status == CT_OK)
        status = print_sweep(curve, "corners", &corners, false);
    for (size_t i = 0; status == CT_OK && i < sizeof lines / sizeof lines[0]; i++) {
        const struct ct_guide_rules regular = {
            .coarse = lines[i], .trust = 1, .margin = HUGE_VAL, .near = 1, .hopeless = HUGE_VAL};
        status = print_sweep(curve, "regular", &regular, false);
    }
    return status;
}

static int leave_out(struct ct_run *run, const char *list, struct ct_error *error)
{
    size_t *sizes, count;
    int status = ct_list_parse(list, error, &sizes, &count);
    if (status != CT_OK)
        return status;
    status = ct_run_leave_out(run, sizes, count, error);
    free(sizes);
    return status;
}

int main(int argc, char **argv)
{
    struct ct_error error = {""};
    struct ct_run run;
    struct ct_map map;
    enum ct_collective collective = argc >= 3 && argc <= 5 ? ct_collective_find(argv[2]) : CT_COLLECTIVES;
    if (collective == CT_COLLECTIVES) {
        fprintf(stderr, "usage: guided_curve RUN COLLECTIVE [LEARNER [WITHOUT]]\n");
        return 2;
    }
    int status = ct_run_read(argv[1], false, &error, &run);
    if (status == CT_OK) {
        status = argc > 4 ? leave_out(&run, argv[4], &error) : CT_OK;
        if (status == CT_OK)
            status = ct_map_make(&run, collective, &error, &map);
        if (status == CT_OK) {
            const struct curve curve = {
                .truth = &map, .learner = argc > 3 ? argv[3] : "quadtree", .error = &error};
            status = print_curves(&curve);
            ct_map_free(&map);
        }
        ct_run_free(&run);
    }
    if (status != CT_OK)
        fprintf(stderr, "guided_curve: %s\n", error.text[0] ? error.text : "out of memory");
    return status == CT_OK ? 0 : 1;
}
