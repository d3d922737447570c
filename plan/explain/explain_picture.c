/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/explain/explain_picture.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LABELLED_RANKS = 16 }; /* beyond, sizes would cover each other */

static bool is_shown(const struct ct_arrow *arrow, int rank)
{
    return rank < 0 || arrow->from == rank || arrow->to == rank;
}

void ct_picture_dot(const struct ct_flow *flow, int size, int rank, size_t unit_bytes, const char *title,
                    const char *note, struct ct_text *text)
{
    ct_text_append(text, "digraph plan {\n    label=\"%s%s%s\"; labelloc=t; nodesep=0.5; ranksep=0.6;\n",
                   title, *note ? "\\n" : "", note);
    ct_text_append(text, "    node [shape=point, width=0.06]; edge [arrowsize=0.6, fontsize=10];\n");
    ct_text_append(text, "    { rank=same;");
    for (int i = 0; i < size; i++)
        ct_text_append(text, " r%d_0 [shape=plaintext, label=\"%d\"];", i, i);
    ct_text_append(text, " }\n");
    for (size_t band = 1; band <= flow->bands; band++) {
        ct_text_append(text, "    { rank=same;");
        for (int i = 0; i < size; i++)
            ct_text_append(text, " r%d_%zu;", i, band);
        ct_text_append(text, " }\n");
    }
    for (int i = 0; i < size; i++) {
        ct_text_append(text, "    r%d_0", i);
        for (size_t band = 1; band <= flow->bands; band++)
            ct_text_append(text, " -> r%d_%zu", i, band);
        ct_text_append(text, " [arrowhead=none, color=gray, weight=100];\n");
    }
    for (size_t i = 0; i < flow->count; i++) {
        const struct ct_arrow *arrow = &flow->arrows[i];
        char bytes[CT_SIZE_TEXT];
        if (is_shown(arrow, rank))
            ct_text_append(text, "    r%d_%zu -> r%d_%zu [label=\"%s\", constraint=false%s];\n", arrow->from,
                           arrow->band, arrow->to, arrow->band + 1,
                           ct_size_format(arrow->n * unit_bytes, bytes), arrow->leaves ? ", style=bold" : "");
    }
    ct_text_append(text, "}\n");
}

/* --- SVG --- */

enum { COLUMN = 72, NARROW = 24, LEFT = 116, TOP = 64, LEAST_WIDTH = 480, MARGIN = 6, LABELS_MAX = 64 };

/* The part of a flow that goes on in one band. */
struct band {
    const struct ct_arrow *arrows;
    size_t count;
    size_t number;
    int y, height;
    size_t least, most; /* units of the messages shown that have any */
    size_t shown;
};

/* To higher ranks, and to lower ones. */
static const struct direction {
    const char *name;
    const char *colour;
} directions[] = {{"up", "#1f5fa8"}, {"down", "#c2571a"}};

static const struct direction *direction_of(const struct ct_arrow *arrow)
{
    return &directions[arrow->from > arrow->to];
}

struct drawing {
    const struct ct_flow *flow;
    struct ct_text *text;
    int size;
    int rank; /* -1: all */
    int column;
    int width;
    size_t unit_bytes;
    struct {
        int x, y, width;
    } labels[LABELS_MAX]; /* of the current band */
    int label_count;
};

static int distance(const struct ct_arrow *arrow)
{
    return arrow->from < arrow->to ? arrow->to - arrow->from : arrow->from - arrow->to;
}

