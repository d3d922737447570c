#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2086 # lists of options are split on purpose
# Launchers that are not there, played by scripts that note their words and then start real ranks:
# test_launchers.sh COLLTUNE PROGRAM MPIEXEC, the former two with the faulty methods among theirs.
colltune=$(realpath "$1")
program=$(realpath "$2")
mpiexec=$3
# shellcheck source=waiting.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/waiting.sh"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# Each script notes its words, one line a start, and starts the program, whose job file is its last word.
# play NAME [COMMAND]: COMMAND comes between noting and starting.
play()
{
    cat >"$1" <<SCRIPT
#!/bin/sh
echo "\$*" >>"$folder/\$(basename "\$0").words"
while [ \$# -gt 2 ]; do
    case \$1 in -n) ranks=\$2 ;; --ranks=*) ranks=\${1#--ranks=} ;; esac
    shift
done
$2
exec $3 "$mpiexec" -n "\$ranks" "\$@"
SCRIPT
    chmod +x "$1"
}
play srun
play mpiexec.openmpi
play mpirun.mpich
play other
printf 'one\ntwo\n' >'my hosts'

sweep="--program $program -c bcast --methods linear --msg-sizes 8 --max-repetitions 1"

# words NAME EXPECTED: the words of the first start, but for the program and its job
words()
{
    got=$(head -n 1 "$1.words" | sed "s|$program .*||; s|$folder/||g")
    [ "$got" = "$2 " ] || fail "$1 was started with '$got', not '$2'"
}

# --- each launcher in its own words; one job for all cells of a launch; two nodes, unevenly filled ---
export MPIR_CVAR_NUM_CLIQUES=2
"$colltune" measure -o srun.run $sweep --comm-sizes 2-5 --launches 2 --launcher "./srun --exclusive" \
    --hostfile 'my hosts' --ppn 3 2>log || fail "srun: $(cat log)"
grep -q 'srun.run has 4 cells; 16 samples' log || fail "a cell of two launches is one: $(cat log)"
"$colltune" measure -o planned $sweep --comm-sizes 2-5 --launches 2 --dry-run >log 2>&1
grep -q '^cells   4, with 16 measurements of methods in 2 launches' log || fail "the plan: $(cat log)"
words srun '--exclusive -n 5 --nodelist=my hosts --nodes=2 --ntasks-per-node=3'
[ "$(wc -l <srun.words)" = 2 ] || fail "srun was started $(wc -l <srun.words) times for two launches"
[ "$(grep ',commit$' srun.run/samples.csv | cut -d, -f 1,4-6 | sort | tr '\n' ' ')" = \
    '0,2,1,2 0,2,2,3 0,2,2,4 0,2,3,5 1,2,1,2 1,2,2,3 1,2,2,4 1,2,3,5 ' ] ||
    fail "nodes and ranks on each: $(grep ',commit$' srun.run/samples.csv)"
for property in 'nodes.ranks" value="1\*3,1\*2"' ' ppn="3"' " hostfile=\"$folder/my"; do
    grep -q "$property" srun.run/run.xml || fail "run.xml lacks $property"
done

"$colltune" measure -o openmpi $sweep --comm-sizes 2 --launches 1 --launcher ./mpiexec.openmpi \
    --hostfile 'my hosts' --ppn 1 2>log || fail "mpiexec of Open MPI: $(cat log)"
words mpiexec.openmpi '-n 2 --hostfile my hosts --map-by ppr:1:node'
"$colltune" measure -o mpich $sweep --comm-sizes 2 --launches 1 --launcher './mpirun.mpich -l' \
    --hostfile 'my hosts' --ppn 1 2>log || fail "mpirun of MPICH: $(cat log)"
words mpirun.mpich '-l -n 2 -f my hosts -ppn 1'
"$colltune" measure -o other.run $sweep --comm-sizes 2,3 --launches 1 --ppn 2 --hostfile 'my hosts' \
    --launcher './other --on={hostfile} --ranks={np} -N {nodes} {cmd}' 2>log || fail "a template: $(cat log)"
words other '--on=my hosts --ranks=3 -N 2'

