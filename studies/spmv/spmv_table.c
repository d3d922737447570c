/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"
#include "models/evaluate/evaluate.h"
#include "models/evaluate/grid_traffic.h"
#include "models/model_file.h"
#include "plan/row_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* spmv_table MODEL.xml RANKS MATRIX...: what ranks send before they multiply sparse matrices with a vector,
 * in the form of Selvitopi and Aykanat 2019, tables 2 and 3: geometric means over the matrices of the most
 * and the mean messages of a rank, of its mean volume in words of 8 bytes, and of the microseconds by LogGP;
 * BL sends directly, STFWn along n dimensions. RANKS is a list; up to 512 ranks plans are evaluated, beyond
 * that the exact counts are taken without plans. A MATRIX is FILE[,parts=WAY]              see
 * plan/row_parts.h ROWS/ENTRIES/LONGEST/CV       a made one with such a profile of row lengths: rows,
 * entries, entries of the longest row, coefficient of variation. */

enum { PLANS_MOST = 512, DIMENSIONS_MOST = 31, WORD = 8 };

/* Sums of logarithms over the matrices. */
struct row {
    double most, mean, volume, seconds;
    size_t count;
};

struct table {
    struct ct_model model;
    struct ct_evaluator *evaluator;
    struct ct_error error;
    struct row rows[DIMENSIONS_MOST + 1];
};

/* --- matrices that are made --- */

struct profile {
    double rows, entries, longest, variation;
};

