/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/map_picture.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "cli/map_notes.h"
#include "decision/map_divided.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TERMINAL_WIDTH = 80 };

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
enum { LETTERS = sizeof letters - 1 };

/* Beyond the letters; a cell where no method could be measured; a place that is no cell. */
static const char other_letter = '*', failed_letter = '-', empty_letter = ' ';

/* Before the letter of a best method whose time is predicted, where others are measured. */
static const char predicted_mark = '~';

static const char all_failed[] = "(all failed)";

/* How a method did over the whole map. */
struct tally {
    size_t method;
    size_t cells[CT_STANDINGS];
};

struct picture {
    const struct ct_map *map;
    struct ct_text *text;
    size_t *comm_sizes;
    size_t comm_size_count;
    size_t *msg_sizes;
    size_t msg_size_count;
    struct tally *tallies;         /* by falling number of cells */
    char *letter_of;               /* by method */
    const struct ct_cell **places; /* a row for each message size; NULL where there is no cell */
    size_t label_width;            /* of message sizes */
    const char *whose;             /* choices; NULL: the best methods */
};

/* --- the legend --- */

static int compare_tallies(const void *a, const void *b)
{
    const struct tally *left = a, *right = b;
    static const enum ct_standing order[] = {CT_STANDING_BEST, CT_STANDING_EQUIVALENT, CT_STANDING_UNDECIDED};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (left->cells[order[i]] != right->cells[order[i]])
            return CT_COMPARE(right->cells[order[i]], left->cells[order[i]]);
    return CT_COMPARE(left->method, right->method);
}

static void give_letters(struct picture *picture)
{
    const struct ct_map *map = picture->map;
    for (size_t m = 0; m < map->method_count; m++)
        picture->tallies[m].method = m;
    for (size_t c = 0; c < map->cell_count; c++)
        for (size_t m = 0; m < map->method_count; m++)
            picture->tallies[m].cells[map->cells[c].standings[m]]++;
    qsort(picture->tallies, map->method_count, sizeof *picture->tallies, compare_tallies);
    for (size_t i = 0; i < map->method_count; i++)
        picture->letter_of[picture->tallies[i].method] = i < LETTERS ? letters[i] : other_letter;
}

/* The mean over cells of the share of the computation that calls of the method hide; NAN if it was not
 * measured beside a computation. */
static double hidden_by(const struct ct_map *map, size_t method)
{
    double sum = 0;
    size_t count = 0;
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_statistics *statistics = &map->cells[c].methods[method];
        if (map->cells[c].key.mode == CT_MODE_BLOCKING || statistics->count == 0)
            continue;
        sum += statistics->overlap.hidden;
        count++;
    }
    return count > 0 ? sum / (double)count : NAN;
}

static bool has_overlap(const struct ct_map *map)
{
    for (size_t c = 0; c < map->cell_count; c++)
        if (map->cells[c].key.mode != CT_MODE_BLOCKING)
            return true;
    return false;
}

/* The legend of choices: in how much of the map each is. */
static void write_shares(const struct picture *picture)
{
    const struct ct_map *map = picture->map;
    char spelling[CT_METHOD_TEXT];
    ct_text_append(picture->text, "\n");
    for (size_t i = 0; i < map->method_count; i++) {
        const struct tally *tally = &picture->tallies[i];
        ct_text_append(picture->text, "%c  %5.1f %%  %s\n", picture->letter_of[tally->method],
                       100.0 * (double)tally->cells[CT_STANDING_BEST] / (double)map->cell_count,
                       ct_method_format(&map->methods[tally->method], false, spelling));
    }
}

static void write_legend(const struct picture *picture)
{
    const struct ct_map *map = picture->map;
    double percent = 100.0 / (double)map->cell_count;
    size_t failed = 0, width = strlen("method");
    char spelling[CT_METHOD_TEXT];
    for (size_t c = 0; c < map->cell_count; c++)
        failed += map->cells[c].best == SIZE_MAX;
    width = failed > 0 ? strlen(all_failed) : width;
    for (size_t i = 0; i < map->method_count && picture->tallies[i].cells[CT_STANDING_BEST] > 0; i++) {
        size_t length = strlen(ct_method_format(&map->methods[picture->tallies[i].method], false, spelling));
        width = length > width ? length : width;
    }
    ct_text_append(picture->text, "\n   %-*s  %7s", (int)width, "method",
                   ct_standing_names[CT_STANDING_BEST]);
    for (int s = CT_STANDING_BEST + 1; s < CT_STANDINGS; s++)
        ct_text_append(picture->text, "  %10s", ct_standing_names[s]);
    if (has_overlap(map))
        ct_text_append(picture->text, "  %8s", "hidden");
    for (size_t i = 0; i < map->method_count && picture->tallies[i].cells[CT_STANDING_BEST] > 0; i++) {
        const struct tally *tally = &picture->tallies[i];
        ct_method_format(&map->methods[tally->method], false, spelling);
        ct_text_append(picture->text, "\n%c  %-*s  %5.1f %%", picture->letter_of[tally->method], (int)width,
                       spelling, percent * (double)tally->cells[CT_STANDING_BEST]);
        for (int s = CT_STANDING_BEST + 1; s < CT_STANDINGS; s++)
            ct_text_append(picture->text, "  %8.1f %%", percent * (double)tally->cells[s]);
        const double hidden = hidden_by(map, tally->method);
        if (!isnan(hidden))
            ct_text_append(picture->text, "  %6.1f %%", 100 * hidden);
    }
    if (failed > 0)
        ct_text_append(picture->text, "\n%c  %-*s  %5.1f %%", failed_letter, (int)width, all_failed,
                       percent * (double)failed);
    ct_text_append(picture->text, "\n");
}

