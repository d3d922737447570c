/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "cli/contradictions.h"
#include "cli/learning.h"
#include "cli/option_choices.h"
#include "cli/run_reading.h"
#include "codegen/generator.h"
#include "codegen/generators.h"
#include "codegen/translation.h"
#include "learners/learn_table.h"
#include "report/validation.h"
#include "samples/run_folder.h"

#include <stdio.h>
#include <stdlib.h>

struct settings {
    const char *output;
    int collective;
    const char *without;
    const char *validation; /* a file, or NULL */
    struct ct_learning learning;
    int target; /* index of target_choice() */
    bool commutative;
};

/* The formats that are files of an MPI library, then our own library, which has all methods. */
static const struct ct_generator *find_target(size_t index)
{
    size_t count = 0;
    for (size_t i = 0; ct_generators[i]; i++)
        if (ct_generators[i]->target && count++ == index)
            return ct_generators[i];
    return NULL;
}

static const char own_library[] = "colltuned";

static const char *target_choice(size_t index)
{
    const struct ct_generator *target = find_target(index);
    if (target)
        return target->name;
    return index == 0 || find_target(index - 1) ? own_library : NULL;
}

static const struct ct_option options[] = {
    {"output", 'o', "TABLE.xml", CT_OPTION_TEXT, offsetof(struct settings, output), .required = true,
     .output = CT_OUTPUT_FILE, .text = "write the decision table to this file, which must not exist"},
    {"collective", 'c', "COLLECTIVE", CT_OPTION_CHOICE, offsetof(struct settings, collective), .usual = "all",
     .choice = ct_collective_choice, .text = "learn only this collective"},
    {"for", 0, "LIBRARY", CT_OPTION_CHOICE, offsetof(struct settings, target), .usual = own_library,
     .choice = target_choice,
     .text = "choose only methods that a tuning file in this format of `colltune generate` can express; "
             "colltuned: any method of our own library"},
    {"commutative-only", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, commutative),
     .text = "with --for: also choose methods that need commutative operations, as colltune generate "
             "--commutative-only"},
    CT_WITHOUT_OPTION(struct settings),
    {"validation", 0, "FILE", CT_OPTION_TEXT, offsetof(struct settings, validation),
     .text = "choose native in the cells where the library was slower than native or called it, according to "
             "this file of `colltune validate`; not for neighborhood collectives"},
    {0},
};

static int begin(void *settings, struct ct_bindings *bindings)
{
    return ct_learning_begin(&((struct settings *)settings)->learning, &ct_command_learn, NULL, bindings);
}

static void end(void *settings)
{
    ct_learning_end(&((struct settings *)settings)->learning);
}

static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    struct settings *settings = given;
    if (settings->commutative && !find_target((size_t)settings->target))
        return ct_fail(error, CT_E_INPUT, "--commutative-only: expected --for, too");
    return ct_learning_check(&settings->learning, arguments, error);
}

static bool has_method(const void *translation, const struct ct_method *method)
{
    return ct_translation_has(translation, method);
}

/* The calls in which native is to be chosen: also those in which it was, as an earlier validation may have
 * been the reason. Caller frees *ret_calls. */
static int list_native(const char *path, struct ct_error *error, struct ct_learn_calls **ret_calls,
                       size_t *ret_count)
{
    struct ct_validation validation = {0};
    struct ct_learn_calls *calls = NULL;
    size_t count = 0;
    int status = ct_validation_read(path, error, &validation);
    if (status == CT_OK && !(calls = ct_allocate(validation.count + 1, sizeof *calls)))
        status = ct_fail(error, CT_E_MEMORY, "out of memory");
    for (size_t i = 0; status == CT_OK && i < validation.count; i++) {
        const struct ct_validation_point *point = &validation.points[i];
        if (ct_validation_is_slower(point) || ct_is_native(point->method.algorithm))
            calls[count++] = (struct ct_learn_calls){point->collective, point->key};
    }
    *ret_calls = calls;
    *ret_count = count;
    ct_validation_free(&validation);
    return status;
}

