#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `colltune import` and what takes its runs: test_import.sh COLLTUNE.
colltune=$(realpath "$1")
# shellcheck source=../../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../../expect.sh"
cd "$folder" || exit 1

# osu TIME...: an output for messages of 1, 2, 4 ... bytes.
osu()
{
    printf '# OSU MPI Broadcast Latency Test v7.0\n# Size       Avg Latency(us)\n'
    size=1
    for time; do
        printf '%s %s\n' "$size" "$time"
        size=$((size * 2))
    done
}

osu 1.00 2.00 9.00 >native-4.txt
osu 2.00 2.50 3.00 >binomial-4.txt
osu 1.00 2.00 9.00 >native-6.txt
osu 2.00 2.50 >binomial-6.txt

# Settings hold for the files behind them; the first also for those before.
expect 0 'run has 6 cells with 11 samples' import osu native-4.txt --comm-size 4 \
    --method binomial binomial-4.txt --comm-size 6 binomial-6.txt --method native native-6.txt -o run
expect 2 'exists already' import osu --comm-size 4 native-4.txt -o run
rm -r run
expect 0 'run has 6 cells with 11 samples' import osu --method native --comm-size 4 \
    native-4.txt --comm-size 6 native-6.txt --method binomial binomial-6.txt \
    --comm-size 4 binomial-4.txt -o run
expect 0 'run has 3 cells with 3 samples' import osu --comm-size 4 --nodes 2 native-4.txt -o one/run
expect 0 'bcast: the best method' map run
expect 0 'bcast,1,4,4,4,binomial,1,3e-06,3e-06,3e-06,1,best,1,1,measured' map run --format csv
expect 0 'bcast,1,6,6,4,binomial,0,,,,0,,,,' map run --format csv
expect 0 'bcast: ' learn run -o table.xml
expect 0 'mean slowdown over the best' score table.xml run
expect 0 '' generate table.xml --format c -o decisions.h
expect 0 '' report run table.xml -o report
if ! grep -q 'imported by colltune' report/index.html || ! grep -q 'imported' decisions.h; then
    echo "FAILED: report or generated code do not say that the run was imported"
    failed=1
fi

# A file twice doubles its samples, under whatever name or method; equal texts of other ranks are two files.
cp binomial-4.txt copy-4.txt
expect 2 'holds the same as binomial-4.txt' import osu --comm-size 4 binomial-4.txt copy-4.txt -o no
expect 2 'holds the same as native-4.txt' import osu --comm-size 4 --method binomial binomial-4.txt \
    --method native native-4.txt --method linear native-4.txt -o no
expect 2 './run: holds the same as run' import run run ./run -o no

# Runs into one.
expect 0 'both has 9 cells with 14 samples' import run run one/run -o both
expect 0 'bcast,2,2,4,1,native,1,1e-06' map both --format csv
expect 2 'the format run does not have' import run run one/run --comm-size 4 -o other
expect 2 'not a run' import run run native-4.txt -o other

# Of nothing no run is made; of a run with nothing one is, where another has something.
mkdir empty
cp run/run.xml empty/
head -n 1 run/samples.csv >empty/samples.csv
expect 2 'empty: holds no samples' import run empty -o none
expect 0 'some has 6 cells with 11 samples' import run empty run -o some
[ ! -e none ] || { echo 'FAILED: an empty run was made' && failed=1; }

# A table, in the forms of the example in its help.
cat >times.csv <<'CSV'
algorithm,cores,size,latency,min,max
0,4,1.0,1.50,1.00,2.00
6,4,1.0,1.75,1.00,2.00
6,4,1.0,3.75,1.00,2.00
0,5,1.0,1.50,1.00,2.00
CSV
map='comm_size=cores,msg_bytes=size,seconds=latency*us,method=algorithm'
expect 0 'differs by more than 1.5 times, at most 2.14 times (times.csv:3 and times.csv:4)' \
    import csv times.csv -o table -c bcast --methods '0=native,6=binomial' --map "$map"
expect 0 'in 1 of 2 cells only one method' import csv times.csv -o again -c bcast --map "$map" \
    --methods '0=native,6=binomial'
expect 0 'comparable has 1 cell with 3 samples' import csv times.csv -o comparable -c bcast --map "$map" \
    --methods '0=native,6=binomial' --comparable
expect 2 'no cell has results of more than one' import csv times.csv -o no -c bcast --map "$map" \
    --methods '0=native,6=-' --comparable
expect 0 'skipped: 6 was to be left out (2 times)' import csv times.csv -o left -c bcast --map "$map" \
    --methods '0=native,6=-'
