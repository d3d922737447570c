/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/picture.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "report/markup.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- pages --- */

enum { WIDTH = 620 };

int ct_page_open(struct ct_page *page, struct ct_error *error)
{
    *page = (struct ct_page){.error = error, .gnuplot = ct_program_find("gnuplot")};
    return page->gnuplot ? ct_folder_temporary(error, &page->folder) : CT_OK;
}

void ct_page_close(struct ct_page *page)
{
    if (page->folder)
        ct_remove_all(page->folder, NULL);
    for (size_t i = 0; i < page->picture_count; i++)
        free(page->pictures[i].label);
    free(page->pictures);
    free(page->folder);
    free(page->gnuplot);
    ct_text_free(&page->script);
    ct_text_free(&page->html);
    *page = (struct ct_page){0};
}

void ct_page_note(struct ct_page *page, int status)
{
    if (page->status == CT_OK)
        page->status = status;
}

/* --- drawing --- */

static char *svg_path(const struct ct_page *page, size_t number)
{
    return ct_format("%s/%zu.svg", page->folder, number);
}

static int add(struct ct_page *page, const struct ct_text *script, const char *label)
{
    char *path = svg_path(page, page->picture_count);
    int status =
        ct_grow(&page->pictures, &page->picture_capacity, page->picture_count + 1, sizeof *page->pictures);
    if (status == CT_OK && path) {
        page->pictures[page->picture_count++] =
            (struct ct_picture){.at = page->html.length, .label = strdup(label)};
        ct_text_append(&page->script, "reset\nset output ");
        ct_gnuplot_string(&page->script, path);
        ct_text_append(&page->script, "\n%s", script->data ? script->data : "");
        page->script.failed |= script->failed;
    }
    free(path);
    return path ? status : CT_E_MEMORY;
}

void ct_picture_add(struct ct_page *page, const struct ct_text *script, const char *label)
{
    if (page->status == CT_OK)
        page->status = add(page, script, label);
}

/* What gnuplot writes and what it becomes; names get the picture's number, which makes them unique in the
 * page. */
static const struct replacement {
    const char *from;
    const char *to;
    bool number;
    const char *through; /* what is left out ends with this word; NULL: nothing more */
} replacements[] = {
    {"\"black\"", "\"currentColor\"", false},
    {"\"rgb(  0,   0,   0)\"", "\"currentColor\"", false},
    {"\"rgb(0,0,0)\"", "\"currentColor\"", false},
    {"'black'", "'currentColor'", false},
    {"'rgb(  0,   0,   0)'", "'currentColor'", false},
    {"<title>Gnuplot", "", false, "</title>"},
    {"<title>gnuplot_plot_", "", false, "</title>"}, /* browsers show it where the mouse is on a curve */
    {" font-family=\"sans\"", "", false},
    {" stroke-linecap=\"butt\"", "", false}, /* the default */
    {" stroke-linejoin=\"miter\"", "", false},
    {" color=\"currentColor\"", "", false}, /* so is the parent's colour */
    {" id='", " id='p", true},
    {" id=\"", " id=\"p", true},
    {"href='#", "href='#p", true},
};

static const struct replacement *replacement_at(const char *at)
{
    for (size_t i = 0; i < sizeof replacements / sizeof replacements[0]; i++)
        if (strncmp(at, replacements[i].from, strlen(replacements[i].from)) == 0)
            return &replacements[i];
    return NULL;
}

/* Appends the <svg> element of a file that gnuplot wrote. */
static int inline_svg(const char *svg, size_t number, const struct ct_picture *picture,
                      struct ct_error *error, struct ct_text *html)
{
    const char *at = strstr(svg, "<svg");
    if (!at || !strstr(at, "</svg>"))
        return ct_fail(error, CT_E_SYSTEM, "gnuplot wrote no picture of: %s", picture->label);
    ct_text_append(html, "<svg role=\"img\" aria-label=\"");
    ct_html_text(html, picture->label);
    ct_text_append(html, "\"");
    at += strlen("<svg");
    while (*at) {
        const struct replacement *replacement =
            *at == '"' || *at == '\'' || *at == '<' || *at == ' ' || *at == 'h' ? replacement_at(at) : NULL;
        if (!replacement) {
            size_t plain = 1 + strcspn(at + 1, "\"'< h");
            ct_text_append_bytes(html, at, plain);
            at += plain;
            continue;
        }
        at += strlen(replacement->from);
        const char *end = replacement->through ? strstr(at, replacement->through) : NULL;
        if (end)
            at = end + strlen(replacement->through);
        ct_text_append(html, "%s", replacement->to);
        if (replacement->number)
            ct_text_append(html, "%zu-", number);
    }
    return CT_OK;
}

