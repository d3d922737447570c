/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a command that are those of two others, as `colltune tune` has them: each once, set in all
 * tables that have it, but in none that withholds it. */
#include "cli/command.h"
#include "cli/run_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct part {
    const char *output;
    size_t heat;
    double timeout;
    bool half;
    struct ct_texts out;
};

struct settings {
    const char *output;
    struct part bake, cut;
};

#define AT(member) .offset = offsetof(struct part, member)

static const struct ct_option own[] = {
    {"output", 'o', "DIR", CT_OPTION_TEXT, .required = true, .text = "of tune"},
    {0},
};

static const struct ct_option bakes[] = {
    {"output", 'o', "RUN", CT_OPTION_TEXT, AT(output), .text = "of bake"},
    CT_HEADING("How hot"),
    {"heat", 'h', "N", CT_OPTION_WHOLE, AT(heat), .most = 300, .usual = "200", .text = "degrees of bake"},
    {"timeout", 0, "TIME", CT_OPTION_TIME, AT(timeout), .text = "timeout of bake"},
    {0},
};

static const struct ct_option cuts[] = {
    {"heat", 0, "N", CT_OPTION_WHOLE, AT(heat), .text = "degrees of cut"},
    {"half", 'h', NULL, CT_OPTION_FLAG, AT(half), .text = "only half"},
    {"out", 0, "WORD", CT_OPTION_TEXTS, AT(out), .text = "outwards"},
    {"timeout", 0, "TIME", CT_OPTION_TIME, AT(timeout), .text = "timeout of cut"},
    {0},
};

static const char *const bake_withheld[] = {"output", NULL}, *const cut_withheld[] = {"timeout", NULL};

static int begin(void *given, struct ct_bindings *bindings)
{
    struct settings *settings = given;
    ct_options_default(bakes, &settings->bake);
    ct_bind(bindings,
            (struct ct_binding){
                .options = bakes, .settings = &settings->bake, .withheld = bake_withheld, .owner = "oven"});
    ct_bind(bindings, (struct ct_binding){.options = cuts,
                                          .settings = &settings->cut,
                                          .heading = "Cutting",
                                          .owner = "knife",
                                          .withheld = cut_withheld});
    return CT_OK;
}

static void end(void *given)
{
    ct_options_free(cuts, &((struct settings *)given)->cut);
}

static struct settings seen;
static size_t seen_outs, seen_given, seen_words;
static char seen_word[16];

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    seen = *(const struct settings *)given;
    seen_outs = seen.cut.out.count;
    seen_given = arguments->given_count;
    seen_words = arguments->count;
    assert_null(arguments->words[arguments->count]);
    snprintf(seen_word, sizeof seen_word, "%s", arguments->count ? arguments->words[0] : "");
    return seen.cut.half ? ct_fail(error, CT_E_ANSWER, "cut in half") : CT_OK;
}

static const struct ct_command command = {.name = "eat",
                                          .usage = "[FOOD] -o DIR",
                                          .most = 1,
                                          .about = "Eats.",
                                          .notes = "Example:\n  colltune eat\n",
                                          .options = own,
                                          .settings_size = sizeof(struct settings),
                                          .begin = begin,
                                          .end = end,
                                          .run = run};

enum { WORDS_MAX = 12, SAID = 8192 };

static int give(const char *const *words)
{
    char *argv[WORDS_MAX + 2] = {(char *)"colltune eat"};
    int argc = 1;
    for (; *words; words++)
        argv[argc++] = (char *)*words;
    return ct_command_main(&command, argc, argv);
}

/* As above, in a process of its own, which wrong usage and --help end. Returns its exit code. */
static int give_apart(const char *const *words, char said[SAID])
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        exit(give(words));
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], said + length, SAID - 1 - length)) > 0;)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

#define GIVE(...)             give((const char *const[]){__VA_ARGS__, NULL})
#define GIVE_APART(said, ...) give_apart((const char *const[]){__VA_ARGS__, NULL}, said)

static void an_option_sets_all_tables_that_have_it(void **state)
{
    (void)state;
    assert_int_equal(GIVE("--heat", "30", "bread", "-o", "plate", "--timeout=5", "--out", "a", "--out=b"), 0);
    assert_int_equal(seen.bake.heat, 30);
    assert_int_equal(seen.cut.heat, 30);
    assert_string_equal(seen.output, "plate");
    assert_null(seen.bake.output); /* withheld there */
    assert_true(seen.bake.timeout == 5 && seen.cut.timeout == 0);
    assert_int_equal(seen_outs, 2);
    assert_int_equal(seen_given, 5);
    assert_int_equal(seen_words, 1);
    assert_string_equal(seen_word, "bread");
    /* a value may look like an option */
    assert_int_equal(GIVE("-o", "--plate", "--out", "--cfg=x"), 0);
    assert_string_equal(seen.output, "--plate");
    assert_int_equal(GIVE("-o", "plate"), 0);
    assert_int_equal(seen.bake.heat, 200);
    /* the letter is that of the first table, --half has none */
    assert_int_equal(GIVE("-h", "9", "-o", "plate"), 0);
    assert_int_equal(seen.bake.heat, 9);
}

static void the_help_has_each_option_once(void **state)
{
    (void)state;
    char said[SAID];
    assert_int_equal(GIVE_APART(said, "--help"), 0);
    static const char *const in_order[] = {"Usage: colltune eat [OPTION...] [FOOD] -o DIR",
                                           "Eats.",
                                           "of tune",
                                           "How hot:",
                                           "-h, --heat=N",
                                           "degrees of bake (default: 200)",
                                           "timeout of bake (oven)",
                                           "Cutting:",
                                           "--half",
                                           "only half (knife)",
                                           "--out=WORD",
                                           "Example:"};
    const char *at = said;
    for (size_t i = 0; i < sizeof in_order / sizeof in_order[0]; i++) {
        at = strstr(at, in_order[i]);
        if (!at)
            fail_msg("'%s' is not in its place of\n%s", in_order[i], said);
    }
    static const char *const absent[] = {"degrees of cut", "timeout of cut", "(oven, knife)"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        assert_null(strstr(said, absent[i]));
    assert_null(strstr(strstr(said, "--heat") + 1, "--heat"));
}

static void wrong_usage_is_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *words[5];
        const char *said;
        int code;
    } cases[] = {
        {{"-o", "x", "--heat", "301"}, "--heat '301': expected a whole number from 0 to 300", 2},
        {{"-o", "x", "--timeout", "soon"}, "--timeout 'soon': expected a time such as", 2},
        {{"--heat", "1"}, "--output is missing; expected [FOOD] -o DIR", 2},
        {{"-o", "x", "one", "two"}, "'two' is one argument too many", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char said[SAID];
        assert_int_equal(give_apart(cases[i].words, said), cases[i].code);
        assert_ptr_equal(strstr(said, "colltune eat: "), said);
        assert_non_null(strstr(said, cases[i].said));
        assert_non_null(strstr(said, " (see colltune eat --help)\n"));
        assert_int_equal(strlen(strchr(said, '\n')), 1);
    }
    char said[SAID];
    assert_int_equal(GIVE_APART(said, "-o", "x", "--half"), 1);
    assert_string_equal(said, "colltune eat: cut in half\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_option_sets_all_tables_that_have_it),
        cmocka_unit_test(the_help_has_each_option_once),
        cmocka_unit_test(wrong_usage_is_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
