/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/map_picture.h"

/* Launches of one method in one cell that differ by more are worth a line. */
static const double wide_spread = 2;

/* The cells with a best method: all, and those where it has one launch, one sample or always the same time.
 */
struct census {
    size_t cells;
    size_t one_launch;
    size_t one_sample;
    size_t constant;
    size_t spread; /* cells with a method whose launches differ widely */
    size_t cell;   /* and where they differ most */
    size_t method;
    double most;
};

static struct census take_census(const struct ct_map *map)
{
    struct census census = {.most = wide_spread};
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_cell *cell = &map->cells[c];
        if (cell->best == SIZE_MAX)
            continue;
        bool wide = false;
        census.cells++;
        census.one_launch += cell->methods[cell->best].launches <= 1;
        census.one_sample += cell->methods[cell->best].count == 1;
        census.constant += cell->methods[cell->best].constant;
        for (size_t m = 0; m < map->method_count; m++) {
            double spread = ct_cell_spread(cell, m);
            wide |= spread > wide_spread;
            if (spread > census.most) {
                census.cell = c;
                census.method = m;
                census.most = spread;
            }
        }
        census.spread += wide;
    }
    return census;
}

/* "all" or "3 of 12" */
static void write_share(size_t part, size_t whole, struct ct_text *text)
{
    if (part == whole)
        ct_text_append(text, "all");
    else
        ct_text_append(text, "%zu of %zu", part, whole);
}

static void write_spread(const struct ct_map *map, const struct census *census, struct ct_text *text)
{
    char spelling[CT_METHOD_TEXT], size[CT_SIZE_TEXT];
    const struct ct_cell *cell = &map->cells[census->cell];
    ct_text_append(text, "Launches of a method differ by more than %g times in ", wide_spread);
    write_share(census->spread, census->cells, text);
    ct_text_append(text, " cells, by %.3g times\nwith %s on %zu ranks", census->most,
                   ct_method_format(&map->methods[census->method], false, spelling), cell->key.comm_size);
    if (ct_collectives[map->collective].has_size)
        ct_text_append(text, ", %s bytes", ct_size_format(cell->key.msg_bytes, size));
    ct_text_append(text, ".\n");
}

/* In a run that a model was asked to supplement. */
static void write_predicted(const struct ct_map *map, struct ct_text *text)
{
    size_t times = 0, best = 0;
    for (size_t c = 0; c < map->cell_count; c++)
        for (size_t m = 0; m < map->method_count; m++) {
            times += map->cells[c].methods[m].predicted;
            best += map->cells[c].methods[m].predicted && m == map->cells[c].best;
        }
    if (times > 0 && !map->predicted)
        ct_text_append(text,
                       "\nNot all is measured: %zu times are predicted, and in %zu of %zu cells so is the "
                       "best one's%s.\n",
                       times, best, map->cell_count, best > 0 ? " (~)" : "");
}

void ct_map_write_notes(const struct ct_map *map, struct ct_text *text)
{
    struct census census = take_census(map);
    if (census.cells == 0)
        return;
    write_predicted(map, text);
    if (map->exact) {
        ct_text_append(text,
                       "\nTimes are %s and compared as they are. Equivalent: at most %g %% more than\n"
                       "the best; worse: more.\n",
                       map->predicted ? "predicted" : "computed", 100 * map->margin);
        return;
    }
    ct_text_append(text,
                   "\nEquivalent: surely less than %g %% away from the best; worse: surely slower.\n"
                   "Sure to %g %%, for all methods of a cell together; what is neither is undecided.\n",
                   100 * map->margin, 100 * (1 - CT_SURE_ENOUGH));
    if (census.one_sample > 0) {
        ct_text_append(text, "One sample in ");
        write_share(census.one_sample, census.cells, text);
        ct_text_append(text, " cells: from that nothing follows.\n");
    }
    if (census.constant > 0) {
        ct_text_append(text, "All samples of the best method are the same time in ");
        write_share(census.constant, census.cells, text);
        ct_text_append(text, " cells: was its clock too\ncoarse?\n");
    }
    if (census.one_launch > 0) {
        ct_text_append(text, "One launch in ");
        write_share(census.one_launch, census.cells, text);
        ct_text_append(text, " cells: sure for that launch alone, another may differ.\n");
    }
    if (census.spread > 0)
        write_spread(map, &census, text);
}