expect 2 "expected it in --methods, such as '6=foreign/NAME'" import csv times.csv -o no -c bcast \
    --map "$map" --methods 0=native
expect 2 'times.csv:3: the method' import csv times.csv -o no -c bcast --map "$map" --methods 0=native
expect 2 'expected a collective' import csv times.csv -o no --map "$map" --methods '0=native,6=binomial'

# Collectives as MPI spells them.
printf 'call,p,size,latency\nMPI_Bcast,4,8,1.5\nallreduce,4,8,2\nReduce_scatter,4,8,3\n' >calls.csv
expect 0 'calls has 3 cells with 3 samples' import csv calls.csv -o calls \
    --map 'collective=call,comm_size=p,msg_bytes=size,seconds=latency*us'
sed -i s/MPI_Bcast/MPI_Send/ calls.csv
expect 2 "calls.csv:2: unknown collective 'MPI_Send'" import csv calls.csv -o no \
    --map 'collective=call,comm_size=p,msg_bytes=size,seconds=latency*us'

# What comes through a pipe can be read once alone.
expect 2 '/dev/stdin: is no ordinary file' import csv /dev/stdin -o no -c bcast --map "$map" \
    --methods '0=native,6=binomial' <<EOF
$(cat times.csv)
EOF

# Microseconds taken for seconds.
expect 0 'the shortest time is 1.5 s' import csv times.csv -o seconds -c bcast \
    --methods '0=native,6=binomial' --map 'comm_size=cores,msg_bytes=size,seconds=latency,method=algorithm'

# Each file with its own map, words, rows, place and collective; facts in names take precedence over options.
mkdir core node
cp times.csv core/bcast.csv
printf 'kind;x,ranks,n,us\n3,4,1,9\n0,4,1,7\n3,5,1,8\n' >node/reduce.csv
expect 0 'several has 4 cells with 7 samples' import csv --map "$map" --methods '0=native,6=binomial' \
    --file-name '{by}/{collective}.csv' --ppn 3 core/bcast.csv \
    --map 'comm_size=ranks,msg_bytes=n,seconds=us*us,method=kind;x' --methods '0=native,3=chain' --nodes 2 \
    node/reduce.csv -o several
expect 0 'bcast,2,3,4,1,binomial,2,2.75e-06,1.75e-06,3.75e-06,0,undecided,1,1,measured,core' map several \
    --format csv
expect 0 'reduce,2,3,4,1,chain,1,9e-06,9e-06,9e-06,0,undecided,1,1,measured,node' map several --format csv
expect 0 'ranks mapped by core:' map several
expect 0 '' report several -o several-report
grep -q '<a href="#bcast-core">bcast, by core</a>' several-report/index.html || {
    echo 'FAILED: the report does not show mappings apart'
    failed=1
}
grep -q 'by="core,node"' several/run.xml && grep -q 'import.map.2' several/run.xml || {
    echo 'FAILED: run.xml does not say how ranks were mapped, or how files were read'
    failed=1
}
expect 0 'socket has 1 cell with 3 samples' import csv times.csv -o socket -c bcast --map "$map" \
    --methods '0=native,6=binomial' --where cores=4,5 --comparable --by socket
expect 0 'merged has' import run several socket -o merged
grep -q 'by="core,node,socket"' merged/run.xml || {
    echo 'FAILED: the merged run does not say how ranks were mapped'
    failed=1
}
expect 2 'does not match' import csv --map "$map" --file-name 'x{comm_size}.csv' times.csv -c bcast -o no
expect 2 'not both' import csv --map "$map" --file-name '{method}.csv' times.csv -c bcast -o no
expect 2 'unknown, core, socket or node' import osu --comm-size 4 --by rack native-4.txt -o no
expect 0 'named has 6 cells with 11 samples' import osu --file-name '{method}-{comm_size}.txt' native-4.txt \
    binomial-4.txt native-6.txt binomial-6.txt -o named
expect 0 'skipped: binomial-4.txt was to be left out' import osu --file-name '{method}-{comm_size}.txt' \
    --methods 'native=native,binomial=-' native-4.txt binomial-4.txt -o unnamed
expect 0 'sized has 3 cells with 3 samples' import osu --comm-size 6 --ppn 4 --nodes 2 native-4.txt -o sized
expect 0 'bcast,2,4,6,1,native' map sized --format csv