/* --- the grid --- */

static size_t place_of(const size_t *sizes, size_t count, size_t size)
{
    const size_t *found = bsearch(&size, sizes, count, sizeof *sizes, ct_compare_sizes);
    return (size_t)(found - sizes);
}

static const struct ct_cell **place_for(const struct picture *picture, const struct ct_cell *cell)
{
    size_t row = place_of(picture->msg_sizes, picture->msg_size_count, cell->key.msg_bytes);
    size_t column = place_of(picture->comm_sizes, picture->comm_size_count, cell->key.comm_size);
    return &picture->places[row * picture->comm_size_count + column];
}

/* The columns' heads: sizes side by side where `width` holds them, else their digits one below the other. */
static void write_heads(const struct picture *picture, size_t first, size_t last, size_t width, bool upright)
{
    char size[CT_SIZE_TEXT];
    int digits = snprintf(size, sizeof size, "%zu", picture->comm_sizes[last - 1]);
    for (int line = 0; line < (upright ? digits : 1); line++) {
        ct_text_append(picture->text, "%*s", (int)picture->label_width, "");
        for (size_t c = first; c < last; c++) {
            snprintf(size, sizeof size, "%*zu", digits, picture->comm_sizes[c]);
            if (upright)
                ct_text_append(picture->text, "%*c", (int)width, size[line]);
            else
                ct_text_append(picture->text, "%*s", (int)width, size);
        }
        ct_text_append(picture->text, "\n");
    }
}

static void write_part(const struct picture *picture, size_t first, size_t last, size_t width, bool upright)
{
    const struct ct_map *map = picture->map;
    bool sized = ct_collectives[map->collective].has_size;
    char size[CT_SIZE_TEXT];
    write_heads(picture, first, last, width, upright);
    for (size_t r = 0; r < picture->msg_size_count; r++) {
        const char *label = sized ? ct_size_format(picture->msg_sizes[r], size) : "";
        ct_text_append(picture->text, "%*s", (int)picture->label_width, label);
        size_t used = last;
        const struct ct_cell **row = picture->places + r * picture->comm_size_count;
        while (used > first && !row[used - 1])
            used--;
        for (size_t c = first; c < used; c++) {
            const struct ct_cell *cell = row[c];
            bool has_best = cell && cell->best != SIZE_MAX;
            bool marked = has_best && !map->predicted && cell->methods[cell->best].predicted;
            char letter = has_best ? picture->letter_of[cell->best] : cell ? failed_letter : empty_letter;
            ct_text_append(picture->text, "%*c%c", (int)width - 1, marked ? predicted_mark : ' ', letter);
        }
        ct_text_append(picture->text, "\n");
    }
}

/* The picture of the cells in `places`, as wide as it reads well and fits. */
static void write_grid(const struct picture *picture)
{
    char size[CT_SIZE_TEXT];
    snprintf(size, sizeof size, "%zu", picture->comm_sizes[picture->comm_size_count - 1]);
    size_t room = TERMINAL_WIDTH - picture->label_width, width = strlen(size) + 1;
    bool upright = width * picture->comm_size_count > room;
    if (upright)
        width = 2;
    size_t columns = room / width;
    for (size_t first = 0; first < picture->comm_size_count; first += columns) {
        size_t last = first + columns < picture->comm_size_count ? first + columns : picture->comm_size_count;
        if (first > 0)
            ct_text_append(picture->text, "\n");
        write_part(picture, first, last, width, upright);
    }
}

/* --- pictures --- */

/* Which cells share a picture, besides those of one mapping. */
enum layout { TOGETHER, BY_PPN, BY_NODES_AND_PPN };

static bool shares(enum layout layout, const struct ct_cell *a, const struct ct_cell *b)
{
    return ct_keys_share_part(&a->key, &b->key) && (layout < BY_PPN || a->key.ppn == b->key.ppn) &&
           (layout < BY_NODES_AND_PPN || a->key.nodes == b->key.nodes);
}

