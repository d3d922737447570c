#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_languages.sh COLLTUNE CC CXX TABLE.xml: what is generated of a table is strict C99, and can be
# used from C++: its functions link, and say by name what the header says.
set -euo pipefail

colltune=$1 cc=$2 cxx=$3 table=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*"
    exit 1
}

"$colltune" generate "$table" --format c -o "$work/decisions.h"
"$colltune" generate "$table" --format c-source -o "$work/source.c"
strict='-pedantic -Wall -Wextra -Werror'
# shellcheck disable=SC2086 # words
"$cc" -std=c99 $strict -c "$work/source.c" -o "$work/source.o" || fail 'the source is no strict C99'

cat >"$work/caller.cpp" <<'END'
#include "decisions.h"
#include <cstring>

int main()
{
    const std::size_t limits[] = {0,    1,    8,    9,       20,      21,         1448,
                                  1449, 8192, 8193, 1048576, 1048577, 5368709121, 5368709122};
    for (std::size_t ranks : limits) {
        for (std::size_t bytes : limits) {
            const char *fallback = nullptr, *method = colltune_method_of_bcast(ranks, bytes, &fallback);
            colltune_choice choice = colltune_decide_bcast(ranks, bytes);
            if (std::strcmp(method, colltune_method_name(choice.method)) != 0 ||
                std::strcmp(fallback, colltune_method_name(choice.fallback)) != 0)
                return 1;
        }
    }
    return 0;
}
END
# shellcheck disable=SC2086
"$cxx" -std=c++11 $strict "$work/caller.cpp" "$work/source.o" -o "$work/caller" ||
    fail 'C++ cannot call what C has compiled'
"$work/caller" || fail 'C++ is told something else'