# Methods of one's own: in runs, maps, tables, scores and reports, but not in code.
expect 0 'own has 2 cells with 4 samples' import csv times.csv -o own -c bcast --map "$map" \
    --methods '0=native,6=foreign/my-tree'
expect 0 'bcast,1,4,4,1,foreign/my-tree,2' map own --format csv
printf 'algorithm,cores,size,latency\n0,4,1,2\n6,4,1,1\n0,8,1,4\n6,8,1,1\n' >better.csv
expect 0 'better has 2 cells' import csv better.csv -o better -c bcast --map "$map" \
    --methods '0=native,6=foreign/my-tree'
expect 0 'mean slowdown 0.00 %' learn better -o own.xml
expect 0 'mean slowdown over the best' score own.xml better
expect 0 '' report better own.xml -o own-report
expect 2 'own.xml: chooses bcast/foreign/my-tree, which colltune cannot carry out' build own.xml -o no
expect 2 'own.xml: chooses bcast/foreign/my-tree' generate own.xml --format c -o no
expect 0 'bcast: 1 leaf' learn better -o native.xml --exclude foreign
expect 0 '' generate native.xml --format c -o native.h
expect 2 'which colltune cannot carry out' explain bcast/foreign/my-tree --comm-size 4
expect 2 'which colltune cannot carry out' measure -o no --methods bcast/foreign/my-tree --comm-sizes 2
expect 2 'better: no sweep made this run: it cannot be resumed' measure -o better --resume
expect 1 'better: is a folder: expected a file' build better -o no
expect 2 'better is a run: expected a table, as of colltune learn better --for ompi' \
    generate better --format ompi -o no
expect 2 'better: holds no tuned library' validate better
expect 2 'better: is a run: expected another folder' tune -o better
mkdir tuning
cp -r better tuning/run
expect 2 'tuning/run: no sweep made this run' tune -o tuning
expect 2 'up to 31 letters' import csv times.csv -o no -c bcast --map "$map" \
    --methods '0=native,6=foreign/a b'
expect 2 'is not one of bcast' import csv times.csv -o no -c bcast --map "$map" \
    --methods '0=native,6=reduce/foreign/a'

# Open MPI's numbers and names, with what it forces by default; words that are explained take precedence.
sed 's/^6/2/' times.csv >ompi.csv
expect 0 "bcast: Open MPI's 2 is taken for chain:radix=4" import csv ompi.csv -o ompi -c bcast --map "$map" \
    --names ompi
expect 0 'bcast,1,4,4,1,chain:radix=4,2' map ompi --format csv
expect 0 'bcast,1,4,4,1,native,1' map ompi --format csv
expect 0 'taken for split_binary' import osu --names ompi --method split_binary_tree --comm-size 4 \
    native-4.txt -o forced
expect 0 'ring has 1 cell' import csv ompi.csv -o ring -c reduce --map "$map" --names ompi \
    --methods '2=binomial' --comparable
expect 0 'reduce,1,4,4,1,binomial,2' map ring --format csv
expect 2 "unknown algorithm '11'" import csv ompi.csv -o no -c bcast --names ompi --map "$map" \
    --methods '0=11'
expect 2 "the method '0' is a number: expected --methods, or --names" import csv ompi.csv -o no -c bcast \
    --map "$map"

expect 2 "no algorithm '99' of bcast: expected --methods, such as '99=foreign/NAME'" import osu --names ompi \
    --method 99 --comm-size 4 native-4.txt -o no

# Names as people write them, a column for each method, and tables without names.
printf '#Nnodes Size Binary-Tree  Default\n2 8 1.50(0.10) 2.5\n4 8 3.00(0.20) -\n' >wide.out
expect 0 "bcast: Open MPI's Binary-Tree is taken for binary" import csv wide.out -o wide -c bcast \
    --names ompi --methods Default=native --ppn 2 \
    --map 'nodes=Nnodes,msg_bytes=Size,seconds={method}*us'
expect 0 'bcast,4,2,8,8,binary,1,3e-06' map wide --format csv
expect 0 'bcast,2,2,4,8,native,1,2.5e-06' map wide --format csv
expect 2 'both in a column' import csv wide.out -o no -c bcast \
    --map 'nodes=Nnodes,method=Size,seconds={method}*us'
printf '4 8 1 0.5 \n4 8 6 0.25 \n' >bare
expect 0 'bare-run has 1 cell with 2 samples' import csv bare -o bare-run -c bcast --names ompi \
    --map 'comm_size=#1,msg_bytes=#2,method=#3,seconds=#4*ms'

