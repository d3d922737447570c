#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What tests of sweeps share, who set `program`. On a busy machine everything takes long: waits end where
# there is nothing left to wait for, and otherwise so late that something must be wrong.
# shellcheck disable=SC2034,SC2154 # who takes this in has `program`, and looks at `failed`
quiet_tries=3000 # of 0.1 s without a new cell, or until ranks are gone: five minutes

fail()
{
    echo "FAILED: $*"
    failed=1
}

# Ranks of our program that are still there. A small system has no pgrep.
strays()
{
    grep -lsa "^$program" /proc/[0-9]*/cmdline | wc -l
}

cells_of()
{
    count=$(grep -c ',commit$' "$1/samples.csv" 2>/dev/null)
    echo "${count:-0}"
}

# wait_for_cells PROCESS RUN COUNT: until the run has so many cells; in vain where the process that measures
# has ended, or adds no cell for very long
wait_for_cells()
{
    cells=0 tries=0
    until [ "$(cells_of "$2")" -ge "$3" ]; do
        kill -0 "$1" 2>/dev/null || return 1
        if [ "$(cells_of "$2")" -gt "$cells" ]; then
            cells=$(cells_of "$2")
            tries=0
        fi
        tries=$((tries + 1))
        [ $tries -lt $quiet_tries ] || return 1
        sleep 0.1
    done
}

# wait_for_ranks PROCESS COUNT: until so many ranks are up
wait_for_ranks()
{
    tries=0
    until [ "$(strays)" -ge "$2" ]; do
        tries=$((tries + 1))
        { kill -0 "$1" 2>/dev/null && [ $tries -lt $quiet_tries ]; } || return 1
        sleep 0.1
    done
}

# until no rank is there
wait_until_gone()
{
    tries=0
    until [ "$(strays)" = 0 ]; do
        tries=$((tries + 1))
        [ $tries -lt $quiet_tries ] || return 1
        sleep 0.1
    done
}
