/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/model_code.h"
#include "algorithms/method.h"
#include "base/memory.h"
#include "base/number.h"
#include "codegen/embedded_files.h"
#include "codegen/model_choice.h"
#include "codegen/provenance.h"
#include "config.h"
#include "models/formulas/formula.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *const model_constants[CT_COMMUNICATION_MODELS] = {[CT_MODEL_HOCKNEY] = "CT_MODEL_HOCKNEY",
                                                                     [CT_MODEL_LOGGP] = "CT_MODEL_LOGGP",
                                                                     [CT_MODEL_PLOGP] = "CT_MODEL_PLOGP"};

/* Appends an embedded file, without the includes of files that were appended before. */
static void write_file(const char *name, struct ct_text *text)
{
    static const char include[] = "#include \"";
    const struct ct_embedded_file *file = ct_embedded_files;
    while (strcmp(file->name, name) != 0) {
        file++;
        assert(file->name);
    }
    for (const char *line = file->text, *end; *line; line = end) {
        end = strchr(line, '\n') + 1;
        if (strncmp(line, include, strlen(include)) != 0)
            ct_text_append(text, "%.*s", (int)(end - line), line);
    }
    ct_text_append(text, "\n");
}

/* --- the machine --- */

static void write_number(const char *name, double number, struct ct_text *text)
{
    char digits[CT_NUMBER_TEXT];
    if (number != 0)
        ct_text_append(text, "    .%s = %s,\n", name, ct_number_format(number, digits));
}

static void write_curve(const char *name, const struct ct_curve *curve, struct ct_text *text)
{
    char bytes[CT_NUMBER_TEXT], seconds[CT_NUMBER_TEXT];
    ct_text_append(text, "static struct ct_curve_point %s_points[] = {\n", name);
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

/* A voter: its weight, and the terms that ct_formula_terms_of() takes from the model. */
static void write_voter(const struct ct_model *model, enum ct_communication_model kind, double weight,
                        struct ct_text *text)
{
    const struct ct_link *link = ct_model_link(model, kind, !ct_model_has_network(model));
    char digits[CT_NUMBER_TEXT];
    ct_text_append(text, "    {.weight = %s, .machine = {\n    .model = %s,\n",
                   ct_number_format(weight, digits), model_constants[kind]);
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
    ct_text_append(text, "    }},\n");
}

static void write_voters(const struct ct_model_origin *origin, struct ct_text *text)
{
    const struct ct_model *model = origin->model;
    if (origin->weights[CT_MODEL_PLOGP] > 0)
        write_plogp(&ct_model_link(model, CT_MODEL_PLOGP, !ct_model_has_network(model))->plogp, text);
    ct_text_append(text, "static const struct ct_model_voter voters[] = {\n");
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        if (origin->weights[kind] > 0)
            write_voter(model, (enum ct_communication_model)kind, origin->weights[kind], text);
    ct_text_append(text, "};\n\n");
}

/* --- the methods --- */

/* The method with standard parameters that carries out the collective by this row; its algorithm is NULL if
 * there is none. */
static struct ct_method method_of(const struct ct_formula *formula, enum ct_collective collective)
{
    struct ct_method method = {.algorithm = ct_algorithm_find(collective, formula->algorithm)};
    if (!method.algorithm)
        return method;
    const struct ct_descriptor *descriptor = method.algorithm->descriptor;
    for (int i = 0; i < ct_parameter_count(descriptor); i++)
        method.values[i] = ct_parameter_standard(descriptor->parameters[i]);
    if (ct_formula_find(&method) != formula)
        method.algorithm = NULL;
    return method;
}

/* Does the candidate stand for a method of each segment size? */
static bool is_cut(const struct ct_formula *formula, struct ct_method method)
{
    return ct_method_segment(&method) && formula->cut != CT_CUT_NOTHING;
}

static void write_candidate(const struct ct_formula *formula, size_t row, size_t first,
                            const struct ct_method *method, struct ct_text *text)
{
    unsigned constraints = method->algorithm->descriptor->constraints;
    ct_text_append(text, "    {%zu, %zu, %d, %.0f, %d, %d, %d}, /* %s */\n", row, first,
                   is_cut(formula, *method), ct_formula_segment(method),
                   (constraints & CT_CONSTRAINT_POWER_OF_TWO) != 0, (constraints & CT_CONSTRAINT_EVEN) != 0,
                   (constraints & CT_CONSTRAINT_COMMUTATIVE) != 0, formula->algorithm);
}

/* The name of the table that has rows of the collective; NULL if none has. */
static const char *find_table(enum ct_collective collective, const struct ct_formula_table **ret_table)
{
    const struct ct_formula *formula;
    const char *name = NULL;
    for (size_t i = 0; !name && (formula = ct_formula_at(i)); i++)
        if (method_of(formula, collective).algorithm)
            *ret_table = ct_formula_table_of(formula, &name);
    return name;
}

static void write_candidates(const struct ct_formula_table *table, enum ct_collective collective,
                             struct ct_text *text)
{
    ct_text_append(text, "static const struct ct_model_candidate candidates[] = {\n");
    size_t first = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct ct_method method = method_of(&table->rows[i], collective);
        if (!method.algorithm)
            continue;
        write_candidate(&table->rows[i], i, first, &method, text);
        first += is_cut(&table->rows[i], method) ? CT_MODEL_CHOICE_SEGMENTS : 1;
    }
    ct_text_append(text, "};\n\n");
}

