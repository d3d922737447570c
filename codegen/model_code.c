/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/model_code.h"

#include "algorithms/method.h"
#include "base/number.h"
#include "codegen/formula_lines.h"
#include "codegen/generator.h"
#include "config.h"
#include "models/formulas/formula.h"

#include <stdio.h>
#include <string.h>

const size_t ct_model_code_segments[] = {0,       512,      1 << 10,  2 << 10, 4 << 10,
                                         8 << 10, 16 << 10, 32 << 10, 64 << 10};
const size_t ct_model_code_segment_count = sizeof ct_model_code_segments / sizeof ct_model_code_segments[0];

enum { NAME_TEXT = 96 };

/* The name of a row's descriptor. */
static void row_name(const struct ct_formula *formula, char name[NAME_TEXT])
{
    snprintf(name, NAME_TEXT, "ct_formula_%s_%s", ct_collectives[formula->collective].name,
             formula->algorithm);
}

/* Do the lines hold this row's descriptor? */
static bool holds(const char *const *lines, const struct ct_formula *formula)
{
    char name[NAME_TEXT], start[NAME_TEXT + 40];
    row_name(formula, name);
    snprintf(start, sizeof start, "static const struct ct_formula %s =", name);
    for (; *lines; lines++)
        if (strncmp(*lines, start, strlen(start)) == 0)
            return true;
    return false;
}

static const char *const *lines_of(enum ct_collective collective)
{
    for (const char *const *const *lines = ct_formula_lines; *lines; lines++)
        for (size_t i = 0; i < ct_formula_count; i++)
            if (ct_formulas[i]->collective == collective && holds(*lines, ct_formulas[i]))
                return *lines;
    return NULL;
}

static void write_lines(const char *const *lines, struct ct_text *text)
{
    for (; *lines; lines++)
        ct_text_append(text, "%s", *lines);
    ct_text_append(text, "\n");
}

static void write_number(const char *name, double number, struct ct_text *text)
{
    char digits[CT_NUMBER_TEXT];
    if (number != 0)
        ct_text_append(text, "    .%s = %s,\n", name, ct_number_format(number, digits));
}

static void write_curve(const char *name, const struct ct_curve *curve, struct ct_text *text)
{
    char bytes[CT_NUMBER_TEXT], seconds[CT_NUMBER_TEXT];
    ct_text_append(text, "static const struct ct_curve_point %s_points[] = {\n", name);
    for (size_t i = 0; i < curve->count; i++)
        ct_text_append(text, "    {%s, %s},\n", ct_number_format(curve->points[i].bytes, bytes),
                       ct_number_format(curve->points[i].seconds, seconds));
    ct_text_append(text, curve->count > 0 ? "};\n\n" : "    {0, 0},\n};\n\n");
}

static void write_plogp(const struct ct_plogp *plogp, struct ct_text *text)
{
    const struct {
        const char *name;
        const struct ct_curve *curve;
    } curves[] = {{"gap", &plogp->gap},
                  {"send_overhead", &plogp->send_overhead},
                  {"receive_overhead", &plogp->receive_overhead}};
    for (size_t i = 0; i < 3; i++)
        write_curve(curves[i].name, curves[i].curve, text);
    ct_text_append(text, "static const struct ct_plogp plogp = {\n");
    for (size_t i = 0; i < 3; i++)
        ct_text_append(text, "    .%s = {%s_points, %zu},\n", curves[i].name, curves[i].name,
                       curves[i].curve->count);
    ct_text_append(text, "};\n\n");
}