# Lines between outputs.
{
    echo '**4 ranks: 6, forced**' && echo '```' && osu 2.00 && echo '```'
    echo '**6 ranks: 0, free**' && osu 1.00
} >page.md
expect 0 'page has 2 cells with 2 samples' import osu page.md -o page --names ompi \
    --heading '*{comm_size} ranks: {method}, *'
expect 0 'bcast,1,4,4,1,binomial,1,2e-06' map page --format csv
expect 2 '--heading: the format csv does not have this option' import csv bare -o no --heading x

# SKaMPI: collectives are imported, single messages are fitted; each command names the other.
result()
{
    printf '# begin result "%s"\n' "$1"
    shift
    printf '%s\n' "$@"
    printf '# end result "x"\n' | sed "s/x/$name/"
}
name=MPI_Bcast-procs-short
result $name 'procs= 2 1024 6.5 0.1 16 3.1 6.5' 'procs= 3 1024 8.5 0.1 16 3.1 6.5 8.5' >bcast.sko
name=Pingpong_Send_Recv
for bytes in 4 8 16 32 64 128 256 512; do
    echo "count= $((bytes / 4)) $bytes $((6 + bytes / 64)).5 0.1 16 5.7 5.9"
done >rows
result $name "$(cat rows)" >messages.sko
cat bcast.sko messages.sko >all.sko
expect 0 'skipped: Pingpong_Send_Recv times single messages' import skampi all.sko --ppn 2 -o skampi
expect 0 'bcast,2,2,3,1024,native,1,8.5e-06' map skampi --format csv
grep -q 'time="local"' skampi/run.xml || { echo 'FAILED: run.xml does not say which time it is' && failed=1; }
expect 2 '--slowest: the format skampi does not have' import skampi bcast.sko --slowest -o no
expect 2 'which `colltune fit` reads' import skampi messages.sko -o no
expect 0 'messages.xml is fitted to 8 times' fit messages.sko --link node -o messages.xml
expect 2 '`colltune import` reads' fit bcast.sko -o no
printf '       1 3.814697   0.00000200\n' >np.out
for format in osu imb skampi; do
    expect 2 'np.out: holds times of single messages, by NetPIPE, which `colltune fit` reads' \
        import $format --comm-size 2 np.out -o no
done
expect 2 'which `colltune fit` reads' import csv np.out -c bcast --map "$map" -o no
printf '# OSU MPI Latency Test v7.0\n# Size          Latency (us)\n' >latency.txt
for bytes in 1 2 4 8 16 32 64 128; do echo "$bytes 0.$((20 + bytes / 4))"; done >>latency.txt
expect 2 'latency.txt: holds times of single messages, by OSU micro-benchmarks, which `colltune fit` reads' \
    import osu --comm-size 2 latency.txt -o no
printf '\357\273\277' >marked.out && cat np.out >>marked.out && echo '2 7.629395 0.00000200' >>marked.out
expect 0 'marked.xml is fitted to 2 times' fit marked.out -o marked.xml
expect 2 'bcast.csv:1: expected a file that begins with' fit core/bcast.csv -o no
expect 2 "or output of NetPIPE, logp_mpi, SKaMPI, osu_latency or IMB's PingPong" fit core/bcast.csv -o no
expect 0 'osu.xml is fitted to 8 times' fit latency.txt --link node -o osu.xml

expect 2 'are more than 16 on each; expected at most ' fit --ranks 1000000 -o no

# Wrong usage; nothing is written.
expect 2 'expected FORMAT FILE' import -o no
expect 2 'expected FORMAT FILE' import osu -o no
expect 2 '-o RUN' import osu native-4.txt
expect 2 "unknown format 'oso'" import oso native-4.txt -o no
expect 2 'native-4.txt:3: the number of ranks is unknown' import osu native-4.txt -o no
expect 2 '--slowest: the format csv does not have this option' \
    import csv --slowest times.csv --map "$map" -c bcast -o no
expect 2 '--map: the format osu does not have this option' \
    import osu --comm-size 4 native-4.txt --map "$map" -o no
expect 2 'expected NAME=VALUE' import osu --comm-size 4 native-4.txt --property x -o no
expect 2 'a whole number from 1' import osu --comm-size 0 native-4.txt -o no
expect 2 'unknown, mean, local or global' import csv times.csv --time wall -o no
expect 1 'none.txt' import osu --comm-size 4 none.txt -o no
expect 2 'nothing to import' import imb native-4.txt -o no
if [ -e no ] || [ -e other ]; then
    echo "FAILED: something was written that should not be"
    failed=1
fi
exit $failed