/* --- the file --- */

static const char declarations[] =
    "#include <stdbool.h>\n"
    "#include <stddef.h>\n"
    "\n"
    "#ifndef COLLTUNE_MODEL_CHOICE\n"
    "#define COLLTUNE_MODEL_CHOICE\n"
    "struct colltune_model_choice {\n"
    "    const char *algorithm; /* colltune's name of it; NULL if no method with a formula applies */\n"
    "    size_t segment;        /* bytes; 0 if the message is not cut */\n"
    "    double seconds;        /* expected by the model */\n"
    "    size_t method;         /* its number among those that are tried, in their order */\n"
    "};\n"
    "#endif\n"
    "\n"
    "/* The best method among comm_size ranks for a message of msg_bytes, which a barrier ignores.\n"
    " * `commutes`: the operation commutes; pass true if there is none. */\n"
    "struct colltune_model_choice colltune_model_decide_%s(size_t comm_size, size_t msg_bytes,\n"
    "                                                      bool commutes);\n"
    "\n"
    "/* If this is defined, the file contains the declarations alone. */\n"
    "#ifndef COLLTUNE_MODEL_DECLARATIONS_ONLY\n"
    "\n"
    "#define CT_FORMULA_LINKAGE static\n"
    "\n"
    "/* No formula uses all terms. */\n"
    "#ifdef __clang__\n"
    "#pragma clang diagnostic ignored \"-Wunused-function\"\n"
    "#endif\n"
    "\n";

static const char decision[] =
    "struct colltune_model_choice colltune_model_decide_%s(size_t comm_size, size_t msg_bytes,\n"
    "                                                      bool commutes)\n"
    "{\n"
    "    const struct ct_model_question question = {\n"
    "        &ct_formulas_%s, candidates, sizeof candidates / sizeof candidates[0],\n"
    "        voters, sizeof voters / sizeof voters[0], %s, comm_size, msg_bytes, commutes};\n"
    "    const struct ct_model_choice choice = ct_model_choose(&question);\n"
    "    return (struct colltune_model_choice){choice.algorithm, (size_t)choice.segment, choice.seconds,\n"
    "                                          choice.method};\n"
    "}\n"
    "\n"
    "#endif\n"
    "#endif\n";

