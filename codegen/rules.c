/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/rules.h"
#include "base/memory.h"
#include "base/sort.h"

#include <limits.h>
#include <stdlib.h>

/* Messages of `least` to `most` bytes come to this node. */
struct part {
    uint32_t node;
    size_t least;
    size_t most;
};

struct maker {
    const struct ct_decision_tree *tree;
    const size_t *choices;
    size_t own;
    enum ct_size_meaning meaning;
    size_t most;
    struct part *parts; /* parts to do, those of the smallest messages last */
    size_t part_count;
    size_t part_capacity;
    struct ct_rules rules;
};

static struct ct_features features_of(size_t comm_size, size_t msg_bytes)
{
    return (struct ct_features){{[CT_FEATURE_COMM_SIZE] = comm_size, [CT_FEATURE_MSG_BYTES] = msg_bytes}};
}

static bool exceeds(const struct maker *maker, const struct ct_tree_node *node, size_t comm_size,
                    size_t msg_bytes)
{
    struct ct_features features = features_of(comm_size, msg_bytes);
    return ct_feature_value(&maker->tree->features, (size_t)node->feature, &features) > node->threshold;
}

/* The smallest message size for which the test has another result than for 0 bytes, by bisection: the result
 * changes at most once. False if it does not change. */
static bool find_break(const struct maker *maker, const struct ct_tree_node *node, size_t comm_size,
                       size_t *ret_break)
{
    size_t low = 0, high = SIZE_MAX;
    bool at_low = exceeds(maker, node, comm_size, low);
    if (exceeds(maker, node, comm_size, high) == at_low)
        return false;
    if (node->feature == CT_FEATURE_MSG_BYTES) {
        *ret_break = node->threshold + 1;
        return true;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (exceeds(maker, node, comm_size, middle) == at_low)
            low = middle;
        else
            high = middle;
    }
    *ret_break = high;
    return true;
}

/* Sets a part aside until all parts below it are done. */
static int set_aside(struct maker *maker, struct part part)
{
    int status = ct_grow(&maker->parts, &maker->part_capacity, maker->part_count + 1, sizeof *maker->parts);
    if (status == CT_OK)
        maker->parts[maker->part_count++] = part;
    return status;
}

/* Descends to the leaf for the smallest messages of `part`, which keeps only these; sets the others aside. */
static int descend(struct maker *maker, size_t comm_size, struct part *part)
{
    const struct ct_tree_node *node = &maker->tree->nodes[part->node];
    for (; node->feature != CT_LEAF; node = &maker->tree->nodes[part->node]) {
        size_t turn;
        bool is_high = exceeds(maker, node, comm_size, part->least);
        if (find_break(maker, node, comm_size, &turn) && turn > part->least && turn <= part->most) {
            int status = set_aside(maker, (struct part){is_high ? node->low : node->high, turn, part->most});
            if (status != CT_OK)
                return status;
            part->most = turn - 1;
        }
        part->node = is_high ? node->high : node->low;
    }
    return CT_OK;
}

/* Appends a rule to the current row unless it repeats the choice before it. */
static int add_rule(struct maker *maker, const struct ct_rule_row *row, struct ct_rule rule)
{
    struct ct_rules *rules = &maker->rules;
    if (rules->rule_count > row->first && rules->rules[rules->rule_count - 1].choice == rule.choice)
        return CT_OK;
    if (rules->rule_count == CT_RULES_MAX)
        return CT_E_LIMIT;
    int status = ct_grow(&rules->rules, &rules->rule_capacity, rules->rule_count + 1, sizeof *rules->rules);
    if (status == CT_OK)
        rules->rules[rules->rule_count++] = rule;
    return status;
}

/* Reduces the row to one rule without message sizes: its only choice, or native if there are several. */
static void forget_sizes(struct maker *maker, const struct ct_rule_row *row)
{
    struct ct_rules *rules = &maker->rules;
    if (rules->rule_count - row->first < 2)
        return;
    rules->rules[row->first].choice = maker->own;
    rules->rule_count = row->first + 1;
    rules->sizes_lost = true;
}

static bool repeats_last(const struct ct_rules *rules, const struct ct_rule_row *row)
{
    if (rules->row_count == 0)
        return false;
    const struct ct_rule_row *last = &rules->rows[rules->row_count - 1];
    if (last->count != row->count)
        return false;
    for (size_t i = 0; i < row->count; i++) {
        const struct ct_rule *a = &rules->rules[last->first + i], *b = &rules->rules[row->first + i];
        if (a->at_least != b->at_least || a->choice != b->choice)
            return false;
    }
    return true;
}