/* What ct_formula_terms_of() takes from the model. */
static void write_machine(const struct ct_model *model, enum ct_communication_model kind,
                          struct ct_text *text)
{
    const struct ct_link *link = &model->links[CT_LINK_NETWORK];
    if (kind == CT_MODEL_PLOGP)
        write_plogp(&link->plogp, text);
    ct_text_append(text,
                   "/* The machine. */\nstatic const struct ct_formula_terms machine = {\n    .P = 0,\n");
    write_number("gamma", model->gamma, text);
    write_number("delta", model->delta, text);
    if (kind == CT_MODEL_HOCKNEY) {
        write_number("alpha", link->hockney.alpha, text);
        write_number("beta", link->hockney.beta, text);
    } else if (kind == CT_MODEL_LOGGP) {
        write_number("L", link->loggp.latency, text);
        write_number("o", link->loggp.overhead, text);
        write_number("g", link->loggp.gap, text);
        write_number("G", link->loggp.gap_per_byte, text);
    } else {
        write_number("L", link->plogp.latency, text);
        ct_text_append(text, "    .plogp = &plogp,\n");
    }
    ct_text_append(text, "};\n\n");
}

static bool tries_segments(const struct ct_algorithm *algorithm, const struct ct_formula *formula)
{
    bool has_segments = false;
    for (int i = 0; i < ct_parameter_count(algorithm->descriptor); i++)
        has_segments |= algorithm->descriptor->parameters[i] == &ct_segment_parameter;
    return has_segments && formula->cut != CT_CUT_NOTHING;
}

/* All rows of the file, so that the compiler finds each of them in use. */
static void write_candidates(const char *const *lines, struct ct_text *text)
{
    ct_text_append(text, "/* The methods. */\nstatic const struct {\n"
                         "    const struct ct_formula *formula;\n"
                         "    bool tries_segments;\n    double segment; /* where it tries none */\n"
                         "    bool power_of_two, even, commutative; /* what a call must be */\n"
                         "} candidates[] = {\n");
    for (size_t i = 0; i < ct_formula_count; i++) {
        const struct ct_formula *formula = ct_formulas[i];
        char name[NAME_TEXT];
        struct ct_method method = {ct_algorithm_find(formula->collective, formula->algorithm), {0}};
        if (!method.algorithm || !holds(lines, formula))
            continue;
        const struct ct_descriptor *descriptor = method.algorithm->descriptor;
        for (int p = 0; p < ct_parameter_count(descriptor); p++)
            method.values[p] = ct_parameter_standard(descriptor->parameters[p]);
        row_name(formula, name);
        ct_text_append(text, "    {&%s, %d, %.0f, %d, %d, %d},\n", name,
                       tries_segments(method.algorithm, formula), ct_formula_segment(&method),
                       (descriptor->constraints & CT_CONSTRAINT_POWER_OF_TWO) != 0,
                       (descriptor->constraints & CT_CONSTRAINT_EVEN) != 0,
                       (descriptor->constraints & CT_CONSTRAINT_COMMUTATIVE) != 0);
    }
    ct_text_append(text, "};\n\nstatic const double segments[] = {");
    for (size_t i = 0; i < ct_model_code_segment_count; i++)
        ct_text_append(text, "%s%zu", i ? ", " : "", ct_model_code_segments[i]);
    ct_text_append(text, "};\n\n");
}

static const char declarations[] =
    "#include <stdbool.h>\n"
    "#include <stddef.h>\n"
    "\n"
    "#ifndef COLLTUNE_MODEL_CHOICE\n"
    "#define COLLTUNE_MODEL_CHOICE\n"
    "struct colltune_model_choice {\n"
    "    const char *algorithm; /* as colltune spells it */\n"
    "    size_t segment;        /* bytes; 0 where the message is not cut */\n"
    "    double seconds;        /* that the model expects */\n"
    "};\n"
    "#endif\n"
    "\n"
    "/* What to use among comm_size ranks for a message of msg_bytes; in a barrier it does not\n"
    " * matter. `commutes`: the operation does; true where there is none. */\n"
    "struct colltune_model_choice colltune_model_decide_%s(size_t comm_size, size_t msg_bytes,\n"
    "                                                      bool commutes);\n"
    "\n"
    "/* Defined before, this file has the declarations alone. */\n"
    "#ifndef COLLTUNE_MODEL_DECLARATIONS_ONLY\n"
    "\n"
    "#include <math.h>\n"
    "\n";

