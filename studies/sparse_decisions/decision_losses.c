/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/score.h"
#include "decision/table.h"
#include "samples/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* decision_losses TABLE.xml RUN...: what the choices of a table lose in runs with patterns, as rows
 * run,cells,mean slowdown,most slowdown,worst over linear,cells over 1.05 linear. The slowdown is in percent
 * of the best method measured in the cell; the time over that of `linear` is a ratio. */

struct losses {
    size_t cells;
    double sum, most, over_linear;
    size_t slower; /* cells in which the choice takes more than 1.05 of the time of linear */
};

/* Names a cell in which the choice loses against `linear`, on standard error. */
static void print_slower(const struct ct_map *map, const struct ct_cell *cell, size_t choice, double over)
{
    char spelling[CT_METHOD_TEXT];
    ct_method_format(&map->methods[choice], false, spelling);
    fprintf(stderr, "%s: %u ranks, %zu bytes: %s takes %.2f of the time of linear\n",
            ct_map_pattern(map, &cell->key), cell->key.comm_size, cell->key.msg_bytes, spelling, over);
}

static void add_cell(const struct ct_decision_tree *tree, const struct ct_map *map,
                     const struct ct_cell *cell, struct losses *losses)
{
    const double much = 1.05;
    const size_t choice = ct_score_choice(tree, map, cell), linear = ct_score_linear(map);
    const double slowdown = ct_cell_penalty(cell, choice);
    if (isnan(slowdown) || linear == SIZE_MAX || cell->methods[linear].count == 0)
        return;
    const double over = cell->methods[choice].median / cell->methods[linear].median;
    losses->cells++;
    losses->sum += slowdown;
    losses->most = fmax(losses->most, slowdown);
    losses->over_linear = fmax(losses->over_linear, over);
    losses->slower += over > much;
    if (over > much)
        print_slower(map, cell, choice, over);
}

static int print_run(const struct ct_table *table, const char *folder, struct ct_error *error)
{
    struct ct_run run;
    struct ct_map *maps = NULL;
    size_t count = 0;
    struct losses losses = {0};
    int status = ct_run_read(folder, false, error, &run);
    if (status != CT_OK)
        return status;
    status = ct_maps_make(&run, CT_COLLECTIVES, CT_MARGIN, error, &maps, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        const struct ct_decision_tree *tree = ct_decisions_find(&table->decisions, maps[i].collective);
        for (size_t c = 0; tree && c < maps[i].cell_count; c++)
            add_cell(tree, &maps[i], &maps[i].cells[c], &losses);
    }
    if (status == CT_OK && losses.cells == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: has no cell that the table decides", folder);
    const char *slash = strrchr(folder, '/');
    if (status == CT_OK)
        printf("%s,%zu,%.1f,%.0f,%.2f,%zu\n", slash ? slash + 1 : folder, losses.cells,
               100 * losses.sum / (double)losses.cells, 100 * losses.most, losses.over_linear, losses.slower);
    ct_maps_free(maps, count);
    ct_run_free(&run);
    return status;
}

int main(int argc, char **argv)
{
    struct ct_table table;
    struct ct_error error = {""};
    if (argc < 3) {
        fputs("usage: decision_losses TABLE.xml RUN...\n", stderr);
        return 2;
    }
    int status = ct_table_read(argv[1], &error, &table);
    if (status == CT_OK) {
        puts("run,cells,mean slowdown,most slowdown,worst over linear,cells over 1.05 linear");
        for (int i = 2; status == CT_OK && i < argc; i++)
            status = print_run(&table, argv[i], &error);
        ct_table_free(&table);
    }
    if (status != CT_OK)
        fprintf(stderr, "decision_losses: %s\n", error.text);
    return status == CT_OK ? 0 : 1;
}
