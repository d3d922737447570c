/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/pattern_list.h"
#include "decision/score.h"

#include <math.h>

enum { MICROSECONDS = 1000000 };

/* Index of native, or of `linear`; SIZE_MAX where neither was measured. */
static size_t reference_of(const struct ct_map *map)
{
    const size_t native = ct_score_native(map);
    return native != SIZE_MAX ? native : ct_score_linear(map);
}

/* Appends after how many calls a set-up has paid. */
static void write_uses(const struct ct_map *map, const struct ct_cell *cell, struct ct_text *text)
{
    const double uses = ct_cell_pays_after(map, cell, cell->best);
    if (uses == 0)
        ct_text_append(text, "  %10s  %10s", "none", "");
    else if (isfinite(uses))
        ct_text_append(text, "  %10.2f  %10.0f", cell->methods[cell->best].set_up * MICROSECONDS, uses);
    else
        ct_text_append(text, "  %10.2f  %10s", cell->methods[cell->best].set_up * MICROSECONDS, "never");
}

static void write_line(const struct ct_map *map, const struct ct_cell *cell, size_t reference,
                       struct ct_text *text)
{
    char size[CT_SIZE_TEXT], spelling[CT_METHOD_TEXT];
    ct_text_append(text, "%6u  %6s", cell->key.comm_size, ct_size_format(cell->key.msg_bytes, size));
    if (cell->best == SIZE_MAX) {
        ct_text_append(text, "  no method was measured; %s\n", ct_map_pattern(map, &cell->key));
        return;
    }
    const double best = cell->methods[cell->best].median;
    ct_text_append(text, "  %9.2f", best * MICROSECONDS);
    if (reference != SIZE_MAX && cell->methods[reference].count > 0)
        ct_text_append(text, "  %6.2f", cell->methods[reference].median / best);
    else
        ct_text_append(text, "  %6s", "");
    write_uses(map, cell, text);
    ct_method_format(&map->methods[cell->best], false, spelling);
    ct_text_append(text, "  %s  %s\n", ct_map_pattern(map, &cell->key), spelling);
}

void ct_pattern_list_write(const struct ct_map *map, struct ct_text *text)
{
    const size_t reference = reference_of(map);
    char spelling[CT_METHOD_TEXT] = "linear";
    if (reference != SIZE_MAX)
        ct_method_format(&map->methods[reference], false, spelling);
    ct_text_append(
        text,
        "%s: the best method by pattern. Times are in microseconds; 'faster' is times as fast as %s.\n"
        "Column 'pays after': the calls after which a set-up pays off, against the best method without "
        "one.\n\n"
        "%6s  %6s  %9s  %6s  %10s  %10s  pattern, method\n",
        ct_collectives[map->collective].name, spelling, "ranks", "bytes", "time", "faster", "set-up",
        "pays after");
    for (size_t c = 0; c < map->cell_count; c++)
        write_line(map, &map->cells[c], reference, text);
}