/* The first picture that is not there, or not whole. */
static const char *label_of_missing(const struct ct_page *page)
{
    size_t i = 0;
    for (bool is_whole = true; i < page->picture_count && is_whole; i += is_whole) {
        char *path = svg_path(page, i), *svg = NULL;
        size_t length;
        is_whole = path && ct_file_read(path, NULL, &svg, &length) == CT_OK && strstr(svg, "</svg>");
        free(svg);
        free(path);
    }
    return page->pictures[i < page->picture_count ? i : i - 1].label;
}

static int run_gnuplot(const struct ct_page *page, const char *script_path)
{
    const char *argv[] = {page->gnuplot, "-d", script_path, NULL};
    struct ct_text talk = {0};
    int code = 0;
    int status = ct_command_run(argv, &talk, page->error, &code);
    if (status == CT_OK && code != 0) {
        /* The last line that says something; those before show the command. */
        const char *line = talk.data ? talk.data : "";
        while (talk.length > 0 && strchr("\n ", talk.data[talk.length - 1]))
            talk.data[--talk.length] = '\0';
        if (strrchr(line, '\n'))
            line = strrchr(line, '\n') + 1;
        status = ct_fail(page->error, CT_E_SYSTEM, "gnuplot failed with code %d at the picture of: %s%s%s",
                         code, label_of_missing(page), *line ? ": " : "", line);
    }
    ct_text_free(&talk);
    return status;
}

/* Puts the pictures in their places. */
static int inline_all(struct ct_page *page)
{
    struct ct_text html = {0};
    size_t from = 0;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < page->picture_count; i++) {
        const struct ct_picture *picture = &page->pictures[i];
        char *path = svg_path(page, i), *svg = NULL;
        size_t length;
        ct_text_append_bytes(&html, page->html.data + from, picture->at - from);
        from = picture->at;
        status = path && picture->label ? ct_file_read(path, page->error, &svg, &length) : CT_E_MEMORY;
        if (status == CT_OK)
            status = inline_svg(svg, i + 1, picture, page->error, &html);
        free(svg);
        free(path);
    }
    ct_text_append_bytes(&html, page->html.data + from, page->html.length - from);
    html.failed |= page->html.failed;
    ct_text_free(&page->html);
    page->html = html;
    return status;
}

static int draw_all(struct ct_page *page)
{
    char *path = ct_format("%s/pictures.gnuplot", page->folder);
    ct_text_append(&page->script, "unset output\n"); /* which completes the last one */
    int status = path && !page->script.failed && !page->html.failed ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_file_write(path, page->script.data, page->script.length, page->error);
    if (status == CT_OK)
        status = run_gnuplot(page, path);
    if (status == CT_OK)
        status = inline_all(page);
    free(path);
    return status;
}

void ct_pictures_draw(struct ct_page *page)
{
    if (page->status == CT_OK && page->picture_count > 0)
        page->status = draw_all(page);
}

/* --- curves --- */

static void put_tics(const struct ct_grid *grid, struct ct_text *script)
{
    const size_t most = 13, step = grid->x_count > most ? (grid->x_count + most - 1) / most : 1;
    ct_text_append(script, "set xtics (");
    for (size_t i = 0; i < grid->x_count; i += step) {
        char size[CT_SIZE_TEXT];
        ct_text_append(script, "%s'%s' %zu", i ? ", " : "", ct_grid_x_text(grid, i, size), i);
    }
    ct_text_append(script, ")\n");
}