/* The rules of one communicator size, by rising message size. */
static int add_rules(struct maker *maker, const struct ct_rule_row *row)
{
    struct ct_rules *rules = &maker->rules;
    size_t scale = maker->meaning == CT_SIZE_TIMES_RANKS ? row->comm_size : 1;
    maker->part_count = 0;
    int status = set_aside(maker, (struct part){0, 0, SIZE_MAX});
    while (status == CT_OK && maker->part_count > 0) {
        struct part part = maker->parts[--maker->part_count];
        struct ct_rule rule;
        status = descend(maker, row->comm_size, &part);
        if (status != CT_OK)
            break;
        rule.choice = maker->choices[part.node];
        if (ct_multiply(part.least, scale, &rule.at_least) && rule.at_least <= maker->most)
            status = add_rule(maker, row, rule);
        else
            rules->ends_lost |= rules->rules[rules->rule_count - 1].choice != rule.choice;
    }
    return status;
}

static int add_row(struct maker *maker, size_t comm_size)
{
    struct ct_rules *rules = &maker->rules;
    struct ct_rule_row row = {.comm_size = comm_size, .first = rules->rule_count};
    int status = add_rules(maker, &row);
    if (status != CT_OK)
        return status;
    if (maker->meaning == CT_SIZE_UNSEEN)
        forget_sizes(maker, &row);
    row.count = rules->rule_count - row.first;
    if (repeats_last(rules, &row)) {
        rules->rule_count = row.first;
        return CT_OK;
    }
    status = ct_grow(&rules->rows, &rules->row_capacity, rules->row_count + 1, sizeof *rules->rows);
    if (status == CT_OK)
        rules->rows[rules->row_count++] = row;
    return status;
}

/* --- the rows --- */

/* Whether an expression rises or falls as one feature grows and the others stay: then the result of a test of
 * it changes at most once. MAY_TURN where neither is certain. */
enum direction { STAYS, RISES, FALLS, MAY_TURN };

static enum direction reverse(enum direction direction)
{
    return direction == RISES ? FALLS : direction == FALLS ? RISES : direction;
}

/* The direction of an expression that rises with both operands. */
static enum direction join(enum direction left, enum direction right)
{
    if (left == STAYS)
        return right;
    return right == STAYS || left == right ? left : MAY_TURN;
}

/* No value is below 0, and values that are too large become the greatest: sums and products keep their
 * direction. */
static enum direction direction_of(const struct ct_term *term, const enum direction *directions,
                                   enum ct_feature as_grows)
{
    enum direction left = directions[term->left], right = directions[term->right];
    switch ((enum ct_operator)term->operation) {
    case CT_OPERATOR_NUMBER:
        return STAYS;
    case CT_OPERATOR_FEATURE:
        return term->number == (size_t)as_grows ? RISES : STAYS;
    case CT_OPERATOR_PLUS:
    case CT_OPERATOR_TIMES:
    case CT_OPERATOR_LEAST:
    case CT_OPERATOR_GREATEST:
        return join(left, right);
    case CT_OPERATOR_MINUS:
        return join(left, reverse(right));
    case CT_OPERATOR_QUOTIENT: /* a variable divisor may be 0 */
        return right == STAYS ? left : MAY_TURN;
    case CT_OPERATOR_REMAINDER:
        return left == STAYS && right == STAYS ? STAYS : MAY_TURN;
    case CT_OPERATOR_LOG2:
        return left;
    case CT_OPERATOR_IS_POWER_OF_TWO:
        return left == STAYS ? STAYS : MAY_TURN;
    case CT_OPERATORS:
        break;
    }
    return MAY_TURN;
}

static enum direction feature_direction(const struct ct_feature_set *set, size_t number,
                                        enum ct_feature as_grows)
{
    if (number < CT_FEATURES)
        return number == (size_t)as_grows ? RISES : STAYS;
    const struct ct_expression *expression = &set->composites[number - CT_FEATURES].expression;
    enum direction directions[CT_TERMS_MAX] = {STAYS};
    for (size_t i = 0; i < expression->count; i++)
        directions[i] = direction_of(&expression->terms[i], directions, as_grows);
    return directions[expression->count - 1];
}

