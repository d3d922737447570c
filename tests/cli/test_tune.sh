#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# That tune takes all options of measure and hands them on: test_tune.sh COLLTUNE. A wrong value, which
# measure refuses before anything is measured, ends it.
colltune=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

# names COMMAND: the long options of a command, but those that every command has, and that tune gives itself.
names()
{
    "$colltune" "$1" --help | grep -oE '^ +(-., +)?--[a-z-]+' | grep -oE -- '--[a-z-]+' |
        grep -vxE -- '--(help|usage|output|resume)' | sort
}

missing=$(names measure | while read -r name; do names tune | grep -qx -- "$name" || echo "$name"; done)
[ "$(names measure | wc -l)" -gt 20 ] && [ -z "$missing" ] || {
    echo "FAILED: tune lacks of measure's options:" $missing
    failed=1
}

# expect LINE OPTION...: tune with these options, and a precision that is wrong, shows and runs this line.
expect()
{
    line=$1
    shift
    output=$("$colltune" tune -o "$folder" "$@" --precision 700 2>&1)
    ended=$?
    case $output in
    "\$ colltune measure -o $folder/run $line --precision 700
colltune measure: --precision '700': "*) [ $ended -eq 2 ] && return ;;
    esac
    echo "FAILED: tune $*: expected '$line'; it ended with $ended and said:"
    echo "$output"
    failed=1
}

expect "--hostfile hosts --ppn 4 --sync window --launches 2 --mpi openmpi" \
    --hostfile hosts --ppn=4 --sync window --launches 2 --mpi openmpi
expect "--launcher 'mpiexec {np} {cmd}' --seed 3 --no-racing --max-repetitions 9" \
    --launcher 'mpiexec {np} {cmd}' --seed 3 --no-racing --max-repetitions 9
# what others take is not given to measure
expect "--collectives bcast" -c bcast --learner quadtree --margin 2 -x native
[ ! -e "$folder/run" ] || { echo "FAILED: a run was begun"; failed=1; }
exit $failed