static void begin_picture(const struct ct_grid *grid, unsigned height, struct ct_text *script)
{
    const double margin = 0.4; /* beside the first and the last size, in steps between sizes */
    const unsigned left = 66, right = 8, below = 50, above = 8;
    ct_text_append(
        script,
        "set encoding utf8\n"
        "set terminal svg size %d,%u noenhanced font 'sans,12' linewidth 1 dashlength 0.7\n"
        "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
        "set bmargin at screen %.5f\nset tmargin at screen %.5f\n"
        "unset key\nset border 3 lc rgb '#888888'\nset tics nomirror out scale 0.5 tc rgb 'black'\n"
        "set style fill solid 1 noborder\n"
        "set xrange [%.2f:%.2f]\nset xlabel '%s' offset 0,0.4\n",
        (int)WIDTH, height, (double)left / WIDTH, 1 - (double)right / WIDTH, (double)below / height,
        1 - (double)above / height, -margin, (double)grid->x_count - 1 + margin,
        grid->has_size ? "message size (bytes)" : "communicator size (ranks)");
    put_tics(grid, script);
}

/* The frame of values that a logarithmic axis must show. */
struct span {
    double least;
    double most;
};

/* The value of a curve; NAN where there is none that a logarithmic axis can show. */
static double value_at(const struct ct_plot_curve *curve, size_t place)
{
    double value = place == SIZE_MAX ? NAN : curve->values[place];
    return isfinite(value) && value > 0 ? value : NAN;
}

/* The interval at a place, within that of the values; false if there is none to draw. */
static bool bounds_at(const struct ct_plot_curve *curve, size_t place, double ret_bounds[2])
{
    const double value = value_at(curve, place);
    if (!curve->bounds[0] || isnan(value))
        return false;
    for (int side = 0; side < 2; side++)
        ret_bounds[side] = curve->bounds[side][place];
    return ret_bounds[0] > 0 && ret_bounds[0] <= value && value <= ret_bounds[1] &&
           ret_bounds[0] < ret_bounds[1] && isfinite(ret_bounds[1]);
}

/* Intervals of few samples may span dozens of powers of ten, so they widen the frame of the values only so
 * far; beyond it they are cut off. */
static struct span span_of(const struct ct_plot_curve *curves, size_t count, const size_t *places,
                           size_t x_count)
{
    const double farthest = 10;
    struct span span = {INFINITY, 0}, bars = {INFINITY, 0};
    for (size_t i = 0; i < count; i++) {
        for (size_t x = 0; x < x_count; x++) {
            span.least = fmin(span.least, value_at(&curves[i], places[x]));
            span.most = fmax(span.most, value_at(&curves[i], places[x]));
            double bounds[2];
            if (bounds_at(&curves[i], places[x], bounds)) {
                bars.least = fmin(bars.least, bounds[0]);
                bars.most = fmax(bars.most, bounds[1]);
            }
        }
    }
    span.least = fmin(span.least, fmax(bars.least, span.least / farthest));
    span.most = fmax(span.most, fmin(bars.most, span.most * farthest));
    return span;
}

