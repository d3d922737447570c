#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What these tests share, who set `colltune`: a folder of their own, and commands that must end as told.
# shellcheck disable=SC2034,SC2154 # who takes this in has `colltune`, and looks at `failed`
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# expect CODE WORDS ARGUMENT...: colltune with these ends so and says the words.
expect()
{
    code=$1 words=$2
    shift 2
    output=$("$colltune" "$@" 2>&1)
    ended=$?
    case $output in
    *"$words"*) [ $ended -eq "$code" ] && return ;;
    esac
    echo "FAILED: colltune $*: expected $code and '$words'; it ended with $ended and said:"
    echo "$output"
    failed=1
}
