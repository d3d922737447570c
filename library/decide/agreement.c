/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/agreement.h"
#include "library/mpi/yielding_calls.h"

/* Words that are combined by bitwise or. The bits of a number and of its complement together show whether all
 * ranks have the same. */
enum {
    FAILED,
    FULL,
    FORGETS,
    UNPLACED,
    THREADED,
    TRACED,
    BUILD,
    BUILD_COMPLEMENT,
    ENVIRONMENT,
    ENVIRONMENT_COMPLEMENT,
    ALL_WORDS
};

static void describe_rank(struct ct_troubles own, uint64_t ret_words[ALL_WORDS])
{
    const struct ct_tuner *tuner = ct_tuner();
    ret_words[FAILED] = own.failed || tuner->failed;
    ret_words[FULL] = own.full;
    ret_words[FORGETS] = own.forgets;
    ret_words[UNPLACED] = own.unplaced;
    ret_words[THREADED] = own.threaded;
    ret_words[TRACED] = own.traced;
    ret_words[BUILD] = tuner->compiled_hash;
    ret_words[BUILD_COMPLEMENT] = ~tuner->compiled_hash;
    ret_words[ENVIRONMENT] = tuner->configuration.hash;
    ret_words[ENVIRONMENT_COMPLEMENT] = ~tuner->configuration.hash;
}

static enum ct_agreement conclude(const uint64_t words[ALL_WORDS], const char **ret_message)
{
    bool same_environment = !(words[ENVIRONMENT] & words[ENVIRONMENT_COMPLEMENT]);
    *ret_message = NULL;
    if (words[FAILED])
        *ret_message = "a rank has a broken build or too little memory: all collectives are native";
    else if (words[BUILD] & words[BUILD_COMPLEMENT])
        *ret_message = "the tuned libraries of the ranks differ: all collectives are native";
    else if (words[FULL] && !(same_environment && ct_tuner()->configuration.disabled))
        *ret_message = "many communicators are in use: collectives on further ones are native";
    if (*ret_message || (same_environment && ct_tuner()->configuration.disabled))
        return CT_AGREEMENT_NATIVE_ONLY;
    if (same_environment)
        return CT_AGREEMENT_AGREED;
    *ret_message = "COLLTUNE_ variables differ between ranks and are ignored";
    return CT_AGREEMENT_ENVIRONMENT_OFF;
}

bool ct_agree(MPI_Comm comm, struct ct_troubles own, struct ct_conclusion *ret_conclusion)
{
    uint64_t words[ALL_WORDS];
    describe_rank(own, words);
    if (ct_yielding_allreduce(words, ALL_WORDS, MPI_UINT64_T, MPI_BOR, comm) != MPI_SUCCESS)
        return false;
    *ret_conclusion = (struct ct_conclusion){.any = {.failed = words[FAILED] != 0,
                                                     .full = words[FULL] != 0,
                                                     .forgets = words[FORGETS] != 0,
                                                     .unplaced = words[UNPLACED] != 0,
                                                     .threaded = words[THREADED] != 0,
                                                     .traced = words[TRACED] != 0},
                                             .same_build = !(words[BUILD] & words[BUILD_COMPLEMENT])};
    ret_conclusion->agreement = conclude(words, &ret_conclusion->message);
    return true;
}