static const struct {
    double seconds;
    double least; /* tic values from here on are written in this unit */
    const char *name;
} units[] = {{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {1e-6, 1e-6, "µs"}, {1e-9, 0, "ns"}};

static void tic_text(double value, char text[CT_NUMBER_TEXT])
{
    const double almost = 0.999; /* powers of ten are not exact */
    size_t unit = 0;
    while (value < almost * units[unit].least)
        unit++;
    snprintf(text, CT_NUMBER_TEXT, "%.4g %s", value / units[unit].seconds, units[unit].name);
}

/* Labels at 1, at 1 and 3, or at 1, 2 and 5 of every power of ten, so that there are neither few nor many. */
static void value_axis(struct span span, struct ct_text *script)
{
    static const struct {
        double decades;
        double factors[3];
        int count;
    } densities[] = {{2.5, {1, 2, 5}, 3}, {5, {1, 3}, 2}, {INFINITY, {1}, 1}};
    const double air = 1.25;
    double least = span.least / air, most = span.most * air;
    int first = (int)floor(log10(least)), last = (int)ceil(log10(most));
    size_t density = 0;
    while (log10(most / least) > densities[density].decades)
        density++;
    ct_text_append(script, "set logscale y\nset yrange [%.17g:%.17g]\nunset mytics\nset ytics (", least,
                   most);
    bool begun = false;
    for (int power = first; power <= last; power++) {
        for (int i = 0; i < densities[density].count; i++) {
            double value = densities[density].factors[i] * pow(10, power);
            char text[CT_NUMBER_TEXT];
            if (value < least || value > most)
                continue;
            tic_text(value, text);
            ct_text_append(script, "%s'%s' %.17g", begun ? ", " : "", text, value);
            begun = true;
        }
    }
    ct_text_append(script, ")\n");
}

static void curve_data(const struct ct_plot_curve *curve, size_t number, const size_t *places, size_t x_count,
                       const uint32_t *colours, struct ct_text *script)
{
    ct_text_append(script, "$curve%zu << EOD\n", number);
    for (size_t x = 0; x < x_count; x++) {
        size_t method = curve->methods && places[x] != SIZE_MAX ? curve->methods[places[x]] : SIZE_MAX;
        unsigned colour = method == SIZE_MAX ? 0 : colours[method];
        double value = value_at(curve, places[x]);
        if (isnan(value))
            ct_text_append(script, "%zu NaN %u\n", x, colour);
        else
            ct_text_append(script, "%zu %.17g %u\n", x, value, colour);
    }
    ct_text_append(script, "EOD\n");
}

/* Returns whether there is any. */
static bool bound_data(const struct ct_plot_curve *curve, size_t number, const size_t *places, size_t x_count,
                       struct ct_text *script)
{
    double bounds[2];
    bool any = false;
    for (size_t x = 0; x < x_count; x++) {
        if (!bounds_at(curve, places[x], bounds))
            continue;
        if (!any)
            ct_text_append(script, "$bounds%zu << EOD\n", number);
        ct_text_append(script, "%zu %.17g %.17g %.17g\n", x, value_at(curve, places[x]), bounds[0],
                       bounds[1]);
        any = true;
    }
    if (any)
        ct_text_append(script, "EOD\n");
    return any;
}

void ct_curves_script(const struct ct_grid *grid, size_t row, const struct ct_plot_curve *curves,
                      size_t count, const uint32_t *colours, struct ct_text *script)
{
    const unsigned height = 300;
    const size_t *places = grid->at + row * grid->x_count;
    struct span span = span_of(curves, count, places, grid->x_count);
    if (span.most <= 0)
        span = (struct span){1e-6, 1e-3};
    begin_picture(grid, height, script);
    value_axis(span, script);
    ct_text_append(script, "set grid ytics back lt 1 lw 0.7 lc rgb '#a0888888'\n");
    struct ct_text bars = {0};
    for (size_t i = 0; i < count; i++) {
        char colour[CT_NUMBER_TEXT];
        curve_data(&curves[i], i, places, grid->x_count, colours, script);
        if (bound_data(&curves[i], i, places, grid->x_count, script))
            ct_text_append(&bars,
                           "$bounds%zu using 1:2:3:4 with yerrorbars pt 0 lw 0.8 lc rgb '%s' notitle, \\\n  ",
                           i, ct_colour_text(curves[i].colour, colour));
    }
    ct_text_append(script, "plot %s", bars.data ? bars.data : "");
    script->failed |= bars.failed;
    ct_text_free(&bars);
    for (size_t i = 0; i < count; i++) {
        char colour[CT_NUMBER_TEXT];
        ct_text_append(script, "$curve%zu using 1:2 with lines lw %.2f dt %d lc rgb '%s' title ", i,
                       curves[i].width, curves[i].dash, ct_colour_text(curves[i].colour, colour));
        ct_gnuplot_string(script, curves[i].text);
        ct_text_append(script, ", \\\n  ");
        if (curves[i].methods)
            ct_text_append(
                script, "$curve%zu using 1:2:3 with points pt 7 ps 0.55 lc rgb variable notitle, \\\n  ", i);
    }
    ct_text_append(script, "NaN notitle\n");
}
