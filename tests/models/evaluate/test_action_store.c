/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/action_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { USERS = 400, LONGEST = 40000 };

struct user {
    const struct ct_action *actions;
    size_t count;
    uint32_t chunk;
};

static uint32_t random_state = 7;

static unsigned draw(unsigned below)
{
    random_state = random_state * 1664525U + 1013904223U;
    return (random_state >> 8) % below;
}

static void keep(struct ct_action_store *store, struct user *user, uint32_t mark)
{
    static struct ct_action actions[LONGEST];
    user->count = 1 + draw(draw(20) == 0 ? LONGEST - 1 : 400);
    for (size_t i = 0; i < user->count; i++)
        actions[i] = (struct ct_action){.kind = CT_ACTION_SEND, .peer = (uint32_t)i, .number = mark};
    assert_int_equal(ct_action_store_keep(store, actions, user->count, &user->actions, &user->chunk), CT_OK);
}

static void check(const struct user *user, uint32_t mark)
{
    for (size_t i = 0; i < user->count; i++) {
        assert_int_equal(user->actions[i].peer, i);
        assert_int_equal(user->actions[i].number, mark);
    }
}

/* What is kept stays as it is until it is released, whatever comes and goes beside it. */
static void keeps_what_is_used(void **state)
{
    (void)state;
    static struct user users[USERS];
    struct ct_action_store store = {0};
    for (int call = 0; call < 3; call++) {
        memset(users, 0, sizeof users);
        for (int i = 0; i < 6000; i++) {
            uint32_t mark = draw(USERS);
            struct user *user = &users[mark];
            if (!user->actions) {
                keep(&store, user, mark);
                continue;
            }
            check(user, mark);
            ct_action_store_release(&store, user->chunk);
            user->actions = NULL;
        }
        ct_action_store_clear(&store);
    }
    ct_action_store_free(&store);
}

/* One after another, in whatever lengths, they need no more than one chunk. */
static void uses_space_again(void **state)
{
    (void)state;
    struct ct_action_store store = {0};
    struct user user;
    for (uint32_t i = 0; i < 1000; i++) {
        keep(&store, &user, i);
        check(&user, i);
        ct_action_store_release(&store, user.chunk);
    }
    assert_int_equal(store.count, 1);
    ct_action_store_free(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_is_used),
        cmocka_unit_test(uses_space_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