/* A format that has one method for a collective has nothing for a tree with tests. */
static int check_leaves(const struct ct_table *table, const struct ct_generator *target,
                        struct ct_error *error)
{
    for (size_t i = 0; target && target->has_one_method && i < table->decisions.tree_count; i++) {
        const struct ct_decision_tree *tree = &table->decisions.trees[i];
        const size_t leaves = ct_tree_leaf_count(tree);
        if (leaves > 1)
            return ct_fail(
                error, CT_E_INPUT,
                "%s: %zu leaves, but a setting of %s holds for all calls: expected --max-leaves 1, "
                "or another format",
                ct_collectives[tree->collective].name, leaves, target->name);
    }
    return CT_OK;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct ct_text notes = {0};
    struct ct_run measured = {0};
    struct ct_table table = {0};
    struct ct_learn_settings *learn = settings->learning.settings;
    struct ct_learn_calls *native_in = NULL;
    const struct ct_generator *target = find_target((size_t)settings->target);
    struct ct_translation translation;
    int status;
    learn->notes = &notes;
    if (target) {
        translation = *target->target;
        translation.commutative = settings->commutative;
        learn->target = target->name;
        learn->target_has = has_method;
        learn->target_context = &translation;
    }
    if ((status = ct_is_new(settings->output, error)) != CT_OK ||
        (status = ct_run_read_shown(&ct_command_learn, arguments->words[0], error, &measured)) != CT_OK ||
        (status = ct_without_apply(settings->without, &measured, error)) != CT_OK ||
        (settings->validation &&
         (status = list_native(settings->validation, error, &native_in, &learn->native_in_count)) != CT_OK))
        goto done;
    learn->native_in = native_in;
    if ((status = ct_learn_table(&measured, learn, (enum ct_collective)settings->collective, error,
                                 &table)) != CT_OK ||
        (status = check_leaves(&table, target, error)) != CT_OK ||
        (status = ct_table_create(&table, settings->output, error)) != CT_OK)
        goto done;
    ct_learning_wipe(&settings->learning);
    for (size_t i = 0; i < table.decisions.tree_count; i++)
        ct_tree_tell(&table, i);
    fputs(notes.data ? notes.data : "", stderr);
    status = ct_contradictions_tell_all(&ct_command_learn, &measured, settings->collective, error);
done:
    ct_learning_wipe(&settings->learning);
    ct_run_free(&measured);
    ct_table_free(&table);
    ct_text_free(&notes);
    free(native_in);
    learn->native_in = NULL;
    learn->native_in_count = 0;
    return status;
}

const struct ct_command ct_command_learn = {
    .name = "learn",
    .text = "learn a decision table from a run",
    .usage = "RUN -o TABLE.xml",
    .least = 1,
    .about =
        "Learns from a run which method to use where, and writes a decision table: for each collective a "
        "decision tree, with the run's checksums and the slowdown of its choices over the best method "
        "of each cell.",
    .notes = "Examples:\n"
             "  colltune learn runs/ethernet100-bcast -o bcast.xml\n"
             "  colltune learn runs/ethernet100-bcast -o small.xml --max-leaves 11 -x native\n"
             "  colltune learn runs/ethernet100-bcast -o exact.xml --learner quadtree\n"
             "  colltune learn my-run -o tree.xml -l c45 --feature 'blocks=msg_bytes/8K'\n"
             "  colltune learn my-run -o even.xml --features comm_size,msg_bytes,even\n"
             "  colltune learn my-run -o open-mpi.xml --for ompi\n"
             "  colltune learn my-run -o table.xml --learner interpolate --model model.xml\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .begin = begin,
    .end = end,
    .list = ct_learning_list,
    .check = check,
    .run = run,
};