/* Puts all cells that share a picture with `first` in their places; false where two meet in one. */
static bool put_cells(const struct picture *picture, enum layout layout, const struct ct_cell *first)
{
    const struct ct_map *map = picture->map;
    for (size_t i = 0; i < picture->msg_size_count * picture->comm_size_count; i++)
        picture->places[i] = NULL;
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_cell *cell = &map->cells[c];
        const struct ct_cell **place = place_for(picture, cell);
        if (!shares(layout, cell, first))
            continue;
        if (*place)
            return false;
        *place = cell;
    }
    return true;
}

static bool is_first(const struct ct_map *map, enum layout layout, size_t index)
{
    for (size_t c = 0; c < index; c++)
        if (shares(layout, &map->cells[c], &map->cells[index]))
            return false;
    return true;
}

static bool cells_meet(const struct picture *picture, enum layout layout)
{
    for (size_t c = 0; c < picture->map->cell_count; c++)
        if (is_first(picture->map, layout, c) && !put_cells(picture, layout, &picture->map->cells[c]))
            return true;
    return false;
}

static bool has_roots(const struct ct_map *map)
{
    for (size_t c = 0; c < map->cell_count; c++)
        if (map->cells[c].key.root > 0)
            return true;
    return false;
}

static void write_pictures(const struct picture *picture)
{
    const struct ct_map *map = picture->map;
    enum layout layout = TOGETHER;
    while (layout < BY_NODES_AND_PPN && cells_meet(picture, layout))
        layout = (enum layout)(layout + 1);
    ct_text_append(picture->text, "%s: the %s%s%sby communicator size%s\n",
                   ct_collectives[map->collective].name, picture->whose ? "choices of " : "best method ",
                   picture->whose ? picture->whose : "", picture->whose ? ",\n" : "",
                   ct_collectives[map->collective].has_size ? " (across) and message size in bytes (down)"
                                                            : "");
    for (size_t c = 0; c < map->cell_count; c++) {
        if (!is_first(map, layout, c))
            continue;
        ct_text_append(picture->text, "\n");
        if (has_overlap(map))
            ct_text_append(picture->text, "%s calls\n", ct_mode_names[map->cells[c].key.mode]);
        if (map->cells[c].key.by != CT_MAPPED_BY_UNKNOWN)
            ct_text_append(picture->text, "ranks mapped by %s%s\n", ct_mapped_names[map->cells[c].key.by],
                           layout == TOGETHER ? ":" : ",");
        if (has_roots(map))
            ct_text_append(picture->text, "root %u%s\n", map->cells[c].key.root,
                           layout == TOGETHER ? ":" : ",");
        if (layout == BY_NODES_AND_PPN)
            ct_text_append(picture->text, "%u node%s, ", map->cells[c].key.nodes,
                           ct_s(map->cells[c].key.nodes));
        if (layout != TOGETHER)
            ct_text_append(picture->text, "%u process%s a node:\n", map->cells[c].key.ppn,
                           map->cells[c].key.ppn == 1 ? "" : "es");
        put_cells(picture, layout, &map->cells[c]);
        write_grid(picture);
    }
    if (picture->whose)
        write_shares(picture);
    else
        write_legend(picture);
}

static int draw(const struct ct_map *map, const char *whose, struct ct_text *text)
{
    struct picture picture = {.map = map, .text = text, .whose = whose};
    size_t places;
    int status;
    if ((status = ct_map_comm_sizes(map, &picture.comm_sizes, &picture.comm_size_count)) != CT_OK ||
        (status = ct_map_msg_sizes(map, &picture.msg_sizes, &picture.msg_size_count)) != CT_OK)
        goto done;
    picture.tallies = ct_allocate(map->method_count, sizeof *picture.tallies);
    picture.letter_of = ct_allocate(map->method_count, 1);
    if (ct_multiply(picture.comm_size_count, picture.msg_size_count, &places))
        picture.places = ct_allocate(places, sizeof *picture.places);
    status = picture.tallies && picture.letter_of && picture.places ? CT_OK : CT_E_MEMORY;
    if (status != CT_OK)
        goto done;
    for (size_t r = 0; r < picture.msg_size_count; r++) {
        char size[CT_SIZE_TEXT];
        size_t length = strlen(ct_size_format(picture.msg_sizes[r], size));
        picture.label_width = length > picture.label_width ? length : picture.label_width;
    }
    give_letters(&picture);
    write_pictures(&picture);
done:
    free(picture.comm_sizes);
    free(picture.msg_sizes);
    free(picture.tallies);
    free(picture.letter_of);
    free(picture.places);
    return status;
}

int ct_map_picture(const struct ct_map *map, struct ct_text *text)
{
    int status = draw(map, NULL, text);
    if (status == CT_OK)
        ct_map_write_notes(map, text);
    return status;
}

int ct_choice_picture(const struct ct_map *choices, const char *whose, struct ct_text *text)
{
    return draw(choices, whose, text);
}
