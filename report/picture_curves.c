/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/markup.h"
#include "report/picture.h"

#include <math.h>
#include <stdio.h>

/* The frame of values that a logarithmic axis must show. */
struct span {
    double least;
    double most;
};

static struct span span_of(const struct ct_curve *curves, size_t count, size_t x_count)
{
    struct span span = {INFINITY, 0};
    for (size_t i = 0; i < count; i++) {
        for (size_t x = 0; x < x_count; x++) {
            double value = curves[i].values[x];
            if (!isfinite(value) || value <= 0)
                continue;
            span.least = fmin(span.least, value);
            span.most = fmax(span.most, value);
        }
    }
    return span;
}

static const struct {
    double seconds;
    double least; /* tic values from here on are written in this unit */
    const char *name;
} units[] = {{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {1e-6, 1e-6, "µs"}, {1e-9, 0, "ns"}};

static void tic_text(double value, enum ct_quantity quantity, char text[CT_NUMBER_TEXT])
{
    const double almost = 0.999; /* powers of ten are not exact */
    size_t unit = 0;
    while (value < almost * units[unit].least)
        unit++;
    if (quantity == CT_QUANTITY_SECONDS)
        snprintf(text, CT_NUMBER_TEXT, "%.4g %s", value / units[unit].seconds, units[unit].name);
    else
        snprintf(text, CT_NUMBER_TEXT, "%.4g ×", value);
}

/* Labels at 1, at 1 and 3, or at 1, 2 and 5 of every power of ten, so that there are neither few nor many. */
static void value_axis(struct span span, enum ct_quantity quantity, struct ct_text *script)
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
            tic_text(value, quantity, text);
            ct_text_append(script, "%s'%s' %.17g", begun ? ", " : "", text, value);
            begun = true;
        }
    }
    ct_text_append(script, ")\n");
}

static void curve_data(const struct ct_curve *curve, size_t number, size_t x_count, struct ct_text *script)
{
    ct_text_append(script, "$curve%zu << EOD\n", number);
    for (size_t x = 0; x < x_count; x++) {
        unsigned colour = curve->colours ? curve->colours[x] : 0;
        if (isfinite(curve->values[x]) && curve->values[x] > 0)
            ct_text_append(script, "%zu %.17g %u\n", x, curve->values[x], colour);
        else
            ct_text_append(script, "%zu NaN %u\n", x, colour);
    }
    ct_text_append(script, "EOD\n");
}

void ct_curves_script(const struct ct_grid *grid, const struct ct_curve *curves, size_t count,
                      enum ct_quantity quantity, struct ct_text *script)
{
    const unsigned height = 330;
    struct span span = span_of(curves, count, grid->x_count);
    if (span.most <= 0)
        span = (struct span){1e-6, 1e-3};
    if (quantity == CT_QUANTITY_SPEED_UP)
        span = (struct span){fmin(span.least, 0.9), fmax(span.most, 1.1)};
    ct_picture_begin(grid, height, 0.4, script);
    value_axis(span, quantity, script);
    ct_text_append(script, "set grid ytics back lt 1 lw 0.7 lc rgb '#a0888888'\n");
    if (quantity == CT_QUANTITY_SPEED_UP)
        ct_text_append(script,
                       "set arrow from graph 0, first 1 to graph 1, first 1 nohead lw 1 lc rgb '#888888'\n");
    for (size_t i = 0; i < count; i++)
        curve_data(&curves[i], i, grid->x_count, script);
    ct_text_append(script, "plot ");
    for (size_t i = 0; i < count; i++) {
        char colour[CT_NUMBER_TEXT];
        ct_text_append(script, "$curve%zu using 1:2 with lines lw %.2f dt %d lc rgb '%s' title ", i,
                       curves[i].width, curves[i].dash, ct_colour_text(curves[i].colour, colour));
        ct_gnuplot_string(script, curves[i].text);
        ct_text_append(script, ", \\\n  ");
        if (curves[i].colours)
            ct_text_append(
                script, "$curve%zu using 1:2:3 with points pt 7 ps 0.55 lc rgb variable notitle, \\\n  ", i);
    }
    ct_text_append(script, "NaN notitle\n");
}
