#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# That tune takes all options of measure and hands them on: test_tune.sh COLLTUNE.
colltune=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

# names COMMAND: the long options of a command, but those that every command has, and that tune gives itself.
names()
{
    "$colltune" "$1" --help | grep -oE '^ +(-., +)?--[a-z-]+' | grep -oE -- '--[a-z-]+' |
        grep -vxE -- '--(help|usage|output|resume|again|dry-run)' | sort
}

missing=$(names measure | while read -r name; do names tune | grep -qx -- "$name" || echo "$name"; done)
[ "$(names measure | wc -l)" -gt 20 ] && [ -z "$missing" ] || {
    echo "FAILED: tune lacks of measure's options:" $missing
    failed=1
}

# A run that is spoilt ends tune at its first step, which shows and runs measure with --resume.
mkdir "$folder/run" && echo junk >"$folder/run/run.xml"

# expect LINE OPTION...: tune with these options shows and runs this line.
expect()
{
    line=$1
    shift
    output=$("$colltune" tune -o "$folder" "$@" 2>&1)
    ended=$?
    case $output in
    "\$ colltune measure --output $folder/run $line --resume
colltune tune: measure: $folder/run/run.xml:1: "*) [ $ended -eq 2 ] && return ;;
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
# with an application, what its profile asks for; a profile that is there is taken
printf '%s\n%s\n' rank,collective,mode,comm_size,msg_bytes,method,calls,bytes,seconds,waiting \
    '0,bcast,blocking,2,8,"native",1,8,1,0' >"$folder/profile.csv"
"$colltune" tune -o "$folder" --application ./app 2>"$folder/said"
line="\$ colltune measure --output $folder/run --resume --from-profile $folder/profile.csv"
grep -qxF "$line" "$folder/said" || {
    echo "FAILED: tune --application: $(cat "$folder/said")"
    failed=1
}
# a folder for temporary files in which none can be made ends it before the first step
TMPDIR=$folder/nothing "$colltune" tune -o "$folder" 2>"$folder/said"
{ [ $? -eq 1 ] && grep -q 'set TMPDIR to a folder' "$folder/said" && ! grep -q measure "$folder/said"; } || {
    echo "FAILED: tune without a temporary folder: $(cat "$folder/said")"
    failed=1
}
# so does a wrong value, of a later step too
for wrong in '--precision 700' '--max-leaves 0' '--margin moon' '--guided --exhaustive' '--no-share-links' \
    '--application ./app --simulate ethernet100' '--application ./app -c bcast' '--pairs 0' \
    '--mode blocking,often' '--compute 5us' '--mode nonblocking --tests -1'; do
    # shellcheck disable=SC2086
    output=$("$colltune" tune -o "$folder/none" $wrong 2>&1)
    ended=$?
    case $output in
    "colltune tune: --"*"(see colltune tune --help)")
        [ $ended -eq 2 ] && [ ! -e "$folder/none" ] && continue ;;
    esac
    echo "FAILED: tune $wrong: it ended with $ended and said: $output"
    failed=1
done
exit $failed