# --- resumed with the same places, not with others ---
cp -r srun.run resumed
head -n 4 srun.run/samples.csv >resumed/samples.csv
rm srun.words
"$colltune" measure -o resumed --resume 2>log || fail "resuming: $(cat log)"
words srun '--exclusive -n 5 --nodelist=my hosts --nodes=2 --ntasks-per-node=3'
"$colltune" measure -o resumed --resume --ppn 4 2>log && fail "another --ppn is taken on --resume"
grep -q "begun with ppn '3', not '4'" log || fail "the reason: $(cat log)"

# --- what the launcher makes of it is looked at ---
"$colltune" measure -o bad $sweep --comm-sizes 4 --launcher ./srun --ppn 1 2>log &&
    fail "two on a node are taken"
grep -q 'put 2 ranks on a node where 1 ' log || fail "the reason: $(cat log)"
[ ! -e bad ] || fail "a run was made"
unset MPIR_CVAR_NUM_CLIQUES

# --- rank 0 on another host, as far as one can play that: the job names another host, and the launcher's end
# --- does not end the ranks
play elsewhere 'for job; do :; done
sed -i "s/^host .*/host elsewhere/" "$job"' 'setsid --wait'
sweep="--program $program --launches 1 -c bcast --comm-sizes 3 --launcher ./elsewhere"
"$colltune" measure -o far $sweep --msg-sizes 8,1024 --max-repetitions 5 --timeout 10s \
    --methods linear,test_crash,test_hang 2>log || fail "the far sweep: $(cat log)"
[ "$(grep -E '(crashed|hung)$' far/samples.csv | cut -d, -f 3,8,13 | sort | tr '\n' ' ')" = \
    'test_crash,8,crashed test_hang,1024,hung ' ] || fail "who is to blame, far away: $(cat log)"
wait_until_gone || fail "stray ranks after the far sweep"
"$colltune" measure -o ended $sweep --msg-sizes 8-4K*2 --methods linear --precision 0.01 --exhaustive \
    --budget 1h 2>log &
child=$!
wait_for_cells $child ended 1 || fail "the sweep to be stopped does not get on"
kill -TERM $child
wait $child
wait_until_gone || fail "stray ranks far away after SIGTERM"

# --- a launcher that stays when its ranks have reported their end: they may hang in MPI_Finalize ---
cat >stays <<SCRIPT
#!/bin/sh
"$mpiexec" "\$@"
exec sleep 10000
SCRIPT
chmod +x stays
"$colltune" measure -o stays.run --program "$program" -c bcast --methods linear --comm-sizes 2 --msg-sizes 8 \
    --launches 2 --max-repetitions 1 --timeout 1h --launcher ./stays 2>log ||
    fail "a launcher that stays: $(cat log)"
[ "$(cells_of stays.run)" = 2 ] || fail "cells with a launcher that stays: $(cat stays.run/samples.csv)"

# --- bad input ---
refuse()
{
    pattern=$1
    shift
    "$colltune" measure -o bad --program "$program" "$@" >log 2>&1 && fail "not refused: $*"
    [ "$(wc -l <log)" = 1 ] || fail "one line was expected: $(cat log)"
    grep -q -e "$pattern" log || fail "'$pattern' was expected: $(cat log)"
    [ ! -e bad ] || fail "something was made"
}
refuse '--hostfile nowhere: No such file' --hostfile nowhere
printf '# no host\n\n \n' >remark
refuse '--hostfile remark: names no host' --hostfile remark
refuse '--hostfile .: is a folder' --hostfile .
refuse 'has no known option for the ranks per node: expected a template' --launcher aprun --ppn 2
refuse 'no place for --ppn' --launcher 'aprun {np} {cmd}' --ppn 2
refuse 'expected --hostfile, too' --launcher 'aprun {np} {hostfile} {cmd}'
refuse 'at least 1 rank on a node' --ppn 0
refuse 'expected one of auto, barrier, common, window' --sync windows
refuse 'has no meaning there' --sync window --simulate ethernet100
refuse 'has its hosts' --hostfile 'my hosts' --simulate ethernet100
exit $failed
