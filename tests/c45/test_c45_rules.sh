#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Rules of C4.5 Release 8 by cases small enough to be worked out by hand: test_c45_rules.sh COLLTUNE.
colltune=$(realpath "$1")
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../expect.sh"
cd "$folder" || exit 1

# files NAMES DATA [TEST], with \n for the ends of lines; a case may be "COUNT*CASE".
files()
{
    rm -f x.names x.data x.test
    printf '%b' "$1" >x.names
    printf '%b' "$2" | awk -F'[*]' 'NF == 2 {for (i = 0; i < $1; i++) print $2; next} {print}' >x.data
    [ $# -lt 3 ] || printf '%b' "$3" >x.test
}

# rule WORDS OPTION...: the report has these words, with \n for the ends of lines.
rule()
{
    words=$(printf '%b' "$1")
    shift
    expect 0 "$words" c45 -f x "$@"
}

# Of classes that are as many the first that .names has is a leaf's, whichever comes first in .data.
files 'no, yes.\nx: continuous.\n' '1,yes\n2,no\n'
rule 'Decision Tree:\n no (2.0/1.0)\n'

# Of attributes that part alike the first is taken.
files 'yes, no.\nb: p, q.\na: p, q.\n' '3*p,p,yes\n3*q,q,no\n'
rule 'Decision Tree:\n\nb = p: yes (3.0)\nb = q: no (3.0)\n'
files 'yes, no.\na: p, q.\nb: p, q.\n' '3*p,p,yes\n3*q,q,no\n'
rule 'Decision Tree:\n\na = p: yes (3.0)\na = q: no (3.0)\n' -g

# A threshold is the greatest number of all the data at or below the middle: 5 is none of the node's, which
# has 1 and 10.
files 'yes, no, maybe.\nd: p, q.\nx: continuous.\n' '2*p,1,yes\n2*p,10,no\n10*q,5,maybe\n'
rule 'd = p:\n|   x <= 5 : yes (2.0)\n|   x > 5 : no (2.0)\n'

# Numbers have to be more than 1e-5 apart.
files 'yes, no.\nx: continuous.\n' '2*0,yes\n2*9e-6,no\n'
rule 'Decision Tree:\n yes (4.0/2.0)\n'
files 'yes, no.\nx: continuous.\n' '2*0,yes\n2*1.1e-5,no\n'
rule 'x <= 0 : yes (2.0)\nx > 0 : no (2.0)\n'

# Cuts cost the more, the more are tried: of those with M cases on either side the one in the middle gains
# 0.278 here, no other as much. With -m 1 they are 9, log2(9) / 10 = 0.317; with -m 4 three, 0.158.
files 'yes, no.\nx: continuous.\n' '1,yes\n2,no\n3,yes\n4,yes\n5,yes\n6,no\n7,no\n8,no\n9,yes\n10,no\n'
rule 'Decision Tree:\n yes (10.0/5.0)\n' -m 1
rule 'x <= 5 : yes (5.0/1.0)\nx > 5 : no (5.0/1.0)\n' -m 4

# Two branches have to have M cases; others may have fewer, or none, and then have the class of the node.
files 'yes, no.\nd: p, q, r, z.\n' '2*p,yes\n2*q,no\nr,yes\n'
rule 'd = p: yes (2.0)\nd = q: no (2.0)\nd = r: yes (1.0)\nd = z: yes (0.0)\n'
rule '\t   5    0( 0.0%)'
rule 'Decision Tree:\n yes (5.0/2.0)\n' -m 3

# The unknown go down each branch by its share of the known: 3 of 6.
files 'yes, no.\nd: p, q.\n' '3*p,yes\n3*q,no\n?,yes\n' '?,no\np,yes\n'
rule 'd = p: yes (3.5)\nd = q: no (3.5/0.5)\n'
# To classify, too: yes gets 0.5 + 0.5 * 0.5 / 3.5 of a vote.
rule '\t    1     \t(a): class yes\n\t    1     \t(b): class no\n' -u

# A value that came with .test alone goes down all branches.
files 'yes, no.\nd: discrete 5.\n' '3*p,yes\n4*q,no\n' 'r,no\nr,yes\n'
rule '\t         1\t(a): class yes\n\t         1\t(b): class no\n' -u

# Attributes that say nothing: ignored, whatever stands there; unknown throughout; of one value.
files 'yes, no.\ni: ignore.\nu: continuous.\nv: p, q.\nw: discrete 3.\nx: continuous.\n' \
    '2*any\\:thing,?,?,p,1,yes\n2*else,?,?,p,2,no\n'
rule 'Read 4 cases (5 attributes)'
rule 'x <= 1 : yes (2.0)\nx > 1 : no (2.0)\n'

# One class alone is a leaf, however many attributes there are.
files 'yes, no.\nx: continuous.\n' '5*1,no\n5*2,no\n'
rule 'Decision Tree:\n no (10.0)\n\n\nTree saved\n'

# Groups: values of one class are one branch, a group of one value is printed as a value, and those that do
# not occur are a branch of their own.
files 'yes, no.\nd: p, q, r, y, z.\n' '2*p,yes\n2*q,yes\n3*r,no\n'
rule 'd in {p,q}: yes (4.0)\nd = r: no (3.0)\nd in {y,z}: yes (0.0)\n' -s
rule '\t   4    0( 0.0%)' -s

# With a confidence of 100 % nothing is added to the errors; with 25 % one case without any adds 0.75.
files 'yes, no.\nx: continuous.\n' '2*1,yes\n2*2,no\n'
rule '3    0( 0.0%)    ( 0.0%)   <<' -c 100
rule '3    0( 0.0%)    (50.0%)   <<'

# Bounds of thresholds: one standard error, sqrt(0.5 * 6.5 / 7) = 0.68139, is reached as far from the cut.
files 'yes, no.\nx: continuous.\n' '1,yes\n2,yes\n3,yes\n4,no\n5,no\n6,no\n'
rule 'Test x <> 3\n\tLower = 2.31861, Upper = 3.68139\n' -p
rule 'x <= 3 [2.31861,3.68139]: yes (3.0/1.1)\n' -p

# Windows: no larger than the data.
rule '    3         6       0         0  0.0%       0  0.0%       0  0.0%\n' -t 1 -w 100

# A subtree is broken off beyond 80 columns: 4, the name, " <= ", 4, a colon, the class and 6.
for length in 58 59; do
    name=$(printf "%0${length}d" 7)
    files "yes, no.\nd: p, q.\n$name: continuous.\n" '2*p,1,yes\n2*p,2,no\n5*q,1,no\n5*q,2,no\n'
    if [ $length = 58 ]; then
        rule "d = p:\n|   $name <= 1 : yes (2.0)\n"
    else
        rule "d = p:[S1]\n\n\nSubtree [S1]\n\n$name <= 1 : yes (2.0)\n"
    fi
done

# Groups go on on the next line where the column, the value and 11 are beyond 80: 7 + 52 + 10 + 11 = 80.
for length in 51 52; do
    first=$(printf "%0${length}d" 7) second=0123456789
    files "yes, no.\ndd: $first, $second, r.\n" "2*$first,yes\n2*$second,yes\n3*r,no\n"
    if [ $length = 51 ]; then
        rule "dd in {$first,$second}: yes (4.0)\n" -s
    else
        rule "dd in {$first,\n       $second}: yes (4.0)\n" -s
    fi
done

# The table of what is taken for what has room for 21 classes.
for classes in 21 22; do
    list=$(seq -s, $classes)
    files "$list.\nx: continuous.\n" '3*1,1\n3*2,2\n' '1,2\n'
    "$colltune" c45 -f x -u | grep -c 'classified as' >found
    [ "$(cat found)" = $((22 - classes)) ] || { echo "FAILED: $classes classes"; failed=1; }
done

# Files: no period or newline at the end, comments, delimiters of any kind between values, lists over several
# lines, names with blanks, commas, colons, periods.
files 'so  so , | first\n  no\\,no\nv. 1: 0.5, a\\:b.c.|x\n|\nx y: continuous' \
    '0.5,1,so so\n'
expect 2 'x.names:3' c45 -f x
files 'so so, no.\nx: continuous.\n' '1,so so\n2.,no\n'
expect 2 "x.data:2: '2.,no'" c45 -f x
files 'so  so , | first\n  no\\,no\nv.1: 0.5, a\\:b.c.|x\n|\nx y: continuous' \
    '0.5:1:so so.\n0.5,1\nso so | !\na\\:b.c, 2.\nno\\,no.\na\\:b.c\n2, no\\,no'
rule 'v.1 = 0.5: so so (2.0)\nv.1 = a:b.c: no,no (2.0)\n'
files 'yes, no.\r\nx: continuous.\r\n' '1,yes\n'
expect 2 'x.names:2' c45 -f x

# As many values as were said, and that may be more than there can be.
files 'yes, no.\nd: discrete\t40000.\n' '2*p,yes\n2*q,no\n'
rule 'd = p: yes (2.0)\n'
files 'yes, no.\nd: discrete.\n' '2*p,yes\n2*q,no\n'
expect 2 'expected continuous, ignore, discrete N' c45 -f x
exit $failed