/* The band that follows `before`; higher the longer its arrows are, so that they are not all flat. */
static struct band next_band(const struct drawing *drawing, struct band before)
{
    enum { EMPTY = 20, HEIGHT = 40, OF_A_COLUMN = 5, STEPS_MOST = 15 };
    struct band band = {.arrows = before.arrows + before.count,
                        .number = before.number + 1,
                        .y = before.y + before.height,
                        .least = SIZE_MAX};
    const struct ct_arrow *end = drawing->flow->arrows + drawing->flow->count;
    int longest = 0;
    for (const struct ct_arrow *arrow = band.arrows; arrow < end && arrow->band == band.number; arrow++) {
        band.count++;
        if (!is_shown(arrow, drawing->rank))
            continue;
        band.shown++;
        band.least = arrow->n > 0 && arrow->n < band.least ? arrow->n : band.least;
        band.most = arrow->n > band.most ? arrow->n : band.most;
        longest = distance(arrow) > longest ? distance(arrow) : longest;
    }
    band.height = HEIGHT + OF_A_COLUMN * (longest < STEPS_MOST ? longest : STEPS_MOST);
    if (band.shown == 0)
        band.height = EMPTY;
    return band;
}

/* The one before the first. */
static struct band no_band(const struct drawing *drawing)
{
    return (struct band){.arrows = drawing->flow->arrows, .number = SIZE_MAX, .y = TOP};
}

static int x_of(const struct drawing *drawing, int rank)
{
    return LEFT + rank * drawing->column;
}

static void draw_ranks(const struct drawing *drawing, int bottom)
{
    for (int rank = 0; rank < drawing->size; rank++) {
        int x = x_of(drawing, rank);
        ct_text_append(drawing->text,
                       "<path d=\"M%d %dV%d\" stroke=\"#bbc\"/>\n"
                       "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-weight=\"bold\">%d</text>\n",
                       x, TOP, bottom, x, TOP - 8, rank);
    }
}

/* Its number, and how long its messages are. */
static void draw_band(const struct drawing *drawing, const struct band *band)
{
    char least[CT_SIZE_TEXT], most[CT_SIZE_TEXT];
    struct ct_text *text = drawing->text;
    int middle = band->y + band->height / 2;
    if (band->number % 2 == 0)
        ct_text_append(text, "<rect x=\"0\" y=\"%d\" width=\"100%%\" height=\"%d\" fill=\"#f2f4f7\"/>\n",
                       band->y, band->height);
    ct_text_append(text, "<text x=\"8\" y=\"%d\" fill=\"#667\">%zu</text>\n", middle + 4, band->number);
    if (band->shown == 0)
        return;
    ct_size_format(band->least * drawing->unit_bytes, least);
    ct_size_format(band->most * drawing->unit_bytes, most);
    bool differ = band->least < band->most;
    ct_text_append(text, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" font-size=\"11\">%s%s%s</text>\n",
                   LEFT - 16, middle + 4, differ ? least : "", differ ? " - " : "",
                   band->most > 0 ? most : "token");
}

static bool is_free(const struct drawing *drawing, int x, int y, int width)
{
    enum { LINE = 12 };
    for (int i = 0; i < drawing->label_count; i++) {
        int apart = drawing->labels[i].x - x, above = drawing->labels[i].y - y;
        if (abs(apart) * 2 < width + drawing->labels[i].width && abs(above) < LINE)
            return false;
    }
    return drawing->label_count < LABELS_MAX;
}

/* Along the arrow, where there is room; without any it is left out. */
static void draw_label(struct drawing *drawing, const struct ct_arrow *arrow, int x1, int y1, int x2, int y2)
{
    static const int tenths[] = {7, 3, 5, 8, 2, 6, 4};
    enum { OF_A_LETTER = 7, GAP = 4 };
    char bytes[CT_SIZE_TEXT];
    int width = GAP + OF_A_LETTER * (int)strlen(ct_size_format(arrow->n * drawing->unit_bytes, bytes));
    for (size_t i = 0; i < sizeof tenths / sizeof tenths[0]; i++) {
        int x = x1 + (x2 - x1) * tenths[i] / 10, y = y1 + (y2 - y1) * tenths[i] / 10 + 3;
        if (!is_free(drawing, x, y, width))
            continue;
        ct_text_append(
            drawing->text,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" class=\"size\" fill=\"%s\">%s</text>\n", x, y,
            direction_of(arrow)->colour, bytes);
        drawing->labels[drawing->label_count].x = x;
        drawing->labels[drawing->label_count].y = y;
        drawing->labels[drawing->label_count++].width = width;
        return;
    }
}

