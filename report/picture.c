/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/picture.h"

#include "base/file.h"
#include "base/process.h"
#include "report/markup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 620 };

int ct_studio_open(struct ct_studio *studio, struct ct_error *error)
{
    *studio = (struct ct_studio){.gnuplot = ct_program_find("gnuplot")};
    if (!studio->gnuplot)
        return ct_fail(error, CT_E_SYSTEM,
                       "gnuplot, which draws the pictures, is not installed: expected it in PATH "
                       "(Debian package gnuplot-nox)");
    const char *temporary = getenv("TMPDIR");
    studio->folder =
        ct_format("%s/colltune-report.XXXXXX", temporary && temporary[0] == '/' ? temporary : "/tmp");
    if (!studio->folder)
        return CT_E_MEMORY;
    if (!mkdtemp(studio->folder)) {
        int status =
            ct_fail(error, CT_E_SYSTEM, "%s: cannot make the folder: %s", studio->folder, strerror(errno));
        free(studio->folder);
        studio->folder = NULL;
        return status;
    }
    return CT_OK;
}

void ct_studio_close(struct ct_studio *studio)
{
    if (studio->folder)
        ct_remove_all(studio->folder, NULL);
    free(studio->folder);
    free(studio->gnuplot);
    *studio = (struct ct_studio){0};
}

/* What gnuplot writes and what it becomes; names get the picture's number, which makes them unique in the
 * page. */
static const struct replacement {
    const char *from;
    const char *to;
    bool number;
} replacements[] = {
    {"\"black\"", "\"currentColor\"", false},
    {"\"rgb(  0,   0,   0)\"", "\"currentColor\"", false},
    {"\"rgb(0,0,0)\"", "\"currentColor\"", false},
    {"'black'", "'currentColor'", false},
    {"'rgb(  0,   0,   0)'", "'currentColor'", false},
    {"<title>Gnuplot</title>", "", false},
    {" font-family=\"sans\"", "", false},
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
static int inline_svg(const char *svg, size_t number, const char *label, struct ct_error *error,
                      struct ct_text *page)
{
    const char *at = strstr(svg, "<svg");
    if (!at || !strstr(at, "</svg>"))
        return ct_fail(error, CT_E_SYSTEM, "gnuplot wrote no picture of: %s", label);
    ct_text_append(page, "<svg role=\"img\" aria-label=\"");
    ct_html_text(page, label);
    ct_text_append(page, "\"");
    at += strlen("<svg");
    while (*at) {
        const struct replacement *replacement =
            *at == '"' || *at == '\'' || *at == '<' || *at == ' ' || *at == 'h' ? replacement_at(at) : NULL;
        if (!replacement) {
            size_t plain = 1 + strcspn(at + 1, "\"'< h");
            ct_text_append_bytes(page, at, plain);
            at += plain;
            continue;
        }
        at += strlen(replacement->from);
        ct_text_append(page, "%s", replacement->to);
        if (replacement->number)
            ct_text_append(page, "%zu-", number);
    }
    return CT_OK;
}

static int run_gnuplot(const struct ct_studio *studio, const char *script_path, const char *label,
                       struct ct_error *error)
{
    const char *argv[] = {studio->gnuplot, "-d", script_path, NULL};
    struct ct_text talk = {0};
    int code = 0;
    int status = ct_command_run(argv, &talk, error, &code);
    if (status == CT_OK && code != 0) {
        /* The last line that says something; those before show the command. */
        char *end = talk.data ? talk.data + talk.length : NULL;
        while (end && end > talk.data && (end[-1] == '\n' || end[-1] == ' '))
            *--end = '\0';
        char *line = end ? strrchr(talk.data, '\n') : NULL;
        status = ct_fail(error, CT_E_SYSTEM, "gnuplot failed with code %d at the picture of: %s%s%s", code,
                         label, end ? ": " : "",
                         line  ? line + 1
                         : end ? talk.data
                               : "");
    }
    ct_text_free(&talk);
    return status;
}

int ct_picture_draw(struct ct_studio *studio, const struct ct_text *script, const char *label,
                    struct ct_error *error, struct ct_text *page)
{
    char *svg = NULL;
    size_t length = 0;
    char *script_path = ct_format("%s/%zu.gnuplot", studio->folder, studio->drawn);
    char *svg_path = ct_format("%s/%zu.svg", studio->folder, studio->drawn);
    struct ct_text whole = {0};
    int status = CT_E_MEMORY;
    if (!script_path || !svg_path)
        goto done;
    ct_text_append(&whole, "set output ");
    ct_gnuplot_string(&whole, svg_path);
    ct_text_append(&whole, "\n");
    if (script->data)
        ct_text_append_bytes(&whole, script->data, script->length);
    if (whole.failed || script->failed)
        goto done;
    status = ct_file_write(script_path, whole.data, whole.length, error);
    if (status == CT_OK)
        status = run_gnuplot(studio, script_path, label, error);
    if (status == CT_OK)
        status = ct_file_read(svg_path, error, &svg, &length);
    if (status == CT_OK)
        status = inline_svg(svg, ++studio->drawn, label, error, page);
done:
    free(svg);
    free(script_path);
    free(svg_path);
    ct_text_free(&whole);
    return status;
}

void ct_picture_tics(const char *axis, const size_t *sizes, size_t count, size_t most, bool bytes,
                     struct ct_text *script)
{
    size_t step = count > most ? (count + most - 1) / most : 1;
    ct_text_append(script, "set %stics (", axis);
    for (size_t i = 0; i < count; i += step) {
        char size[CT_SIZE_TEXT];
        if (bytes)
            ct_size_format(sizes[i], size);
        else
            snprintf(size, sizeof size, "%zu", sizes[i]);
        ct_text_append(script, "%s'%s' %zu", i ? ", " : "", size, i);
    }
    ct_text_append(script, ")\n");
}

void ct_picture_begin(const struct ct_grid *grid, unsigned height, double margin, struct ct_text *script)
{
    const unsigned left = 66, right = 8, below = 50, above = 8, most_labels = 13;
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
        grid->has_size ? "message size (bytes)" : "communicator size (processes)");
    ct_picture_tics("x", grid->x, grid->x_count, most_labels, grid->has_size, script);
}
