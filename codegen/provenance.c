/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/provenance.h"
#include "decision/tree/tree_depth.h"

#include <string.h>

void ct_harmless_append(const char *words, struct ct_text *text)
{
    char before = '\0';
    for (; *words; words++) {
        char each = *words >= ' ' && *words <= '~' ? *words : '_';
        bool joins = (before == '*' && each == '/') || (before == '/' && each == '*') ||
                     (before == '?' && each == '?');
        ct_text_append(text, "%s%c", joins ? " " : "", each);
        before = each;
    }
}

void ct_lines_write(const struct ct_text *lines, const char *prefix, struct ct_text *text)
{
    for (const char *line = lines->data ? lines->data : ""; *line;) {
        size_t length = strcspn(line, "\n");
        struct ct_text one = {0};
        ct_text_append_bytes(&one, line, length);
        ct_text_append(text, "%s", prefix);
        ct_harmless_append(one.data ? one.data : "", text);
        ct_text_append(text, "\n");
        text->failed = text->failed || one.failed;
        ct_text_free(&one);
        line += length + (line[length] == '\n');
    }
}

/* Does the property describe the machine or the MPI? The environment stands in the table only. */
static bool is_identity(const struct ct_property *property)
{
    return strncmp(property->name, "env.", strlen("env.")) != 0;
}

static void write_run(const struct ct_table_run *run, const char *prefix, struct ct_text *text)
{
    ct_text_append(text, "%srun ", prefix);
    ct_harmless_append(run->name, text);
    ct_text_append(text, ": %s, ", run->backend);
    ct_harmless_append(run->launcher, text);
    ct_text_append(text, ", ");
    ct_harmless_append(run->created, text);
    ct_text_append(text, "\n%s  samples.csv: SHA-256 %s\n%s  run.xml: SHA-256 %s\n", prefix,
                   run->samples_checksum, prefix, run->description_checksum);
    for (size_t i = 0; i < run->property_count; i++) {
        if (!is_identity(&run->properties[i]))
            continue;
        ct_text_append(text, "%s  ", prefix);
        ct_harmless_append(run->properties[i].name, text);
        ct_text_append(text, ": ");
        ct_harmless_append(run->properties[i].value, text);
        ct_text_append(text, "\n");
    }
}

static void write_penalty(const char *prefix, const char *of, const struct ct_penalty *penalty,
                          struct ct_text *text)
{
    const double percent = 100;
    if (penalty->cells == 0) {
        ct_text_append(text, "%s  %s: not measured\n", prefix, of);
        return;
    }
    ct_text_append(
        text, "%s  %s: mean %.2f %%, median %.2f %%, 95th percentile %.2f %%, max %.2f %% over %zu %s\n",
        prefix, of, percent * penalty->mean, percent * penalty->median, percent * penalty->percentile95,
        percent * penalty->most, penalty->cells, penalty->cells == 1 ? "cell" : "cells");
    if (penalty->unmeasured > 0)
        ct_text_append(text, "%s    and %zu more, where the method chosen was not measured\n", prefix,
                       penalty->unmeasured);
}

void ct_provenance_write(const struct ct_table *table, const char *prefix, struct ct_text *text)
{
    for (size_t i = 0; i < table->run_count; i++)
        write_run(&table->runs[i], prefix, text);
    for (size_t i = 0; i < table->decisions.tree_count; i++) {
        const struct ct_decision_tree *tree = &table->decisions.trees[i];
        const struct ct_table_tree *about = &table->trees[i];
        size_t leaves = ct_tree_leaf_count(tree);
        ct_text_append(text, "%s%s: ", prefix, ct_collectives[tree->collective].name);
        ct_harmless_append(about->learner, text);
        if (*about->options) {
            ct_text_append(text, " with ");
            ct_harmless_append(about->options, text);
        }
        ct_text_append(text, " from run ");
        ct_harmless_append(table->runs[about->run].name, text);
        ct_text_append(text, "; %zu %s, depth %zu\n", leaves, leaves == 1 ? "leaf" : "leaves",
                       ct_tree_depth(tree));
        write_penalty(prefix, "slowdown over the best", &about->penalty, text);
        write_penalty(prefix, "native everywhere", &about->native, text);
    }
}
