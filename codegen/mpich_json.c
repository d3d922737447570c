/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/generator.h"
#include "codegen/mpich_tree.h"
#include "codegen/translation.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The file replaces all of MPICH's own choices, so our choices are put into those of the release in use.
 * Tests of the communicator's size come first: MPICH evaluates them once for each communicator. Only `<=` is
 * written, since MPICH takes `comm_size<` for that below other tests. JSON has no comments, and MPICH aborts
 * at a key that it does not know: the file cannot state its provenance. */

enum { KEY_TEXT = 128, PAGE = 4096 };

struct writer {
    struct ct_text *text;
    int depth;
    enum ct_collective collective;
    struct json_object *own; /* what MPICH decides within a communicator */
    const struct ct_library_rules *layout;
};

static void open_key(struct writer *writer, const char *key, bool first)
{
    ct_text_append(writer->text, "%s\n%*s\"%s\": {", first ? "" : ",", 2 * ++writer->depth, "", key);
}

static void close_key(struct writer *writer)
{
    bool empty = writer->text->length > 0 && writer->text->data[writer->text->length - 1] == '{';
    if (!empty)
        ct_text_append(writer->text, "\n%*s", 2 * writer->depth, "");
    ct_text_append(writer->text, "}");
    writer->depth--;
}

/* A copy of the base. Tests that were evaluated once for each communicator (`settled`) there and are not here
 * change from `<` to `<=`. */
static void write_base(struct writer *writer, struct json_object *object, bool settled, bool settled_here)
{
    bool first = true;
    json_object_object_foreach(object, key, value)
    {
        char changed[KEY_TEXT];
        unsigned size;
        bool of_communicator = ct_mpich_is_of_communicator(key);
        settled = settled && of_communicator;
        settled_here = settled_here && of_communicator;
        bool changes = settled && !settled_here && sscanf(key, "comm_size<%u", &size) == 1 && size > 0;
        if (changes)
            snprintf(changed, sizeof changed, "comm_size<=%u", size - 1);
        open_key(writer, changes ? changed : key, first);
        first = false;
        write_base(writer, value, settled, settled_here);
        close_key(writer);
    }
}

static void write_theirs(struct writer *writer, const struct ct_theirs *theirs)
{
    if (!theirs->mapping) {
        write_base(writer, writer->own, true, false);
        return;
    }
    char key[KEY_TEXT];
    const char *name = ct_collectives[writer->collective].name;
    snprintf(key, sizeof key, "algorithm=MPIR_%c%s_intra_%s", toupper((unsigned char)*name), name + 1,
             theirs->mapping->theirs);
    open_key(writer, key, true);
    close_key(writer);
}

static const struct {
    enum ct_need need;
    const char *holds, *fails; /* the tests, the former first unless it is `any` */
    bool fails_first;
} guards[] = {
    {CT_NEED_HIERARCHY, "comm_hierarchy=parent", "comm_hierarchy=any", false},
    {CT_NEED_POWER_OF_TWO, "comm_size=pow2", "comm_size=any", false},
    {CT_NEED_COMMUTATIVE, "is_commutative=yes", "is_commutative=no", false},
    {CT_NEED_BUILT_IN, "is_op_built_in=yes", "is_op_built_in=no", false},
    {CT_NEED_SEND_BUFFER, "is_sendbuf_inplace=no", "is_sendbuf_inplace=yes", false},
    {CT_NEED_EQUAL_BLOCKS, "is_block_regular=yes", "is_block_regular=no", false},
    {CT_NEED_ELEMENTS, "count=any", "count<pow2", true},
};

static void write_choice(struct writer *writer, const struct ct_translated *choice)
{
    unsigned needs = choice->method.mapping ? choice->method.mapping->needs : 0;
    bool closed[sizeof guards / sizeof guards[0]] = {false};
    /* down to the method, then up again past the alternatives */
    for (size_t i = 0; i < sizeof guards / sizeof guards[0]; i++) {
        if (!(needs & guards[i].need))
            continue;
        closed[i] = true;
        if (guards[i].fails_first) {
            open_key(writer, guards[i].fails, true);
            write_theirs(writer, &choice->fallback);
            close_key(writer);
        }
        open_key(writer, guards[i].holds, !guards[i].fails_first);
    }
    write_theirs(writer, &choice->method);
    for (size_t i = sizeof guards / sizeof guards[0]; i-- > 0;) {
        if (!closed[i])
            continue;
        close_key(writer);
        if (!guards[i].fails_first) {
            open_key(writer, guards[i].fails, false);
            write_theirs(writer, &choice->fallback);
            close_key(writer);
        }
    }
}

