/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/model_file.h"
#include "samples/run_folder.h"
#include "studies/models/model_choices.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* score_models RUN COLLECTIVE MODEL.xml METHODS CELLS.csv [overhead]: what the models' choices among the
 * methods cost against the best one measured, as rows way,model,cells,least,mean,median,p95,most; CELLS.csv
 * gets every cell's choices and penalties; standard error says how long choosing took. With `overhead` the
 * models' gap is the overhead (models/model.h).
 */

struct scoring {
    const struct ct_map *map;
    const struct ct_model *model;
    FILE *cells;
    struct ct_error *error;
};

static const char *source_name(int source)
{
    return source == CHOICE_BY_VOTE ? "vote" : ct_communication_model_names[source];
}

static void print_cells(const struct scoring *scoring, const char *way, const char *name,
                        const size_t *choices)
{
    char spelling[CT_METHOD_TEXT];
    for (size_t c = 0; c < scoring->map->cell_count; c++) {
        const struct ct_cell *cell = &scoring->map->cells[c];
        if (choices[c] != SIZE_MAX)
            fprintf(scoring->cells, "%s,%s,%u,%zu,\"%s\",%.9g\n", way, name, cell->key.comm_size,
                    cell->key.msg_bytes,
                    ct_method_format(&scoring->map->methods[choices[c]], false, spelling),
                    ct_cell_penalty(cell, choices[c]));
    }
}

static int score_way(const struct scoring *scoring, enum choice_way way)
{
    struct choices choices;
    struct ct_penalty penalty;
    clock_t begin = clock();
    int status = choices_make(scoring->map, scoring->model, way, scoring->error, &choices);
    if (status == CT_OK)
        fprintf(stderr, "%s: %.1f us of processor time a cell and model\n", choice_way_names[way],
                1e6 * (double)(clock() - begin) / CLOCKS_PER_SEC /
                    (double)(scoring->map->cell_count * CT_COMMUNICATION_MODELS));
    for (int i = 0; status == CT_OK && i < CHOICE_SOURCES; i++) {
        status = ct_score_choices(scoring->map, choices.of[i], &penalty);
        if (status != CT_OK)
            break;
        printf("%s,%s,%zu,%.6f,%.6f,%.6f,%.6f,%.6f\n", choice_way_names[way], source_name(i), penalty.cells,
               penalty.least, penalty.mean, penalty.median, penalty.percentile95, penalty.most);
        print_cells(scoring, choice_way_names[way], source_name(i), choices.of[i]);
    }
    choices_free(&choices);
    return status;
}

static int print_best(const struct scoring *scoring)
{
    const struct ct_map *map = scoring->map;
    char spelling[CT_METHOD_TEXT];
    for (size_t c = 0; c < map->cell_count; c++)
        if (map->cells[c].best != SIZE_MAX)
            fprintf(scoring->cells, "measured,best,%u,%zu,\"%s\",0\n", map->cells[c].key.comm_size,
                    map->cells[c].key.msg_bytes,
                    ct_method_format(&map->methods[map->cells[c].best], false, spelling));
    return CT_OK;
}

static int score(const struct scoring *scoring)
{
    puts("way,model,cells,least,mean,median,p95,most");
    fputs("way,model,comm_size,msg_bytes,method,penalty\n", scoring->cells);
    int status = print_best(scoring);
    for (int way = 0; status == CT_OK && way < CHOICE_WAYS; way++)
        status = score_way(scoring, (enum choice_way)way);
    return status;
}

static int score_file(struct ct_map *map, char **argv, struct ct_error *error)
{
    struct ct_model model;
    int status = choices_restrict(map, argv[4], error);
    if (status == CT_OK)
        status = ct_model_read(argv[3], error, &model);
    if (status != CT_OK)
        return status;
    if (argv[6])
        ct_link_gap_of_overhead(&model.links[CT_LINK_NETWORK]);
    struct scoring scoring = {.map = map, .model = &model, .cells = fopen(argv[5], "w"), .error = error};
    status = scoring.cells ? score(&scoring) : ct_fail(error, CT_E_SYSTEM, "%s: cannot be made", argv[5]);
    if (scoring.cells && fclose(scoring.cells) != 0 && status == CT_OK)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", argv[5]);
    ct_model_free(&model);
    return status;
}

int main(int argc, char **argv)
{
    struct ct_error error = {""};
    struct ct_run run;
    struct ct_map map;
    bool is_usage = argc == 6 || (argc == 7 && strcmp(argv[6], "overhead") == 0);
    enum ct_collective collective = is_usage ? ct_collective_find(argv[2]) : CT_COLLECTIVES;
    if (collective == CT_COLLECTIVES) {
        fprintf(stderr, "usage: score_models RUN COLLECTIVE MODEL.xml METHODS CELLS.csv [overhead]\n");
        return 2;
    }
    int status = ct_run_read(argv[1], false, &error, &run);
    if (status == CT_OK) {
        status = ct_map_make(&run, collective, &error, &map);
        if (status == CT_OK) {
            status = score_file(&map, argv, &error);
            ct_map_free(&map);
        }
        ct_run_free(&run);
    }
    if (status != CT_OK)
        fprintf(stderr, "score_models: %s\n", error.text[0] ? error.text : "out of memory");
    return status == CT_OK ? 0 : 1;
}
