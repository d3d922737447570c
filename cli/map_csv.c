/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/map_csv.h"
#include "base/number.h"
#include "plan/call_mode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void ct_map_print_csv_header(bool has_patterns)
{
    printf("collective");
    for (int i = 0; i < CT_KEY_COLUMNS; i++)
        printf(",%s", ct_key_descriptors[i].name);
    printf(
        ",method,count,median,low,high,best,status,launches,spread,source,by,mode,completion,in_mpi,hidden,"
        "root");
    if (has_patterns)
        printf(",pattern");
    for (int i = CT_KEY_PATTERNS; has_patterns && i < CT_KEYS; i++)
        printf(",%s", ct_key_descriptors[i].name);
    puts(has_patterns ? ",set_up,pays_after" : "");
}

/* The columns of patterns. */
static void write_pattern(const struct ct_map *map, const struct ct_cell *cell, size_t method,
                          struct ct_text *text)
{
    char number[CT_NUMBER_TEXT];
    const struct ct_statistics *statistics = &cell->methods[method];
    const char *pattern = ct_map_pattern(map, &cell->key);
    ct_text_append(text, ",");
    if (strpbrk(pattern, ", \""))
        ct_text_append_quoted(text, pattern);
    else
        ct_text_append(text, "%s", pattern);
    for (int i = CT_KEY_PATTERNS; i < CT_KEYS; i++)
        ct_text_append(text, ",%zu", ct_key_value(&cell->key, &ct_key_descriptors[i]));
    if (statistics->set_up <= 0) {
        ct_text_append(text, ",,");
        return;
    }
    const double uses = ct_cell_pays_after(map, cell, method);
    ct_text_append(text, ",%s,", ct_number_format(statistics->set_up, number));
    ct_text_append(text, "%s", isfinite(uses) ? ct_number_format(uses, number) : "never");
}

static void write_line(const struct ct_map *map, const struct ct_cell *cell, size_t method,
                       struct ct_text *text)
{
    const struct ct_statistics *statistics = &cell->methods[method];
    char spelling[CT_METHOD_TEXT], numbers[4][CT_NUMBER_TEXT];
    ct_method_format(&map->methods[method], false, spelling);
    const char *quote = strchr(spelling, ',') ? "\"" : "", *by = ct_mapped_names[cell->key.by];
    ct_text_append(text, "%s", ct_collectives[map->collective].name);
    for (int i = 0; i < CT_KEY_COLUMNS; i++)
        ct_text_append(text, ",%zu", ct_key_value(&cell->key, &ct_key_descriptors[i]));
    ct_text_append(text, ",%s%s%s,%zu,", quote, spelling, quote, statistics->count);
    if (statistics->count == 0) {
        ct_text_append(text, ",,,0,,,,,%s,%s,,,,%u", by, ct_mode_names[cell->key.mode], cell->key.root);
        return;
    }
    ct_text_append(text, "%s,%s,%s,%d,%s,%zu,%s,%s,%s,%s", ct_number_format(statistics->median, numbers[0]),
                   ct_number_format(statistics->low, numbers[1]),
                   ct_number_format(statistics->high, numbers[2]), method == cell->best,
                   ct_standing_names[cell->standings[method]], statistics->launches,
                   ct_number_format(ct_cell_spread(cell, method), numbers[3]),
                   map->predicted || statistics->predicted ? "predicted" : "measured", by,
                   ct_mode_names[cell->key.mode]);
    if (cell->key.mode == CT_MODE_BLOCKING)
        ct_text_append(text, ",,,");
    else
        ct_text_append(text, ",%s,%s,%s", ct_number_format(statistics->overlap.completion, numbers[0]),
                       ct_number_format(statistics->overlap.in_mpi, numbers[1]),
                       ct_number_format(statistics->overlap.hidden, numbers[2]));
    ct_text_append(text, ",%u", cell->key.root);
}

void ct_map_write_csv(const struct ct_map *map, bool has_patterns, struct ct_text *text)
{
    for (size_t c = 0; c < map->cell_count; c++)
        for (size_t m = 0; m < map->method_count; m++) {
            write_line(map, &map->cells[c], m, text);
            if (has_patterns)
                write_pattern(map, &map->cells[c], m, text);
            ct_text_append(text, "\n");
        }
}