/* May every communicator size need its own row? */
static bool must_list_all(const struct ct_decision_tree *tree, enum ct_size_meaning meaning)
{
    for (size_t i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].feature == CT_LEAF)
            continue;
        size_t number = (size_t)tree->nodes[i].feature;
        if (number >= CT_FEATURES || (number == CT_FEATURE_MSG_BYTES && meaning == CT_SIZE_TIMES_RANKS))
            return true;
    }
    return false;
}

/* Refuses tests of features that the two sizes do not determine, and tests whose result may change more than
 * once. */
static int check_tests(const struct ct_decision_tree *tree, struct ct_error *error)
{
    for (size_t i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].feature == CT_LEAF)
            continue;
        size_t number = (size_t)tree->nodes[i].feature;
        const char *flaw = NULL;
        if (ct_feature_uses(&tree->features, number, CT_FEATURE_NODES) ||
            ct_feature_uses(&tree->features, number, CT_FEATURE_PPN) ||
            ct_feature_uses(&tree->features, number, CT_FEATURE_YIELD) ||
            ct_feature_uses(&tree->features, number, CT_FEATURE_BY) ||
            ct_feature_uses(&tree->features, number, CT_FEATURE_ROOT))
            flaw = "communicator and message size do not determine";
        else if (feature_direction(&tree->features, number, CT_FEATURE_MSG_BYTES) == MAY_TURN)
            flaw = "may rise and fall as messages grow";
        if (flaw)
            return ct_fail(
                error, CT_E_LIMIT, "the tree of %s tests %s, which %s; expected a table for c or table",
                ct_collectives[tree->collective].name, ct_feature_name(&tree->features, number), flaw);
    }
    return CT_OK;
}

/* The communicator sizes that may begin a row, rising, without duplicates: the first above each threshold; if
 * every size may need its own row, all up to CT_RULES_EXACT and then eight for each doubling. */
static int list_comm_sizes(const struct ct_decision_tree *tree, bool all, size_t **ret_sizes,
                           size_t *ret_count)
{
    size_t doublings = 0, count = 1;
    while ((size_t)CT_RULES_EXACT << doublings < INT_MAX / 2)
        doublings++;
    size_t *sizes = ct_allocate(tree->node_count + CT_RULES_EXACT + 8 * doublings + 1, sizeof *sizes);
    if (!sizes)
        return CT_E_MEMORY;
    sizes[0] = 1;
    for (size_t p = 2; all && p <= CT_RULES_EXACT; p++)
        sizes[count++] = p;
    for (size_t i = 1; all && i < 8 * doublings; i++)
        sizes[count++] = ((8 + i % 8) * ((size_t)CT_RULES_EXACT / 8)) << i / 8;
    for (size_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].feature == CT_FEATURE_COMM_SIZE && tree->nodes[i].threshold < INT_MAX)
            sizes[count++] = tree->nodes[i].threshold + 1;
    *ret_sizes = sizes;
    *ret_count = ct_sort_unique(sizes, count);
    return CT_OK;
}

int ct_rules_make(const struct ct_decision_tree *tree, const size_t *choices, size_t own,
                  enum ct_size_meaning meaning, size_t most, struct ct_error *error,
                  struct ct_rules *ret_rules)
{
    if (check_tests(tree, error) != CT_OK)
        return CT_E_LIMIT;
    bool all = must_list_all(tree, meaning);
    struct maker maker = {.tree = tree,
                          .choices = choices,
                          .own = own,
                          .meaning = meaning,
                          .most = most,
                          .rules = {.exact = all ? CT_RULES_EXACT : SIZE_MAX}};
    size_t *comm_sizes = NULL, comm_size_count = 0;
    int status = list_comm_sizes(tree, all, &comm_sizes, &comm_size_count);
    for (size_t i = 0; status == CT_OK && i < comm_size_count; i++)
        status = add_row(&maker, comm_sizes[i]);
    free(comm_sizes);
    free(maker.parts);
    if (status != CT_OK) {
        ct_rules_free(&maker.rules);
        return status == CT_E_LIMIT
                   ? ct_fail(error, status,
                             "the tree of %s has more than %d rules for ranks and message sizes: such tables "
                             "can be written as c and table",
                             ct_collectives[tree->collective].name, CT_RULES_MAX)
                   : ct_fail(error, status, "out of memory");
    }
    *ret_rules = maker.rules;
    return CT_OK;
}

void ct_rules_free(struct ct_rules *rules)
{
    free(rules->rows);
    free(rules->rules);
    *rules = (struct ct_rules){0};
}
