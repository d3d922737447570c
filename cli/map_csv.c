/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "cli/map_picture.h"

#include <stdio.h>
#include <string.h>

void ct_map_print_csv_header(void)
{
    printf("collective");
    for (int i = 0; i < CT_KEYS; i++)
        printf(",%s", ct_key_descriptors[i].name);
    puts(",method,count,median,low,high,best,status,launches,spread,source");
}

/* Also simulated times are measured, in the simulator. */
static const char *source_of(const struct ct_map *map, const struct ct_statistics *statistics)
{
    return map->predicted || statistics->predicted ? "predicted" : "measured";
}

static void write_line(const struct ct_map *map, const struct ct_cell *cell, size_t method,
                       struct ct_text *text)
{
    const struct ct_statistics *statistics = &cell->methods[method];
    char spelling[CT_METHOD_TEXT], numbers[4][CT_NUMBER_TEXT];
    ct_method_format(&map->methods[method], false, spelling);
    const char *quote = strchr(spelling, ',') ? "\"" : "";
    ct_text_append(text, "%s", ct_collectives[map->collective].name);
    for (int i = 0; i < CT_KEYS; i++)
        ct_text_append(text, ",%zu", ct_key_value(&cell->key, &ct_key_descriptors[i]));
    ct_text_append(text, ",%s%s%s,%zu,", quote, spelling, quote, statistics->count);
    if (statistics->count == 0) {
        ct_text_append(text, ",,,0,,,,\n");
        return;
    }
    ct_text_append(text, "%s,%s,%s,%d,%s,%zu,%s,%s\n", ct_number_format(statistics->median, numbers[0]),
                   ct_number_format(statistics->low, numbers[1]),
                   ct_number_format(statistics->high, numbers[2]), method == cell->best,
                   ct_standing_names[cell->standings[method]], statistics->launches,
                   ct_number_format(ct_cell_spread(cell, method), numbers[3]), source_of(map, statistics));
}

void ct_map_write_csv(const struct ct_map *map, struct ct_text *text)
{
    for (size_t c = 0; c < map->cell_count; c++)
        for (size_t m = 0; m < map->method_count; m++)
            write_line(map, &map->cells[c], m, text);
}