static void draw_arrows(struct drawing *drawing, const struct band *band)
{
    bool labelled = drawing->size <= LABELLED_RANKS && band->least < band->most;
    int y1 = band->y + MARGIN, y2 = band->y + band->height - MARGIN;
    for (const struct ct_arrow *arrow = band->arrows; arrow < band->arrows + band->count; arrow++)
        if (is_shown(arrow, drawing->rank))
            ct_text_append(drawing->text, "<path class=\"%s%s%s\" d=\"M%d %dL%d %d\"/>\n",
                           direction_of(arrow)->name, arrow->n == 0 ? " token" : "",
                           arrow->leaves ? " leaves" : "", x_of(drawing, arrow->from), y1,
                           x_of(drawing, arrow->to), y2);
    drawing->label_count = 0;
    for (const struct ct_arrow *arrow = band->arrows; labelled && arrow < band->arrows + band->count; arrow++)
        if (is_shown(arrow, drawing->rank) && arrow->n > 0)
            draw_label(drawing, arrow, x_of(drawing, arrow->from), y1, x_of(drawing, arrow->to), y2);
}

static void draw_head(const struct drawing *drawing, int bottom, const char *title, const char *note)
{
    struct ct_text *text = drawing->text;
    int height = bottom + 12;
    ct_text_append(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<title>%s</title>\n",
        drawing->width, height, drawing->width, height, title);
    ct_text_append(text,
                   "<style>.size { font-size: 11px; paint-order: stroke; stroke: #fff; stroke-width: 3px; }"
                   " .token { stroke-dasharray: 4 3; } .leaves { stroke-width: 2.5; }");
    for (int i = 0; i < 2; i++)
        ct_text_append(text, " .%s { stroke: %s; marker-end: url(#%s); }", directions[i].name,
                       directions[i].colour, directions[i].name);
    ct_text_append(text, "</style>\n<defs>");
    for (int i = 0; i < 2; i++)
        ct_text_append(text,
                       "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
                       "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"%s\"/></marker>",
                       directions[i].name, directions[i].colour);
    ct_text_append(text,
                   "</defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
                   "<text x=\"8\" y=\"20\" font-size=\"14\">%s</text>\n"
                   "<text x=\"8\" y=\"36\" font-size=\"11\">%s</text>\n",
                   title, note);
}

void ct_picture_svg(const struct ct_flow *flow, int size, int rank, size_t unit_bytes, const char *title,
                    const char *note, struct ct_text *text)
{
    struct drawing drawing = {.flow = flow,
                              .text = text,
                              .size = size,
                              .rank = rank,
                              .column = size <= LABELLED_RANKS ? COLUMN : NARROW,
                              .unit_bytes = unit_bytes};
    drawing.width = x_of(&drawing, size - 1) + COLUMN / 2;
    drawing.width = drawing.width > LEAST_WIDTH ? drawing.width : LEAST_WIDTH;
    struct band band = no_band(&drawing);
    for (size_t i = 0; i < flow->bands; i++)
        band = next_band(&drawing, band);
    int bottom = band.y + band.height;

    draw_head(&drawing, bottom, title, note);
    band = no_band(&drawing);
    for (size_t i = 0; i < flow->bands; i++) {
        band = next_band(&drawing, band);
        draw_band(&drawing, &band);
    }
    draw_ranks(&drawing, bottom);
    band = no_band(&drawing);
    for (size_t i = 0; i < flow->bands; i++) {
        band = next_band(&drawing, band);
        draw_arrows(&drawing, &band);
    }
    ct_text_append(text, "</svg>\n");
}
