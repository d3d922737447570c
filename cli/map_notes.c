/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/map_notes.h"
#include "base/number.h"
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>

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

enum { SHARE_TEXT = 48 };

/* "all" or "3 of 12" */
static const char *share(size_t part, size_t whole, char text[SHARE_TEXT])
{
    if (part == whole)
        return "all";
    snprintf(text, SHARE_TEXT, "%zu of %zu", part, whole);
    return text;
}

static void write_spread(const struct ct_map *map, const struct census *census, struct ct_text *text)
{
    char spelling[CT_METHOD_TEXT], size[CT_SIZE_TEXT], part[SHARE_TEXT], most[CT_NUMBER_TEXT];
    const struct ct_cell *cell = &map->cells[census->cell];
    ct_text_append(text,
                   "Launches of a method differ by more than %g times in %s cells, by up to %s times:\n%s on "
                   "%u ranks",
                   wide_spread, share(census->spread, census->cells, part),
                   ct_rounded_format(census->most, 3, most),
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
                       "\nNot all is measured: %zu time%s predicted, and in %zu of %zu cell%s so is the "
                       "best one's%s.\n",
                       times, times == 1 ? " is" : "s are", best, map->cell_count, ct_s(map->cell_count),
                       best > 0 ? " (~)" : "");
}

void ct_map_write_notes(const struct ct_map *map, struct ct_text *text)
{
    struct census census = take_census(map);
    char part[SHARE_TEXT];
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
    ct_text_append(
        text,
        "\nEquivalent: significantly less than %g %% slower than the best. Worse: significantly slower.\n"
        "Undecided: neither. The family-wise error rate per cell is at most %g %%.\n",
        100 * map->margin, 100 * CT_ALPHA);
    if (census.one_sample > 0)
        ct_text_append(text, "One sample in %s cells: not enough for a comparison.\n",
                       share(census.one_sample, census.cells, part));
    if (census.constant > 0)
        ct_text_append(text,
                       "All samples of the best method are the same time in %s cells: was its clock too\n"
                       "coarse?\n",
                       share(census.constant, census.cells, part));
    if (census.one_launch > 0)
        ct_text_append(text,
                       "One launch in %s cells: significant for that launch only, another may differ.\n",
                       share(census.one_launch, census.cells, part));
    if (census.spread > 0)
        write_spread(map, &census, text);
}
