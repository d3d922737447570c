#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The runs in which tests look for errors of memory. They set `every_method` and the programs `calls`,
# `few_calls`, `communicators` and `handles`, and have a function `clean PROGRAM ARGUMENTS NAME=VALUE...`,
# which runs the program on `ranks` ranks and ends the test where it shows an error.
# shellcheck disable=SC2034,SC2154 # who takes this in has the programs, and uses `ranks`

# memory_runs FOLDER CALLS COMMUNICATORS: the programs with what the environment switches on; CALLS and
# COMMUNICATORS say how many there are.
memory_runs() {
    local folder=$1 many=$2 made=$3 way collective method needs name forced=()
    ranks=4
    for way in COLLTUNE_VERBOSE=1 COLLTUNE_NONBLOCKING=1 COLLTUNE_CHECK=1 "COLLTUNE_PROFILE=$folder/profile" \
        COLLTUNE_ADAPT=2; do
        clean "$few_calls" '' "$way"
        clean "$communicators" "$made" "$way"
        clean "$calls" "$many" "$way"
    done
    clean "$handles" '' COLLTUNE_BCAST=binomial
    clean "$handles" threads COLLTUNE_BCAST=binomial
    clean "$handles" 'flights forgetful' COLLTUNE_BCAST=binomial COLLTUNE_NONBLOCKING=1

    # One method of each collective, so that few calls go to the MPI library.
    while read -r collective method needs; do
        name=COLLTUNE_${collective^^}
        case "$method $needs ${forced[*]-} " in
        native* | *' nodes '* | *" $name="*) ;;
        *) forced+=("$name=$method") ;;
        esac
    done < <("$every_method" list)
    # All forms of calls, on 2 ranks: on more, MPICH 4.0.2 itself is wrong in some that go to it.
    ranks=2
    clean "$calls" "$many tuned" COLLTUNE_NONBLOCKING=1 "${forced[@]}"
}