static const char decision[] =
    "static double seconds_of(const struct ct_formula *formula, size_t ranks, size_t bytes,\n"
    "                         double segment)\n"
    "{\n"
    "    struct ct_formula_terms x = machine;\n"
    "    x.P = (double)ranks;\n"
    "    x.m = (double)bytes;\n"
    "    if (ranks < 2 || (bytes == 0 && %s))\n"
    "        return 0;\n"
    "    cut(formula, segment, &x);\n"
    "    return formula->cells[%s].seconds(&x);\n"
    "}\n"
    "\n"
    "struct colltune_model_choice colltune_model_decide_%s(size_t comm_size, size_t msg_bytes,\n"
    "                                                      bool commutes)\n"
    "{\n"
    "    struct colltune_model_choice choice = {NULL, 0, INFINITY};\n"
    "    for (size_t c = 0; c < sizeof candidates / sizeof candidates[0]; c++) {\n"
    "        const struct ct_formula *formula = candidates[c].formula;\n"
    "        bool cuts = candidates[c].tries_segments;\n"
    "        if (formula->collective != %s || (candidates[c].commutative && !commutes) ||\n"
    "            (candidates[c].power_of_two && (comm_size & (comm_size - 1)) != 0) ||\n"
    "            (candidates[c].even && comm_size %% 2 != 0))\n"
    "            continue;\n"
    "        for (size_t s = 0; s < (cuts ? sizeof segments / sizeof segments[0] : 1); s++) {\n"
    "            double segment = cuts ? segments[s] : candidates[c].segment;\n"
    "            if (s > 0 && segment >= (double)msg_bytes)\n"
    "                break;\n"
    "            double seconds = seconds_of(formula, comm_size, msg_bytes, segment);\n"
    "            if (seconds < choice.seconds) {\n"
    "                choice.algorithm = formula->algorithm;\n"
    "                choice.segment = (size_t)segment;\n"
    "                choice.seconds = seconds;\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "    return choice;\n"
    "}\n"
    "\n"
    "#endif\n"
    "#endif\n";

static const char *const model_constants[CT_COMMUNICATION_MODELS] = {[CT_MODEL_HOCKNEY] = "CT_MODEL_HOCKNEY",
                                                                     [CT_MODEL_LOGGP] = "CT_MODEL_LOGGP",
                                                                     [CT_MODEL_PLOGP] = "CT_MODEL_PLOGP"};

int ct_model_code_write(const struct ct_model *model, const char *source, const char *checksum,
                        enum ct_communication_model kind, enum ct_collective collective,
                        struct ct_error *error, struct ct_text *text)
{
    const char *name = ct_collectives[collective].name;
    const char *const *lines = lines_of(collective);
    char constant[NAME_TEXT];
    if (!model->links[CT_LINK_NETWORK].known[kind])
        return ct_fail(error, CT_E_INPUT, "%s: has no %s parameters of the network", source,
                       ct_communication_model_names[kind]);
    if (!lines)
        return ct_fail(error, CT_E_INPUT, "%s has no closed formulas", name);
    snprintf(constant, sizeof constant, "CT_COLLECTIVE_%s", name);
    for (char *at = constant; *at; at++)
        *at = *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at;
    ct_text_append(
        text,
        "/* Which method to use for %s, by the %s model of a machine, generated by colltune %s; do "
        "not edit.\n *\n * model ",
        name, ct_communication_model_names[kind], CT_VERSION);
    ct_harmless_append(model->name, text);
    ct_text_append(text, "\n *   ");
    ct_harmless_append(source, text);
    ct_text_append(text, ": SHA-256 %s\n * The formulas are those of Pjesivac-Grbovic 2007.\n */\n",
                   checksum);
    ct_text_append(text, "#ifndef COLLTUNE_MODEL_%s\n#define COLLTUNE_MODEL_%s\n\n", constant, constant);
    ct_text_append(text, declarations, name);
    write_lines(ct_formula_basics, text);
    write_lines(lines, text);
    write_machine(model, kind, text);
    write_candidates(lines, text);
    ct_text_append(text, decision, ct_collectives[collective].has_data ? "true" : "false",
                   model_constants[kind], name, constant);
    return text->failed ? ct_fail(error, CT_E_MEMORY, "out of memory") : CT_OK;
}