static void write_row(struct writer *writer, const struct ct_rule_row *row)
{
    const struct ct_rule *rules = &writer->layout->rules.rules[row->first];
    const struct ct_translated *choices = writer->layout->choices;
    if (row->count == 1) {
        write_choice(writer, &choices[rules[0].choice]);
        return;
    }
    const char *size = ct_mpich_mapping.collectives[writer->collective].size == CT_SIZE_AS_OURS
                           ? "avg_msg_size"
                           : "total_msg_size";
    for (size_t i = 0; i < row->count; i++) {
        char key[KEY_TEXT];
        if (i + 1 < row->count)
            snprintf(key, sizeof key, "%s<=%zu", size, rules[i + 1].at_least - 1);
        else
            snprintf(key, sizeof key, "%s=any", size);
        open_key(writer, key, i == 0);
        write_choice(writer, &choices[rules[i].choice]);
        close_key(writer);
    }
}

static void write_rows(struct writer *writer)
{
    const struct ct_rules *rules = &writer->layout->rules;
    if (rules->row_count == 1) {
        write_row(writer, &rules->rows[0]);
        return;
    }
    for (size_t r = 0; r < rules->row_count; r++) {
        char key[KEY_TEXT] = "comm_size=any";
        if (r + 1 < rules->row_count)
            snprintf(key, sizeof key, "comm_size<=%zu", rules->rows[r + 1].comm_size - 1);
        open_key(writer, key, r == 0);
        write_row(writer, &rules->rows[r]);
        close_key(writer);
    }
}

static int write_collective(const char *key, struct json_object *base, const struct ct_decision_tree *tree,
                            const struct ct_translation *translation, bool first, struct ct_error *error,
                            struct ct_text *text, struct ct_text *notes)
{
    struct ct_library_rules layout = {.says_nothing = true};
    int status = tree ? ct_library_rules_make(tree, translation, error, notes, &layout) : CT_OK;
    if (status != CT_OK)
        return status;
    struct json_object *intra = json_object_object_get(base, "comm_type=intra");
    struct json_object *inter = json_object_object_get(base, "comm_type=inter");
    struct writer writer = {text, 0, tree ? tree->collective : CT_COLLECTIVES, intra ? intra : base, &layout};
    open_key(&writer, key, first);
    if (layout.says_nothing) {
        write_base(&writer, base, true, true);
    } else {
        open_key(&writer, "comm_type=intra", true);
        write_rows(&writer);
        close_key(&writer);
        open_key(&writer, "comm_type=inter", false);
        write_base(&writer, inter ? inter : base, true, true);
        close_key(&writer);
    }
    close_key(&writer);
    ct_library_rules_free(&layout);
    return CT_OK;
}

static int write_tree(const struct ct_table *table, struct json_object *base,
                      const struct ct_translation *translation, struct ct_error *error, struct ct_text *text,
                      struct ct_text *notes)
{
    bool first = true;
    ct_text_append(text, "{");
    json_object_object_foreach(base, key, value)
    {
        enum ct_collective collective = ct_collective_find(key + strlen("collective="));
        const struct ct_decision_tree *tree =
            collective < CT_COLLECTIVES ? ct_decisions_find(&table->decisions, collective) : NULL;
        int status = write_collective(key, value, tree, translation, first, error, text, notes);
        if (status != CT_OK)
            return status;
        first = false;
    }
    ct_text_append(text, "\n}\n");
    /* MPICH maps the file and reads up to a zero byte, which is missing if the last page is full */
    if (text->length % PAGE == 0)
        ct_text_append(text, "\n");
    return CT_OK;
}

static const struct ct_translation mpich_json = {&ct_mpich_mapping, 0, false, INT_MAX - 1};

static int generate_mpich(const struct ct_table *table, const struct ct_generator_options *options,
                          struct ct_error *error, struct ct_text *text, struct ct_text *notes)
{
    struct ct_translation mpich = mpich_json;
    struct json_object *base, *check;
    mpich.commutative = options->commutative;
    int status = ct_mpich_base(options->base, error, &base);
    if (status != CT_OK)
        return status;
    status = write_tree(table, base, &mpich, error, text, notes);
    json_object_put(base);
    if (status == CT_OK && (text->failed || notes->failed))
        status = ct_fail(error, CT_E_MEMORY, "out of memory");
    if (status != CT_OK)
        return status;
    /* with a flawed file MPICH would abort every application */
    status = ct_mpich_read(text->data, text->length, "the file to be written", error, &check);
    if (status == CT_OK)
        json_object_put(check);
    return status;
}

const struct ct_generator ct_mpich_generator = {
    .name = "mpich",
    .text = "selections for MPICH from 4.0 on, in JSON (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE)",
    .takes_base = true,
    .generate = generate_mpich,
    .target = &mpich_json,
};