/* Has the machine what the models that vote need? */
static int check_voters(const struct ct_model_origin *origin, struct ct_error *error)
{
    const bool one_node = !ct_model_has_network(origin->model);
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++) {
        if (origin->weights[kind] <= 0)
            continue;
        const struct ct_link *link =
            ct_model_link(origin->model, (enum ct_communication_model)kind, one_node);
        if (!link)
            return ct_fail(error, CT_E_INPUT, "%s: no %s parameters; measure them with colltune fit",
                           origin->file, ct_communication_model_titles[kind]);
        if (kind != CT_MODEL_PLOGP && link->regime_count > 0)
            return ct_fail(error, CT_E_INPUT,
                           "%s: the %s parameters differ between message sizes; expected --cost-model "
                           "plogp",
                           origin->file, ct_communication_model_titles[kind]);
    }
    return CT_OK;
}

int ct_model_methods(enum ct_collective collective, struct ct_method **ret_methods, size_t *ret_count)
{
    const struct ct_formula_table *table = NULL;
    const size_t rows = find_table(collective, &table) ? table->count : 0;
    struct ct_method *methods = ct_allocate(rows * CT_MODEL_CHOICE_SEGMENTS + 1, sizeof *methods);
    size_t count = 0;
    if (!methods)
        return CT_E_MEMORY;
    for (size_t i = 0; i < rows; i++) {
        struct ct_method method = method_of(&table->rows[i], collective);
        if (!method.algorithm)
            continue;
        const size_t sizes = is_cut(&table->rows[i], method) ? CT_MODEL_CHOICE_SEGMENTS : 1;
        for (size_t s = 0; s < sizes; s++) {
            if (sizes > 1)
                *ct_method_segment(&method) = (size_t)ct_model_choice_segments[s];
            methods[count++] = method;
        }
    }
    *ret_methods = methods;
    *ret_count = count;
    return CT_OK;
}

bool ct_model_decides(enum ct_collective collective)
{
    const struct ct_formula_table *table;
    return find_table(collective, &table) != NULL;
}

void ct_model_voters_write(const struct ct_model_origin *origin, struct ct_text *text)
{
    size_t count = 0, written = 0;
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        count += origin->weights[kind] > 0;
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++) {
        char digits[CT_NUMBER_TEXT];
        if (origin->weights[kind] <= 0)
            continue;
        if (count == 1)
            ct_text_append(text, "the %s model", ct_communication_model_names[kind]);
        else
            ct_text_append(text, "%s%s=%s", written > 0 ? ", " : "a vote of ",
                           ct_communication_model_names[kind],
                           ct_number_format(origin->weights[kind], digits));
        written++;
    }
}

int ct_model_code_write(const struct ct_model_origin *origin, enum ct_collective collective,
                        struct ct_error *error, struct ct_text *text)
{
    const char *name = ct_collectives[collective].name;
    const struct ct_formula_table *table = NULL;
    const char *table_name = find_table(collective, &table);
    char file[40];
    int status = check_voters(origin, error);
    if (status != CT_OK)
        return status;
    if (!table_name)
        return ct_fail(error, CT_E_INPUT, "%s has no closed formulas", name);
    ct_text_append(text, "/* The best method for %s by ", name);
    ct_model_voters_write(origin, text);
    ct_text_append(text, " of a machine%s, generated by colltune %s; do not edit.\n *\n * model ",
                   ct_model_has_network(origin->model) ? "" : ", all ranks on one node", CT_VERSION);
    ct_harmless_append(origin->model->name, text);
    ct_text_append(text, "\n *   ");
    ct_harmless_append(origin->file, text);
    ct_text_append(text, ": SHA-256 %s\n * The formulas are those of Pjesivac-Grbovic 2007.\n */\n",
                   origin->checksum);
    ct_text_append(text, "#ifndef COLLTUNE_MODEL_DECIDE_%s\n#define COLLTUNE_MODEL_DECIDE_%s\n\n", name,
                   name);
    ct_text_append(text, declarations, name);
    snprintf(file, sizeof file, "formulas_%s.c", table_name);
    const char *const files[] = {"parameters.h", "formula_terms.h", "model_choice.h", file};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        write_file(files[i], text);
    write_voters(origin, text);
    write_candidates(table, collective, text);
    ct_text_append(text, decision, name, table_name, ct_collectives[collective].has_data ? "true" : "false");
    return text->failed ? ct_fail(error, CT_E_MEMORY, "out of memory") : CT_OK;
}
