/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/explain_picture.h"

#include <stdio.h>

enum { LABELLED_RANKS = 16 }; /* beyond, sizes would cover each other */

static bool is_shown(const struct ct_arrow *arrow, int rank)
{
    return rank < 0 || arrow->from == rank || arrow->to == rank;
}

void ct_picture_dot(const struct ct_flow *flow, int size, int rank, size_t unit_bytes, const char *title,
                    struct ct_text *text)
{
    ct_text_append(text, "digraph plan {\n    label=\"%s\"; labelloc=t; nodesep=0.5; ranksep=0.6;\n", title);
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
            ct_text_append(text, "    r%d_%zu -> r%d_%zu [label=\"%s\", constraint=false];\n", arrow->from,
                           arrow->band, arrow->to, arrow->band + 1,
                           ct_size_format(arrow->n * unit_bytes, bytes));
    }
    ct_text_append(text, "}\n");
}

struct drawing {
    int column; /* distance of ranks */
    int band;   /* height of a round */
    int left;   /* x of rank 0 */
    int top;    /* y of round 0 */
};

static void draw_grid(const struct drawing *drawing, size_t bands, int size, struct ct_text *text)
{
    int bottom = drawing->top + (int)bands * drawing->band;
    for (size_t band = 0; band < bands; band++) {
        int y = drawing->top + (int)band * drawing->band;
        if (band % 2 == 0)
            ct_text_append(text, "<rect x=\"0\" y=\"%d\" width=\"100%%\" height=\"%d\" fill=\"#f2f4f7\"/>\n",
                           y, drawing->band);
        ct_text_append(text, "<text x=\"8\" y=\"%d\" fill=\"#667\">%zu</text>\n", y + drawing->band / 2 + 4,
                       band);
    }
    for (int rank = 0; rank < size; rank++) {
        int x = drawing->left + rank * drawing->column;
        ct_text_append(text, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#bbc\"/>\n", x,
                       drawing->top, x, bottom);
        ct_text_append(text,
                       "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-weight=\"bold\">%d</text>\n", x,
                       drawing->top - 8, rank);
    }
}

/* Where many arrows start at one rank, sizes stand near the heads; where many end, near the tails. */
static bool label_near_tail(const struct ct_flow *flow, const struct ct_arrow *arrow)
{
    int starting = 0, ending = 0;
    for (const struct ct_arrow *other = arrow; other >= flow->arrows && other->band == arrow->band; other--) {
        starting += other->from == arrow->from;
        ending += other->to == arrow->to;
    }
    const struct ct_arrow *end = flow->arrows + flow->count;
    for (const struct ct_arrow *other = arrow + 1; other < end && other->band == arrow->band; other++) {
        starting += other->from == arrow->from;
        ending += other->to == arrow->to;
    }
    return ending > starting;
}

static void draw_arrow(const struct drawing *drawing, const struct ct_flow *flow,
                       const struct ct_arrow *arrow, bool labelled, size_t unit_bytes, struct ct_text *text)
{
    enum { MARGIN = 6 };
    int x1 = drawing->left + arrow->from * drawing->column, x2 = drawing->left + arrow->to * drawing->column;
    int y1 = drawing->top + (int)arrow->band * drawing->band + MARGIN, y2 = y1 + drawing->band - 2 * MARGIN;
    ct_text_append(
        text, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#1f5fa8\" marker-end=\"url(#a)\"/>\n",
        x1, y1, x2, y2);
    if (!labelled || arrow->n == 0)
        return;
    char bytes[CT_SIZE_TEXT];
    int share = label_near_tail(flow, arrow) ? 3 : 7; /* tenths of the way */
    ct_text_append(text, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" class=\"size\">%s</text>\n",
                   x1 + (x2 - x1) * share / 10, y1 + (y2 - y1) * share / 10 + 3,
                   ct_size_format(arrow->n * unit_bytes, bytes));
}

void ct_picture_svg(const struct ct_flow *flow, int size, int rank, size_t unit_bytes, const char *title,
                    struct ct_text *text)
{
    enum { WIDE = 72, NARROW = 24, HEIGHT = 64, LEAST_WIDTH = 480 };
    bool labelled = size <= LABELLED_RANKS;
    const struct drawing drawing = {
        .column = labelled ? WIDE : NARROW, .band = HEIGHT, .left = labelled ? WIDE : 2 * NARROW, .top = 56};
    int width = 2 * drawing.left + (size - 1) * drawing.column;
    width = width > LEAST_WIDTH ? width : LEAST_WIDTH;
    int height = drawing.top + (int)flow->bands * drawing.band + 12;
    ct_text_append(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n",
        width, height, width, height);
    ct_text_append(
        text,
        "<title>%s</title>\n"
        "<style>.size { font-size: 11px; paint-order: stroke; stroke: #fff; stroke-width: 3px; }</style>\n"
        "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
        "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#1f5fa8\"/></marker></defs>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
        "<text x=\"8\" y=\"20\" font-size=\"14\">%s</text>\n",
        title, title);
    draw_grid(&drawing, flow->bands, size, text);
    for (size_t i = 0; i < flow->count; i++)
        if (is_shown(&flow->arrows[i], rank))
            draw_arrow(&drawing, flow, &flow->arrows[i], labelled, unit_bytes, text);
    ct_text_append(text, "</svg>\n");
}
