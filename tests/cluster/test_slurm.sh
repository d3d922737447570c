#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# README's recipe for Slurm, with a smaller sweep: test_slurm.sh COLLTUNE PROGRAM APPLICATION README.
# The job is ended while it measures, with the signals that a time limit has, too, and the same script is
# submitted again.
# shellcheck source=nodes.sh disable=SC1091,SC2015,SC2016,SC2086,SC2154 # nodes.sh sets cluster and failed
. "$(dirname "$0")/nodes.sh"
# shellcheck source=slurm.sh disable=SC1091
. "$(dirname "$0")/slurm.sh"
cluster_need munged slurmctld slurmd srun sbatch
colltune=$(realpath "$1") program=$(realpath "$2") application=$(realpath "$3") readme=$(realpath "$4")
cluster_make 3
slurm_start 4
cells()
{
    grep -c ',commit$' "$1/samples.csv" 2>/dev/null
}
# state JOB: its state for Slurm, such as RUNNING
state()
{
    on n1 scontrol show job "$1" | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p'
}
# await JOB STATES: until it is in one of these states, words between bars
await()
{
    local now=
    for _ in {1..1500}; do
        now=$(state "$1")
        case "|$2|" in *"|$now|"*) return ;; esac
        sleep 0.1
    done
    fail "the job is $now, not $2: $(cat "slurm-$1.out")"
}

# --- srun: two ranks on each of three nodes ---
must on n1 "$colltune" measure -o run --program "$program" -c bcast --methods binomial,two_level \
    --comm-sizes 4,6 --msg-sizes 8,1K --launches 1 --max-repetitions 3 --exhaustive --launcher srun --ppn 2
expect '"nodes.ranks" value="3\*2"' run/run.xml
[ "$(grep ',commit$' run/samples.csv | cut -d, -f 4-6 | sort -u | tr '\n' ' ')" = '2,2,4 3,2,6 ' ] ||
    fail "nodes of the cells: $(grep ',commit$' run/samples.csv)"

# --- switches, as Slurm tells them ---
on n1 scontrol show hostnames n1,n2,n3 >hosts
on n1 scontrol show topology >switches
must on n1 "$colltune" measure -o near --program "$program" -c bcast --methods binomial --comm-sizes 2,4 \
    --msg-sizes 8 --launches 1 --max-repetitions 3 --exhaustive --launcher srun --hostfile ./hosts --ppn 2 \
    --side-by-side --switches switches
[ "$(grep -c ',commit$' near/samples.csv)" -ge 2 ] || fail "cells side by side: $(cat near/samples.csv)"

# --- an srun that does not speak to the MPI: each rank is alone ---
on n1 "$colltune" measure -o none --program "$program" -c bcast --comm-sizes 6 \
    --launcher 'srun --mpi=none' --ppn 2 >log 2>&1 && fail 'ranks that are alone are measured'
expect "gave 1 rank where 6 were asked for: .* MPICH needs srun --mpi=pmi2" log
[ ! -e none ] || fail 'a run was made of ranks that are alone'

# --- the script, from README ---
sed -n 's/^    //; /^#!\/bin\/bash/,/^colltune tune/p' "$readme" >recipe
[ "$(wc -l <recipe)" = 3 ] || fail "README's recipe: $(cat recipe)"
smaller="--program $program -c bcast,allreduce --methods native,binomial,linear --msg-sizes 8,1K,64K"
smaller="$smaller --max-repetitions 10"
sed -e 's/--nodes=4/--nodes=3/; s/--ntasks-per-node=8/--ntasks-per-node=2/' \
    -e 's/--time=02:00:00/--time=9/' \
    -e "s|--ppn 8 --comm-sizes 2-32 --budget 90m|--ppn 2 --comm-sizes 2,6 --budget 30s $smaller|" \
    -e "s|^colltune|exec $colltune|" recipe >job.sh
[ "$(diff recipe job.sh | grep -c '^>')" = 2 ] || fail "the smaller recipe: $(cat job.sh)"
submit()
{
    on n1 sbatch --parsable job.sh
}
job=$(submit)
until [ "$(cells cluster/run)" -ge 2 ] 2>/dev/null; do
    case $(state "$job") in PENDING | RUNNING) sleep 0.1 ;; *) break ;; esac
done
on n1 scancel "$job"
await "$job" 'TIMEOUT|CANCELLED|FAILED|COMPLETED'
kept=$(cells cluster/run)
[ "$kept" -ge 2 ] || fail "what was measured is not kept: $(cat "slurm-$job.out")"
[ ! -e cluster/library ] || fail 'it was at its end before it was ended'

# --- again, until it is complete ---
for _ in 1 2 3; do
    job=$(submit)
    await "$job" 'COMPLETED|TIMEOUT|FAILED'
    [ "$(state "$job")" != COMPLETED ] || break
done
grep -q 'Use it: ' "slurm-$job.out" || fail "the last job: $(cat "slurm-$job.out" cluster/tune.log)"
[ "$(cells cluster/run)" -ge "$kept" ] || fail 'cells were lost'

# --- loaded in a job, as README says ---
load=$(sed -n 's/^    \(srun --export=ALL.*\) \.\/app$/\1/p' "$readme")
[ "$load" ] || fail 'README does not say how to load the library'
on n1 bash -c "$load -N 3 -n 6 grep -c libcolltuned /proc/self/maps" >loaded 2>&1 ||
    fail "loading: $(cat loaded)"
[ "$(grep -c -v '^0$' loaded)" = 6 ] || fail "ranks that load the library: $(cat loaded)"

# --- copied and loaded by a module, as docs/clusters.md says ---
modules=/usr/share/modules/init/bash
if [ -e "$modules" ]; then
    cp -r cluster/library copied && mkdir modulefiles
    sed -n '/^    #%Module/,/^$/s/^    //p' "$(dirname "$readme")/docs/clusters.md" |
        sed "s|/opt/colltuned|$PWD/copied|" >modulefiles/colltuned
    [ "$(wc -l <modulefiles/colltuned)" = 3 ] || fail "the module file: $(cat modulefiles/colltuned)"
    on n1 bash -c ". $modules && module use $PWD/modulefiles && module load colltuned &&
        srun -N 3 -n 6 grep -c copied/lib/libcolltuned /proc/self/maps" >loaded 2>&1 ||
        fail "loading by a module: $(cat loaded)"
    [ "$(grep -c '^[1-9]' loaded)" = 6 ] || fail "ranks that load the copy: $(cat loaded)"
fi
must on n1 "$colltune" doctor --library cluster/library -- srun -N 3 -n 6 "$application"
expect '6 ranks start on 3 hosts; the library is loaded by all' log
exit $failed