static double uniform(uint64_t *random)
{
    return ((double)(ct_random(random) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *random)
{
    double a = uniform(random), b = uniform(random);
    return sqrt(-2 * log(a)) * cos(2 * 3.14159265358979323846 * b);
}

/* Entries beside the diagonal that row begins: half of its length, the other half comes from the rows that
 * begin theirs. So this half varies twice as much. Lengths are log-normal; the longest row is in the middle.
 */
static size_t begun(const struct profile *profile, size_t row, uint64_t *random)
{
    const double mean = profile->entries / profile->rows / 2, variation = 2 * profile->variation;
    const double spread = sqrt(log(1 + variation * variation));
    double length = mean * exp(spread * normal(random) - spread * spread / 2);
    const double most = fmin(profile->longest, profile->rows / 2) - mean;
    if (row == (size_t)profile->rows / 2)
        length = profile->longest - mean;
    else if (length > most)
        length = most;
    return length < 1 ? 1 : (size_t)(length + 0.5);
}

/* All entries but one of 200 are near the diagonal if the row is not much longer than others, else anywhere.
 * `seen` is by column one more than the last row that has it. */
static int add_row(const struct profile *profile, size_t row, uint64_t *random, int *seen,
                   struct ct_matrix_entry **entries, size_t *count, size_t *capacity)
{
    const size_t rows = (size_t)profile->rows;
    size_t length = begun(profile, row, random);
    const bool is_long = (double)length > 4 * profile->entries / profile->rows;
    const size_t band = 4 * length < rows ? 4 * length : rows;
    int status = ct_grow(entries, capacity, *count + 2 * length + 1, sizeof **entries);
    if (status != CT_OK)
        return status;
    seen[row] = (int)row + 1;
    (*entries)[(*count)++] = (struct ct_matrix_entry){(int)row, (int)row, 1};
    for (size_t tries = 20 * length; length > 0 && tries > 0; tries--) {
        bool is_near = !is_long && ct_random(random) % 200 > 0;
        size_t column = is_near ? (row + 1 + ct_random(random) % band) % rows : ct_random(random) % rows;
        if (seen[column] == (int)row + 1)
            continue;
        seen[column] = (int)row + 1;
        (*entries)[(*count)++] = (struct ct_matrix_entry){(int)row, (int)column, 1};
        (*entries)[(*count)++] = (struct ct_matrix_entry){(int)column, (int)row, 1};
        length--;
    }
    return CT_OK;
}

static int compare(const void *a, const void *b)
{
    const struct ct_matrix_entry *left = a, *right = b;
    int by_row = CT_COMPARE(left->row, right->row);
    return by_row ? by_row : CT_COMPARE(left->column, right->column);
}

/* A pair of rows may have begun the entry both. */
static size_t drop_repeated(struct ct_matrix_entry *entries, size_t count)
{
    size_t kept = 0;
    qsort(entries, count, sizeof *entries, compare);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare(&entries[kept - 1], &entries[i]) != 0)
            entries[kept++] = entries[i];
    return kept;
}

static int make_matrix(const struct profile *profile, struct ct_error *error, struct ct_matrix *ret_matrix)
{
    const size_t rows = (size_t)profile->rows;
    struct ct_matrix_entry *entries = NULL;
    size_t count = 0, capacity = 0;
    uint64_t random = rows;
    int *seen = ct_allocate(rows, sizeof *seen), status = seen ? CT_OK : CT_E_MEMORY;
    for (size_t row = 0; status == CT_OK && row < rows; row++)
        status = add_row(profile, row, &random, seen, &entries, &count, &capacity);
    free(seen);
    if (status == CT_OK) {
        count = drop_repeated(entries, count);
        status = ct_matrix_make(rows, rows, entries, count, error, ret_matrix);
    }
    free(entries);
    return status;
}

static bool is_profile(const char *text, struct profile *profile)
{
    int end = 0;
    return sscanf(text, "%lf/%lf/%lf/%lf%n", &profile->rows, &profile->entries, &profile->longest,
                  &profile->variation, &end) == 4 &&
           text[end] == '\0' && profile->rows >= 2 && profile->rows <= 1e7 &&
           profile->entries >= profile->rows && profile->entries <= 1e9 &&
           profile->longest <= profile->rows && profile->longest * profile->rows >= profile->entries &&
           profile->variation >= 0;
}

/* Rows, entries, longest row and variation of a matrix: on standard error, to be compared with the profile.
 */
static void print_profile(const char *name, const struct ct_matrix *matrix)
{
    const double mean = (double)ct_matrix_entries(matrix) / (double)matrix->rows;
    double squares = 0;
    size_t longest = 0;
    for (size_t row = 0; row < matrix->rows; row++) {
        const size_t length = matrix->begins[row + 1] - matrix->begins[row];
        squares += ((double)length - mean) * ((double)length - mean);
        longest = length > longest ? length : longest;
    }
    fprintf(stderr, "%s: %zu rows, %zu entries, longest row %zu, variation %.2f\n", name, matrix->rows,
            ct_matrix_entries(matrix), longest, sqrt(squares / (double)matrix->rows) / mean);
}

static int edges_of(struct table *table, const char *matrix_text, int size, bool prints,
                    struct ct_edge **ret_edges, size_t *ret_count)
{
    struct profile profile;
    struct ct_matrix matrix;
    struct ct_row_parts parts;
    if (!is_profile(matrix_text, &profile))
        return ct_matrix_pattern(matrix_text, size, &table->error, ret_edges, ret_count);
    int status = make_matrix(&profile, &table->error, &matrix);
    if (status != CT_OK)
        return status;
    if (prints)
        print_profile(matrix_text, &matrix);
    status = ct_row_parts_make(&matrix, "rows", size, &table->error, &parts);
    if (status == CT_OK) {
        status = ct_row_parts_edges(&matrix, &parts, ret_edges, ret_count);
        ct_row_parts_free(&parts);
    }
    ct_matrix_free(&matrix);
    return status;
}

/* --- rows of the table --- */

/* A rank that sends nothing would make a mean of nothing: then a hundredth counts. */
static double logarithm(double value)
{
    return log(value > 0.01 ? value : 0.01);
}

/* The time of the plans in place of the estimate. */
static int evaluate(struct table *table, const struct ct_edge *edges, size_t count, int size, int dimensions,
                    struct ct_grid_traffic *traffic)
{
    char spelling[64];
    struct ct_method method;
    struct ct_pattern pattern;
    struct ct_evaluation evaluation;
    snprintf(spelling, sizeof spelling, "neighbor_alltoallv/grid:dims=%d", dimensions);
    int status = ct_method_parse(dimensions == 1 ? "neighbor_alltoallv/linear" : spelling, CT_COLLECTIVES,
                                 &table->error, &method);
    if (status == CT_OK)
        status = ct_pattern_make(size, edges, count, true, &pattern);
    if (status != CT_OK)
        return status;
    const struct ct_call call = {
        .size = size, .unit_bytes = WORD, .commutative = true, .neighbors = pattern.ranks};
    status = ct_evaluate(table->evaluator, &method, &call, &table->model, CT_MODEL_LOGGP, NULL, &table->error,
                         &evaluation);
    ct_pattern_free(&pattern);
    if (status != CT_OK)
        return status;
    if (evaluation.messages != traffic->messages || evaluation.bytes != WORD * traffic->units)
        return ct_fail(&table->error, CT_E_ANSWER, "%d dimensions: plans and exact counts differ",
                       dimensions);
    traffic->seconds = evaluation.seconds;
    return CT_OK;
}

static int add_matrix(struct table *table, const char *matrix, int size, bool prints)
{
    struct ct_edge *edges;
    size_t count;
    int status = edges_of(table, matrix, size, prints, &edges, &count);
    if (status != CT_OK)
        return status;
    for (int dimensions = 1; status == CT_OK && dimensions <= 1 + (int)log2(size / 2); dimensions++) {
        const struct ct_rank_grid grid = ct_rank_grid_make(size, dimensions);
        struct row *row = &table->rows[dimensions];
        struct ct_grid_traffic traffic;
        status = ct_grid_traffic(&grid, edges, count, WORD, &table->model.links[CT_LINK_NETWORK],
                                 CT_MODEL_LOGGP, &traffic);
        if (status == CT_OK && size <= PLANS_MOST)
            status = evaluate(table, edges, count, size, dimensions, &traffic);
        if (status != CT_OK)
            break;
        row->most += logarithm((double)traffic.most_messages);
        row->mean += logarithm((double)traffic.messages / size);
        row->volume += logarithm((double)traffic.units / size);
        row->seconds += log(traffic.seconds);
        row->count++;
    }
    free(edges);
    return status;
}

static void print_rows(struct table *table, int size)
{
    for (int dimensions = 1; dimensions <= DIMENSIONS_MOST; dimensions++) {
        struct row *row = &table->rows[dimensions];
        const double count = (double)row->count;
        if (row->count == 0)
            break;
        printf(dimensions == 1 ? "%d,BL," : "%d,STFW%d,", size, dimensions);
        printf("%.1f,%.1f,%.0f,%.1f\n", exp(row->most / count), exp(row->mean / count),
               exp(row->volume / count), 1e6 * exp(row->seconds / count));
        *row = (struct row){0};
    }
}

int main(int argc, char **argv)
{
    struct table table = {.evaluator = NULL};
    size_t *sizes = NULL, size_count = 0;
    if (argc < 4) {
        fputs("usage: spmv_table MODEL.xml RANKS MATRIX...\n", stderr);
        return 2;
    }
    int status = ct_model_read(argv[1], &table.error, &table.model);
    if (status == CT_OK)
        status = ct_list_parse(argv[2], &table.error, &sizes, &size_count);
    if (status == CT_OK && !(table.evaluator = ct_evaluator_new()))
        status = CT_E_MEMORY;
    if (status == CT_OK)
        puts("ranks,scheme,most messages,mean messages,mean words,us");
    for (size_t i = 0; status == CT_OK && i < size_count; i++) {
        if (sizes[i] < 2 || sizes[i] > 1 << 20)
            status = ct_fail(&table.error, CT_E_INPUT, "%zu ranks: expected 2 to %d", sizes[i], 1 << 20);
        for (int m = 3; status == CT_OK && m < argc; m++)
            status = add_matrix(&table, argv[m], (int)sizes[i], i == 0);
        if (status == CT_OK)
            print_rows(&table, (int)sizes[i]);
    }
    if (status != CT_OK)
        fprintf(stderr, "spmv_table: %s\n", table.error.text[0] ? table.error.text : "out of memory");
    free(sizes);
    ct_evaluator_free(table.evaluator);
    ct_model_free(&table.model);
    return status == CT_OK ? 0 : 1;
}
