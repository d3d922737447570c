#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What colltune c45 says of wrong input, and what C4.5 Release 8 got wrong: test_c45_input.sh COLLTUNE.
colltune=$(realpath "$1")
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../expect.sh"
cd "$folder" || exit 1

# Options.
expect 2 "expected a whole number from 1 to 1000000" c45 -m 0
expect 2 "expected a whole number from 1 to 1000000" c45 -m 1000001
expect 2 "expected a number of percent from 0.001 to 100" c45 -c 0
expect 2 "expected a number of percent from 0.001 to 100" c45 -c 101
expect 2 "expected a whole number from 1 to 10000" c45 -t none
expect 2 "one argument too many" c45 golf
expect 0 "-999" c45 --help
expect 1 "DF.names" c45 -u

expect 2 "expected a number of percent" c45 -c .
expect 2 "expected a number of percent" c45 -c 0x10
expect 2 "expected a number of percent" c45 -c nan
expect 2 "expected a whole number" c45 -m +-5

# Numbers as C4.5 takes them; -b forgets no number of trials.
printf 'yes, no.\nx: continuous.\n' >so.names
printf '1,yes\n2,yes\n3,no\n4,no\n5,no\n6,yes\n' >so.data
expect 0 ">=5 cases" c45 -f so -m +5
expect 0 "level 0.5%" c45 -f so -c .5
expect 0 "level 5%" c45 -f so -c 5.
expect 0 "Trial 4" c45 -f so -t 5 -b -w 4
expect 0 "Trial 9" c45 -f so -w 4
"$colltune" c45 -f so -t 5 -b -w 4 | grep -q 'Trial 5' && echo 'FAILED: -b forgets -t 5' && failed=1
"$colltune" c45 -f so -t 5 -w 4 -b | grep -q 'Trial' && echo 'FAILED: -b is not obeyed' && failed=1

# Input: the file, the line, what was expected.
printf 'yes, no.\nx: continuous.\nd: a, b, c.\n' >in.names
expect 1 "in.data" c45 -f in
printf '1,a,yes\n2,b,no\n3,e,no\n' >in.data
expect 2 "in.data:3: 'e': expected a value or ? of d" c45 -f in
printf '1,a,yes\n\n\n2 | two\nb,maybe\n' >in.data
expect 2 "in.data:5: 'maybe': expected a class" c45 -f in
printf '1,a,yes\n2x,b,no\n' >in.data
expect 2 "in.data:2: '2x': expected a number" c45 -f in
printf '1e39,a,yes\n' >in.data
expect 2 "in.data:1: '1e39': expected a number" c45 -f in
printf '1,a,yes\n2,b\n' >in.data
expect 2 "the file ends within a case" c45 -f in
printf ' | nothing\n' >in.data
expect 2 "there are no cases" c45 -f in
printf '1,a,yes\n2,b,no\n' >in.data
printf '1,z,yes\n' >in.test
expect 2 "in.test:1: 'z'" c45 -f in -u
expect 0 "Read 2 cases (2 attributes) from in.data" c45 -f in
for flaw in 'yes, no' 'yes, no.\nx' 'yes, no.\nx: what.' 'yes, no.\nx: discrete 1.' \
    'yes, yes.\nx: continuous.' 'yes, no.\nx: a, a.' 'yes,,no.\nx: a, b.' \
    'yes, no.\nx: continuous.\nx: continuous.'; do
    printf '%b\n' "$flaw" >flaw.names
    expect 2 'flaw.names:' c45 -f flaw
done

# Values that come with the cases, as many as were said.
printf 'yes, no.\nd: discrete 2.\n' >few.names
printf 'a,yes\nb,no\na,yes\nb,no\n' >few.data
expect 0 'd = a: yes (2.0)' c45 -f few -m 1
printf 'a,yes\nb,no\nc,yes\n' >few.data
expect 2 "few.data:3: 'c': expected at most 2 values of d" c45 -f few

# -999 is a number like others.
printf 'yes, no.\nx: continuous.\n' >cold.names
printf -- '-999,yes\n-999,yes\n-999,yes\n5,no\n6,no\n7,no\n' >cold.data
expect 0 'x <= -999 : yes (3.0)' c45 -f cold

# The middle of two single numbers side by side is rounded up to the upper one.
printf '16777218,yes\n16777218,yes\n16777220,no\n16777220,no\n' >cold.data
expect 0 'x <= 1.67772e+07 : yes (2.0)' c45 -f cold

# An attribute that is unknown throughout does not change what -m means for the next one.
printf 'yes, no.\nhidden: a, b, c.\nseen: p, q, r.\n' >bound.names
printf '?,p,yes\n?,p,yes\n?,q,yes\n?,q,yes\n?,r,yes\n?,r,no\n' >bound.data
expect 0 ' yes (6.0/1.0)' c45 -f bound -s -m 3

# Names as long as one likes.
long=$(printf '%02000d' 7)
printf 'yes, no.\n%s: continuous.\n' "$long" >long.names
printf '1,yes\n2,yes\n3,no\n4,no\n' >long.data
expect 0 "$long <= 2 : yes (2.0)" c45 -f long
exit $failed
